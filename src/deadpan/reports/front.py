"""The first screen of a report: what was run, and models by benchmarks, a headline score each.

Headline scores stand side by side and are never averaged: each has a scale of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from deadpan.core.metric import Metric
from deadpan.core.outcomes import Coverage
from deadpan.core.parts import MARK, Parts, part_note, parts_in
from deadpan.core.score import Score, select
from deadpan.core.signature import PEOPLE
from deadpan.core.usage import Usage, cost_text, totals, usage_of
from deadpan.reports.caveats import STAND_IN_NOTE, by_stand_in
from deadpan.reports.comparing import compared_scores
from deadpan.reports.paired_cells import Pairing
from deadpan.reports.section import Section, distinct
from deadpan.reports.standings import Apart, Standings, interval_text, standings_of, story
from deadpan.reports.text import LANGUAGES, NOTHING, number, one_line
from deadpan.reports.ways import besides, besides_note, models_of


@dataclass(frozen=True)
class HeadlineCell:
    """A model's headline score of one benchmark; without a text where it was not asked."""

    text: str = ""
    value: float | None = None
    interval: str = ""
    rank: str = ""
    best: bool = False
    answered: str = ""
    """How many questions of its task were answered, where not all were."""
    coverage: str = ""
    """How they ended."""
    part: str = ""
    """Which part of the items the answers are to, where not to all."""
    over: str = ""
    apart: str = ""
    """Which items it is over, and how far it is from scores over others (`paired_cells`)."""


@dataclass(frozen=True)
class HeadlineColumn:
    """A benchmark of the matrix: its name, what its headline score is, and over how many
    questions."""

    name: str
    subject: str
    score: str
    metric: Metric
    counted: str
    """`n` and the questions that are scored, from the fewest to the most of a model."""
    over: str
    """On which items models are compared, where they may have answered different ones."""
    stand_in: bool
    ahead: str
    """Who is surely the best, or that nobody is; empty where there is one model."""
    story: str
    """What the scores say, in a sentence or two."""


@dataclass(frozen=True)
class FrontRow:
    """A model: its headline scores, what it cost, and how many of its questions were answered."""

    model: str
    cells: list[HeadlineCell]
    cost: str
    coverage: Coverage

    @property
    def is_whole(self) -> bool:
        """Whether every question was answered, and judged where a judge grades."""
        return is_whole(self.coverage)


@dataclass(frozen=True)
class Front:
    """The first screen."""

    title: str
    facts: list[tuple[str, str]]
    judges: list[str]
    columns: list[HeadlineColumn]
    rows: list[FrontRow]
    coverage: Coverage
    notes: list[str] = field(default_factory=list)
    differences: list[dict[str, Apart]] = field(default_factory=list)
    """For each benchmark how far a model is above another, by both names, a line break between."""
    others: list[str] = field(default_factory=list)
    """The names of models asked otherwise, which stand in the benchmarks' own tables alone."""

    @property
    def has_intervals(self) -> bool:
        """Whether any score has one."""
        return any(cell.interval for row in self.rows for cell in row.cells)

    @property
    def has_ranks(self) -> bool:
        """Whether any model has one."""
        return any(cell.rank for row in self.rows for cell in row.cells)

    @property
    def has_parts(self) -> bool:
        """Whether any score is over a part of the items."""
        return any(cell.part for row in self.rows for cell in row.cells)


@dataclass(frozen=True)
class _Headline:
    """A benchmark of the matrix: its column, cells by model, and how far models are apart."""

    column: HeadlineColumn
    cells: dict[str, HeadlineCell]
    differences: Mapping[tuple[str, str], Apart]


def is_whole(coverage: Coverage) -> bool:
    """Whether every question was answered, and judged where a judge grades."""
    return coverage.answered == coverage.total


def make_front(sections: Sequence[Section]) -> Front:
    """The first screen of a report of these sections, whose models are not marked yet. A model that
    was asked in other ways too stands here as it was asked in full, and counts once."""
    ways = besides(sections)
    every = distinct(model for one in sections for model in one.table["model"].to_list())
    models = [model for model in every if model not in ways]
    headlines = [_headline(one, ways) for one in sections]
    costs, names = _costs(sections), {model: _shown_name(sections, model) for model in every}
    rows = [
        FrontRow(
            names[model],
            [one.cells.get(model, HeadlineCell()) for one in headlines],
            costs.get(model, NOTHING),
            Coverage.of(
                outcome
                for one in sections
                for outcome in one.table.filter(pl.col("model") == model)["outcome"]
            ),
        )
        for model in models
    ]
    coverage = Coverage.of(outcome for one in sections for outcome in one.table["outcome"])
    columns = [one.column for one in headlines]
    judges = distinct(judge for one in sections for judge in _judges(one))
    notes = [f"†: {STAND_IN_NOTE}."] if any(one.stand_in for one in columns) else []
    notes += besides_note(ways.values())
    people = max(one.people for one in sections)
    asked = distinct(
        model for one in sections for model in models_of(one, one.table["model"].to_list())
    )
    asked = [model for model in asked if model != PEOPLE or not people]
    facts = _facts(sections, len(asked), people, coverage)
    differences = [
        {f"{names[a]}\n{names[b]}": apart for (a, b), apart in one.differences.items()}
        for one in headlines
    ]
    shown = [model for model in models if model != PEOPLE or not people]
    title = _title(shown if len(shown) == 1 else asked, people, columns)
    others = [names[model] for model in every if model in ways]
    return Front(title, facts, judges, columns, rows, coverage, notes, differences, others)


