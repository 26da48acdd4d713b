"""The judge against people: agreement and win rates of its prompt variants (section V-B)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from statistics import fmean

import polars as pl

from deadpan.benchmarks.merbench.cases import cases_of
from deadpan.benchmarks.merbench.ratings import HIGHEST, LOWEST, Rating
from deadpan.benchmarks.merbench.sampling import Output
from deadpan.benchmarks.merbench.scoring import BASE
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.metrics.statistics.correlation import pearson, spearman

JUDGE = "judge"
"""Whose scores these are; the task says which variant of it."""

Values = Mapping[str, Mapping[Output, float]]
"""For each dimension a value from 0 to 1 for each output."""
Distances = Mapping[Output, float]


@dataclass(frozen=True)
class Duel:
    """How often one variant is closer to people than another, farther off, and just as close."""

    wins: int
    losses: int
    ties: int

    @property
    def n(self) -> int:
        return self.wins + self.losses + self.ties

    @property
    def win_rate(self) -> float:
        """Wins of all outputs, ties among them; nothing compared raises."""
        return self.wins / self.n

    @property
    def tie_rate(self) -> float:
        return self.ties / self.n


def human_values(ratings: Sequence[Rating]) -> dict[str, dict[Output, float]]:
    """The mean rating of each output in each dimension, 1–6 mapped to 0–1."""
    given: dict[str, dict[Output, list[float]]] = {}
    for row in ratings:
        mapped = (row.rating - LOWEST) / (HIGHEST - LOWEST)
        given.setdefault(row.dimension, {}).setdefault((row.item, row.model), []).append(mapped)
    return {
        name: {output: fmean(values) for output, values in given[name].items()}
        for name in BASE
        if name in given
    }


def judge_values(table: pl.DataFrame) -> dict[str, dict[str, dict[Output, float]]]:
    """For each task, that is each variant, the judged outputs' base metrics from 0 to 1: ratings
    mapped from 1–5, layout and target hit as 0 or 1."""
    values: dict[str, dict[str, dict[Output, float]]] = {}
    for (task,), rows in table.group_by("task", maintain_order=True):
        judged = [
            case
            for cases in cases_of(rows).values()
            for case in cases.values()
            if case.values is not None
        ]
        values[str(task)] = {
            name: {(c.item, c.model): c.values[name] for c in judged if c.values is not None}
            for name in BASE
        }
    return values


def distances(judge: Mapping[Output, float], people: Mapping[Output, float]) -> Distances:
    """How far the judge is from people on each output that both have."""
    return {output: abs(judge[output] - people[output]) for output in people if output in judge}


def mean_distances(judge: Values, people: Values) -> Distances:
    """The mean distance of each output over the dimensions that people rated it in."""
    found: dict[Output, list[float]] = {}
    for name, rated in people.items():
        for output, distance in distances(judge.get(name, {}), rated).items():
            found.setdefault(output, []).append(distance)
    return {output: fmean(values) for output, values in found.items()}


def duel(first: Distances, second: Distances) -> Duel:
    """The duel of two variants, output by output; equal distances are ties. Nothing that both
    have raises."""
    shared = [output for output in first if output in second]
    if not shared:
        raise ValueError("no output that both variants judged")
    ties = {o for o in shared if isclose(first[o], second[o], rel_tol=0, abs_tol=1e-9)}
    wins = sum(first[output] < second[output] for output in shared if output not in ties)
    return Duel(wins, len(shared) - wins - len(ties), len(ties))


def validation_scores(ratings: Sequence[Rating], variants: Mapping[str, Values]) -> list[Score]:
    """For each variant, over all dimensions (`all`) and for each: the mean distance from people,
    correlations, and the share of outputs on which it is closer than another, or just as close."""
    people = human_values(ratings)
    data = checksum(sorted(row.model_dump_json() for row in ratings))
    scores: list[Score] = []
    for name, values in variants.items():
        emit = _Emitter(name, data, len(ratings))
        away = {other: mean_distances(of, people) for other, of in variants.items()}
        scores += emit.closeness("all", away[name])
        scores += emit.duels("", name, away)
        for dimension, rated in people.items():
            group = f"dimension={dimension}"
            judged = values.get(dimension, {})
            away = {o: distances(of.get(dimension, {}), rated) for o, of in variants.items()}
            scores += emit.closeness(group, away[name])
            scores += emit.correlations(group, judged, rated)
            scores += emit.duels(f"{group},", name, away)
    return scores


_Measure = Callable[[Sequence[float], Sequence[float]], float]
_CORRELATIONS: Mapping[str, _Measure] = {
    "pearson": lambda xs, ys: pearson(xs, ys).r,
    "spearman": lambda xs, ys: spearman(xs, ys).r,
}


def _or_none(measure: _Measure, xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """The correlation; None where it is undefined."""
    try:
        return measure(xs, ys)
    except ValueError:
        return None


@dataclass(frozen=True)
class _Emitter:
    """Makes the scores of one variant."""

    task: str
    data: str
    ratings: int

    def score(self, metric: str, group: str, value: float | None, n: int) -> Score:
        signature = Signature(
            benchmark="merbench",
            task=f"{self.task}_validation",
            version="1",
            n=self.ratings,
            data=self.data,
            prompts="none",
        )
        return Score(
            model=JUDGE,
            task=self.task,
            metric=metric,
            group=group,
            value=value,
            n=n,
            signature=str(signature),
        )

    def closeness(self, group: str, away: Distances) -> Iterator[Score]:
        mean = fmean(away.values()) if away else None
        yield self.score("distance", group, mean, len(away))

    def correlations(
        self, group: str, judged: Mapping[Output, float], rated: Mapping[Output, float]
    ) -> Iterator[Score]:
        shared = [output for output in rated if output in judged]
        xs, ys = [judged[o] for o in shared], [rated[o] for o in shared]
        for name, measure in _CORRELATIONS.items():
            yield self.score(name, group, _or_none(measure, xs, ys), len(shared))

    def duels(self, prefix: str, name: str, away: Mapping[str, Distances]) -> Iterator[Score]:
        """Against each other variant, then against all of them together."""
        fought: list[Duel] = []
        for other in away:
            if other == name or not set(away[name]) & set(away[other]):
                continue
            one = duel(away[name], away[other])
            fought.append(one)
            yield self.score("win_rate", f"{prefix}against={other}", one.win_rate, one.n)
            yield self.score("tie_rate", f"{prefix}against={other}", one.tie_rate, one.n)
        total = Duel(
            *(sum(getattr(d, part) for d in fought) for part in ("wins", "losses", "ties"))
        )
        if fought:
            group = prefix.rstrip(",") or "all"
            yield self.score("win_rate", group, total.win_rate, total.n)
            yield self.score("tie_rate", group, total.tie_rate, total.n)
