"""What a report shows of a judge that people were held against: how far it can be believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Addition, TableLayout
from deadpan.core.metric import Metric
from deadpan.core.plots import IntervalsPlot
from deadpan.core.ratings import RatingStudy
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import Signature
from deadpan.metrics.statistics.corrected_estimates import Estimate
from deadpan.metrics.statistics.opinions import Estimated
from deadpan.pipeline.correcting import CorrectedScore
from deadpan.pipeline.judge_audit import AuditOptions, JudgeAudit, ScaleAudit, audit_judges
from deadpan.pipeline.judged_tables import is_judged

JUDGE, PEOPLE, CORRECTED = "_by_judge", "_by_people", "_corrected"
"""What follows a metric's name where a score is the judge's alone, people's alone, or both's."""
_ENDINGS = {JUDGE: "judge alone", PEOPLE: "people alone", CORRECTED: "corrected"}
_SCALE = "scale"
_HEADING = "How far the judge can be believed"
_MEASURES = {
    "judge_people_alpha": Metric("judge_people_alpha", "alpha", range=(-1, 1), decimals=2),
    "people_people_alpha": Metric("people_people_alpha", "alpha", range=(-1, 1), decimals=2),
    "judge_people_r": Metric("judge_people_r", "r", range=(-1, 1), decimals=2),
    "judge_above_people": Metric(
        "judge_above_people", "judge − people", better="neither", decimals=2
    ),
}


def judge_addition(
    benchmark: Benchmark[Any], study: RatingStudy, table: pl.DataFrame, options: ScoringOptions
) -> Addition | None:
    """Agreement on each scale, and each judged score beside people's and corrected; None where no
    judged answer was rated."""
    rows = table.filter(is_judged())
    judges = rows["judge"].drop_nulls().unique(maintain_order=True).to_list()
    own = benchmark.judging.verdicts if benchmark.judging else ()
    rated = {
        (row.model, row.item)
        for row in study.ratings
        if row.rating is not None and any(row.metric in one.scales for one in own)
    }
    if len(judges) != 1 or not rated & set(rows.select("model", "item").iter_rows()):
        return None
    found = audit_judges(benchmark, study, {judges[0]: table}, AuditOptions(options))
    signature = study.signature.with_settings(judge_by=judges[0])
    scores = [
        *(score for one in found.scales for score in _agreement(one, signature)),
        *(score for one in found.corrected for score in _corrected(one, signature)),
    ]
    metrics = dict(_MEASURES)
    for corrected in found.corrected:
        for ending, what in _ENDINGS.items():
            name, metric = corrected.metric.name + ending, corrected.metric
            metrics[name] = replace(metric, name=name, title=f"{metric.title}, {what}")
    return Addition(
        scores,
        tuple(_tables(benchmark, found)),
        tuple(_plots(benchmark, found)),
        pooled=frozenset({_named(judges[0])}),
        metrics=metrics,
    )


def _named(judge: str) -> str:
    """A judge in a model's place."""
    return f"{judge} as judge"


def _agreement(one: ScaleAudit, signature: Signature) -> Iterator[Score]:
    agreed = one.agreement
    if agreed is None:
        return
    values = {
        "judge_people_alpha": (agreed.judge["alpha"], agreed.answers),
        "people_people_alpha": (agreed.people.get("alpha"), agreed.repeated),
        "judge_people_r": (agreed.judge["pearson"], agreed.answers),
        "judge_above_people": (agreed.judge["difference"], agreed.answers),
    }
    for metric, (found, n) in values.items():
        if found is not None and found.value is not None:
            about = {"model": _named(one.judge), "task": one.task, "metric": metric, "n": n}
            yield _score(found, f"{_SCALE}={one.scale.name}", str(signature), **about)


