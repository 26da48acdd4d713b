"""What every plot has in common: its finished form, its tooltips and short names for its marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import vl_convert

from deadpan.reports.section import distinct
from deadpan.reports.text import one_line
from deadpan.reports.theme import CONFIG, GREY, STATIC_WIDTH, Spec

SPACING = 18
"""Pixels between panels."""
Mark = Mapping[str, str | float]
"""One row of a plot's data."""


@dataclass(frozen=True)
class Plot:
    """A plot: a name for its file, its title, a line on how to read it and its Vega-Lite form."""

    name: str
    title: str
    caption: str
    spec: Spec
    narrowest: int = 560
    """Pixels below which a page lets the plot scroll instead of squeezing it."""
    panel: int = 0
    """The width of one panel where the plot has several: a page puts as many in a row as fit."""


def plot_svg(spec: Spec) -> str:
    """The plot as a static SVG document on a transparent ground."""
    return str(vl_convert.vegalite_to_svg(fixed_width(spec), allowed_base_urls=[]))


def plot_png(spec: Spec, scale: float = 2.0) -> bytes:
    """The plot as a PNG picture on white."""
    picture = fixed_width(spec) | {"background": "white", "padding": 16}
    return bytes(vl_convert.vegalite_to_png(picture, scale=scale, allowed_base_urls=[]))


def fixed_width(spec: Mapping[str, Any]) -> Spec:
    """The plot at a width of its own, for where there is no page to fill."""
    return {**spec, **({"width": STATIC_WIDTH} if spec.get("width") == "container" else {})}


def altair_spec(spec: Mapping[str, Any]) -> Spec:
    """The plot as Altair takes it, without what its schema does not know."""
    config = {name: value for name, value in CONFIG.items() if name != "background"}
    legend = {name: value for name, value in CONFIG["legend"].items() if name != "layout"}
    return {**fixed_width(spec), "config": {**config, "legend": legend}}


def finished(chart: alt.LayerChart, title: str) -> Spec:
    """The chart in the house style, as wide as its place."""
    spec: Spec = chart.properties(title=title, width="container").to_dict()
    return {**spec, "config": CONFIG}


def finished_panels(panels: Sequence[alt.LayerChart], title: str, columns: int) -> Spec:
    """The panels in the house style, `columns` in a row, each with its own scale of colours."""
    chart = alt.ConcatChart(concat=list(panels), columns=columns, spacing=SPACING)
    spec: Spec = chart.resolve_scale(color="independent").properties(title=title).to_dict()
    return {**spec, "config": CONFIG}


def chart_of(marks: Sequence[Mark]) -> alt.Chart:
    """A chart over the rows."""
    return alt.Chart(alt.InlineData(values=[dict(mark) for mark in marks]))


def tooltip(*names: str, **titles: str) -> list[alt.Tooltip]:
    """What a mark tells when pointed at; fields go by their names unless a title is given."""
    usual = {"row": "model", "score": "value"} | titles
    return [alt.Tooltip(f"{name}:N", title=usual.get(name, name)) for name in names]


def zero_line(axis: str) -> alt.Chart:
    """A line at zero across the chart, for the axis "x" or "y"."""
    rule = chart_of([{"zero": 0.0}]).mark_rule(color=GREY, strokeWidth=1)
    line: alt.Chart = rule.encode(**{axis: "zero:Q"})
    return line


def slug(*parts: str) -> str:
    """A file name made of the parts."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(parts).lower()).strip("-")


def sentences(*parts: str) -> str:
    """The parts that are not empty, one after the other."""
    return " ".join(one_line(part) for part in parts if part)


def short_names(models: Iterable[str], most: int = 26) -> dict[str, str]:
    """Each model's name, without its provider where one name is too long, and without its middle
    where it still is. No two of them are alike."""
    full = {model: one_line(model) for model in distinct(models)}
    crowded = any(len(name) > most for name in full.values())
    names: dict[str, str] = {}
    for model, name in full.items():
        bare = name.rpartition("/")[2] or name if crowded else name
        tries = (bare, *(f"{_cut(bare, most - 4)} ({n})" for n in range(2, len(full) + 2)))
        taken = set(names.values())
        names[model] = next(text for text in tries if _cut(text, most) not in taken)
        names[model] = _cut(names[model], most)
    return names


def _cut(text: str, most: int) -> str:
    """The text with its middle left out where it is too long."""
    half = (most - 1) // 2
    return text if len(text) <= most else f"{text[: most - 1 - half]}…{text[-half:]}"
