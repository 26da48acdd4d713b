"""The abilities profile: what each model can do, by benchmark and language; never one number."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from deadpan.core.abilities import ABILITIES, Ability
from deadpan.core.metric import Metric
from deadpan.core.parts import MARK, parts_in
from deadpan.core.score import Score, select
from deadpan.reports import plot
from deadpan.reports.caveats import STAND_IN_NOTE, by_stand_in
from deadpan.reports.comparing import compared_scores
from deadpan.reports.section import Section, distinct
from deadpan.reports.standings import interval_text
from deadpan.reports.text import LANGUAGES, counts, number, one_line
from deadpan.reports.theme import CONFIG, GREY, INK, LOOKS
from deadpan.reports.ways import besides

CHANCE = "baseline/random"
"""The model whose scores say what guessing gets."""
_LABELS, _GAP, _LETTER = 410, 10, 6
"""Pixels for the names of rows: the score's, a gap, and the metric's, of which a letter has so
many."""
_WIDTH, _ALONE, _NARROW = 176, 560, 306
"""Pixels for a panel beside others, for one alone, and for one with its names in it."""
_HEADING, _ROW, _A_MODEL, _NAME = 34, 14, 9, 20
"""Pixels that a heading, a row, each model in a row, and a row's name above it take."""


@dataclass(frozen=True)
class AbilityRow:
    """One score that measures an ability: its label, metric, and values by panel and model."""

    ability: Ability
    label: str
    metric: Metric
    scores: list[tuple[str, Score]]
    """Each with its panel: the group `all`, or a language."""


def ability_rows(sections: Sequence[Section]) -> list[AbilityRow]:
    """The scores of the sections that measure an ability, in the abilities' order, of models as
    they were asked in full where they were."""
    ways = besides(sections)
    rows = [row for section in sections for row in _rows_of(section, ways)]
    return [row for ability in ABILITIES for row in rows if row.ability == ability]


def _rows_of(section: Section, ways: Collection[str]) -> Iterator[AbilityRow]:
    abilities = {one.name: one for one in ABILITIES}
    tested = set(section.table["model"]) - {*ways}
    name = one_line(section.benchmark.title).partition(": ")[0]
    for one in section.benchmark.report.abilities:
        metric = section.metric(one.metric)
        scores, _, _ = compared_scores(section, [(one.task, one.metric)])
        known = [
            (panel, score)
            for score in select(scores, task=one.task, metric=one.metric)
            if (panel := _panel(score.group)) and score.value is not None and score.model in tested
        ]
        if known and metric.range:
            marks = _marks(section, one.task, one.metric, [score for _, score in known])
            label = f"{name} · {one_line(section.task_title(one.task))}{marks}"
            yield AbilityRow(abilities[one.ability], label, metric, known)


def _marks(section: Section, task: str, metric: str, scores: Sequence[Score]) -> str:
    """What follows a row's name: ‡ where some of its scores are over a part of the items, † where a
    stand-in for a judge graded them."""
    parts = parts_in(section.table)
    models = {score.model for score in scores} - {CHANCE}
    is_part = any(task in parts.get(model, {}) for model in models)
    is_graded = section.is_judged(task, metric)
    is_stand_in = is_graded and any(by_stand_in(score.signature) for score in scores)
    return f" {MARK}" * is_part + " †" * is_stand_in


def _panel(group: str) -> str:
    key, _, value = group.partition("=")
    return "all" if group == "all" else value if key == "language" and "," not in value else ""


@dataclass(frozen=True)
class _Line:
    """Where a row of the plot stands, from the top in pixels, and who is in it."""

    row: AbilityRow
    middle: float
    name: float
    """Where its name stands."""
    models: list[str]
    heading: float | None
    """Where the heading of its ability stands, if it is the first under it."""

    def height_of(self, model: str) -> float:
        """Where a model's mark stands."""
        if model not in self.models:
            return self.middle
        return self.middle + _A_MODEL * (self.models.index(model) - (len(self.models) - 1) / 2)


