"""Models asked about the same items in a seeded random order, some at a time, until enough is
known; and what that saves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Metric
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import UNAVAILABLE, parse_signature
from deadpan.core.usage import Prices, usage_of
from deadpan.metrics.statistics.sequences import asked_order
from deadpan.metrics.statistics.stopping import Evidence, sequence_kind, sequence_metrics
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.judging import judge_endpoint
from deadpan.pipeline.reporter import SILENT, Reporter

_FIRST = 20
_GROWTH, _LOOKS = 8, 40
"""A step asks at least a so-manieth of what was asked before, or of all, so that looking costs
little."""
Settings = Mapping[str, str]
"""What signatures say of how asking was stopped, by task."""


@dataclass(frozen=True)
class Stepped:
    """What was asked of some models: the answers of each, graded, to which items in which order, of
    how many there are for each task, and how many the data has; how many calls of each model all of
    them are; and, over all models, how many were made and how many are not in the store in the
    end."""

    tables: tuple[pl.DataFrame, ...]
    order: tuple[str, ...]
    horizons: Mapping[str, int]
    totals: Mapping[str, int]
    calls: int
    made: int = 0
    saved: int = 0

    @property
    def answers(self) -> int:
        """How many answers there are, of all models."""
        return sum(map(len, self.tables))


Look = Callable[[Stepped], tuple[str, Settings | None]]
"""What is known by what was asked so far, in words, and by what asking stops, if it does."""


def watched_metric(name: str, task: str, wanted: str = "", option: str = "--until") -> Metric:
    """The metric that asking may stop by: the one that was named, else the task's first. One that
    has no confidence sequence raises, and names those that have."""
    benchmark = find(name)
    where = f"{option}: {name}/{task}"
    if benchmark.draws_samples:
        raise DeadpanError(f"{where} is scored on samples of the items; ask them all")
    metrics = benchmark.task(task).metrics
    usable = sequence_metrics(metrics)
    known = f"expected {' or '.join(usable)}" if usable else "none of its metrics can be used"
    named = [one for one in metrics if one.name == wanted] if wanted else list(metrics[:1])
    if not named:
        raise DeadpanError(f"{where} has no metric {wanted or 'at all'}; {known} (--metric)")
    for metric in named:
        if sequence_kind(metric):
            return metric
    why = "neither is a mean nor moves smoothly with the items"
    raise DeadpanError(f"{where}: {named[0].name} {why}; {known} (--metric)")


def ask_in_steps(
    evaluations: Sequence[Evaluation], name: str, seed: int, look: Look, reporter: Reporter = SILENT
) -> Stepped:
    """Asks each model about the items of one benchmark until `look` says that it is enough, or all
    were asked. Where a judge or a reader is needed, it is asked in step."""
    from deadpan.engine.stepping import SteppedRun, stepped_run

    first = evaluations[0]
    models = ", ".join(one.model for one in evaluations)
    with ExitStack() as stack:
        events = stack.enter_context(reporter.asking(models, first.prices))
        runs: list[SteppedRun] = []
        for one in evaluations:
            chosen = {name: one.chosen[name]}
            judge = judge_endpoint(chosen, one.judging) if one.judging else None
            made = (chosen, one.model, one.settings, events, judge, one.answerer)
            runs.append(stack.enter_context(stepped_run(*made)))
        every = (item for run in runs for own in run.items.values() for item in own)
        order = asked_order(every, seed)
        calls = sum(runs[0].calls.values())
        at_once = first.settings.calls.max_connections * len(order) / calls
        horizons = {task: len(items) for task, items in runs[0].items.items()}
        until: Settings | None = None
        asked = 0
        for count in _counts(len(order), at_once):
            manifests = [run.ask(order[asked:count], order[:asked]) for run in runs]
            asked = count
            graded = [one.graded(own) for one, own in zip(evaluations, manifests, strict=True)]
            about = (tuple(order[:asked]), horizons, runs[0].totals, calls)
            said, until = look(Stepped(tuple(graded), *about))
            events.so_far(said)
            if until is not None:
                break
        manifests = [run.stop(order[:asked], until or {}) for run in runs]
        new = sum(run.asked for run in runs)
        saved = sum(run.unanswered(order[:asked]) for run in runs)
    graded = [one.graded(own, reporter) for one, own in zip(evaluations, manifests, strict=True)]
    return Stepped(tuple(graded), *about, new, saved)


def _counts(items: int, at_once: float) -> Iterator[int]:
    """How many items were asked after each step: as many more as connections take at once, or more
    where there are many."""
    least = max(1, ceil(at_once))
    count = min(items, max(_FIRST, least))
    while count < items:
        yield count
        count = min(items, count + max(least, min(count // _GROWTH, items // _LOOKS)))
    yield items


def evidence_of(
    stepped: Stepped, model: int, name: str, metrics: Mapping[str, Metric], options: ScoringOptions
) -> dict[str, Evidence]:
    """What the items of each task add to its metric, of the model at a place; tasks that have no
    measurement yet are not there."""
    table, found = stepped.tables[model], {}
    for measured in _measured(find(name), table, metrics, options):
        rows = table.filter(task=measured.task).select("item", "outcome")
        outcomes = dict(rows.group_by("item").agg("outcome").iter_rows())
        _require_value(measured)
        horizon = stepped.horizons[measured.task]
        found[measured.task] = Evidence.of(measured, outcomes, stepped.order, horizon)
    return found


def _measured(
    benchmark: Benchmark[Any],
    table: pl.DataFrame,
    metrics: Mapping[str, Metric],
    options: ScoringOptions,
) -> Iterator[Measurement]:
    """Each task's measurement of its metric; models for metrics that nobody watches stay out."""
    names = {metric.name for metric in metrics.values()}
    models = {key: value for key, value in options.models.items() if key.partition(":")[0] in names}
    if not names & set(benchmark.metric_models):
        options = replace(options, models=models)
    seen: set[str] = set()
    for one in benchmark.measurements(table, options):
        if not isinstance(one, Measurement) or one.task in seen or one.task not in metrics:
            continue
        metric = metrics[one.task]
        if (one.metric.name, one.metric.each, one.group) == (metric.name, "", ALL):
            seen.add(one.task)
            yield one
            if len(seen) == len(metrics):
                return


