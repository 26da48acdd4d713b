"""Models under the names, and in the order, that a small file gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.rows import read_csv
from deadpan.reports.section import Section


def read_model_names(path: Path) -> dict[str, str]:
    """The name of each model of a CSV file with the columns model and name, in the file's order; an
    empty name keeps the model's own."""
    return read_names(path, "model")


def read_names(path: Path, noun: str) -> dict[str, str]:
    """The names in a CSV file with a column for what is named and the column name, in the file's
    order."""
    columns = (noun, "name")
    table = read_csv(path, columns)
    names: dict[str, str] = {}
    for line, cells in table.rows:
        row = dict(zip(table.header, cells, strict=False))
        one, name = (row.get(column, "").strip() for column in columns)
        if not one:
            raise InputError(f"{path}:{line}", f"names no {noun}", f"Give {noun},name.")
        if one in names:
            raise InputError(f"{path}:{line}", f"{one} is there twice", "Keep one of them.")
        names[one] = name or one
    return names


def unknown_models(sections: Sequence[Section], names: Iterable[str]) -> list[str]:
    """The models that are in none of the results, ours or published."""
    known = {model for section in sections for model in _models(section)}
    return [name for name in names if name not in known]


def rename_models(section: Section, names: Mapping[str, str]) -> Section:
    """The section with its models, and the published ones, renamed and in that order; models that
    have no name there follow as they are. Two models of one name raise."""
    present = [one for one in names if one in {*section.models}]
    taken: dict[str, str] = {}
    for model in [*present, *section.models]:
        name = names.get(model, model)
        if taken.setdefault(name, model) != model:
            raise DeadpanError(f"{taken[name]} and {model} would both be called {name}")
    listed = dict.fromkeys([*names, *_models(section)])
    order = {model: place for place, model in enumerate(listed)}
    scores = [
        one.model_copy(update={"model": names.get(one.model, one.model)})
        for one in sorted(section.scores, key=lambda one: order.get(one.model, len(order)))
    ]
    paper = section.published
    if paper is not None:
        paper = replace(paper, rows=_renamed(paper.rows, names, order))
    rated = [
        replace(one, rated=frozenset(names.get(model, model) for model in one.rated))
        for one in section.additions
    ]
    return replace(
        section,
        table=_renamed(section.table, names, order),
        scores=scores,
        published=paper,
        additions=tuple(rated),
        measured_as=section.shown_as(names),
    )


def _models(section: Section) -> list[str]:
    published = section.published.rows["model"].to_list() if section.published else []
    return list(dict.fromkeys([*section.models, *published]))


def _renamed(
    rows: pl.DataFrame, names: Mapping[str, str], order: Mapping[str, int]
) -> pl.DataFrame:
    place = pl.col("model").replace_strict(order, default=len(order), return_dtype=pl.Int64)
    return rows.sort(place, maintain_order=True).with_columns(pl.col("model").replace(names))
