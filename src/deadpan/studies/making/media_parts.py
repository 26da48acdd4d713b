"""What models were shown, as parts of a study's items: pictures, numbered comics, videos."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from deadpan.core.benchmark import Benchmark
from deadpan.core.question_variants import worded_questions
from deadpan.core.questions import Picture, Question
from deadpan.core.study.items import Part
from deadpan.core.study.templates import StudySource
from deadpan.core.study.words import Wording

titles = Wording(Path(__file__).with_name("titles.toml"))
"""What the templates here call themselves, and the parts of their items."""
Media = Mapping[str, tuple[Part, ...]]
"""By item what is seen of it."""


def media_of(benchmark: Benchmark[Any], source: StudySource, task: str) -> Media:
    """By item what the data has to look at. Files are the data's, never those that a table names:
    a table may come from a stranger."""
    asked = worded_questions(benchmark, source.dataset, task, benchmark.prompts(task))
    return {question.item: tuple(_parts(question)) for question in asked}


def _parts(question: Question) -> Iterator[Part]:
    yield from picture_parts(question.pictures)
    if question.clip is not None:
        yield Part(name="video", kind="video", title=titles("video"), path=question.clip.path)


def picture_parts(pictures: Iterable[Picture]) -> Iterator[Part]:
    """Pictures, and comics with the numbers on their panels."""
    for number, one in enumerate(pictures, start=1):
        kind = "comic" if one.panels else "picture"
        yield Part.model_validate(
            {
                "name": "picture" if number == 1 else f"picture_{number}",
                "kind": kind,
                "title": titles(kind),
                "path": one.path,
                "panels": one.panels,
            }
        )