def _title(models: Sequence[str], people: int, columns: Sequence[HeadlineColumn]) -> str:
    """Who was asked what, in as few words as there are."""
    asked = [one_line(models[0]) if len(models) == 1 else f"{len(models):,} models"] * bool(models)
    who = " and ".join([*asked, *([_count_people(people)] if people else [])])
    on = columns[0].name if len(columns) == 1 else f"{len(columns):,} benchmarks"
    return f"{who} on {on}"


def _count_people(people: int) -> str:
    return f"{people:,} people" if people > 1 else "1 person"


def _shown_name(sections: Sequence[Section], model: str) -> str:
    people = max(one.people for one in sections)
    return _count_people(people) if model == PEOPLE and people else one_line(model)


def _facts(
    sections: Sequence[Section], models: int, people: int, coverage: Coverage
) -> list[tuple[str, str]]:
    codes = distinct(code for one in sections for code in one.table["language"].drop_nulls())
    items = sum(one.table["item"].n_unique() for one in sections)
    share = min(100 * coverage.read / coverage.total, 99.9)
    answered = "100" if coverage.read == coverage.total else f"{share:.1f}"
    told = [
        *([(f"{models:,}", "model" if models == 1 else "models")] if models else []),
        *([(f"{people:,}", "person" if people == 1 else "people")] if people else []),
        (f"{len(sections):,}", "benchmark" if len(sections) == 1 else "benchmarks"),
        (f"{items:,}", "item" if items == 1 else "items"),
        (f"{coverage.total:,}", "questions"),
        (f"{answered}%", "answered"),
    ]
    languages = " + ".join(LANGUAGES.get(code, one_line(code)) for code in codes)
    return [*told, (languages, "languages" if len(codes) > 1 else "language")]


def _judges(section: Section) -> Iterable[str]:
    if "judge" not in section.table.columns:
        return []
    return [one_line(name) for name in section.table["judge"].drop_nulls().unique().sort()]


def _costs(sections: Sequence[Section]) -> dict[str, str]:
    """What each model cost over all benchmarks, in words."""
    used: list[Usage] = [
        usage
        for section in sections
        for usage in usage_of(section.table, section.prices)
        if usage.role == "model"
    ]
    return {usage.name: cost_text(usage) for usage in totals(used)}


def _headline(section: Section, ways: Collection[str]) -> _Headline:
    """A benchmark's column, the cells of the models that answered what it is about, and their
    differences."""
    benchmark = section.benchmark
    task, name = _lead(section)
    metric = section.metric(name)
    scores, shared, over = compared_scores(section, [(task, name)])
    is_task = any(spec.name == task for spec in benchmark.tasks)
    asked = section.table.filter(~pl.col("model").is_in(list(ways)))
    table = asked.filter(pl.col("task") == task) if is_task else asked
    tested = set(table["model"])
    found = select(scores, task=task, metric=name, group="all")
    known = {score.model: score for score in found if score.model in tested}
    parts = parts_in(table)
    whole = {model for model in known if model not in parts or shared} or {*known}
    rivals = {
        model: one
        for model, one in known.items()
        if model in whole and one.value is not None and model != PEOPLE
    }
    group = benchmark.report.comparable if shared else "all"
    standings = standings_of(section, (task, name, group), metric, rivals)
    pairing = Pairing(section, known.values(), group)
    cells = {
        str(model): _cell(metric, known.get(str(model)), standings, rows, parts, pairing)
        for (model,), rows in table.group_by(["model"], maintain_order=True)
    }
    title, _, subject = one_line(benchmark.title).partition(": ")
    words = [section.task_title(task)] if is_task else []
    score = one_line(" · ".join([*words, metric.title]))
    column = HeadlineColumn(
        name=title,
        subject=subject,
        score=score,
        metric=metric,
        counted=_counted(known.values()),
        over=over,
        stand_in=section.is_judged(task, name)
        and any(by_stand_in(score.signature) for score in known.values()),
        ahead=standings.ahead(),
        story=story(score, standings, metric, rivals),
    )
    return _Headline(column, cells, standings.differences)


def _counted(scores: Collection[Score]) -> str:
    if not scores:
        return ""
    few, many = (ends(score.n for score in scores) for ends in (min, max))
    return f"n {few:,}" if few == many else f"n {few:,} to {many:,}"


def _lead(section: Section) -> tuple[str, str]:
    """Task and metric of the score to lead with: the benchmark's choice, else, where that was not
    asked, the first of the tasks that were."""
    valued = {(one.task, one.metric) for one in section.scores if one.value is not None}
    asked = [one for one in section.benchmark.tasks if one.name in section.tasks]
    firsts = [(spec.name, metric.name) for spec in asked for metric in spec.metrics]
    own = [section.benchmark.headline] if section.benchmark.headline else []
    candidates = [*own, *firsts]
    found = [one for one in candidates if one in valued] or firsts or own
    return (*found, ("", ""))[0]


def _cell(
    metric: Metric,
    score: Score | None,
    standings: Standings,
    rows: pl.DataFrame,
    parts: Parts,
    pairing: Pairing,
) -> HeadlineCell:
    coverage, model = Coverage.of(rows["outcome"]), str(rows["model"][0])
    first, last = standings.ranks.get(model, (0, 0))
    return HeadlineCell(
        text=number(score.value if score else None, metric.decimals),
        value=score.value if score else None,
        interval=interval_text(score, metric),
        rank="" if not first else f"{first}" if first == last else f"{first}–{last}",
        best=first == last == 1,
        answered="" if is_whole(coverage) else _answered(coverage),
        coverage=str(coverage),
        part=f"{MARK} {part_note(parts[model])}" if model in parts else "",
        over=pairing.over(model),
        apart=pairing.apart(model),
    )


def _answered(coverage: Coverage) -> str:
    if coverage.read == coverage.total:
        return f"{coverage.answered:,} of {coverage.total:,} judged"
    return f"{coverage.read:,} of {coverage.total:,} answered"
