"""One benchmark of a report, by the names that templates use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from deadpan.core.signature import without_reasons
from deadpan.reports import tables
from deadpan.reports.front import is_whole
from deadpan.reports.layouts import chosen_scores
from deadpan.reports.marking import RATED_ONLY, RATED_ONLY_NOTE, all_notes, marked
from deadpan.reports.scores import score_tables
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import LANGUAGES, one_line
from deadpan.reports.ways import models_of


def make_chapter(section: Section) -> dict[str, Any]:
    """One benchmark of the report, by the names that templates use."""
    costs, people = tables.cost_table(section), section.people
    section = marked(section)  # prices go by unmarked names
    benchmark, coverage = section.benchmark, tables.coverage_table(section)
    title, found = one_line(benchmark.title), score_tables(section)
    models = [one_line(model) for model in section.models]
    tasks = [one_line(section.task_title(task)) for task in section.tasks]
    return {
        "label": "tab:" + re.sub(r"[^a-z0-9:]+", "-", benchmark.name.lower()),
        "title": title,
        "short_title": title.partition(":")[0],
        "task_titles": tasks,
        "item_count": section.table["item"].n_unique(),
        "citation": one_line(benchmark.citation),
        "facts": _facts(section, coverage, people),
        "models": models,
        "signatures": _signatures(section),
        "coverage": coverage,
        "coverage_titles": tables.COLUMN_TITLES,
        "is_whole": is_whole(coverage.total.coverage) and not section.unfinished,
        "is_judged": _is_judged(section),
        "read_by": " ".join(section.read_by),
        "is_comparable": section.is_comparable,
        "outcome_note": " ".join(
            [one_line(benchmark.report.outcome_note), *section.not_given, *section.read_by]
        ),
        "scores": [table for table in found if table.is_ours or section.is_chosen],
        "published_only": [] if section.is_chosen else [one for one in found if not one.is_ours],
        "listings": [] if section.is_chosen else tables.listings(section),
        "costs": costs,
        "paper": section.published,
        "caveat": section.caveat,
        "deviations": [one_line(text) for text in section.deviations],
        "unavailable": section.unavailable,
        "unfinished": [one_line(text) for text in section.unfinished],
        "parts": [*map(one_line, all_notes(section)), *_rated_only(models)],
    }


def _is_judged(section: Section) -> bool:
    """Whether a judge graded any of the answers."""
    table = section.table
    return "judgements" in table.columns and not table["judgements"].is_null().all()


def _signatures(section: Section) -> list[str]:
    """The signatures as they are printed, of the tables that are shown."""
    of_tables = [score.signature for score in chosen_scores(section) if score.signature]
    shown = of_tables if section.is_chosen else section.signatures
    return distinct(one_line(without_reasons(text)) for text in shown)


def _rated_only(models: Sequence[str]) -> list[str]:
    """The footnote of models that people rated and that answered nothing, where there are such."""
    marked = any(model.endswith(f" {RATED_ONLY}") for model in models)
    return [RATED_ONLY_NOTE.rstrip(".")] if marked else []


def _facts(section: Section, coverage: tables.CoverageTable, people: int) -> list[tuple[str, str]]:
    table, total = section.table, coverage.total.coverage
    models = len(models_of(section, table["model"].to_list())) - bool(people)
    asked = section.counted
    codes = table["language"].drop_nulls().unique(maintain_order=True).to_list()
    # 100 % only when it is all.
    share = min(100 * total.read / total.total, 99.9)
    answered = "100" if total.read == total.total else f"{share:.1f}"
    return [
        *([(f"{models:,}", "model" if models == 1 else "models")] if models else []),
        *([(f"{people:,}", "person" if people == 1 else "people")] if people else []),
        (f"{len(section.tasks):,}", "task" if len(section.tasks) == 1 else "tasks"),
        (f"{table['item'].n_unique():,}", "items"),
        (f"{total.total:,}", asked),
        (f"{answered}%", "answered"),
        (
            " + ".join(LANGUAGES.get(code, one_line(code)) for code in codes),
            "languages" if len(codes) > 1 else "language",
        ),
    ]
