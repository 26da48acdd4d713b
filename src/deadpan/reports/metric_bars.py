"""Several metrics of each model as bars, a panel for each model."""

from __future__ import annotations

import altair as alt

from deadpan.core.measurement import SPREAD
from deadpan.core.plots import MetricsPlot
from deadpan.core.score import Score, select
from deadpan.reports import plot
from deadpan.reports.section import Section
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import COLOURS, INK, LOOKS

_BAR, _WIDTH, _LETTER = 17, 190, 6.5
"""Pixels of a bar's height, of the longest bar and of a letter of a metric's name."""


def draw_metrics(section: Section, wanted: MetricsPlot) -> plot.Plot | None:
    """A panel for each model that has a score, all models together last where there are several;
    None where there is none."""
    found = {
        (score.model, score.metric): score
        for score in select(section.scores, task=wanted.task, group="all")
    }
    pooled = section.benchmark.report.pooled
    named = [(heading, name) for heading, names in wanted.series for name in names]
    models = [one for one in section.models if any((one, name) in found for _, name in named)]
    models += [pooled] if len(models) > 1 and any(one == pooled for one, _ in found) else []
    short = plot.short_names(models)
    panels = [(short[one], _marks(section, one, named, found)) for one in models]
    panels = [(title, marks) for title, marks in panels if marks]
    if not panels:
        return None
    names = [one_line(section.metric(name).title) for _, name in named]
    most = max(float(mark["high"]) for _, marks in panels for mark in marks)
    ranges = [section.metric(name).range for _, name in named]
    top = max([most, *(ends[1] for ends in ranges if ends)])
    series = [one_line(heading) for heading, _ in wanted.series]
    charts = [_panel(*panel, names, series, top, i == 0) for i, panel in enumerate(panels)]
    spread = any(mark["low"] != mark["high"] for _, marks in panels for mark in marks)
    note = "Lines span the deviation over samples." if spread else ""
    wide = _WIDTH + round(_LETTER * max(map(len, names))) + 10
    file = ["metrics", wanted.task, *series]
    return plot.of_panels(wanted.title, file, [wanted.caption, note], charts, wide)


def _marks(
    section: Section,
    model: str,
    named: list[tuple[str, str]],
    found: dict[tuple[str, str], Score],
) -> list[plot.Mark]:
    marks: list[plot.Mark] = []
    for heading, name in named:
        score, metric = found.get((model, name)), section.metric(name)
        if score is None or score.value is None:
            continue
        spread = found.get((model, name + SPREAD))
        away = spread.value if spread and spread.value is not None else 0.0
        printed = number(score.value, metric.decimals)
        marks.append(
            {
                "model": one_line(model),
                "series": one_line(heading),
                "metric": one_line(metric.title),
                "value": score.value,
                "low": max(0.0, score.value - away),
                "high": score.value + away,
                "score": f"{printed} ± {number(away, metric.decimals)}" if away else printed,
                "printed": printed,
                "counts": counts(score),
            }
        )
    return marks


def _panel(
    title: str, marks: plot.Marks, names: list[str], series: list[str], top: float, is_first: bool
) -> alt.LayerChart:
    scale = alt.Scale(domain=[0, 1.16 * top], nice=False)
    rows = alt.Scale(domain=names, paddingInner=0.25, paddingOuter=0.1)
    base = plot.chart_of(marks).encode(
        y=alt.Y("metric:N", sort=names, title=None, axis=alt.Axis(grid=False), scale=rows),
        tooltip=plot.tooltip("model", "metric", "score", "counts"),
    )
    ticks = alt.Axis(values=[0, top / 2, top])
    look = alt.Legend(title=None, symbolType="square", orient="bottom", direction="horizontal")
    legend = look if is_first and len(series) > 1 else None
    bars = base.mark_bar(cornerRadiusEnd=2, opacity=0.85).encode(
        x=alt.X("value:Q", title=None, scale=scale, axis=ticks),
        color=plot.series_colour("series", series, legend, COLOURS),
    )
    spans = base.mark_rule(color=INK, strokeWidth=1.2).encode(x="low:Q", x2="high:Q")
    texts = base.mark_text(align="left", dx=4, fontSize=10.5, color=INK)
    layers = [bars, spans, texts.encode(x="high:Q", text="printed:N")]
    return alt.LayerChart(layer=layers).properties(
        title=alt.TitleParams(title, **LOOKS["panel_title"]),
        width=_WIDTH,
        height=_BAR * len(names),
    )
