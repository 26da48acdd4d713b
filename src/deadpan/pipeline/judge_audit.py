"""People's ratings against judges: agreement, leanings, retest, corrected scores, and a panel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean
from typing import Any

import polars as pl

from deadpan.base.errors import InputError
from deadpan.core.answers import Answer, Answers
from deadpan.core.benchmark import Benchmark
from deadpan.core.families import model_family
from deadpan.core.ratings import Output, RatingStudy, Scale
from deadpan.core.score import ScoringOptions
from deadpan.core.verdicts import Verdicts
from deadpan.metrics.statistics.judge_agreement import Agreement, ScaleForm, agreement
from deadpan.metrics.statistics.judge_bias import Leanings, Retest, leanings, retest
from deadpan.metrics.statistics.opinions import Estimated, Opinion
from deadpan.pipeline.correcting import CorrectedScore, Task, corrected_scores, unlike_rest
from deadpan.pipeline.judged_tables import PANEL, is_judged, panel_of, ratings_by_answer

_MOST_DISPUTED = 10


@dataclass(frozen=True)
class ScaleAudit:
    """What is known of a judge on one scale of one task; agreement and leanings are None where
    nobody rated what it judged."""

    task: str
    scale: Scale
    judge: str
    agreement: Agreement | None
    leanings: Leanings | None
    retest: Retest | None


@dataclass(frozen=True)
class Disputed:
    """An answer on which judges differ, and what each of them says."""

    item: str
    model: str
    said: Mapping[str, float]
    people: float | None = None

    @property
    def apart(self) -> float:
        """How far the judges are from each other."""
        return max(self.said.values()) - min(self.said.values())


@dataclass(frozen=True)
class Panel:
    """Several judges of the same answers on one scale: how far each two agree, and all of them, and
    what they dispute most."""

    task: str
    scale: Scale
    answers: int
    alpha: Estimated
    pairs: Mapping[tuple[str, str], Mapping[str, Estimated]]
    disputed: tuple[Disputed, ...]


@dataclass(frozen=True)
class JudgeAudit:
    """All that people's ratings say of the judges of one benchmark."""

    benchmark: str
    scales: list[ScaleAudit] = field(default_factory=list)
    corrected: list[CorrectedScore] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class AuditOptions:
    """What is looked at: the metrics to correct, where not the first of each task, and families of
    models by patterns of their names."""

    scoring: ScoringOptions = field(default_factory=ScoringOptions)
    metrics: tuple[str, ...] = ()
    families: Mapping[str, str] = field(default_factory=dict)


def audit_judges(
    benchmark: Benchmark[Any],
    study: RatingStudy,
    tables: Mapping[str, pl.DataFrame],
    options: AuditOptions | None = None,
) -> JudgeAudit:
    """The judges whose tables these are, against the people of a study. Ratings of no judged answer
    raise."""
    options = options or AuditOptions()
    found = JudgeAudit(benchmark.name)
    for verdicts in benchmark.judging.verdicts if benchmark.judging else ():
        own = {
            judge: rows
            for judge, table in tables.items()
            if len(rows := _of_tasks(table, benchmark.name, verdicts.tasks))
            and len(rows.filter(is_judged()))
        }
        if len(own) > 1:
            own[PANEL] = panel_of(own)
        _audit_verdicts(benchmark, study, verdicts, own, options, found)
    if not any(one.agreement for one in found.scales):
        what = f"no rating is of an answer to {benchmark.name} that a judge graded"
        raise InputError("ratings", what, "Check item, model and metric names.")
    return found


def _of_tasks(table: pl.DataFrame, benchmark: str, tasks: Sequence[str]) -> pl.DataFrame:
    return table.filter((pl.col("benchmark") == benchmark) & pl.col("task").is_in(tasks))


