"""What every plot has in common: the scores it draws, names, axes, colours, its finished form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from deadpan.core.score import Score, select
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import one_line
from deadpan.reports.theme import COLOURS, CONFIG, GREY, LOOKS, STATIC_WIDTH, Spec

SPACING, MOST_PANELS = 18, 3
"""Pixels between panels, and how many stand side by side."""
NARROWEST = 320
"""Pixels that a plot needs unless it says otherwise; a phone has them."""
LINES = "split(datum.value, '\\n')"
"""Lets an axis break its labels where they have a new line."""
Mark = Mapping[str, str | float]
"""One row of a plot's data."""
Marks = Sequence[Mark]
Layers = list[alt.Chart]
Texts = Sequence[str]


@dataclass(frozen=True, repr=False)
class Plot:
    """A plot: a name for its file, its title, a line on how to read it and its Vega-Lite form."""

    name: str
    title: str
    caption: str
    spec: Spec
    narrowest: int = NARROWEST
    """Pixels below which a page lets the plot scroll instead of squeezing it."""
    panel: int = 0
    """The width of one panel where the plot has several: a page puts as many in a row as fit."""
    narrow: Spec | None = None
    """Its form for pages with less room than `narrowest`, where it has one of its own."""

    def __repr__(self) -> str:
        return f"<Plot {self.name}: {self.title}. {self.caption}>"

    def _repr_svg_(self) -> str:
        """What a notebook shows: the plot on white, with no script."""
        return plot_svg({**self.spec, "background": "white", "padding": 12})


_COUNTED = re.compile(r"(?<=[\"#])(clip|gradient_)\d+(?=[\")])")


def plot_svg(spec: Spec) -> str:
    """The plot as a static SVG document on a transparent ground, the same whenever it is drawn."""
    drawn = str(vl_convert.vegalite_to_svg(fixed_width(spec), allowed_base_urls=[]))
    # Vega goes on counting from the last plot of the process.
    numbers: dict[str, int] = {}
    return _COUNTED.sub(
        lambda found: f"{found[1]}{numbers.setdefault(found[0], len(numbers))}", drawn
    )


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


def finish_chart(chart: alt.LayerChart, title: str) -> Spec:
    """The chart in the house style, as wide as its place."""
    return {**chart.properties(title=title, width="container").to_dict(), "config": CONFIG}


def of_layers(
    title: str,
    names: Texts,
    captions: Texts,
    layers: Layers,
    height: int,
    narrowest: int = NARROWEST,
) -> Plot:
    """A plot of layers; `names` make its file name, the captions that are not empty its caption."""
    words = _words(title, names, captions)
    spec = finish_chart(alt.LayerChart(layer=layers).properties(height=height), words[1])
    return Plot(*words, spec, narrowest)


def of_panels(
    title: str, names: Texts, captions: Texts, panels: Sequence[alt.LayerChart], width: int
) -> Plot:
    """A plot of panels so many pixels wide, each with its own scale of colours."""
    words, columns = _words(title, names, captions), min(len(panels), MOST_PANELS)
    chart = alt.ConcatChart(concat=list(panels), columns=columns, spacing=SPACING)
    chart = chart.resolve_scale(color="independent").properties(title=words[1])
    spec, wide = {**chart.to_dict(), "config": CONFIG}, width + SPACING
    return Plot(*words, spec, narrowest=wide, panel=wide)


def _words(title: str, names: Texts, captions: Texts) -> tuple[str, str, str]:
    """A plot's file name, title and caption."""
    name = re.sub(r"[^a-z0-9]+", "-", " ".join(names).lower()).strip("-")
    return name, one_line(title), " ".join(one_line(part) for part in captions if part)


def group_value(group: str, key: str) -> str:
    """The value of a `key=value` group of that key, empty for other and for crossed groups; where
    no key is named, `all` of the group of all."""
    if not key:
        return group if group == "all" else ""
    value = group.removeprefix(f"{key}=")
    return value if group != value and "=" not in value else ""


def scored_values(
    section: Section, task: str, metric: str, key: str = ""
) -> list[tuple[str, Score, float]]:
    """The scores of a task and metric that have a value, overall or by a group key, each after the
    value of its group."""
    return [
        (group, score, score.value)
        for score in select(section.scores, task=task, metric=metric)
        if (group := group_value(score.group, key)) and score.value is not None
    ]


def published_values(
    section: Section, task: str, metric: str, key: str = ""
) -> list[dict[str, Any]]:
    """Published rows of a task and metric, overall or by a group key, one per model and group, each
    with a note of its table; none where the results are of other data."""
    paper = section.published
    if paper is None or not section.is_comparable:
        return []
    found = paper.rows.filter((pl.col("task") == task) & (pl.col("metric") == metric))
    noted = found.with_columns(note="published, table " + pl.col("table"))
    first = noted.unique(["model", "group"], keep="first", maintain_order=True)
    return [row for row in first.iter_rows(named=True) if group_value(row["group"], key)]


def chart_of(marks: Marks) -> alt.Chart:
    """A chart over the rows."""
    return alt.Chart(alt.InlineData(values=[dict(mark) for mark in marks]))


def hollow_points(marks: Marks, size: int) -> alt.Chart:
    """Published values, which are drawn hollow and grey."""
    points: alt.Chart = chart_of(marks).mark_point(size=size, **LOOKS["hollow"])
    return points


def tooltip(*names: str, **titles: str) -> list[alt.Tooltip]:
    """What a mark tells when pointed at; fields go by their names unless a title is given."""
    usual = {"row": "model", "score": "value"} | titles
    return [alt.Tooltip(f"{name}:N", title=usual.get(name, name)) for name in names]


def zero_line(axis: str) -> alt.Chart:
    """A line at zero across the chart, for the axis "x" or "y"."""
    rule = chart_of([{"zero": 0.0}]).mark_rule(color=GREY, strokeWidth=1)
    line: alt.Chart = rule.encode(**{axis: "zero:Q"})
    return line


def series_colour(
    field: str, names: Sequence[str], legend: alt.Legend | None, palette: Sequence[str] = COLOURS
) -> alt.Color:
    """A colour for each name, in turn."""
    colours = [palette[i % len(palette)] for i in range(len(names))]
    scale = alt.Scale(domain=list(names), range=colours)
    return alt.Color(f"{field}:N", sort=list(names), scale=scale, legend=legend)


def legend_pick(field: str, strong: float, weak: float) -> tuple[alt.Parameter, Any]:
    """A selection by clicks on the legend, and the opacity of what is in it and what is not."""
    pick = alt.selection_point(fields=[field], bind="legend")
    return pick, alt.condition(pick, alt.value(strong), alt.value(weak))


def short_names(models: Iterable[str], most: int = 26) -> dict[str, str]:
    """Each model's name, without its provider where one name is too long, and without its middle
    where it still is. No two of them are alike."""
    full = {model: one_line(model) for model in distinct(models)}
    crowded = any(len(name) > most for name in full.values())
    names: dict[str, str] = {}
    for model, name in full.items():
        bare = name.rpartition("/")[2] or name if crowded else name
        tries = (bare, *(f"{_cut_middle(bare, most - 4)} ({n})" for n in range(2, len(full) + 2)))
        names[model] = next(
            cut for text in tries if (cut := _cut_middle(text, most)) not in names.values()
        )
    return names


def _cut_middle(text: str, most: int) -> str:
    """The text with its middle left out where it is too long."""
    half = (most - 1) // 2
    return text if len(text) <= most else f"{text[: most - 1 - half]}…{text[-half:]}"
