"""A study of one's own with a question of every kind, which three people have answered."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from deadpan.core.study.arranging import Boxes, Order
from deadpan.core.study.choices import Multiple, Number, Single
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.specification import Question, Study
from deadpan.core.study.writing import Transcription
from tests.studies.made_study import picture
from tests.studies.robots import Room, everybody, room_of, work_together

QUESTIONS: list[dict[str, Any]] = [
    {"kind": "single", "name": "funny", "options": ["Yes", "No"]},
    {"kind": "single", "name": "force", "options": ["weak", "middle", "strong"], "ranked": True},
    {"kind": "multiple", "name": "styles", "options": ["pun", "irony", "dry; very", "[sic]"]},
    {"kind": "likert", "name": "taste", "highest": 7},
    {"kind": "slider", "name": "warmth", "highest": 1, "step": 0.25},
    {"kind": "text", "name": "why"},
    {"kind": "text", "name": "mood", "suggestions": ["joy", "awe"], "closed": True},
    {"kind": "span", "name": "target", "of": ["text"]},
    {"kind": "transcription", "name": "words"},
    {"kind": "best", "name": "best"},
    {"kind": "boxes", "name": "where"},
    {"kind": "order", "name": "order", "options": ["a", "b", "c"]},
    {
        "kind": "likert",
        "name": "regret",
        "otherwise": "NA",
        "when": {"question": "funny", "values": ["No"]},
    },
]


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
    """Answers on which people differ, where robots else always say the same."""
    match question:
        case Boxes():
            edge = draw.choice((0.25, 0.5, 0.75))
            return [
                {"x1": 0.0, "y1": 0.0, "x2": edge, "y2": 1.0},
                {"x1": edge, "y1": 0.0, "x2": 1.0, "y2": 1.0},
            ]
        case Order():
            return draw.sample(question.options, 3)
        case Number():
            return draw.choice((0, 0.25, 1))
        case Transcription():
            return {"1": draw.choice(("Ouch!", "Ouch, no!", ""))}
        case Multiple():
            known = [one.value for one in question.options]
            return [one for one in known if draw.random() < 0.5] or known[:1]
        case Single() if question.name == "funny":
            return draw.choice(("Yes", "Yes", "No"))
        case _:
            return None


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
