"""A study of one's own with a question of every kind, which three people have answered."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import JsonValue

from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from tests.studies.made_study import picture
from tests.studies.robots import Room, everybody, room_of, work_together


class Sample(NamedTuple):
    """A question of a kind, answers that it takes, one that it does not, and the measure by which
    people agree on it."""

    asked: dict[str, Any]
    said: tuple[JsonValue, ...]
    wrong: JsonValue
    measure: str


def _halves(edge: float) -> JsonValue:
    """Two boxes that touch at an edge."""
    return [
        {"x1": 0.0, "y1": 0.0, "x2": edge, "y2": 1.0, "number": 1},
        {"x1": edge, "y1": 0.0, "x2": 1.0, "y2": 1.0, "number": 2},
    ]


def _picked(text: str, start: int) -> JsonValue:
    return {"text": text, "part": "text", "start": start, "end": start + len(text)}


def _sample(
    kind: str, name: str, said: tuple[JsonValue, ...], wrong: JsonValue, measure: str, **more: Any
) -> Sample:
    return Sample({"kind": kind, "name": name, **more}, said, wrong, measure)


_SPOKEN: dict[str, JsonValue] = {"1": "Ouch!"}
_LOUDER: dict[str, JsonValue] = {"1": "Ouch, no!"}
_STYLES: JsonValue = ["pun", "irony", "dry; very", "[sic]"]
SAMPLES: list[Sample] = [
    _sample("single", "funny", ("Yes", "Yes", "No"), "yes", "alpha_nominal", options=["Yes", "No"]),
    _sample(
        "single",
        "force",
        ("weak", "middle", "strong"),
        "none",
        "alpha_ordinal",
        options=["weak", "middle", "strong"],
        ranked=True,
    ),
    _sample(
        "multiple",
        "styles",
        (["pun", "irony"], ["pun", "dry; very"], ["[sic]"]),
        ["wit"],
        "alpha_jaccard",
        options=_STYLES,
    ),
    _sample("likert", "taste", (2, 4, 5), 8, "alpha_interval", highest=7),
    _sample("slider", "warmth", (0, 0.25, 1), 0.3, "alpha_interval", highest=1, step=0.25),
    _sample("number", "laughs", (0, 3, 4), "many", "alpha_interval", highest=9),
    _sample("text", "why", ("it is dry", "it is very dry", "no idea"), 5, "alpha_lexical"),
    _sample(
        "text",
        "mood",
        ("joy", "awe"),
        "anger",
        "cohen_kappa",
        suggestions=["joy", "awe"],
        closed=True,
    ),
    _sample(
        "span",
        "target",
        (_picked("boss", 4), _picked("The boss", 0), {"text": "work"}),
        _picked("boss", 3),
        "alpha_lexical",
        of=["text"],
    ),
    _sample("transcription", "words", (_SPOKEN, _LOUDER), {"9": "Ouch!"}, "alpha_lexical"),
    _sample("best", "best", (0, 1), 2, "alpha_nominal"),
    _sample("pairwise", "better", (0, 1, "tie"), 2, "alpha_nominal", tie=True),
    _sample(
        "boxes", "where", (_halves(0.25), _halves(0.5), _halves(0.75)), [{"x1": 0}], "agreement_iou"
    ),
    _sample(
        "order",
        "order",
        (["a", "b", "c"], ["c", "a", "b"]),
        ["a"],
        "agreement_tau",
        options=["a", "b", "c"],
    ),
    _sample("upload", "edit", ("0" * 64, "1" * 64), "edit.png", "alpha_nominal"),
]
"""A line a kind, and more where it has several sides."""
APART = ("pairwise", "upload")
"""What the study does not ask: choices of two are a file of their own, and robots send no files."""
_REGRET = {
    "kind": "likert",
    "name": "regret",
    "otherwise": "NA",
    "when": {"question": "funny", "values": ["No"]},
}
QUESTIONS = [*(one.asked for one in SAMPLES if one.asked["kind"] not in APART), _REGRET]


def every_kind(**more: Any) -> Study:
    """The study."""
    questions = [{"title": one["name"].title(), **one} for one in QUESTIONS]
    again = {"kind": "likert", "name": "taste", "title": "Taste, again"}
    stage = {"title": "Look", "people": 3, "settling": {"rule": "independent"}}
    about = {
        "name": "every-kind",
        "title": "Every kind",
        "benchmark": "pixelhumor",
        "stages": [
            {**stage, "name": "first", "questions": questions},
            {**stage, "name": "second", "questions": [again]},
        ],
    }
    return Study.model_validate(about | more)


def items(folder: Path, many: int = 4) -> list[StudyItem]:
    """Jokes with a picture, a text and what two sources made of them, in both languages."""
    return [
        StudyItem(
            key=f"joke-{at}",
            language="zh" if at % 2 else "en",
            parts=(
                Part(name="picture", kind="picture", path=picture(folder, f"joke{at}")),
                Part(name="text", kind="text", text="The boss loves Mondays, of course."),
            ),
            outputs=tuple(
                Output(source=name, parts=(Part(name="text", kind="text", text="ha"),))
                for name in ("haiku-0", "haiku-1")
            ),
        )
        for at in range(many)
    ]


def by_lot(question: Question, item: StudyItem, draw: random.Random) -> JsonValue:
    """Answers on which people differ."""
    said = {one.asked["name"]: one.said for one in SAMPLES}
    return draw.choice(said[question.name]) if question.name in said else None


@contextmanager
def answered(folder: Path, study: Study | None = None) -> Iterator[Room]:
    """The study in a folder, answered by three people."""
    room = room_of(folder, study or every_kind(), items(folder.parent / "sources"))
    with everybody(*(room.joined(name) for name in ("Ann", "Bo", "Chen"))) as people:
        work_together(people, by_lot)
    try:
        yield room
    finally:
        room.study.database.close()