def _corrected(one: CorrectedScore, signature: Signature) -> Iterator[Score]:
    values: dict[str, tuple[Score | Estimate, int]] = {
        JUDGE: (one.alone, one.graded),
        PEOPLE: (one.people, one.labels),
        CORRECTED: (one.corrected, one.graded),
    }
    for ending, (found, n) in values.items():
        about = {"model": one.model, "task": one.task, "metric": one.metric.name + ending, "n": n}
        known = Estimated(found.value, found.low, found.high)
        yield _score(known, "all", str(signature), **about)


def _score(found: Estimated, group: str, signature: str, **about: Any) -> Score:
    return Score(
        **about,
        group=group,
        value=found.value,
        low=found.low,
        high=found.high,
        interval="" if found.low is None else "bootstrap",
        signature=signature,
    )


def _titled(benchmark: Benchmark[Any], task: str, tasks: Sequence[str]) -> str:
    title = next((spec.title for spec in benchmark.tasks if spec.name == task), task)
    return f": {title}" if len(tasks) > 1 else ""


def _tables(benchmark: Benchmark[Any], found: JudgeAudit) -> Iterator[TableLayout]:
    """Of each task how far the judge agrees on each scale, and its scores three ways."""
    tasks = list(dict.fromkeys(one.task for one in found.scales if one.agreement))
    for task in tasks:
        own = [one for one in found.scales if one.task == task and one.agreement]
        named = _titled(benchmark, task, tasks)
        verdicts = "; ".join(
            f"{one.scale.name}: {one.agreement.verdict(one.judge)}" for one in own if one.agreement
        )
        headings = ("alpha", "alpha of people", "r", "judge − people")
        yield TableLayout(
            f"{_HEADING}{named}",
            "",
            tuple(
                (heading, task, name, "all")
                for heading, name in zip(headings, _MEASURES, strict=True)
            ),
            rows=tuple((f"{_SCALE}={one.scale.name}", one.scale.name) for one in own),
            model=_named(own[0].judge),
            remark=f"Krippendorff's alpha of judge and rater, and of raters. {verdicts}.",
        )
        for name, metric in {one.metric.name: one.metric for one in _of_task(found, task)}.items():
            yield TableLayout(
                f"{metric.title[:1].upper()}{metric.title[1:]}, corrected by people{named}",
                "",
                tuple((what, task, name + ending, "all") for ending, what in _ENDINGS.items()),
                remark=_remark([one for one in _of_task(found, task) if one.metric.name == name]),
            )


def _remark(scores: Sequence[CorrectedScore]) -> str:
    rated = " to ".join(
        dict.fromkeys(f"{pick(one.labels for one in scores)}" for pick in (min, max))
    )
    worth = " to ".join(
        dict.fromkeys(f"{pick(one.worth for one in scores)}" for pick in (min, max))
    )
    return (
        f"People rated {rated} answers of each model, taken for a random part of all; the judge's "
        f"grades of the others are worth {worth} more."
    )


def _plots(benchmark: Benchmark[Any], found: JudgeAudit) -> Iterator[IntervalsPlot]:
    tasks = list(dict.fromkeys(one.task for one in found.scales if one.agreement))
    for task in tasks:
        named = _titled(benchmark, task, tasks)
        for metric in {one.metric.name: one.metric for one in _of_task(found, task)}.values():
            yield IntervalsPlot(
                f"What people make of the judge's scores{named}",
                task,
                tuple((what, metric.name + ending) for ending, what in _ENDINGS.items()),
                caption="Lines are 95 % intervals. Corrected scores are the judge's of all "
                "answers, moved by what people say of some.",
                axis=metric.title,
            )
        yield IntervalsPlot(
            f"How far the judge agrees with people{named}",
            task,
            (
                ("people with each other", "people_people_alpha"),
                ("judge with people", "judge_people_alpha"),
            ),
            _SCALE,
            "Krippendorff's alpha with its 95 % interval: 1 is perfect, 0 is chance.",
            ends=(0, 1),
        )


def _of_task(found: JudgeAudit, task: str) -> list[CorrectedScore]:
    return [one for one in found.corrected if one.task == task]
