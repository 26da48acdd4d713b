"""How far a score depends on the words of the question, the order of options, sampling and the
judge: the variance that each adds, task by task."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from deadpan.benchmarks import find
from deadpan.core.capabilities import Addition
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Metric
from deadpan.core.plots import VariancePlot
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import PARAPHRASE, VARIANT_SEED, Signature, parse_signature
from deadpan.core.variants import Variant
from deadpan.metrics.statistics.components import REST, Components, Term, variance_components
from deadpan.pipeline.results import Results
from deadpan.pipeline.shortcuts import headline_scores

ITEM, PROMPT, ORDER, EPOCH, JUDGE, ANSWER = "item", "prompt", "order", "epoch", "judge", "answer"
_FACTORS = (ITEM, PROMPT, ORDER, EPOCH, JUDGE)
_TERMS: tuple[Term, ...] = ((ITEM,), (PROMPT,), (ORDER,), (ITEM, PROMPT), (ITEM, ORDER))
_SOURCES: dict[str, tuple[Term, ...]] = {
    "items": ((ITEM,),),
    "prompt": ((PROMPT,), (ITEM, PROMPT)),
    "option order": ((ORDER,), (ITEM, ORDER)),
    "sampling": ((ANSWER,),),
}
"""What a reader is told of: a source's own effect, and what it does to single items."""
_USUAL = "usual"


@dataclass(frozen=True)
class Source:
    """A source of variance: its share of all, the standard error that it alone gives a score, and
    how many prompts, orders or repeats were seen."""

    name: str
    share: float
    error: float
    levels: int
    is_negative: bool


@dataclass(frozen=True)
class Spread:
    """Where the variance of a model's scores of single answers to a task comes from."""

    benchmark: str
    task: str
    model: str
    metric: Metric
    components: Components
    sources: tuple[Source, ...]

    @property
    def items_alone(self) -> float:
        """The standard error where nothing but the items were drawn anew."""
        return self.components.error_of((ITEM,))


def find_spreads(results: Results) -> tuple[list[Spread], list[str]]:
    """The spread of every model and task that was asked in several words, orders, epochs, or judged
    several times, and of which it cannot be told, with the reason; tasks that were asked once have
    none."""
    parsed = {text: parse_signature(text) for text in results.table["signature"].unique()}
    kept = [text for text, one in parsed.items() if _is_full(one)]
    table = results.table.filter(pl.col("signature").is_in(kept))
    found: list[Spread] = []
    notes: list[str] = []
    keys = ["benchmark", "model", "task"]
    ways = table.with_columns(
        way=pl.col("signature").replace_strict({text: parsed[text].way for text in kept})
    )
    for (name, model, task), _ in table.group_by(keys, maintain_order=True):
        own = ways.filter(pl.col("benchmark") == name, pl.col("model") == model)
        metric = _metric(results, str(name), str(task), str(model))
        if metric is None or (results.tasks and task not in results.tasks):
            continue
        scores = list(_item_scores(str(name), str(task), metric, own, results.options))
        try:
            spread = _spread(scores)
        except ValueError as error:
            notes.append(f"{name}/{task} of {model}: no variance components: {error}")
            continue
        if spread is not None:
            found.append(Spread(str(name), str(task), str(model), metric, *spread))
    return found, notes


def _is_full(signature: Signature) -> bool:
    """Whether the whole question was asked, in whatever words and order of options."""
    able = (Variant.FULL, Variant.SHUFFLED_OPTIONS)
    return signature.variant in able and not signature.is_of_people


def _metric(results: Results, name: str, task: str, model: str) -> Metric | None:
    benchmark = find(name)
    stand = headline_scores(benchmark, task, model, results.by_benchmark[name])
    first = next(iter(stand), None)
    return benchmark.metric(first[0]) if first else None


_Scored = tuple[str, str, str, int, int, float]
"""Item, prompt, order, epoch, judge's repeat, score."""