def _audit_verdicts(
    benchmark: Benchmark[Any],
    study: RatingStudy,
    verdicts: Verdicts,
    tables: Mapping[str, pl.DataFrame],
    options: AuditOptions,
    found: JudgeAudit,
) -> None:
    given = ratings_by_answer(study, verdicts)
    tasks = list(dict.fromkeys(task for table in tables.values() for task in table["task"]))
    for task in tasks:
        said = {
            judge: _said(table, task, verdicts) for judge, table in tables.items() if judge != PANEL
        }
        for name in verdicts.scales:
            scale = next(one for one in study.scales if one.name == name)
            found.scales.extend(_audit_scale(task, scale, study, verdicts, said, options))
            if len(said) > 1:
                found.panels.append(_panel(task, scale, study, verdicts, said))
    for judge, table in tables.items():
        work = Task(benchmark, verdicts, judge, table, given, options.scoring)
        scores = list(corrected_scores(work, options.metrics))
        found.corrected.extend(scores)
        if judge != PANEL:
            for task in dict.fromkeys(one.task for one in scores):
                found.notes.extend(_unlike_lines(work, task))
    found.notes.extend(_label_notes(study, verdicts, given, tables))


def _unlike_lines(work: Task, task: str) -> Iterator[str]:
    if unlike := unlike_rest(work, task):
        yield (
            f"{task}: the rated items are not like a random part of all, which corrected scores take "
            f"them for: {'; '.join(unlike)}"
        )


def _label_notes(
    study: RatingStudy,
    verdicts: Verdicts,
    given: Mapping[Output, Any],
    tables: Mapping[str, pl.DataFrame],
) -> Iterator[str]:
    """What was rated and says nothing of a judge, or of a score."""
    rated = {
        (row.model, row.item)
        for row in study.ratings
        if row.metric in verdicts.scales and row.rating is not None
    }
    named = ", ".join(verdicts.scales)
    for judge, table in tables.items():
        judged = set(table.filter(is_judged()).select("model", "item").iter_rows())
        if judge != PANEL and judged and (lost := len(rated - judged)):
            yield f"{named}: {lost} rated answers were not judged by {judge}, and say nothing of it"
    if len(verdicts.scales) > 1 and (part := len(rated - given.keys())):
        yield f"{part} answers were not rated on all of {named}, and correct no score"


Said = dict[Output, tuple[Answer, list[Mapping[str, float]]]]
"""The judgements of each first answer, by scale."""


def _said(table: pl.DataFrame, task: str, verdicts: Verdicts) -> list[tuple[str, Answer, Any]]:
    """Model, answer and judgements by scale of all that was judged."""
    found = []
    answers = Answers(table.filter(is_judged() & (pl.col("task") == task)))
    for model in answers.models if len(answers.table) else ():
        for answer in answers.of(model)[task]:
            read = [*answer.judged(_reader(verdicts, answer))]
            found.append((model, answer, read))
    return found


def _reader(verdicts: Verdicts, answer: Answer) -> Any:
    return lambda judgement: verdicts.read(judgement, answer)


def scale_form(scale: Scale, verdicts: Verdicts) -> ScaleForm:
    """The values that judge and people share on a scale; none where theirs are others."""
    if verdicts.bounds is not None or scale.kind == "numbers":
        return ScaleForm((), "interval" if scale.level == "ordinal" else scale.level)
    levels = tuple(float(one) for one in range(round(scale.lowest), round(scale.highest) + 1))
    return ScaleForm(levels, scale.level)


