"""What pictures add: runs with and without them, told apart and paired item by item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Addition, TableLayout
from deadpan.core.measurement import ALL, GAIN, Measurement, paired_gains
from deadpan.core.plots import VariantsPlot
from deadpan.core.score import Score
from deadpan.core.signature import PARAPHRASE, parse_signature
from deadpan.core.variants import Variant
from deadpan.metrics.statistics.intervals import is_estimate
from deadpan.metrics.statistics.paired import Pair

_LANGUAGE = "language="


def marked(model: str, way: str) -> str:
    """The name of a model with how it was asked, where that is not in full: `gpt (text only)`."""
    return f"{model} ({way})" if way else model


def name_variants(table: pl.DataFrame, among: Iterable[str] = ()) -> pl.DataFrame:
    """The results with models named apart that were asked in variants or paraphrases, where others
    of the same benchmark were asked otherwise, in the table or under the signatures `among` which
    it is. People's answers are of no variant."""
    signatures = table["signature"].unique().to_list()
    parsed = {text: parse_signature(text) for text in signatures}
    ways: dict[str, set[str]] = {}
    for one in (*parsed.values(), *map(parse_signature, among)):
        if not one.is_of_people:
            ways.setdefault(one.benchmark, set()).add(one.way)
    told = {
        text: f" ({one.way})"
        for text, one in parsed.items()
        if one.way and len(ways.get(one.benchmark, ())) > 1
    }
    if not told:
        return table
    end = pl.col("signature").replace_strict(told, default="", return_dtype=pl.String)
    named = pl.when(pl.col("model").str.ends_with(end)).then(pl.col("model"))
    return table.with_columns(model=named.otherwise(pl.col("model") + end))


def picture_gains(
    benchmark: Benchmark[Any], measured: Sequence[Measurement | Score]
) -> Addition | None:
    """Of each model that was asked both ways, every metric less that by text alone, over the items
    answered both ways; None where no model was."""
    own = [one for one in measured if isinstance(one, Measurement)]
    alone = Variant.TEXT_ONLY.mark
    by_key = {
        (one.model, one.task, one.metric.name): one
        for one in own
        if one.group == ALL and not one.metric.each and one.draws is None and not one.parts
    }
    scores = [
        gain
        for (model, task, metric), one in by_key.items()
        if (other := by_key.get((marked(model, alone), task, metric))) is not None
        for gain in _with_ends(one, other)
    ]
    return Addition(scores, tuple(_tables(benchmark, scores))) if scores else None


def _with_ends(one: Measurement, other: Measurement) -> Iterator[Score]:
    """What one measurement gives more than another, with the interval over items."""
    for gain in paired_gains(one, other):
        if gain.value is None or not is_estimate(one.metric):
            yield gain
            continue
        found = Pair(one, other, gain.group).difference(permutations=0)
        ends = {} if found is None else {"low": found.low, "high": found.high}
        yield gain.model_copy(update={**ends, "interval": found.interval if found else ""})


def variants_plot(
    benchmark: Benchmark[Any],
    table: pl.DataFrame,
    chance: Sequence[tuple[str, str, float]] = (),
) -> VariantsPlot | None:
    """A plot of the scores of tasks that were asked in full and in variants; None where none was.
    `chance` is (task, metric, value) of what guessing gets."""
    asked: dict[str, dict[str, Variant]] = {}
    for task, text in table.select("task", "signature").unique(maintain_order=True).iter_rows():
        one = parse_signature(text)
        if PARAPHRASE not in one.settings and not one.is_of_people:
            asked.setdefault(task, {})[one.way] = one.variant
    tasks = [spec for spec in benchmark.tasks if {""} < asked.get(spec.name, {}).keys()]
    ways = {way: one for spec in tasks for way, one in asked[spec.name].items() if way}
    if not ways:
        return None
    order = list(Variant)
    return VariantsPlot(
        title="What the scores need",
        rows=tuple(
            (spec.title, spec.name, tuple(one.name for one in spec.headlines)) for spec in tasks
        ),
        ways=tuple(sorted(ways, key=lambda way: (order.index(ways[way]), way))),
        chance=tuple(chance),
        caption="A score that stays where it is without the picture needs no looking.",
    )


def _tables(benchmark: Benchmark[Any], scores: Sequence[Score]) -> Iterator[TableLayout]:
    """A table for each task, of the metrics that the paper has, language by language."""
    titles = {spec.name: spec.title for spec in benchmark.tasks}
    languages = [f"{_LANGUAGE}{code}" for code in benchmark.languages]
    for task in dict.fromkeys(one.task for one in scores):
        columns = []
        for one in scores:
            metric = benchmark.metric(one.metric.removesuffix(GAIN))
            groups = [group for group in languages if _has(scores, one, group)] or [ALL]
            if one.task == task and metric.source and one.group in groups:
                if all(other.value is None for other in scores if _alike(one, other)):
                    continue
                code = one.group.removeprefix(_LANGUAGE).upper() if one.group != ALL else ""
                title = metric.title[:1].upper() + metric.title[1:]
                columns.append((f"{title} {code}".strip(), task, one.metric, one.group))
        if columns:
            yield TableLayout(
                title=f"What the picture adds: {titles.get(task, task)}",
                published="",
                columns=tuple(dict.fromkeys(columns)),
                remark="Full minus text only, over the items that were scored both ways.",
            )


def _alike(one: Score, other: Score) -> bool:
    return (one.task, one.metric, one.group) == (other.task, other.metric, other.group)


def _has(scores: Sequence[Score], like: Score, group: str) -> bool:
    return any(
        one.group == group and (one.task, one.metric) == (like.task, like.metric) for one in scores
    )
