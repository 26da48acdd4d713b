"""Studies of PixelHumor's comics themselves: their humour, and their panels."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.pixelhumor.records import QUESTIONS, Comic, read_comics
from deadpan.benchmarks.pixelhumor.studies.comics import (
    MINI,
    TITLE,
    Showable,
    agreement_of,
    attributes,
    by_agreement,
    languages_in_turn,
    pictured,
    showable,
)
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.specification import Batches, Practice, Study
from deadpan.core.study.stages import Stage
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.words import WrongAnswer
from deadpan.media.images import open_image

FOLDER = Path(__file__).parent
OBJECTIVE = ("Q2", "Q3")
"""What can be answered wrongly: hidden checks and the lead look at these."""


def make_annotation(source: StudySource) -> MadeStudy:
    """The five questions about every comic, in pairs."""
    study = _annotation(source)
    (stage,) = study.stages
    draw = random.Random(source.seed)
    shown = showable(source.dataset)
    practice, notes = _practice(source, stage, shown, draw)
    aside = {item.key for item in practice}
    rest = [comic for comic in shown.comics if comic.comic_id not in aside]
    checks = _checks(source, stage, rest, shown, draw)
    aside |= {item.key for item in checks}
    rest = [comic for comic in rest if comic.comic_id not in aside]
    if not rest:
        raise DeadpanError("practice and checks leave no comic; set fewer of them aside")
    main = [shown.item(comic) for comic in drawn(rest, source.number("comics"), draw)]
    return MadeStudy(study, [*practice, *checks, *main], [*shown.notes, *notes])


def drawn(comics: Sequence[Comic], count: int, draw: random.Random) -> list[Comic]:
    """So many of the comics by lot, in the order in which they were drawn; all where 0 are asked
    for, or more than there are."""
    return draw.sample(comics, min(count or len(comics), len(comics)))


def _annotation(source: StudySource) -> Study:
    """The study's file with the options on top."""
    study = read_study(FOLDER / "annotation.yaml")
    (stage,) = study.stages
    size, practice = source.number("batch"), source.number("practice")
    changes: dict[str, object] = {
        "stages": (stage.model_copy(update={"people": source.number("people", least=1)}),),
        "teams": source.number("teams", least=1),
        "batches": Batches(size=size, checked=source.number("checked"), questions=OBJECTIVE)
        if size
        else None,
        "practice": Practice(
            pass_mark=source.share("pass_mark"),
            sessions=source.number("sessions", least=1),
        )
        if practice
        else None,
        "checks_every": source.number("checks_every", least=2) if source.number("checks") else None,
    }
    return study.model_copy(update=changes)


def gold_answers(stage: Stage, comic: Comic, item: StudyItem) -> dict[str, JsonValue] | None:
    """Gold as the study's answers; None where gold has no one answer to a question, or one that
    cannot be chosen."""
    gold: dict[str, JsonValue] = {
        "Q1": comic.presence,
        "Q2": comic.sound_effect,
        "Q3": comic.panel[0] if len(comic.panel) == 1 else None,
        "Q4": comic.modality,
        "Q5": list(comic.styles),
    }
    try:
        read = {one.name: one.read(gold[one.name], item) for one in stage.asked(gold)}
    except WrongAnswer:
        return None
    answers = stage.completed(read)
    return answers if comic.boxes and set(answers) == set(QUESTIONS) else None


def _practice(
    source: StudySource, stage: Stage, shown: Showable, draw: random.Random
) -> tuple[list[StudyItem], list[str]]:
    """Comics with gold to practise on, those first on which annotators agreed, in all languages of
    the data: from the mini-set, or set aside from the data."""
    count = source.number("practice") * source.number("sessions")
    if not count:
        return [], []
    dataset = source.dataset
    if source.settings["practice_from"] == MINI and dataset.origin != MINI:
        dataset = read_comics(None)
        shown = showable(dataset)
    spoken = {comic.language for comic in source.dataset.records}
    able = [comic for comic in shown.comics if comic.language in spoken]
    ranked = by_agreement(able, agreement_of(dataset), draw)
    items = []
    for comic in languages_in_turn(ranked):
        item = shown.item(comic)
        if gold := gold_answers(stage, comic, item):
            told = {comic.language: comic.explanation} if comic.explanation else {}
            added = {"kind": "practice", "gold": gold, "feedback": told}
            items.append(item.model_copy(update=added))
    if len(items) < count:
        what = f"{count} comics for practice (practice times sessions)"
        raise DeadpanError(f"{what}: expected {len(items)} or fewer, as have gold")
    origin = MINI if dataset.origin == MINI else "data"
    return items[:count], [f"for practice, from the {origin}: {count_noun(count, 'comic')}"]


def _checks(
    source: StudySource,
    stage: Stage,
    comics: Sequence[Comic],
    shown: Showable,
    draw: random.Random,
) -> list[StudyItem]:
    """Comics of the data with gold, set aside: what is checked is what can be answered wrongly."""
    count = source.number("checks")
    if not count:
        return []
    items = []
    for comic in by_agreement(comics, agreement_of(source.dataset), draw):
        item = shown.item(comic)
        if gold := gold_answers(stage, comic, item):
            own = {name: gold[name] for name in OBJECTIVE}
            items.append(item.model_copy(update={"kind": "check", "gold": own}))
    if len(items) < count:
        raise DeadpanError(f"--set checks={count}: expected {len(items)} or fewer, as have gold")
    return items[:count]


def make_panels(source: StudySource) -> MadeStudy:
    """Boxes, reading order, text and harm of every comic, from its bare picture."""
    study = read_study(FOLDER / "panels.yaml")
    people = {name: source.number("people", least=1) for name in ("boxes", "reading")}
    people["harm"] = source.number("harm_people", least=1)
    stages = tuple(
        stage.model_copy(update={"people": people.get(stage.name, stage.people)})
        for stage in study.stages
    )
    comics, notes = pictured(source.dataset)
    chosen = drawn(comics, source.number("comics"), random.Random(source.seed))
    blurred = source.settings["blur"] == "yes"
    items = [_bare_item(comic, blurred) for comic in chosen]
    return MadeStudy(study.model_copy(update={"stages": stages}), items, notes)


def _bare_item(comic: Comic, blurred: bool) -> StudyItem:
    """A comic without the numbers, text and flag that people are asked for."""
    part = Part(name="picture", kind="picture", title=TITLE, path=str(comic.image))
    return StudyItem(
        key=comic.comic_id,
        language=comic.language,
        parts=(part,),
        panels=comic.number_of_panels,
        attributes=attributes(comic) | _size(part),
        harmful=comic.harmful and blurred,
    )


def _size(part: Part) -> dict[str, JsonValue]:
    """Width and height of the picture as it is released: boxes are drawn in shares of them."""
    try:
        with open_image(Path(part.path)) as image:
            return {"width": image.width, "height": image.height}
    except InputError:
        return {}  # the item is left out, and named, where its picture is taken into the study