def _audit_scale(
    task: str,
    scale: Scale,
    study: RatingStudy,
    verdicts: Verdicts,
    said: Mapping[str, Sequence[tuple[str, Answer, Any]]],
    options: AuditOptions,
) -> Iterator[ScaleAudit]:
    """Each judge on one scale, and the panel last."""
    form = scale_form(scale, verdicts)
    by_judge: dict[str, list[Opinion]] = {}
    for judge, answers in said.items():
        if not answers:
            continue
        opinions = _opinions(answers, scale.name, study, verdicts)
        by_judge[judge] = opinions
        judged = [(one.item, [row[scale.name] for row in read]) for _, one, read in answers]
        own = leanings(
            opinions,
            lambda model: model_family(model, options.families),
            model_family(judge, options.families),
        )
        yield ScaleAudit(
            task,
            scale,
            judge,
            agreement(opinions, form) if opinions else None,
            own if opinions else None,
            retest(judged),
        )
    if len(by_judge) > 1 and (together := _panel_opinions(by_judge, form)):
        yield ScaleAudit(task, scale, PANEL, agreement(together, form), None, None)


def _opinions(
    answers: Sequence[tuple[str, Answer, Any]], scale: str, study: RatingStudy, verdicts: Verdicts
) -> list[Opinion]:
    """What both said of each answer: people of its first epoch."""
    rated = study.rated(scale)
    found: dict[Output, tuple[int, Opinion]] = {}
    for model, one, read in answers:
        people = tuple(verdicts.rating(value) for value in rated.get((model, one.item), ()))
        if not people:
            continue
        judged = tuple(float(row[scale]) for row in read)
        opinion = Opinion(one.item, model, judged, people, one.language, len(one.text))
        known = found.get((model, one.item))
        if known is None or one.epoch < known[0]:
            found[model, one.item] = (one.epoch, opinion)
    return [opinion for _, opinion in found.values()]


def _panel_opinions(by_judge: Mapping[str, Sequence[Opinion]], form: ScaleForm) -> list[Opinion]:
    """What the panel says of answers that all judged: of two values what most of the judges say, or
    both where they are even; else their mean."""
    every = [{(one.model, one.item): one for one in own} for own in by_judge.values()]
    found = []
    for key in every[0]:
        own = [one[key] for one in every if key in one]
        if len(own) == len(every):
            mean = fmean(fmean(one.judge) for one in own)
            found.append(replace(own[0], judge=_verdict(mean, form)))
    return found


def _verdict(mean: float, form: ScaleForm) -> tuple[float, ...]:
    if len(form.levels) != 2:
        return (mean,)
    low, high = form.levels
    middle = (low + high) / 2
    return (low, high) if mean == middle else (high if mean > middle else low,)


def _panel(
    task: str,
    scale: Scale,
    study: RatingStudy,
    verdicts: Verdicts,
    said: Mapping[str, Sequence[tuple[str, Answer, Any]]],
) -> Panel:
    """How far judges agree over all answers that all of them judged, rated or not."""
    form = scale_form(scale, verdicts)
    values: dict[tuple[str, str, int], dict[str, tuple[float, ...]]] = {}
    for judge, answers in said.items():
        for model, one, read in answers:
            own = tuple(float(row[scale.name]) for row in read)
            values.setdefault((model, one.item, one.epoch), {})[judge] = own
    shared = {key: own for key, own in values.items() if len(own) == len(said)}
    means = {
        key: {judge: fmean(given) for judge, given in own.items()} for key, own in shared.items()
    }
    pairs: dict[tuple[str, str], Mapping[str, Estimated]] = {}
    for first, second in combinations(said, 2):
        both = [Opinion(key[1], key[0], own[first], own[second]) for key, own in shared.items()]
        if both:
            pairs[first, second] = agreement(both, form).judge
    together = [Opinion(key[1], key[0], (0.0,), tuple(own.values())) for key, own in means.items()]
    alpha = agreement(together, form).people["alpha"] if together else Estimated(None)
    rated = {
        answer: fmean(verdicts.rating(one) for one in given)
        for answer, given in study.rated(scale.name).items()
        if given
    }
    disputed = [
        Disputed(item, model, own, rated.get((model, item)))
        for (model, item, _), own in means.items()
    ]
    worst = sorted((one for one in disputed if one.apart), key=lambda one: -one.apart)
    return Panel(task, scale, len(shared), alpha, pairs, tuple(worst[:_MOST_DISPUTED]))