def draw_abilities(sections: Sequence[Section]) -> plot.Plot | None:
    """A row of dots for each score, between the worst and the best that its metric can be, under
    the ability it measures; languages side by side. None where nothing is measured, or of nobody
    but who guesses."""
    rows = ability_rows(sections)
    present = distinct(score.model for row in rows for _, score in row.scores)
    if not {*present} - {CHANCE}:
        return None
    lines = _lines(rows)
    tall = _height(lines)

    def said(mark: str) -> bool:
        return any(mark in row.label for row in rows)

    names = plot.short_names(present, 34)
    points = [point for line in lines for point in _points(line, names)]
    codes = distinct(panel for row in rows for panel, _ in row.scores if panel != "all")
    panels = ["all", *codes] if len(codes) > 1 else ["all"]
    width = _WIDTH if len(panels) > 1 else _ALONE
    models = [name for model, name in names.items() if model != CHANCE]
    charts = [
        _names_chart(lines, tall, _LABELS).properties(width=_LABELS, height=tall),
        *(
            _chart(
                [one for one in points if one["panel"] == panel], lines, models, tall
            ).properties(width=width, height=tall, title=_title(panel, codes))
            for panel in panels
        ),
    ]
    chart = alt.ConcatChart(concat=charts, columns=len(charts), spacing=plot.SPACING)
    spec = {**chart.properties(title="Abilities").to_dict(), "config": CONFIG}
    captions = [
        "Each row is one score, placed from the worst (left) to the best value (right) that its"
        " metric can have, which stand behind the metric's name.",
        "Bars are 95 % intervals." if any(one["low"] != one["high"] for one in points) else "",
        f"Grey marks are {CHANCE}: what guessing gets." if CHANCE in names else "",
        "Rows measure different things, and are not to be averaged.",
        f"{MARK} of some models over a part of the items." if said(MARK) else "",
        f"† {STAND_IN_NOTE}." if said("†") else "",
    ]
    wide = _LABELS + len(panels) * (width + plot.SPACING) + 16
    below = [_narrow_chart(panel, codes, rows, names, models) for panel in panels]
    narrow = alt.VConcatChart(vconcat=below, spacing=2 * plot.SPACING)
    return plot.Plot(
        "abilities",
        "Abilities",
        " ".join(filter(None, captions)),
        spec,
        wide,
        narrow={**narrow.properties(title="Abilities").to_dict(), "config": CONFIG},
    )


def _narrow_chart(
    panel: str,
    codes: Sequence[str],
    rows: Sequence[AbilityRow],
    names: Mapping[str, str],
    models: Sequence[str],
) -> alt.LayerChart:
    """A panel to stand below others: what has a score in it alone, with its name above it."""
    lines = _lines([row for row in rows if any(of == panel for of, _ in row.scores)], _NAME)
    tall = _height(lines)
    points = [one for line in lines for one in _points(line, names) if one["panel"] == panel]
    layers = [
        _names_chart(lines, tall, _NARROW),
        _chart(points, lines, models, tall),
    ]
    return alt.LayerChart(layer=layers).properties(
        width=_NARROW, height=tall, title=_title(panel, codes)
    )


def _height(lines: Sequence[_Line]) -> float:
    """Where the last row ends."""
    last = lines[-1]
    return last.middle + _A_MODEL * max(1, len(last.models)) / 2 + _ROW / 2


def _lines(rows: Sequence[AbilityRow], room: float = 0) -> list[_Line]:
    """The rows from the top, each ability's under its heading, with room above each row for its
    name; without any the name stands beside it."""
    lines: list[_Line] = []
    top, last = 0.0, ""
    for row in rows:
        heading = None
        if row.ability.name != last:
            heading, last = top + _HEADING - 12, row.ability.name
            top += _HEADING
        models = distinct(score.model for _, score in row.scores if score.model != CHANCE)
        tall = _ROW + _A_MODEL * max(1, len(models))
        middle = top + room + tall / 2
        lines.append(_Line(row, middle, top + room / 2 if room else middle, models, heading))
        top += room + tall
    return lines


def _points(line: _Line, names: Mapping[str, str]) -> Iterator[plot.Mark]:
    metric = line.row.metric
    worst, best = sorted(metric.range or (0, 1), reverse=metric.is_lower_better)

    def place(value: float) -> float:
        return (value - worst) / (best - worst)

    for panel, score in line.row.scores:
        value = score.value or 0.0
        low, high = score.low, score.high
        said, text = interval_text(score, metric), number(value, metric.decimals)
        yield {
            "panel": panel,
            "model": names[score.model],
            "kind": "chance" if score.model == CHANCE else "model",
            "y": line.height_of(score.model),
            "from": line.middle - _A_MODEL * max(1, len(line.models)) / 2,
            "to": line.middle + _A_MODEL * max(1, len(line.models)) / 2,
            "place": place(value),
            "low": place(value if low is None else low),
            "high": place(value if high is None else high),
            "score": f"{text} ({said})" if said else text,
            "metric": f"{line.row.label}, {one_line(metric.title)}",
            "ability": line.row.ability.title,
            "counts": counts(score),
        }


