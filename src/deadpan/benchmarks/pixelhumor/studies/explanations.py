"""Studies of explanations of PixelHumor's comics: rated one by one, or the best of several."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from pathlib import Path

from deadpan.base.counting import count_noun
from deadpan.base.errors import InputError
from deadpan.base.files import is_there
from deadpan.benchmarks.pixelhumor.judge import INTERPRETATION
from deadpan.benchmarks.pixelhumor.records import Comic, rows
from deadpan.benchmarks.pixelhumor.studies.comics import (
    Showable,
    agreement_of,
    by_agreement,
    folder_of,
    showable,
)
from deadpan.core.dataset import Dataset
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.making import results_of
from deadpan.core.study.specification import Study
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.words import Words

HUMAN = "human"
"""Whose explanations people's are, in a model's place."""
_FILE = "human_explanation.csv"
_RUN = "Run the task first: deadpan run pixelhumor/interpretation --model M."
_MISSPELT = {"garfied_2158": "garfield_2158"}
"""Ids of the released file that are plainly another: the explanation is of that comic."""
Explained = Mapping[str, Mapping[str, str]]
"""Explanations by who gave them and by comic."""


def make_rating(source: StudySource) -> MadeStudy:
    """Every model's explanation of comics on which annotators agree, one at a time."""
    explained = model_explanations(source)
    shown = showable(source.dataset)
    able, notes = _explained_by_all(shown, explained, {*chain(*explained.values())})
    draw = random.Random(source.seed)
    agreed = agreement_of(source.dataset) if source.settings["choose"] == "agreement" else {}
    if source.settings["choose"] == "agreement" and not agreed:
        notes.append("the data has no votes of annotators: comics are chosen at random")
    wanted = source.number("comics", least=1)
    chosen = by_agreement(able, agreed, draw)[:wanted]
    if len(chosen) < wanted:
        given = count_noun(len(chosen), "comic")
        notes.append(f"{given} instead of {wanted}: no more have all explanations")
    items = [
        _item(shown, comic, [_output(model, own[comic.comic_id])])
        for comic in chosen
        for model, own in explained.items()
    ]
    draw.shuffle(items)
    return MadeStudy(_study("rating", source), items, [*shown.notes, *notes])


def make_preference(source: StudySource) -> MadeStudy:
    """A person's explanation among the models', of as many comics of each source."""
    by_models = model_explanations(source)
    if HUMAN in by_models:
        what = f"a model is called {HUMAN}, as people's explanations are"
        raise InputError("results", what, "Give it another name.")
    by_people, notes = human_explanations(source.dataset)
    explained = {HUMAN: by_people, **by_models}
    shown = showable(source.dataset)
    able, lost = _explained_by_all(shown, explained, by_people)
    draw, wanted = random.Random(source.seed), source.number("per_source", least=1)
    items = []
    for name in dict.fromkeys(comic.source for comic in shown.comics):
        own = [comic for comic in able if comic.source == name]
        if len(own) < wanted:
            given = count_noun(len(own), "comic")
            lost.append(f"{name}: {given} instead of {wanted}: no more have all explanations")
        for comic in draw.sample(own, min(wanted, len(own))):
            outputs = [_output(who, said[comic.comic_id]) for who, said in explained.items()]
            # Which place an output has in the item must not tell whose it is.
            draw.shuffle(outputs)
            items.append(_item(shown, comic, outputs))
    draw.shuffle(items)
    return MadeStudy(_study("preference", source), items, [*shown.notes, *notes, *lost])


def _study(name: str, source: StudySource) -> Study:
    """A study's file with the number of people on top."""
    study = read_study(Path(__file__).with_name(f"{name}.yaml"))
    (stage,) = study.stages
    stage = stage.model_copy(update={"people": source.number("people", least=1)})
    return study.model_copy(update={"stages": (stage,)})


def model_explanations(source: StudySource) -> dict[str, dict[str, str]]:
    """What each model explained, by model and comic, in the text that counts as its answer; of
    several epochs the first. No explanation at all raises, and so do two of one comic."""
    answers = results_of(source, "pixelhumor")
    found: dict[str, dict[str, str]] = {}
    for model in answers.models:
        own = [one for one in answers.of(model).get(INTERPRETATION, ()) if one.epoch == 1]
        said = found.setdefault(model, {}) if own else {}
        for answer in own:
            if not answer.is_answered or not isinstance(answer.parsed, str):
                continue
            if answer.item in said:
                what = f"{model} has two explanations of {answer.item}"
                raise InputError("results", what, "Give one run of each model.")
            said[answer.item] = answer.parsed
    if not any(found.values()):
        raise InputError("results", "hold no explanation of a comic", _RUN)
    return found


def human_explanations(dataset: Dataset[Comic]) -> tuple[dict[str, str], list[str]]:
    """The explanations that people wrote, by comic; of two of one comic the first counts. Those of
    comics that the data does not have, and a misspelt id, are noted."""
    path = folder_of(dataset) / _FILE
    if not is_there(path):
        raise InputError(path, "no such file", "Give a folder with people's explanations.")
    known = {comic.comic_id for comic in dataset.records}
    found: dict[str, str] = {}
    unknown, repeated, notes = [], [], []
    for row in rows(path, ("comic_id", "explanation"), []):
        comic, text = row.cells["comic_id"], row.cells["explanation"].strip()
        if comic not in known and _MISSPELT.get(comic) in known:
            notes.append(f"{_FILE}: {comic} is read as {_MISSPELT[comic]}")
            comic = _MISSPELT[comic]
        if comic not in known:
            unknown.append(comic)
        elif text and found.setdefault(comic, text) != text:
            repeated.append(comic)
    if unknown:
        notes.append(f"{_FILE}: no comic of the data is called {', '.join(unknown)}: left out")
    if repeated:
        what = "are explained twice" if len(repeated) > 1 else "is explained twice"
        notes.append(f"{_FILE}: {', '.join(repeated)} {what}; the first counts")
    return found, notes


def _explained_by_all(
    shown: Showable, explained: Explained, wanted: Collection[str]
) -> tuple[list[Comic], list[str]]:
    """The comics that everybody explained, and how many of those `wanted` are not among them; none
    raises."""
    able = [
        comic
        for comic in shown.comics
        if all(comic.comic_id in said for said in explained.values())
    ]
    lost = sum(comic.comic_id in wanted for comic in shown.comics) - len(able)
    if not able:
        what = f"no comic of the data is explained by all of {', '.join(explained)}"
        raise InputError("results", what, "Check that data and results belong together.")
    what = f"left out, as not everybody explained it: {count_noun(lost, 'comic')}"
    return able, [what] if lost else []


def _output(source: str, text: str) -> Output:
    title: Words = {"en": "Explanation", "zh": "解释"}
    part = Part(name="explanation", kind="text", title=title, text=text)
    return Output(source=source, parts=(part,))


def _item(shown: Showable, comic: Comic, outputs: Sequence[Output]) -> StudyItem:
    return shown.item(comic).model_copy(update={"outputs": tuple(outputs)})
