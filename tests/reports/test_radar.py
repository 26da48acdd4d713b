"""Radars: where values stand, gaps, labels, and a page in both themes."""

from __future__ import annotations

from dataclasses import replace
from math import pi
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from deadpan.core.plots import RadarPlot
from deadpan.core.score import Score
from deadpan.media.panels import Area, overlap
from deadpan.reports import Plot, Section, plot_svg
from deadpan.reports.radar import RADIUS, Axis, draw_radar
from tests.reports.conftest import Open
from tests.reports.gallery import LONG, Gallery, gallery_section
from tests.reports.toy import MODELS

if TYPE_CHECKING:
    from playwright.sync_api import Page

WANTED = RadarPlot(
    "R",
    "eg",
    "score",
    ("kind",),
    (("kind=n", "North"), ("kind=e", "East"), ("kind=s", "South"), ("kind=w", "West")),
    "Told first.",
)


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Section:
    """Three models with a score for every plot."""
    return gallery_section(tmp_path_factory.mktemp("radar"), MODELS)


def _with(section: Section, *rows: tuple[str, str, float | None]) -> Section:
    """The section with scores of (model, group, value)."""
    scores = [
        Score(model=model, task="eg", metric="score", group=group, value=value, n=10, unscored=1)
        for model, group, value in rows
    ]
    return replace(section, scores=scores)


def _compass(model: str, north: float, east: float, south: float, west: float) -> Any:
    values = zip("nesw", (north, east, south, west), strict=True)
    return [(model, f"kind={key}", value) for key, value in values]


def _drawn(section: Section, wanted: RadarPlot = WANTED) -> Plot:
    plot = draw_radar(section, wanted)
    assert plot is not None
    return plot


def _rows(plot: Plot, field: str) -> list[dict[str, Any]]:
    """The rows of data that have a field."""
    return [row for rows in plot.spec["datasets"].values() for row in rows if field in row]


def test_values_stand_on_their_axes_clockwise_from_the_top_by_a_shared_scale(
    gallery: Section,
) -> None:
    plot = _drawn(_with(gallery, *_compass("a", 100, 50, 25, 0)))
    places = {row["group"]: (row["x"], row["y"]) for row in _rows(plot, "score")}
    assert places["North"] == pytest.approx((0, RADIUS))
    assert places["East"] == pytest.approx((RADIUS / 2, 0))
    assert places["South"] == pytest.approx((0, -RADIUS / 4))
    assert places["West"] == pytest.approx((0, 0))
    first = _rows(plot, "score")[0]
    assert (first["score"], first["counts"]) == ("100.00", "n 10 · 1 unscored")
    assert plot.caption == "Told first. Rings at 25, 50, 75 and 100; all panels alike."


def test_values_outside_the_scale_stay_on_it_and_are_told_as_they_are(gallery: Section) -> None:
    plot = _drawn(_with(gallery, *_compass("a", 130, -5, 50, 50)))
    north, east = _rows(plot, "score")[:2]
    assert (north["y"], north["score"]) == (pytest.approx(RADIUS), "130.00")
    assert (east["x"], east["score"]) == (pytest.approx(0), "−5.00")


def test_a_missing_axis_is_a_gap_and_the_shape_is_not_filled(gallery: Section) -> None:
    rows = [row for row in _compass("a", 10, 20, 30, 40) if row[1] != "kind=e"]
    whole = _compass("b", 10, 20, 30, 40)
    (gap, full) = _drawn(_with(gallery, *rows, *whole)).spec["concat"]
    outline, filled = (panel["layer"][2]["mark"] for panel in (gap, full))
    assert outline["interpolate"] == "linear" and "fill" not in outline
    assert filled["interpolate"] == "linear-closed" and "fill" in filled
    # One line from the south over the west to the north, across the top of the circle.
    own = [
        row for row in _rows(_drawn(_with(gallery, *rows, *whole)), "run") if row["model"] == "a"
    ]
    assert {row["run"] for row in own} == {2}
    assert [row["group"] for row in sorted(own, key=lambda row: row["order"])] == [
        "South",
        "West",
        "North",
    ]


def test_panels_are_named_in_order_with_the_overall_value(gallery: Section) -> None:
    rows = [*_compass("x/one", 1, 2, 3, 4), *_compass("x/two", 1, 2, 3, 4), ("x/two", "all", 61.06)]
    panels = _drawn(_with(gallery, *rows)).spec["concat"]
    titles = [(panel["title"]["text"], panel["title"]["subtitle"]) for panel in panels]
    assert titles == [("x/one", "\u200b"), ("x/two", "score 61.1")]