def _require_value(measured: Measurement) -> None:
    """Raises where a metric cannot be measured for want of something."""
    how = parse_signature(measured.signature).settings.get(measured.metric.name, "")
    if UNAVAILABLE in how:
        raise DeadpanError(f"{measured.task}: no {measured.metric.name} to stop by ({how})")


def asked_line(stepped: Stepped) -> str:
    """How much came from the store; empty where nothing did."""
    known = stepped.answers - stepped.made
    if not stepped.made:
        return f"nothing asked: all {count_noun(known, 'answer')} from the store"
    return f"{stepped.made:,} asked, {known:,} from the store" if known else ""


def saved_line(stepped: Stepped, prices: Prices) -> str:
    """How many calls were not needed, and about what they would have cost. An answer that the store
    has already was paid for."""
    calls = len(stepped.tables) * stepped.calls
    others = calls - stepped.answers
    if not others:
        needed = f"all {count_noun(calls, 'call')} were needed: nothing saved"
        return needed if stepped.made else ""
    if not stepped.saved:
        return f"nothing saved: the store holds the other {count_noun(others, 'answer')} too"
    costs, judged = [], 0
    for table in stepped.tables:
        more = (stepped.calls - len(table)) / len(table) * stepped.saved / others
        for used in usage_of(table, prices):
            if used.cost is not None:
                costs.append(used.cost * more)
            judged += round(used.calls * more) if used.role != "model" else 0
    also = f", about {judged:,} of the judge" if judged else ""
    cost = f" and about ${sum(costs):,.2f}" if sum(costs) >= 0.005 else ""
    return f"saved: {stepped.saved:,} of {count_noun(calls, 'call')}{also}{cost}"


def unscored_line(counts: Iterable[int]) -> str:
    """What has to be known where items have no score; empty where all have."""
    most = max(counts, default=0)
    what = f"{count_noun(most, 'item')} asked about have no score and are no evidence"
    return f"{what}: the interval holds if calls fail by chance" if most else ""
