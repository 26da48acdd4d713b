"""Right or wrong: the verdict on one answer, and those on all answers in few letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import polars as pl

from deadpan.core.outcomes import LEFT_OUT
from deadpan.reports.judgement_text import judgements_of
from deadpan.reports.section import Section
from deadpan.reports.text import number, one_line

OWN_SCORE = "score."
"""What the columns of answers' own scores begin with."""
_OWN_SCORES = 6
"""Scores of one answer that are shown."""
Verdict = Literal["right", "partly", "wrong", "unscored", "open", "judged"]
_UNKNOWN = "-"


def verdict(section: Section, row: Mapping[str, Any]) -> Verdict:
    """Whether an answer is right by the rule of its task: its own score in the metric that grades
    it, at one end of that metric's range, at the other, or between them."""
    if row["outcome"] in LEFT_OUT:
        return "unscored"
    for metric in section.graded_by(row["task"]):
        value = row.get(f"{OWN_SCORE}{metric.name}")
        if value is not None and metric.range is not None:
            worst, best = sorted(metric.range, reverse=metric.is_lower_better)
            return "right" if value == best else "wrong" if value == worst else "partly"
    if row["outcome"] != "answered":
        return "wrong"
    return "judged" if judgements_of(row["judgements"]) else "open"


def own_scores(section: Section, row: Mapping[str, Any]) -> list[str]:
    """An answer's own scores in words: in what grades it, or in everything where nothing does."""
    graded = section.graded_by(row["task"])
    shown = []
    for metric in graded or section.task_metrics(row["task"]):
        value = row.get(f"{OWN_SCORE}{metric.name}")
        if value is not None and metric.unit != "count":
            shown.append(f"{one_line(metric.title)} {number(value, metric.decimals)}")
    return shown[:_OWN_SCORES]


def verdict_index(
    section: Section, pages: Sequence[tuple[str, Sequence[str]]]
) -> dict[str, dict[str, str]]:
    """By task and model a letter for each item of the pages, in their order: r for right, w for
    wrong, p for partly, - for what no rule can tell or nobody was asked. Nothing where the report's
    own page holds all items. Of several answers to a question all have to be right, or wrong."""
    items = {item: at for at, item in enumerate(one for _, held in pages for one in held)}
    if not items:
        return {}
    names = [name for name in section.table.columns if name.startswith(OWN_SCORE)]
    columns = ["item", "task", "model", "outcome", *names]
    graded = [task for task in section.tasks if section.graded_by(task)]
    rows = section.table.filter(pl.col("task").is_in(graded)).select(columns)
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows.iter_rows(named=True):
        at = items.get(row["item"])
        if at is None:
            continue
        said = verdict(section, {**row, "judgements": None})
        letter = said[0] if said in ("right", "partly", "wrong") else _UNKNOWN
        models = found.setdefault(row["task"], {})
        letters = models.setdefault(one_line(row["model"]), [""] * len(items))
        letters[at] = letter if letters[at] in ("", letter) else "p"
    return {
        task: {model: "".join(one or _UNKNOWN for one in own) for model, own in models.items()}
        for task, models in found.items()
    }
