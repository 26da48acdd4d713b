"""What became of the posts, and what the items are like, drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import altair as alt

from deadpan.curate.release.counts import Funnel, crossed
from deadpan.curate.release.material import Items
from deadpan.reports import plot
from deadpan.reports.text import LANGUAGES, one_line
from deadpan.reports.theme import CONFIG, GREY, INK, LOOKS, PARTS, Spec

FUNNEL, COMPOSITION = "funnel", "composition"
_WIDTH, _ROW, _BAR = 560, 34, 22
_MOST_VALUES, _LONGEST = 12, 26
_LEFT, _DROPPED = "#2f7de1", "#f0b48f"
_REASONS = 2
"""Reasons that are named beside a bar."""
_TITLES = {"split": "Split", "language": "Language", "source": "Source"}


def funnel_plot(title: str, funnel: Funnel) -> Spec:
    """A bar for each stage that dropped posts: those that went on, and those it dropped."""
    marks: list[plot.Mark] = [_stage_mark("collected", "", funnel.stages[0].came, 0)]
    for one in funnel.stages:
        if one.dropped:
            marks.append(
                _stage_mark(one.stage, _reasons(one.dropped), one.left, one.came - one.left)
            )
    rows = [str(mark["row"]) for mark in marks]
    most = funnel.stages[0].came or 1
    # Room for what stands behind the longest bar: its count, and why posts were dropped.
    across = alt.Scale(domain=[0, most * 1.62], nice=False)
    base = plot.chart_of(marks).encode(
        y=alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(**LOOKS["row_names"], grid=False))
    )
    gone = base.mark_bar(color=_DROPPED, height=_BAR, cornerRadiusEnd=2).encode(
        x=alt.X("left:Q", scale=across, axis=None), x2="came:Q"
    )
    left = base.mark_bar(color=_LEFT, height=_BAR, cornerRadiusEnd=2).encode(
        x=alt.X("left:Q", scale=across, axis=None)
    )
    counts = base.mark_text(align="right", dx=-6, fontSize=12, fontWeight="bold").encode(
        x=alt.X("inside:Q", scale=across), text="inner:N", color=alt.value("white")
    )
    beside = base.mark_text(align="left", dx=6, fontSize=12, color=INK).encode(
        x=alt.X("came:Q", scale=across), text="beside:N"
    )
    ends = f"{funnel.collected:,} posts became {funnel.items:,} items"
    heading = _heading(title, f"{ends}: posts left after each stage, and why others were dropped")
    layers = alt.LayerChart(layer=[gone, left, counts, beside])
    drawn = layers.properties(title=heading, width=_WIDTH + 200, height=_ROW * len(rows))
    return {**drawn.to_dict(), "config": CONFIG}


def _stage_mark(row: str, why: str, left: int, dropped: int) -> plot.Mark:
    fits = left >= 0.12 * (left + dropped) and left > 0
    lost = f"−{dropped:,}: {why}" if dropped else ""
    return {
        "row": row,
        "left": left,
        "came": left + dropped,
        "inside": left,
        "inner": f"{left:,}" if fits else "",
        "beside": lost if fits else f"{left:,} left, {lost}",
    }


def _reasons(dropped: Mapping[str, int]) -> str:
    """The most frequent reasons with their counts, and how many others there are."""
    if len(dropped) == 1:
        return _short(next(iter(dropped)))
    shown = [f"{_short(reason)} {many:,}" for reason, many in list(dropped.items())[:_REASONS]]
    more = len(dropped) - _REASONS
    return ", ".join(shown) + (f", {more} more" if more > 0 else "")


def composition_plot(title: str, items: Items) -> Spec:
    """Items by split, language and label, each bar parted by language."""
    drawn = _drawn(items)
    most = max(max(Counter(items.of(name)).values()) for name in drawn)
    panels = [_panel(items, name, most) for name in drawn]
    chart = alt.VConcatChart(vconcat=panels, spacing=26).resolve_scale(y="independent")
    named = ", ".join(name.replace("_", " ") for name in drawn)
    heading = _heading(title, f"{len(items):,} items by {named}")
    return {**chart.properties(title=heading).to_dict(), "config": CONFIG}


def _drawn(items: Items) -> list[str]:
    """What has a panel: splits, where there are several, and every other field."""
    return [*(["split"] if len(items.splits) > 1 else []), *items.fields]


def _panel(items: Items, field: str, most: int) -> alt.LayerChart:
    languages = sorted(set(items.of("language")))
    counts = crossed(items, field, "language")
    totals: dict[str, int] = {}
    for (value, _), many in counts.items():
        totals[value] = totals.get(value, 0) + many
    values = _values(items, field, totals)
    marks: list[plot.Mark] = []
    for value in values:
        start = 0
        for language in languages:
            many = counts.get((value, language), 0)
            row, spoken = _label(field, value), LANGUAGES.get(language, language)
            marks.append({"row": row, "language": spoken, "start": start, "end": start + many})
            start += many
    sums: list[plot.Mark] = [
        {"row": _label(field, value), "end": totals[value], "printed": f"{totals[value]:,}"}
        for value in values
    ]
    rows = [_label(field, value) for value in values]
    return _bars(field, marks, sums, rows, languages, most)


def _values(items: Items, field: str, totals: Mapping[str, int]) -> list[str]:
    """The values in order: splits in theirs, others from the most frequent down."""
    if field == "split":
        return [one for one in items.splits if one in totals]
    return sorted(totals, key=lambda one: (-totals[one], one))[:_MOST_VALUES]


def _bars(
    field: str,
    marks: plot.Marks,
    sums: plot.Marks,
    rows: list[str],
    languages: Sequence[str],
    most: int,
) -> alt.LayerChart:
    spoken = [LANGUAGES.get(one, one) for one in languages]
    across = alt.Scale(domain=[0, most * 1.1], nice=False)
    look = {**LOOKS["row_names"], "grid": False, "minExtent": 190, "maxExtent": 190}
    y = alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(**look))
    colour = alt.Color(
        "language:N",
        scale=alt.Scale(domain=spoken, range=list(PARTS[: len(spoken)])),
        legend=alt.Legend(title=None, symbolType="square", orient="top"),
    )
    bars = (
        plot.chart_of(marks)
        .mark_bar(height=_BAR - 4, cornerRadius=1)
        .encode(
            y=y,
            x=alt.X("start:Q", scale=across, title=None, axis=None),
            x2="end:Q",
            color=colour,
        )
    )
    texts = (
        plot.chart_of(sums)
        .mark_text(align="left", dx=5, fontSize=12, color=INK)
        .encode(y=y, x=alt.X("end:Q", scale=across), text="printed:N")
    )
    named = _TITLES.get(field, one_line(field.replace("_", " ")).capitalize())
    heading = alt.TitleParams(text=named, **LOOKS["panel_title"])
    height = (_ROW - 6) * len(rows)
    return alt.LayerChart(layer=[bars, texts]).properties(
        title=heading, width=_WIDTH, height=height
    )


def _label(field: str, value: str) -> str:
    return LANGUAGES.get(value, value) if field == "language" else _short(value.replace("_", " "))


def _short(text: str) -> str:
    plain = one_line(text)
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


def _heading(title: str, about: str) -> alt.TitleParams:
    return alt.TitleParams(
        text=one_line(title), subtitle=one_line(about), subtitleColor=GREY, subtitleFontSize=12
    )