def test_all_models_have_a_panel_only_beside_several(
    gallery: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    pooled = replace(gallery.benchmark.report, pooled="all models")
    monkeypatch.setattr(gallery.benchmark, "report", pooled, raising=False)
    own = [_compass(name, 1, 2, 3, 4) for name in ("x/one", "all models", "x/two")]
    alone = _drawn(_with(gallery, *own[0], *own[1])).spec["concat"]
    assert [panel["title"]["text"] for panel in alone] == ["x/one"]
    both = _drawn(_with(gallery, *own[0], *own[1], *own[2])).spec["concat"]
    assert [panel["title"]["text"] for panel in both] == ["x/one", "all models", "x/two"]


def test_groups_without_a_label_come_after_those_with_one(gallery: Section) -> None:
    rows = [*_compass("a", 1, 2, 3, 4), ("a", "kind=up_there", 5.0), ("a", "other=z", 5.0)]
    labels = [row["label"] for row in _rows(_drawn(_with(gallery, *rows)), "label")]
    assert sorted(labels) == ["East", "North", "South", "West", "up there"]


def test_below_three_axes_there_is_no_radar(gallery: Section) -> None:
    assert draw_radar(_with(gallery, *_compass("a", 1, 2, 3, 4)[:2]), WANTED) is None
    assert draw_radar(_with(gallery, ("a", "all", 50.0)), WANTED) is None


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("Object/Animal-Centric", "Object/\nAnimal-Centric"),
        ("Illustrated/Cartoon", "Illustrated/\nCartoon"),
        ("Single-Panel", "Single-Panel"),
        ("卡通与动漫风格的梗图", "卡通与动漫风格\n的梗图"),
        ("A label that goes on and on for ever", "A label that\ngoes on and…"),
    ],
)
def test_labels_take_two_lines_at_most(label: str, lines: str) -> None:
    assert Axis("g", label, pi).lines == lines


def _label_box(x: float, y: float, label: str) -> Area:
    """About where a label of two lines stands, in pixels from the centre, y upwards."""
    wide = 5.4 * max(map(len, label.split("\n")))
    left = x - wide / 2 if abs(x) < 13 else x if x > 0 else x - wide
    return Area(round(left), round(y - 16), round(left + wide), round(y + 5))


def test_labels_keep_clear_of_each_other_with_nine_axes(gallery: Section) -> None:
    names = [f"Category {letter}/Of memes" for letter in "ABCDEFGHI"]
    wanted = replace(WANTED, labels=tuple((f"kind={i}", name) for i, name in enumerate(names)))
    plot = _drawn(_with(gallery, *(("a", f"kind={i}", 50.0) for i in range(9))), wanted)
    boxes = [_label_box(row["x"], row["y"], row["label"]) for row in _rows(plot, "label")]
    assert len(boxes) == 9
    assert not any(overlap(one, other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_sixteen_long_names_make_sixteen_panels(tmp_path: Path) -> None:
    plot = _drawn(gallery_section(tmp_path, LONG), _of_the_gallery())
    assert len(plot.spec["concat"]) == 16
    assert len({panel["title"]["text"] for panel in plot.spec["concat"]}) == 16
    assert "NaN" not in plot_svg(plot.spec)


def _of_the_gallery() -> RadarPlot:
    return next(wanted for wanted in Gallery.report.plots if isinstance(wanted, RadarPlot))


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_shows_radars_and_their_values(
    gallery: Section, opened: Open, complaints: list[str], scheme: str
) -> None:
    page: Page = opened(gallery, scheme=scheme)
    score = page.locator("figure.plot", has_text="Scores by kind")
    assert score.locator("svg").count() == 1
    text = score.locator("svg").text_content() or ""
    assert text.count("Photographic") == 3
    score.locator(".mark-symbol path").first.hover()
    tip = page.locator("#tip").inner_text()
    assert "Illustrated/Cartoon" in tip and "n 588" in tip
    ink = score.locator(".mark-text.role-mark text").first
    colour = ink.evaluate("node => getComputedStyle(node).fill")
    page_ink = page.evaluate("getComputedStyle(document.body).color")
    assert colour == page_ink
    assert complaints == []