def _item_scores(
    name: str, task: str, metric: Metric, rows: pl.DataFrame, options: ScoringOptions
) -> Iterator[_Scored]:
    """Each answer's own score in every way that it was asked and judged."""
    for text in rows.filter(pl.col("task") == task)["signature"].unique(maintain_order=True):
        signature = parse_signature(text)
        prompt = signature.settings.get(PARAPHRASE, _USUAL)
        order = signature.settings.get(VARIANT_SEED, _USUAL)
        asked = rows.filter(pl.col("way") == signature.way).drop("way")
        for repeat, part in enumerate(_by_judgement(asked)):
            measured: list[Measurement | Score] = list(find(name).measurements(part, options))
            for one in measured:
                if not isinstance(one, Measurement) or (one.task, one.group) != (task, ALL):
                    continue
                if one.metric.name != metric.name or one.metric.each or one.draws is not None:
                    continue
                values = one.item_values().tolist()
                for (item, epoch), value in zip(one.units.keys, values, strict=True):
                    if value == value:
                        yield item, prompt, order, epoch, repeat, value


def _by_judgement(rows: pl.DataFrame) -> list[pl.DataFrame]:
    """The rows once for each repeat of the judge, with that judgement alone; as they are where no
    answer was judged twice."""
    column = "judgements"
    if column not in rows.columns:
        return [rows]
    lists = [json.loads(text) if text else [] for text in rows[column]]
    repeats = max((len(one) for one in lists), default=0)
    if repeats < 2:
        return [rows]
    return [
        rows.with_columns(
            pl.Series(column, [json.dumps(one[at : at + 1], ensure_ascii=False) for one in lists])
        ).filter([len(one) > at or not one for one in lists])
        for at in range(repeats)
    ]


def _spread(scores: Sequence[_Scored]) -> tuple[Components, tuple[Source, ...]] | None:
    """The components of scores and what they come to; None where there is but one way."""
    if len(scores) < 2:
        return None
    *columns, values = map(list, zip(*scores, strict=True))
    factors = dict(zip(_FACTORS, columns, strict=True))
    several = {name for name in _FACTORS if len(set(factors[name])) > 1}
    if ITEM not in several or len(several) < 2:
        return None
    terms = [term for term in _TERMS if {*term} <= several]
    # An answer that a judge saw several times has a variance of its own, where it is not the only
    # one to its item, prompt and order.
    factors[ANSWER] = [one[:4] for one in scores]
    groups = [len({*zip(*(factors[name] for name in term), strict=True)}) for term in terms]
    if JUDGE in several and len(set(factors[ANSWER])) > max(groups):
        terms.append((ANSWER,))
    found = variance_components(values, factors, terms)
    return found, _sources(found, several)


def _sources(found: Components, several: set[str]) -> tuple[Source, ...]:
    """What the components come to; what no term explains is the judge's doing where it judged
    several times, else that of sampling where items were asked several times."""
    rest = "judge" if JUDGE in several else "sampling" if EPOCH in several else "the rest"
    named = {**_SOURCES, rest: (*_SOURCES.get(rest, ()), REST)}
    made = []
    for name, terms in named.items():
        if own := [part for part in found.parts if part.term in terms]:
            is_negative = any(part.is_negative for part in own)
            share = sum(part.share for part in own)
            made.append(Source(name, share, found.error_of(*terms), own[0].levels, is_negative))
    return tuple(made)


SHARE = "variance_share"
"""The metric's name of shares of variance, by source."""
SOURCES = (*_SOURCES, "judge", "the rest")


def variance_addition(spreads: Sequence[Spread], signature: Mapping[str, str]) -> Addition:
    """What a report shows of spreads; `signature` is that of each task."""
    scores = [
        Score(
            model=one.model,
            task=one.task,
            metric=SHARE,
            group=f"source={source.name}",
            value=source.share,
            n=one.components.n,
            signature=signature[one.task],
        )
        for one in spreads
        for source in one.sources
    ]
    plot = VariancePlot(
        title="Where the variance of single scores comes from",
        metric=SHARE,
        sources=SOURCES,
        caption=(
            "Prompt and option order: what other words, or another order, do to all scores and to "
            "single items."
        ),
    )
    metric = Metric(SHARE, "share of variance", better="neither", range=(0, 1))
    return Addition(scores, plots=(plot,), metrics={SHARE: metric})
