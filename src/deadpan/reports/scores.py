"""Score tables: the layout of a published table filled with our scores and the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import groupby

import polars as pl

from deadpan.core.capabilities import TableLayout
from deadpan.core.ratings import POOLED
from deadpan.core.score import Score
from deadpan.reports.caveats import by_stand_in
from deadpan.reports.comparing import compared_scores
from deadpan.reports.interval_cells import interval_note, with_interval
from deadpan.reports.layouts import chosen_layouts, spans_of, table_head
from deadpan.reports.marking import (
    partial_in,
    unmarked,
)
from deadpan.reports.remarks import compared_over, remarks_on, tasks_of
from deadpan.reports.score_table import (
    Cell,
    Column,
    Key,
    PublishedScore,
    Row,
    Scores,
    ScoreTable,
    Span,
    turned,
)
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import NOTHING, counts, number, one_line


def score_tables(section: Section) -> list[ScoreTable]:
    """One table per layout of the benchmark that has a score, ours or the paper's; of a benchmark
    that lays out no tables one of every overall score, and one for each task and group."""
    layouts = chosen_layouts(section)
    over_all = {tuple(key) for one in layouts for _, *key, group in one.columns if group == "all"}
    made = [_score_table(section, one) for one in layouts]
    return [turned(table) for table in made if table.rows and not _is_lone(table, over_all)]


def _is_lone(table: ScoreTable, over_all: Set[tuple[str, ...]]) -> bool:
    """Whether a table of our own by group has found one group, of scores that another table has
    over all: it would say the same again."""
    groups = {column.key[2] for column in table.columns}
    again = all(column.key[:2] in over_all for column in table.columns)
    return again and len(groups) == 1 and "all" not in groups and not table.published


def _of_others(section: Section, layout: TableLayout) -> list[Score]:
    """The scores of what answered no question, such as generators, where a table is of them."""
    tested = set(section.table["model"])
    return [one for one in section.scores if layout.others and one.model not in tested]


def _score_table(section: Section, layout: TableLayout) -> ScoreTable:
    columns, above = table_head(section, layout)
    overall = [column.key[:2] for column in columns if column.key[2] == "all"]
    scores, pairs, over = compared_scores(section, overall)
    if not layout.rows:
        tested = {layout.model} if layout.model else set(section.table["model"])
        scores = [score for score in scores if score.model in tested]
    ours = _by_model([*scores, *_of_others(section, layout)], columns, layout)
    theirs = _published(section, columns, layout)
    columns, above = _with_scores(columns, above, [*ours.values(), *theirs.values()])
    columns = [replace(column, stand_in=_is_stand_in(section, column, ours)) for column in columns]
    columns = [_with_printed_decimals(column, theirs) for column in columns]
    shown = _signatures(ours)
    beside = bool(ours) and bool(theirs or section.columns)  # a chosen table stands by itself
    paper, table = section.published, _number(layout) if theirs else ""
    rows = _rows(section, layout, columns, above, ours, theirs, pairs)
    return ScoreTable(
        title=one_line(layout.title),
        columns=columns,
        above=above,
        rows=rows,
        published=table,
        note=one_line(paper.notes.get(table, "")) if paper else "",
        remarks=[*remarks_on(section, layout, columns, ours)] if ours else [],
        caveat=section.caveat_of(shown) if beside else "",
        brief_caveat=section.brief_caveat_of(shown) if beside else "",
        deviations=[one_line(line) for line in section.deviations_of(shown)],
        rows_are="" if layout.rows or layout.model else "Model",
        items=compared_over(section, columns, pairs, over) if ours else "",
        intervals=interval_note(rows, section.intervals),
    )


def _with_scores(
    columns: Sequence[Column], above: Sequence[Span], known: Sequence[Scores]
) -> tuple[list[Column], list[Span]]:
    """The columns that somebody has a score for, be it without a value, and what is above them."""
    over = [(i, span.text) for i, span in enumerate(above) for _ in range(span.width)]
    pairs = zip(columns, over or [(0, "")] * len(columns), strict=True)
    kept = [(one, title) for one, title in pairs if any(one.key in own for own in known)]
    spans = [Span(text, len(list(own))) for (_, text), own in groupby(title for _, title in kept)]
    return [one for one, _ in kept], spans if above else []


def _number(layout: TableLayout) -> str:
    return layout.published.removeprefix("Table").strip()


def _published(
    section: Section, columns: Sequence[Column], layout: TableLayout
) -> dict[str, dict[Key, Score]]:
    """The paper's scores by model, where the layout is that of a table of it."""
    if section.published is None or not layout.published:
        return {}
    found = section.published.rows.filter(pl.col("table") == _number(layout)).drop("table")
    printed = [PublishedScore(**row, n=0) for row in found.iter_rows(named=True)]
    return _by_model(printed, columns, layout)


