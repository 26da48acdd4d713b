"""What a data set is like, drawn: bars of counts and shares, all plots of it in one picture."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import altair as alt
from markupsafe import Markup

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import write_bytes, write_text
from deadpan.core.metric import Metric
from deadpan.core.plots import DataPlot
from deadpan.core.score import Score
from deadpan.core.units import natural
from deadpan.reports import plot
from deadpan.reports.text import number, one_line
from deadpan.reports.theme import COLOURS, CONFIG, INK, LOOKS, Spec
from deadpan.web.pages import asset, page

SUFFIXES = (".html", ".png", ".svg")
_WIDE, _NAMES, _BAR, _LETTERS, _COLUMNS = 330, 170, 20, 26, 2
_MOST = 24
"""Bars that one plot shows; of more the longest are shown, and the others counted."""
_SQUARES = alt.Legend(title=None, symbolType="square", orient="top", columns=2)


def require_picture(path: Path) -> None:
    """Raises for a file that no picture can be written to, before anything is counted."""
    if path.suffix.lower() not in SUFFIXES:
        fix = f"Expected one of {', '.join(SUFFIXES)}."
        raise InputError(path, f'unknown format "{path.suffix}"', fix)


def write_data_plots(
    path: Path,
    title: str,
    scores: Sequence[Score],
    wanted: Sequence[DataPlot],
    about: Callable[[str], Metric] = Metric,
) -> None:
    """Writes the plots that have scores as one picture or one page that needs no network; none at
    all raises."""
    require_picture(path)
    if path.suffix.lower() == ".png":
        write_bytes(path, plot.plot_png(data_figure(title, scores, wanted, about)))
    elif path.suffix.lower() == ".svg":
        write_text(path, plot.plot_svg(data_figure(title, scores, wanted, about)))
    else:
        write_text(path, _page(title, _panels(title, scores, wanted, about)))


def _page(title: str, panels: Sequence[alt.LayerChart]) -> str:
    """A page with a picture for each plot, as many in a row as there is room for."""
    drawn = [plot.plot_svg({**one.to_dict(), "config": CONFIG}) for one in panels]
    style = asset("deadpan.reports", "report.css")
    heading = one_line(title)
    return page(
        "deadpan.reports", "data.html", heading, style, plots=[Markup(one) for one in drawn]
    )


def data_figure(
    title: str,
    scores: Sequence[Score],
    wanted: Sequence[DataPlot],
    about: Callable[[str], Metric] = Metric,
) -> Spec:
    """All plots that have scores, side by side."""
    drawn = _panels(title, scores, wanted, about)
    chart = alt.ConcatChart(concat=drawn, columns=min(_COLUMNS, len(drawn)), spacing=36)
    chart = chart.resolve_scale(color="independent").properties(title=one_line(title))
    return {**chart.to_dict(), "config": CONFIG}


def _panels(
    title: str,
    scores: Sequence[Score],
    wanted: Sequence[DataPlot],
    about: Callable[[str], Metric],
) -> list[alt.LayerChart]:
    """The plots that have scores; none at all raises."""
    drawn = [made for one in wanted if (made := _panel(one, scores, about)) is not None]
    if not drawn:
        raise DeadpanError(f"{title}: there is nothing to plot")
    return drawn


def _panel(
    wanted: DataPlot, scores: Sequence[Score], about: Callable[[str], Metric]
) -> alt.LayerChart | None:
    """One plot: a bar for each group and series; None without a score."""
    marks: list[plot.Mark] = []
    labels = {value: _wrap(label) for value, label in wanted.labels}
    for series, metric in wanted.series:
        for score in scores:
            row = _row(wanted, score)
            if score.metric != metric or row is None or score.value is None:
                continue
            decimals = about(metric).decimals
            printed = number(score.value, decimals) if wanted.decimals else f"{score.value:,.0f}"
            mark = {"row": labels.get(row, _wrap(row)), "series": one_line(series)}
            marks.append({**mark, "value": score.value, "printed": printed, "place": row})
    if not marks:
        return None
    rows = _ordered(wanted, marks, labels)
    left_out = len({mark["row"] for mark in marks}) - len(rows)
    marks = [mark for mark in marks if mark["row"] in rows]
    caption = [wanted.caption, f"{left_out} more with fewer each." if left_out else ""]
    return _bars(wanted, marks, rows, " ".join(filter(None, caption)))


def _row(wanted: DataPlot, score: Score) -> str | None:
    """The bar that a score is, where it is one of the plot's."""
    if wanted.group:
        return score.task if score.group == wanted.group else None
    return plot.group_value(score.group, wanted.group_key) or None


def _ordered(wanted: DataPlot, marks: plot.Marks, labels: dict[str, str]) -> list[str]:
    """Rows in the order of the labels, of numbers by size, else from the longest bar down."""
    present = list(dict.fromkeys(str(mark["row"]) for mark in marks))
    places = {str(mark["row"]): str(mark["place"]) for mark in marks}
    longest = {row: max(float(m["value"]) for m in marks if m["row"] == row) for row in present}
    if labels:
        known = [label for label in labels.values() if label in present]
        return known + [row for row in present if row not in known]
    if all(places[row][:1].isdigit() for row in present):
        return sorted(present, key=lambda row: natural(places[row]))
    if wanted.group:
        return present
    return sorted(present, key=lambda row: -longest[row])[:_MOST]


def _bars(wanted: DataPlot, marks: plot.Marks, rows: list[str], caption: str) -> alt.LayerChart:
    series = list(dict.fromkeys(str(mark["series"]) for mark in marks))
    highest = max(float(mark["value"]) for mark in marks)
    lowest = min(0.0, *(float(mark["value"]) for mark in marks))
    ends = alt.Scale(domain=[lowest, highest * 1.16 or 1.0], nice=False)
    look = {**LOOKS["row_names"], "grid": False, "labelExpr": plot.LINES, "labelLimit": 210}
    look |= {"minExtent": _NAMES, "maxExtent": _NAMES}  # so that all plots stand level
    base = plot.chart_of(marks).encode(
        y=alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(**look)),
        x=alt.X("value:Q", title=None, scale=ends, axis=alt.Axis(tickCount=4)),
        tooltip=plot.tooltip("row", "series", "printed", row="group", printed="value"),
    )
    if len(series) > 1:
        offset = alt.YOffset("series:N", sort=series, scale=alt.Scale(domain=series))
        base = base.encode(yOffset=offset)
    legend = _SQUARES if len(series) > 1 else None
    colour = plot.series_colour("series", series, legend, COLOURS)
    bars = base.mark_bar(cornerRadiusEnd=2, opacity=0.85).encode(color=colour)
    texts = base.mark_text(align="left", dx=4, fontSize=11, color=INK).encode(text="printed:N")
    tall = sum(max(1, 0.8 * (row.count("\n") + 1)) for row in rows)
    heading = alt.TitleParams(
        text=one_line(wanted.title),
        subtitle=textwrap.wrap(one_line(caption), 70),
        subtitleColor="#6b717c",
        subtitleFontSize=11,
        **LOOKS["panel_title"],
    )
    height = round(_BAR * max(tall, len(rows) * (0.35 + 0.65 * len(series))) + 8)
    return alt.LayerChart(layer=[bars, texts]).properties(title=heading, width=_WIDE, height=height)


def _wrap(label: str) -> str:
    """A label in lines that fit beside its bar."""
    spaced = one_line(label).replace("_", " ")
    return "\n".join(textwrap.wrap(spaced, _LETTERS)[:2]) or spaced
