"""Named rightly, badly explained: explanations whose score is low although what they explain was
named (JanusMM's reasoning errors), by a rule that is stated in words and in signatures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.capabilities import Explanations
from deadpan.core.score import ScoringOptions, unavailable
from deadpan.failures.cases import Key, Row
from deadpan.pipeline.results import Results

NONE = "none"
"""Says that no explanation is bad for its score."""
_BOUND = re.compile(r"(?P<metric>\w+):(?P<bound>q0?\.\d+|-?\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class BadlyExplained:
    """The rule and, for each language, the score below which an explanation is bad."""

    explanations: Explanations
    bounds: Mapping[str, float]
    scores: Mapping[Key, float]

    @property
    def name(self) -> str:
        """The rule as options and signatures write it."""
        return f"{self.explanations.metric}:{self.explanations.bound}"

    def describe(self) -> str:
        """The rule in words, with its bounds."""
        one = self.explanations
        bounds = ", ".join(f"{code} {value:.1f}" for code, value in self.bounds.items())
        told = f"{one.naming} right and {one.metric} of {one.task} below {one.bound}"
        return f"{told} ({bounds or 'no such answer'})"

    def why(self, row: Row) -> str:
        """Why an explanation is bad; nothing where it is not, or where it is none."""
        one, key = self.explanations, _key(row)
        score, bound = self.scores.get(key), self.bounds.get(row["language"])
        if score is None or bound is None or score >= bound:
            return ""
        return f"{one.naming} right, but {one.metric} {score:.1f} below {bound:.1f} ({one.bound})"


def badly_explained(
    table: pl.DataFrame, said: str | None, options: ScoringOptions | None = None
) -> BadlyExplained | None:
    """The rule of `METRIC:BOUND`, or the benchmark's own where nothing is said; None where the
    benchmark has no such tasks, or `none` is said. Quantiles are of all models' explanations of
    what they named rightly, language by language."""
    benchmark = find(str(table["benchmark"][0]))
    usual = benchmark.analyses.explanations
    if said == NONE or (said is None and usual is None):
        return None
    if usual is None:
        what = f"{benchmark.name} has no explanations of what another task names"
        raise DeadpanError(f"--badly-explained {said}: {what}; leave it out")
    wanted = usual if said is None else _wanted(said, usual)
    known = [metric.name for metric in benchmark.task(wanted.task).metrics]
    if wanted.metric not in known:
        raise DeadpanError(
            f"--badly-explained {said}: expected a metric of {wanted.task}: {', '.join(known)}"
        )
    named = _named_rightly(table, wanted)
    scores = _scores(table, wanted, named, options or ScoringOptions())
    languages = {_key(row): row["language"] for row in table.iter_rows(named=True)}
    bounds = {}
    for code in sorted({languages[key] for key in scores}):
        own = pl.Series([score for key, score in scores.items() if languages[key] == code])
        bounds[code] = _bound(own, wanted.bound)
    return BadlyExplained(wanted, bounds, scores)


def _wanted(said: str, usual: Explanations) -> Explanations:
    parts = _BOUND.fullmatch(said)
    if parts is None:
        expected = f"METRIC:BOUND, such as {usual.metric}:{usual.bound} or {usual.metric}:20"
        raise DeadpanError(f"--badly-explained {said}: expected {expected}, or {NONE}")
    return replace(usual, metric=parts["metric"], bound=parts["bound"])


def _named_rightly(table: pl.DataFrame, wanted: Explanations) -> frozenset[Key]:
    is_wrong = find(str(table["benchmark"][0])).analyses.is_wrong
    asked = table.filter((pl.col("task") == wanted.naming) & (pl.col("outcome") == "answered"))
    rows = asked.iter_rows(named=True)
    return frozenset(_key(row) for row in rows if is_wrong is None or not is_wrong(row))


def _scores(
    table: pl.DataFrame, wanted: Explanations, named: frozenset[Key], options: ScoringOptions
) -> dict[Key, float]:
    """Each explanation's own score, of what was named rightly. A metric that lacks what it measures
    with raises."""
    explained = table.filter(pl.col("task") == wanted.task)
    if explained.is_empty():
        return {}
    results = Results(explained, options)
    (measured,) = results.by_benchmark.values()
    if lacking := [one for one in unavailable(measured) if one.startswith(f"{wanted.metric} (")]:
        how = f"or name another rule: --badly-explained METRIC:BOUND, or {NONE}"
        raise DeadpanError(f"--badly-explained: {lacking[0]}; {how}")
    found = results.items().filter(pl.col("metric") == wanted.metric).drop_nulls("score")
    return {
        (wanted.task, row["model"], row["item"], row["epoch"]): row["score"]
        for row in found.iter_rows(named=True)
        if (wanted.naming, row["model"], row["item"], row["epoch"]) in named
        and row["outcome"] == "answered"
    }


def _bound(scores: pl.Series, bound: str) -> float:
    if not bound.startswith("q"):
        return float(bound)
    value = scores.quantile(float(bound[1:]), "linear")
    if value is None:
        raise ValueError("no scores to take a quantile of")
    return value


def _key(row: Row) -> Key:
    return row["task"], row["model"], row["item"], row["epoch"]
