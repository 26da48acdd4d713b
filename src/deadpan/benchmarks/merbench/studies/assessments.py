"""MER-Bench's studies of the judge: its assessments of edits rated, or two prompts' assessments
chosen between. The paper leaves open which of them people did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.merbench.edits import EDITED, MAIN, EditedPicture, folder_of
from deadpan.benchmarks.merbench.judge import BLOCKS, OTHER
from deadpan.benchmarks.merbench.records import Meme, emotion_word
from deadpan.benchmarks.merbench.studies.edits import edited, edits_of, is_same, shown_meme
from deadpan.core.questions import Language
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.making import first_epochs, notes_on, results_of, shuffled, with_people
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.words import Words

FOLDER = Path(__file__).parent
_Judged = Mapping[str, Any]
"""The blocks of a judgement."""
_TITLES: Mapping[str, Words] = {
    "visual_assessment": {"en": "Picture (VGQ, VEA)", "zh": "画面（VGQ、VEA）"},
    "text_assessment": {"en": "Caption (TGQ, TEA)", "zh": "文字（TGQ、TEA）"},
    "layout_consistency": {"en": "Layout (LC)", "zh": "版式（LC）"},
    "overall_emotion_classification": {"en": "Primary emotion (PPE)", "zh": "主要情绪（PPE）"},
    "perceived_emotion_shift": {"en": "Emotion shift (PES)", "zh": "情绪变化（PES）"},
    "overall_generation_quality": {"en": "As a whole (HGQ)", "zh": "整体（HGQ）"},
}
_FIELDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "generation_quality_1_5": "Quality, 1 to 5: {}",
        "emotion_accuracy_1_5": "Target emotion, 1 to 5: {}",
        "consistent": "Kept: {}",
        "label": "Perceived: {}",
        "magnitude_1_5": "Shift, 1 to 5: {}",
        "overall_generation_quality_1_5": "Quality, 1 to 5: {}",
    },
    "zh": {
        "generation_quality_1_5": "质量（1–5）：{}",
        "emotion_accuracy_1_5": "目标情绪（1–5）：{}",
        "consistent": "保持一致：{}",
        "label": "感知到：{}",
        "magnitude_1_5": "变化幅度（1–5）：{}",
        "overall_generation_quality_1_5": "质量（1–5）：{}",
    },
}
_YES_NO: Mapping[Language, Mapping[bool, str]] = {
    "en": {True: "yes", False: "no"},
    "zh": {True: "是", False: "否"},
}


def make_assessments(source: StudySource) -> MadeStudy:
    """Random edits with the judge's assessment by its main prompt, or by each of its prompts."""
    only = source.settings["variants"] == "main"
    items = [
        _item(source, place, (task,), judged)
        for place, judged in _drawn(source, 1)
        for task in judged
        if task == MAIN or not only
    ]
    if not items:
        raise DeadpanError(
            f"no edit is judged by {MAIN}, the judge's main prompt; give --from results that are, "
            "or --set variants=all"
        )
    return _made("assessments", source, shuffled(Random(source.seed), items))


def make_judges(source: StudySource) -> MadeStudy:
    """Random edits with the assessments of two of the judge's prompts: every pair, or one each."""
    rng = Random(source.seed)
    items: list[StudyItem] = []
    taken: dict[tuple[str, ...], int] = {}
    for place, judged in _drawn(source, 2):
        pairs = shuffled(rng, combinations(sorted(judged), 2))
        if source.settings["pairs"] == "one":
            pairs = [min(pairs, key=lambda pair: taken.get(pair, 0))]
        for pair in pairs:
            taken[pair] = taken.get(pair, 0) + 1
            items.append(_item(source, place, shuffled(rng, pair), judged))
    return _made("judges", source, items)


def _made(name: str, source: StudySource, items: list[StudyItem]) -> MadeStudy:
    study = with_people(read_study(FOLDER / f"{name}.yaml"), source.number("people"))
    return MadeStudy(study, items, [*notes_on(items)])


@dataclass(frozen=True)
class _Place:
    """An edit that is there, of a meme, by a model."""

    meme: Meme
    model: str
    edit: EditedPicture


def _drawn(source: StudySource, fewest: int) -> list[tuple[_Place, Mapping[str, _Judged]]]:
    """Random edits that at least so many prompts judged, each with its judgements by task."""
    memes, edits = edits_of(source)
    judged = _judgements(source)
    able = {key: own for key, own in judged.items() if len(own) >= fewest and key in edits}
    wanted = shuffled(Random(source.seed), sorted(able))
    size = source.number("sample") or len(wanted)
    drawn = [*islice((key for key in wanted if is_same(edits[key])), size)]
    if not drawn:
        prompts = "a prompt" if fewest == 1 else f"{fewest} prompts"
        raise DeadpanError(
            f"no edit in the results is judged by {prompts} of the judge, with its picture there "
            f"or in {EDITED}/ of --data; judge them: deadpan score merbench --edits DIR "
            "--judge MODEL --table FILE"
        )
    return [(_Place(memes[key[0]], key[1], edits[key]), able[key]) for key in drawn]


def _judgements(source: StudySource) -> dict[tuple[str, str], dict[str, _Judged]]:
    """By meme and model the blocks of each task's first judgement."""
    answers = results_of(source, "merbench")
    found: dict[tuple[str, str], dict[str, _Judged]] = {}
    for model in answers.models:
        for task, own in answers.of(model).items():
            for item, answer in first_epochs(own).items():
                parts = answer.judged(lambda judgement: judgement.parts)
                if parts and BLOCKS.keys() <= parts[0].keys():
                    found.setdefault((item, model), {})[task] = parts[0]
    return found


def _item(
    source: StudySource,
    place: _Place,
    tasks: tuple[str, ...] | list[str],
    judged: Mapping[str, _Judged],
) -> StudyItem:
    """An edit with the assessments of some prompts, whose names are sealed, and so is whose edit it
    is. In files it is called by the meme and by who edited it: `12.png / EDITOR`."""
    outputs = [Output(source=task, parts=tuple(_parts(judged[task]))) for task in tasks]
    shown = shown_meme(place.meme, folder_of(source.dataset), edited(place.edit), outputs=outputs)
    about = {"meme": place.meme.id, "model": place.model}
    named = {"key": f"{place.meme.id} / {place.model}"}
    return shown.model_copy(update=named | {"attributes": {**shown.attributes, **about}})


def _parts(judged: _Judged) -> Iterator[Part]:
    """An assessment block by block. Numbers come before reasons whatever the prompt asked for
    first, so that the form tells nothing of it."""
    for name, fields in BLOCKS.items():
        said: Words = {code: _block(judged[name], fields, code) for code in _FIELDS}
        yield Part(name=name, kind="text", title=_TITLES[name], texts=said)


def _block(block: Mapping[str, Any], fields: Iterable[str], language: Language) -> str:
    """A block under labels of a language; its reason is in the judge's own words."""
    lines = [
        _FIELDS[language][field].format(_said(block, field, language))
        for field in fields
        if field in _FIELDS[language]
    ]
    reason = str(block.get("rationale") or "").strip()
    return "\n".join(lines) + (f"\n\n{reason}" if reason else "")


def _said(block: Mapping[str, Any], field: str, language: Language) -> str:
    value = block.get(field)
    if isinstance(value, bool):
        return _YES_NO[language][value]
    if field == "label" and value == OTHER and block.get("other_emotion"):
        return str(block["other_emotion"])
    return emotion_word(str(value), language) if field == "label" else str(value)