def _rows(
    section: Section,
    layout: TableLayout,
    columns: Sequence[Column],
    above: Sequence[Span],
    ours: Mapping[str, Scores],
    theirs: Mapping[str, Scores],
    pairs: Set[tuple[str, str]],
) -> list[Row]:
    """A line for each model, ours before the paper's. The best of ours is marked where it is surely
    so; of a paper's numbers nobody knows."""
    pooled = section.pooled | {POOLED} | (ours.keys() if layout.model == POOLED else set())
    partial = partial_in(section, tasks_of(columns))
    besides = {text for one in section.additions for text in one.signatures}
    rivals = _rivals(_models_only(ours, pooled), partial.keys(), pairs, besides)
    leaders = [_leader(section, column.key, rivals, pairs) for column in columns]
    rows = []
    for models in (ours, theirs):
        for model, known in models.items():
            is_ours = models is ours
            cells = [
                with_interval(
                    _cell(column, known, is_ours and leader == model, layout.spread, is_ours),
                    column,
                    section.intervals,
                )
                for column, leader in zip(columns, leaders, strict=True)
            ]
            spans = _join([cell.note for cell in cells], above) if models is ours else []
            name = model if model in partial else unmarked(model)
            rows.append(Row(one_line(name), models is ours, cells, spans))
    return rows


def _leader(
    section: Section, key: Key, rivals: Mapping[str, Scores], pairs: Set[tuple[str, str]]
) -> str | None:
    """The one of our models that is surely the best in a column."""
    known = {model: own[key] for model, own in rivals.items() if key in own}
    known = {model: score for model, score in known.items() if score.value is not None}
    task, metric, group = key
    shared = section.benchmark.report.comparable if group == "all" and key[:2] in pairs else group
    return section.leader((task, metric, shared), known)


def _models_only(scores: Mapping[str, Scores], pooled: Set[str]) -> dict[str, Scores]:
    """The scores of models, without those that stand for several."""
    return {model: known for model, known in scores.items() if model not in pooled}


def _is_stand_in(section: Section, column: Column, ours: Mapping[str, Scores]) -> bool:
    if not section.is_judged(column.key[0], column.key[1]):
        return False
    found = [scores[column.key] for scores in ours.values() if column.key in scores]
    return column.metric.unit != "count" and any(by_stand_in(score.signature) for score in found)


def _signatures(ours: Mapping[str, Scores]) -> list[str]:
    """The signatures of our scores in a table."""
    return distinct(score.signature for known in ours.values() for score in known.values())


def _by_model(
    scores: Sequence[Score], columns: Sequence[Column], layout: TableLayout
) -> dict[str, dict[Key, Score]]:
    """The scores the columns ask for, and their deviations, of every model that has any; where the
    layout's rows are groups, these stand in the place of models, in order."""
    if layout.rows:
        scores = [
            score.model_copy(update={"model": heading, "group": "all"})
            for group, heading in layout.rows
            for score in scores
            if (score.model, score.group) == (layout.model, group)
        ]
    keys = {column.key for column in columns}
    if layout.spread:
        keys |= {(task, metric + layout.spread, group) for task, metric, group in keys}
    found: dict[str, dict[Key, Score]] = {}
    for score in scores:
        key = (score.task, score.metric, score.group)
        if key in keys:
            found.setdefault(score.model, {}).setdefault(key, score)
    return found


def _rivals(
    ours: Mapping[str, Scores],
    partial: Set[str],
    pairs: Set[tuple[str, str]],
    besides: Set[str],
) -> dict[str, Scores]:
    """Our scores that may be the best of their column: where some models answered all items, those
    that did not are left out, but for what is over the same items for all, and for scores `besides`
    those of answers, such as people's ratings."""
    if partial >= ours.keys():
        return dict(ours)

    def shared(key: Key, score: Score) -> bool:
        is_compared = (key[2] == "all" and key[:2] in pairs) or "|comparable:" in score.signature
        return is_compared or score.signature in besides

    return {
        model: {key: score for key, score in known.items() if shared(key, score)}
        if model in partial
        else known
        for model, known in ours.items()
    }


def _with_printed_decimals(column: Column, theirs: Mapping[str, Scores]) -> Column:
    """The column with as many decimals as the paper prints in it, where those are more."""
    found = [scores.get(column.key) for scores in theirs.values()]
    printed = [one.decimals for one in found if isinstance(one, PublishedScore)]
    return replace(column, decimals=max([column.decimals, *printed]))


def _shown(score: Score | None, decimals: int) -> str:
    """A score as it is printed: the paper's own digits, or ours."""
    if isinstance(score, PublishedScore) and score.printed:
        return one_line(score.printed).replace("-", "−")
    return number(score.value if score else None, decimals)


def _cell(column: Column, scores: Scores, best: bool, spread: str, is_ours: bool) -> Cell:
    task, metric, group = column.key
    score = scores.get(column.key)
    deviation = scores.get((task, metric + spread, group)) if spread else None
    text, after = _shown(score, column.decimals), _shown(deviation, column.decimals)
    return Cell(
        text,
        best=best and text != NOTHING,
        note=counts(score) if score and is_ours else "",
        spread="" if after == NOTHING else f"± {after}",
        score=score if is_ours else None,
    )


def _join(notes: Sequence[str], above: Sequence[Span]) -> list[Span]:
    """One span when all counts are equal, else one per task where tasks are named, else apart."""
    if len(set(notes)) == 1:
        return spans_of(notes)
    blocks = [i for i, span in enumerate(above) for _ in range(span.width)]
    pairs = zip(blocks or range(len(notes)), notes, strict=True)
    return [Span(note, len(list(group))) for (_, note), group in groupby(pairs)]
