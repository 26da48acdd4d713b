"""`deadpan compare --until-decided`: two models are asked the same items until it is sure which of
them is better, or all are asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.core.metric import Metric
from deadpan.core.score import ScoringOptions
from deadpan.engine.loops import off_loop
from deadpan.metrics.statistics.sequences import LEVEL
from deadpan.metrics.statistics.stopping import Known, difference_so_far
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.stepping import (
    Settings,
    Stepped,
    ask_in_steps,
    asked_line,
    evidence_of,
    saved_line,
    unscored_line,
    watched_metric,
)

OPTION = "--until-decided"


@dataclass(frozen=True)
class Decision:
    """Which of two models is better at a task, as far as that is known: their values over the items
    that both have answered, and how much more the first has."""

    benchmark: str
    task: str
    metric: Metric
    models: tuple[str, str]
    values: tuple[float | None, float | None]
    known: Known
    asked: int
    signatures: tuple[str, str]
    seed: int

    @property
    def is_decided(self) -> bool:
        """Whether the sign of the difference is sure."""
        return self.known.sign != 0

    @property
    def row(self) -> dict[str, object]:
        """The decision as a row of a document."""
        sign = -self.known.sign if self.metric.is_lower_better else self.known.sign
        better = {1: self.models[0], -1: self.models[1]}.get(sign)
        values = dict(zip(("first_value", "second_value"), self.values, strict=True))
        is_ranked = self.metric.better != "neither"
        return {
            **{"benchmark": self.benchmark, "task": self.task, "metric": self.metric.name},
            **dict(zip(("first", "second"), self.models, strict=True)),
            **values,
            **{"difference": self.known.value, "low": self.known.low, "high": self.known.high},
            **{"decided": self.is_decided, "better": better if is_ranked else None},
            **{"interval": self.known.kind, "items": self.asked, "of_items": self.known.horizon},
            "order_seed": self.seed,
            **dict(zip(("first_signature", "second_signature"), self.signatures, strict=True)),
        }

    def __str__(self) -> str:
        """In words, the better model first where it is known."""
        one, places = self.known, self.metric.decimals
        first, second = self.models
        what = f"{self.benchmark}/{self.task} {self.metric.title}"
        if one.value is None:
            return f"{first} and {second} cannot be compared on {what} after {self.asked:,} items"
        mine, theirs = (0.0 if value is None else value for value in self.values)
        low, high, gap = one.low, one.high, one.value
        if (gap < 0) != self.metric.is_lower_better and gap:
            first, second, mine, theirs = second, first, theirs, mine
            low, high, gap = -high, -low, -gap
        told = f"{mine:.{places}f} vs {theirs:.{places}f}, difference {gap:.{places}f}"
        told += f" [{low:.{places}f}, {high:.{places}f}]"
        of = f"{self.asked:,} of {one.horizon:,} items"
        if not self.is_decided:
            all_of = f"all {self.asked:,} items" if self.asked == one.horizon else of
            close = f"{first} and {second} are too close to call on {what}"
            return f"{close}: undecided after {all_of} ({told})"
        is_ranked = self.metric.better != "neither"
        better = "is better than" if is_ranked else "is not where it is with"
        return f"{first} {better} {second} on {what} ({told}, decided after {of}; {one.kind})"


@dataclass(frozen=True)
class Decided:
    """What came of asking two models until it was decided."""

    table: pl.DataFrame
    decisions: tuple[Decision, ...]
    notes: tuple[str, ...]


def decide_between(
    evaluations: tuple[Evaluation, Evaluation],
    metric: str = "",
    seed: int = 0,
    reporter: Reporter = SILENT,
) -> Decided:
    """Asks two models about the same items, in random order, until the sign of the difference of
    their scores is sure for every task, or all items are asked. A benchmark's tasks are asked about
    the same items."""
    one, other = evaluations
    if one.model == other.model:
        raise DeadpanError(f"{OPTION}: {one.model} twice; name two models")
    metrics = {
        name: {task: watched_metric(name, task, metric, OPTION) for task in tasks}
        for name, tasks in one.chosen.items()
    }
    for evaluation in evaluations:
        evaluation.check()
    return off_loop(lambda: _decide(evaluations, metrics, seed, reporter))


def _decide(
    evaluations: tuple[Evaluation, Evaluation],
    metrics: Mapping[str, Mapping[str, Metric]],
    seed: int,
    reporter: Reporter,
) -> Decided:
    models = (evaluations[0].model, evaluations[1].model)
    options = evaluations[0].options
    tables: list[pl.DataFrame] = []
    decisions: list[Decision] = []
    notes = [f"on items such as these; intervals hold with {LEVEL * 100:g} % whenever it stops"]
    for name, watched in metrics.items():

        def look(
            stepped: Stepped, name: str = name, watched: Mapping[str, Metric] = watched
        ) -> tuple[str, Settings | None]:
            own = _decisions(stepped, name, models, watched, options, seed)
            done = [one for one in own if one.is_decided]
            settings = {
                one.task: f"{one.metric.name} decided@{LEVEL * 100:g};order:{seed}" for one in own
            }
            said = f"{len(done)} of {len(own)} decided"
            return said, settings if len(done) == len(own) else None

        stepped = ask_in_steps(evaluations, name, seed, look, reporter)
        own = _decisions(stepped, name, models, watched, options, seed)
        decisions += own
        notes += [unscored_line(one.known.unscored for one in own), asked_line(stepped)]
        notes += [saved_line(stepped, evaluations[0].prices)]
        tables += stepped.tables
    table = pl.concat(tables, how="diagonal_relaxed")
    return Decided(table, tuple(decisions), tuple(filter(None, notes)))


def _decisions(
    stepped: Stepped,
    name: str,
    models: tuple[str, str],
    metrics: Mapping[str, Metric],
    options: ScoringOptions,
    seed: int,
) -> list[Decision]:
    """What is known of each task."""
    one, other = (evidence_of(stepped, at, name, metrics, options) for at in (0, 1))
    found = []
    for task, metric in metrics.items():
        horizon = stepped.horizons[task]
        known = Known(None, -inf, inf, "asymptotic", 0, 0, horizon)
        values: tuple[float | None, float | None] = (None, None)
        if task in one and task in other:
            known = difference_so_far(one[task], other[task])
            shared = set(one[task].items) & set(other[task].items)
            values = (one[task].among(shared).value, other[task].among(shared).value)
        rows, theirs = (table.filter(task=task) for table in stepped.tables)
        asked, signed = rows["item"].n_unique(), (rows["signature"][0], theirs["signature"][0])
        found.append(Decision(name, task, metric, models, values, known, asked, signed, seed))
    return found