def _title(panel: str, codes: Sequence[str]) -> alt.TitleParams:
    text = "All" if panel == "all" else LANGUAGES.get(panel, one_line(panel))
    if panel == "all" and len(codes) == 1:
        text = LANGUAGES.get(codes[0], one_line(codes[0]))
    return alt.TitleParams(text, **LOOKS["panel_title"])


def _names_chart(lines: Sequence[_Line], tall: float, width: int) -> alt.LayerChart:
    """The names of abilities, of rows, and of their metrics with their worst and best."""
    headings = [(one.row.ability.title, one.heading) for one in lines if one.heading is not None]
    titles: plot.Marks = [{"text": title, "y": y} for title, y in headings]
    metrics = [_metric_text(one.row.metric) for one in lines]
    ends: plot.Marks = [
        {"text": text, "y": one.name} for text, one in zip(metrics, lines, strict=True)
    ]
    rows: plot.Marks = [
        {"text": one.row.label, "y": one.name, "most": width - _GAP - _LETTER * len(text)}
        for text, one in zip(metrics, lines, strict=True)
    ]
    y = _down("y", tall)

    def texts(marks: plot.Marks, x: int, **look: Any) -> alt.Chart:
        base = plot.chart_of(marks).mark_text(baseline="middle", color=INK, **look)
        chart: alt.Chart = base.encode(y=y, text="text:N", x=alt.value(x))
        return chart

    return alt.LayerChart(
        layer=[
            texts(titles, 0, align="left", fontWeight=700, fontSize=13),
            texts(rows, 0, align="left", fontSize=12, limit=alt.ExprRef("datum.most")),
            texts(ends, width, align="right", fontSize=11, opacity=0.75),
        ]
    )


def _metric_text(metric: Metric) -> str:
    worst, best = sorted(metric.range or (0, 1), reverse=metric.is_lower_better)
    title = one_line(metric.title).partition(",")[0]
    return f"{title}, " + f"{worst:.3g} to {best:.3g}".replace("-", "−")


def _down(field: str, tall: float) -> alt.Y:
    """Pixels from the top."""
    scale = alt.Scale(domain=[0, tall], range=[0, tall], nice=False)
    return alt.Y(f"{field}:Q", scale=scale, axis=None)


def _chart(
    points: plot.Marks, lines: Sequence[_Line], models: Sequence[str], tall: float
) -> alt.LayerChart:
    """One panel: chance, intervals and dots over lines that lead the eye."""
    named = "datum.value === 0 ? 'worst' : datum.value === 1 ? 'best' : ''"
    ends = alt.Axis(orient="top", labelExpr=named, values=[0, 0.25, 0.5, 0.75, 1], title=None)
    whole = alt.Scale(domain=[0, 1], clamp=True, nice=False)
    y = _down("y", tall)
    tips = plot.tooltip("model", "ability", "metric", "score", "counts")
    guessed = plot.chart_of([one for one in points if one["kind"] == "chance"])
    colour = plot.series_colour("model", models, alt.Legend(title=None, columns=5, symbolOpacity=1))
    base = plot.chart_of([one for one in points if one["kind"] == "model"])
    base = base.encode(color=colour, y=y, tooltip=tips)
    rails = plot.chart_of([{"y": one.middle, "low": 0, "high": 1} for one in lines])
    low = alt.X("low:Q", scale=whole, axis=ends)
    dots = base.mark_point(filled=True, size=56, opacity=1)
    return alt.LayerChart(
        layer=[
            rails.mark_rule(color=GREY, opacity=0.22).encode(y=y, x=low, x2="high:Q"),
            guessed.mark_rule(color=GREY, strokeWidth=3).encode(
                x=alt.X("place:Q", scale=whole, axis=ends),
                y=_down("from", tall),
                y2="to:Q",
                tooltip=tips,
            ),
            base.mark_rule(strokeWidth=2.5, opacity=0.5).encode(x=low, x2="high:Q"),
            dots.encode(x=alt.X("place:Q", scale=whole, axis=ends)),
        ]
    )
