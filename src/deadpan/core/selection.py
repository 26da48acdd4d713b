"""Which of a task's questions are asked: without those that were excluded, and without those whose
pictures cannot be shown as they are meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.benchmark import Benchmark
from deadpan.core.questions import Question

Exclusion = Literal["harmful"]
EXCLUSIONS: tuple[Exclusion, ...] = get_args(Exclusion)
"""What items can be left out for."""


@dataclass(frozen=True)
class Selection:
    """The questions that are asked, and what is not: items that were excluded, and those that
    cannot be shown, each with the reason."""

    questions: list[Question]
    excluded: tuple[str, ...] = ()
    unshown: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    """What of it belongs into the signature."""


def exclusions(named: str | Sequence[str]) -> tuple[Exclusion, ...]:
    """What was named to be left out, each once and in order; what nothing can be left out for
    raises."""
    given = [named] if isinstance(named, str) else list(named)
    for one in given:
        if one not in EXCLUSIONS:
            expected = f"expected {' or '.join(EXCLUSIONS)}{meant(one, EXCLUSIONS)}"
            raise DeadpanError(f"exclude {one}: {expected}")
    return tuple(one for one in EXCLUSIONS if one in given)


def select_questions(
    benchmark: Benchmark[Any],
    questions: Sequence[Question],
    exclude: Sequence[str] = (),
    shown: bool = False,
) -> Selection:
    """The questions without what is excluded and, where pictures are `shown`, without those that
    cannot be."""
    harmful = "harmful" in exclude
    if harmful and questions and benchmark.harmful[0] not in questions[0].attributes:
        raise DeadpanError(f"exclude harmful: {benchmark.name} marks no item so; leave it out")
    excluded = {one.item for one in questions if harmful and benchmark.is_harmful(one.attributes)}
    unshown = {
        one.item: one.unshown
        for one in questions
        if shown and one.unshown is not None and one.item not in excluded
    }
    kept = [one for one in questions if one.item not in excluded and one.item not in unshown]
    settings = {"exclude": ",".join(exclude)} if excluded else {}
    if unshown:
        settings["left_out"] = str(len(unshown))
    return Selection(kept, tuple(sorted(excluded)), unshown, settings)
