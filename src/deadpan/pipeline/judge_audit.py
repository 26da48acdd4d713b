"""People's ratings against judges: agreement, leanings, retest, corrected scores, and a panel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import InputError
from deadpan.core.answers import Answer, Answers
from deadpan.core.benchmark import Benchmark
from deadpan.core.families import model_family
from deadpan.core.ratings import Output, RatingStudy, Scale
from deadpan.core.score import ScoringOptions
from deadpan.core.verdicts import Verdicts
from deadpan.metrics.statistics.judge_agreement import Agreement, agreement
from deadpan.metrics.statistics.judge_bias import Leanings, Retest, leanings, retest
from deadpan.metrics.statistics.opinions import Opinion
from deadpan.pipeline.correcting import (
    CorrectedScore,
    Task,
    adjusted_for_all,
    corrected_scores,
    unlike_rest,
)
from deadpan.pipeline.displays import lines_page
from deadpan.pipeline.judge_frames import agreement_frame, corrected_frame, leaning_frame
from deadpan.pipeline.judge_panel import Panel, Said, panel_audit, panel_opinions, scale_form
from deadpan.pipeline.judged_tables import PANEL, is_judged, panel_of, ratings_by_answer


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


@dataclass(frozen=True, repr=False)
class JudgeAudit:
    """All that people's ratings say of the judges of one benchmark."""

    benchmark: str
    scales: list[ScaleAudit] = field(default_factory=list)
    corrected: list[CorrectedScore] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<JudgeAudit of {self.benchmark}; {'; '.join(self._said())}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the verdicts, a line each."""
        return lines_page(f"Judges of {self.benchmark}, by people", self._said())

    def _said(self) -> list[str]:
        verdicts = [
            f"{one.task}, {one.scale.name}: {one.agreement.verdict(one.judge)}"
            for one in self.scales
            if one.agreement is not None
        ]
        scores = count_noun(len(self.corrected), "score")
        off = f"{sum(one.is_off for one in self.corrected)} of {scores} surely not people's"
        return [*verdicts, off, *self.notes]

    def agreement(self) -> pl.DataFrame:
        """How far each judge agrees with people, and people with each other, a measure a row."""
        return agreement_frame(self)

    def leanings(self) -> pl.DataFrame:
        """In what each judge leans, a row each."""
        return leaning_frame(self)

    def scores(self) -> pl.DataFrame:
        """Each score by the judge alone, by people alone, and corrected by people, a row each."""
        return corrected_frame(self)


@dataclass(frozen=True)
class AuditOptions:
    """What is looked at: the metrics to correct, where not the first of each task, and families of
    models by patterns of their names."""

    scoring: ScoringOptions = field(default_factory=ScoringOptions)
    metrics: tuple[str, ...] = ()
    families: Mapping[str, str] = field(default_factory=dict)
    tasks: tuple[str, ...] = ()
    """All where none is named."""
    check: bool = False
    """Whether corrected means are worked out by ppi-python too."""


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
        tasks = [one for one in verdicts.tasks if one in (options.tasks or verdicts.tasks)]
        own = {
            judge: rows
            for judge, table in tables.items()
            if len(rows := _of_tasks(table, benchmark.name, tasks))
            and len(rows.filter(is_judged()))
        }
        if len(own) > 1:
            own[PANEL] = panel_of(own)
        _audit_verdicts(benchmark, study, verdicts, own, options, found)
    found.corrected[:] = adjusted_for_all(found.corrected)
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
                found.panels.append(panel_audit(task, scale, study, verdicts, said))
    for judge, table in tables.items():
        work = Task(benchmark, verdicts, judge, table, given, options.scoring)
        scores = list(corrected_scores(work, options.metrics, options.check))
        found.corrected.extend(scores)
        if judge != PANEL:
            for task in dict.fromkeys(one.task for one in scores):
                found.notes.extend(_unlike_lines(work, task))
    found.notes.extend(_label_notes(study, verdicts, given, tables))


def _unlike_lines(work: Task, task: str) -> Iterator[str]:
    if unlike := unlike_rest(work, task):
        yield (
            f"{task}: the rated items are not like a random part of all, which corrected scores "
            f"take them for: {'; '.join(unlike)}"
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
            were, say = ("was", "says") if lost == 1 else ("were", "say")
            yield (
                f"{named}: {count_noun(lost, 'rated answer')} {were} not judged by {judge}, and "
                f"{say} nothing of it"
            )
    if len(verdicts.scales) > 1 and (part := len(rated - given.keys())):
        were, correct = ("was", "corrects") if part == 1 else ("were", "correct")
        yield (
            f"{count_noun(part, 'answer')} {were} not rated on all of {named}, and {correct} no "
            "score"
        )


def _said(table: pl.DataFrame, task: str, verdicts: Verdicts) -> Said:
    """All that was judged, by scale."""
    found: list[tuple[str, Answer, list[Mapping[str, float]]]] = []
    answers = Answers(table.filter(is_judged() & (pl.col("task") == task)))
    for model in answers.models if len(answers.table) else ():
        for answer in answers.of(model)[task]:
            read = [*answer.judged(_reader(verdicts, answer))]
            found.append((model, answer, read))
    return found


def _reader(verdicts: Verdicts, answer: Answer) -> Any:
    return lambda judgement: verdicts.read(judgement, answer)


def _audit_scale(
    task: str,
    scale: Scale,
    study: RatingStudy,
    verdicts: Verdicts,
    said: Mapping[str, Said],
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
        again = retest(judged)
        if not opinions:
            yield ScaleAudit(task, scale, judge, None, None, again)
            continue
        own_family = model_family(judge, options.families)
        own = leanings(opinions, partial(model_family, given=options.families), own_family)
        yield ScaleAudit(task, scale, judge, agreement(opinions, form), own, again)
    if len(by_judge) > 1 and (together := panel_opinions(by_judge, form)):
        yield ScaleAudit(task, scale, PANEL, agreement(together, form), None, None)


def _opinions(answers: Said, scale: str, study: RatingStudy, verdicts: Verdicts) -> list[Opinion]:
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
