"""A seeded share of the cases of each model, spread over languages as the cases are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor
from random import Random
from typing import TypeVar

from deadpan.failures.cases import Case

CaseT = TypeVar("CaseT", bound=Case)


def drawn(cases: Sequence[CaseT], share: float, seed: int) -> list[CaseT]:
    """About `share` of each model's cases, at least one of each, in the order they came in.

    What is drawn for a model depends on its own cases and the seed alone. No cases, or a share
    outside (0, 1], raises.
    """
    if not cases:
        raise ValueError("no cases to draw from")
    if not 0 < share <= 1:
        raise ValueError(f"a share of {share} cannot be drawn; expected more than 0, at most 1")
    chosen: set[tuple[str, str, str, int]] = set()
    for model in dict.fromkeys(case.model for case in cases):
        strata: dict[str, list[CaseT]] = {}
        for case in sorted(cases, key=lambda case: case.key):
            if case.model == model:
                strata.setdefault(case.language, []).append(case)
        sizes = allocation({name: len(members) for name, members in strata.items()}, share)
        for name, members in strata.items():
            picked = Random(f"{seed}|{model}|{name}").sample(members, sizes[name])
            chosen.update(case.key for case in picked)
    return [case for case in cases if case.key in chosen]


def allocation(sizes: Mapping[str, int], share: float) -> dict[str, int]:
    """How many to draw of each stratum: in all the share rounded half up, at least one; by
    largest remainder, ties in order of name."""
    total = max(1, floor(share * sum(sizes.values()) + 0.5))
    exact = {name: size * total / sum(sizes.values()) for name, size in sorted(sizes.items())}
    given = {name: floor(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: given[name] - exact[name])
    for name in by_remainder[: total - sum(given.values())]:
        given[name] += 1
    return given
