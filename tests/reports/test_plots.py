"""Every kind of plot a benchmark may ask for: what is drawn from which scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deadpan.benchmarks import find
from deadpan.core.capabilities import Addition
from deadpan.core.plots import (
    AnyPlot,
    BarsPlot,
    MatrixPlot,
    MetricsPlot,
    OptionMap,
    PlotSpec,
    ScatterPlot,
    SharesPlot,
    SpreadPlot,
    VariancePlot,
)
from deadpan.core.score import Score
from deadpan.reports import Plot, Section, plot_png, plot_svg, plots
from deadpan.reports.charts import draw_plot
from deadpan.reports.plot import short_names
from deadpan.reports.scatter import label_places
from deadpan.reports.theme import COLOURS
from tests.reports.gallery import LONG, RHETORIC, Gallery, gallery_section
from tests.reports.hostile import ATTACKS
from tests.reports.toy import MODELS


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Section:
    """Three models with a score for every plot."""
    return gallery_section(tmp_path_factory.mktemp("gallery"), MODELS)


def _with(section: Section, *rows: tuple[str, str, str, str, float | None]) -> Section:
    """The section with scores of (model, task, metric, group, value) instead of its own."""
    scores = [
        Score(model=model, task=task, metric=metric, group=group, value=value, n=10)
        for model, task, metric, group, value in rows
    ]
    return replace(section, scores=scores)


def _plot(section: Section, wanted: AnyPlot) -> Plot:
    plot = draw_plot(section, wanted)
    assert plot is not None
    return plot


def _marks(plot: Plot) -> list[dict[str, Any]]:
    """Every row of data the plot holds, each once."""
    rows = [row for rows in plot.spec["datasets"].values() for row in rows]
    return [row for row in rows if "zero" not in row]


@pytest.mark.parametrize("models", [MODELS[:1], LONG])
def test_every_kind_is_drawn_as_picture_for_one_and_sixteen_models(
    tmp_path: Path, models: tuple[str, ...]
) -> None:
    made = plots(gallery_section(tmp_path, models))
    assert [plot.title for plot in made[1:]] == [wanted.title for wanted in Gallery.report.plots]
    assert len({plot.name for plot in made}) == len(made)
    for plot in made:
        assert plot.title in plot_svg(plot.spec)
    assert plot_png(made[-1].spec).startswith(b"\x89PNG")


@pytest.mark.parametrize("wanted", Gallery.report.plots, ids=lambda wanted: type(wanted).__name__)
def test_no_scores_no_plot(gallery: Section, wanted: AnyPlot) -> None:
    assert draw_plot(replace(gallery, scores=gallery.scores[:0]), wanted) is None
    nothing = [f.model_copy(update={"value": None}) for f in gallery.scores]
    assert draw_plot(replace(gallery, scores=nothing), wanted) is None


def test_no_known_source_of_variance_no_plot(gallery: Section) -> None:
    wanted = VariancePlot("Variance", "variance_share", ("items", "prompt"))
    rows = [(MODELS[0], "style", "variance_share", f"source={name}", 0.5) for name in "ab"]
    assert draw_plot(_with(gallery, *rows), wanted) is None
    known = _with(gallery, *rows, (MODELS[0], "style", "variance_share", "source=items", 0.5))
    assert [row["source"] for row in _marks(_plot(known, wanted))] == ["items"]


@pytest.mark.parametrize("wanted", Gallery.report.plots, ids=lambda wanted: type(wanted).__name__)
def test_missing_values_leave_the_rest_in_place(gallery: Section, wanted: AnyPlot) -> None:
    holed = [
        f.model_copy(update={"value": None}) if i % 7 == 0 else f
        for i, f in enumerate(gallery.scores)
    ]
    plot = draw_plot(replace(gallery, scores=holed), wanted)
    if plot is not None:
        assert "NaN" not in plot_svg(plot.spec)


@pytest.mark.parametrize("wanted", Gallery.report.plots, ids=lambda wanted: type(wanted).__name__)
def test_hostile_names_stay_text(gallery: Section, wanted: AnyPlot) -> None:
    names = dict(zip(MODELS, ATTACKS[:3], strict=True))
    scores = [f.model_copy(update={"model": names[f.model]}) for f in gallery.scores]
    svg = plot_svg(_plot(replace(gallery, scores=scores), wanted).spec)
    assert "<script" not in svg and "<img" not in svg


def test_a_scatter_plot_has_the_models_that_have_both_metrics(gallery: Section) -> None:
    plot = _plot(
        _with(
            gallery,
            ("a/one", "eg", "conservatism", "all", -0.5),
            ("a/one", "eg", "micro_f1", "all", 0.6),
            ("a/two", "eg", "micro_f1", "all", 0.7),
        ),
        Gallery.report.plots[0],
    )
    places = {row["model"]: (row["x"], row["y"]) for row in _marks(plot)}
    # Of the paper's two models one has both metrics.
    assert places == {"a/one": (-0.5, 0.6), "Qwen2-VL-72B": (-0.2, 0.7)}
    assert "published" in plot.caption
    assert plot.caption.startswith("Left of the line")


def test_a_scatter_plot_without_a_model_of_this_run_is_none(gallery: Section) -> None:
    assert (
        draw_plot(_with(gallery, ("a/one", "eg", "score", "all", 1.0)), Gallery.report.plots[0])
        is None
    )


@pytest.mark.parametrize(
    ("values", "domain"),
    [((0.0, 0.0), [0, 0.5]), ((75.0, 75.0), [37.5, 100]), ((0.5, 0.9), [0.468, 0.932])],
)
def test_a_scatter_plots_axes_end_where_shares_and_percentages_do(
    gallery: Section, values: tuple[float, float], domain: list[float]
) -> None:
    rows = [
        (f"a/{n}", "eg", metric, "all", value)
        for n, value in enumerate(values)
        for metric in ("precision", "recall")
    ]
    wanted = ScatterPlot("S", ("eg", "recall"), ("eg", "precision"))
    plot = _plot(_with(gallery, *rows), wanted)
    scales = [layer["encoding"]["x"]["scale"] for layer in plot.spec["layer"]]
    assert [scale["domain"] for scale in scales] == [pytest.approx(domain)] * len(scales)


def test_small_differences_look_small(gallery: Section) -> None:
    """60 and 65 of 100 stand on an axis of a quarter of it, with its margin, and not of five."""
    rows = [
        (f"a/{n}", "eg", metric, "all", value)
        for n, value in enumerate((60.0, 65.0))
        for metric in ("score", "precision")
    ]
    wanted = ScatterPlot("S", ("eg", "score"), ("eg", "precision"))
    plot = _plot(_with(gallery, *rows), wanted)
    (across,) = {tuple(layer["encoding"]["x"]["scale"]["domain"]) for layer in plot.spec["layer"]}
    assert across == pytest.approx((48, 77))


@pytest.mark.parametrize(
    ("values", "ends", "scale"),
    [
        ((2.0, 5.0), (1, 7), {"domain": [1, 7], "nice": False}),
        ((0.5, 8.0), (1, 7), {"zero": True}),  # not on the scale
        ((0.2, 0.4), None, {"domain": [0, 1]}),
        ((2.0, 5.0), None, {"zero": True}),
    ],
)
def test_ratings_stand_on_the_axis_of_their_scale(
    gallery: Section,
    values: tuple[float, float],
    ends: tuple[float, float] | None,
    scale: dict[str, object],
) -> None:
    rows = [("a", "eg", "liked", f"panels={n}", value) for n, value in enumerate(values)]
    plot = _plot(_with(gallery, *rows), PlotSpec("P", "eg", "liked", "panels", ends=ends))
    assert plot.spec["layer"][0]["encoding"]["y"]["scale"] == scale


def test_groups_stand_in_the_order_of_their_labels(gallery: Section) -> None:
    rows = [("a", "eg", "liked", f"part={name}", 0.5) for name in ("a", "b", "c")]
    labels = (("c", "third 丙"), ("a", "first"))
    plot = _plot(_with(gallery, *rows), PlotSpec("P", "eg", "liked", "part", labels=labels))
    assert plot.spec["layer"][0]["encoding"]["y"]["sort"] == ["third 丙", "first", "b"]


def test_bars_of_zeros_have_an_axis_and_others_than_models_have_bars(gallery: Section) -> None:
    section = _with(gallery, ("judge", "eg", "liked", "all", 0.0))
    pooled = replace(section, additions=(Addition(pooled=frozenset({"judge"})),))
    plot = _plot(pooled, BarsPlot("B", (("plain", "eg"),), "liked"))
    assert plot.spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, 1.16]
    assert [mark["row"] for mark in _marks(plot)] == ["judge"]


def test_a_legend_of_short_parts_is_one_line(gallery: Section) -> None:
    parts = ("excellent", "good", "partial", "poor", "wrong")
    rows = [("a", "eg", "part", f"verdict={part}", 0.2) for part in parts]
    order = tuple((part, part) for part in parts)
    plot = _plot(_with(gallery, *rows), SharesPlot("S", "eg", "part", "verdict", order))
    assert plot.spec["layer"][0]["encoding"]["color"]["legend"]["columns"] == 5
    nine = tuple((str(n), f"a part of the whole {n}") for n in range(9))
    rows = [("a", "eg", "part", f"verdict={n}", 0.1) for n in range(9)]
    plot = _plot(_with(gallery, *rows), SharesPlot("S", "eg", "part", "verdict", nine))
    assert plot.spec["layer"][0]["encoding"]["color"]["legend"]["columns"] == 3


def test_zeros_alone_stand_at_the_foot_of_a_spread(gallery: Section) -> None:
    wanted = SpreadPlot("S", (("Rhetoric", "rm"),), "accuracy", "option", "")
    plot = _plot(_with(gallery, ("a", "rm", "accuracy", "option=A", 0.0)), wanted)
    assert plot.spec["layer"][1]["encoding"]["y"]["scale"] == {"domain": [0, 1]}


def test_long_labels_of_a_spread_take_several_lines(gallery: Section) -> None:
    wanted = SpreadPlot(
        *("S", (("Rhetoric", "rm"),), "accuracy", "option", ""),
        labels=(("A", "interpersonal relations"),),
    )
    svg = plot_svg(_plot(_with(gallery, ("a", "rm", "accuracy", "option=A", 0.5)), wanted).spec)
    assert "interpersonal relations" not in svg
    assert ">interpersonal<" in svg and ">relations<" in svg


def test_axes_tell_their_share_of_the_variance(gallery: Section) -> None:
    wanted = next(p for p in Gallery.report.plots if isinstance(p, ScatterPlot) and p.shares)
    svg = plot_svg(_plot(gallery, wanted).spec)
    assert "PC1 (33% of variance)" in svg
    assert "PC2 (21% of variance)" in svg


def test_parts_are_stacked_in_their_order_and_small_ones_have_no_number(gallery: Section) -> None:
    shares = {"mixed": 0.03, "exact": 0.5, "extra_only": 0.25, "miss_only": 0.22}
    rows = [("a", "eg", "error_share", f"error={kind}", v) for kind, v in shares.items()]
    marks = _marks(_plot(_with(gallery, *rows), Gallery.report.plots[1]))
    stacked = [(m["part"], round(m["start"], 2), round(m["end"], 2), m["printed"]) for m in marks]
    assert stacked == [
        ("Exact", 0, 0.5, "50%"),
        ("Misses only", 0.5, 0.72, "22%"),
        ("Extras only", 0.72, 0.97, "25%"),
        ("Both", 0.97, 1.0, ""),
    ]


def test_a_matrix_is_the_mean_over_models_and_differences_are_of_those_with_both(
    gallery: Section,
) -> None:
    wanted = MatrixPlot(
        "M",
        (("Predicted", "rm", "co"), ("Change", "rm_guided", "co")),
        RHETORIC,
        minus=(None, ("rm", "co")),
        diverging=True,
    )
    plot = _plot(
        _with(
            gallery,
            ("a", "rm", "co", "row=A,column=B", 0.2),
            ("b", "rm", "co", "row=A,column=B", 0.4),
            ("a", "rm_guided", "co", "row=A,column=B", 0.1),
            ("a", "rm", "co", "row=A,column=Z", 9.0),
            ("a", "rm", "co", "row=A", 9.0),
        ),
        wanted,
    )
    first, second = _marks(plot)
    assert (first["row"], first["column"]) == ("Literal / Direct", "Opposition /\nIncongruity")
    assert first["counts"] == "2 models"
    assert first["value"] == pytest.approx(0.3)
    assert (second["value"], second["counts"]) == (pytest.approx(-0.1), "1 model")
    assert plot.caption == "Mean over 2 models."
    assert [panel["title"]["text"] for panel in plot.spec["concat"]] == ["Predicted", "Change"]


def test_a_matrix_of_each_model_has_columns_of_its_own_and_all_models_last(
    gallery: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Gallery, "report", replace(Gallery.report, pooled="all models"))
    wanted = MatrixPlot(
        "M",
        (("", "rm", "co"),),
        (("calm", "calm"),),
        across=(("calm", "calm"), ("sad", "sad")),
        each_model=True,
    )
    rows = [
        (model, "rm", "co", f"row=calm,column={perceived}", share)
        for model, hit in (("all models", 0.7), (MODELS[0], 0.9), (MODELS[1], 0.5))
        for perceived, share in (("calm", hit), ("sad", 1 - hit))
    ]
    plot = _plot(_with(gallery, *rows), wanted)
    panels = plot.spec["concat"]
    titles = [panel["title"]["text"] for panel in panels]
    assert len(titles) == 3 and titles[-1] == "all models"
    assert plot.caption == ""
    assert {(m["row"], m["column"]) for m in _marks(plot)} == {("calm", "calm"), ("calm", "sad")}
    domains = {tuple(p["layer"][0]["encoding"]["color"]["scale"]["domain"]) for p in panels}
    assert domains == {(0, 0.9)}, "all panels are shaded alike"
    alone = _plot(_with(gallery, *rows[2:4], *rows[:2]), wanted)
    assert [panel["title"]["text"] for panel in alone.spec["concat"]] == [titles[0]]


def test_metrics_of_a_model_share_an_axis_and_have_their_deviations(gallery: Section) -> None:
    wanted = MetricsPlot("B", "eg", (("Rated", ("score",)), ("Composed", ("micro_f1",))), "Means.")
    one, other = MODELS[:2]
    section = _with(
        gallery,
        (one, "eg", "score", "all", 40.0),
        (one, "eg", "score_std", "all", 4.0),
        (one, "eg", "micro_f1", "all", 0.5),
        (one, "eg", "score", "kind=photo", 99.0),
        (other, "eg", "score", "all", 80.0),
        (other, "eg", "micro_f1", "all", None),
    )
    plot = _plot(section, wanted)
    marks = _marks(plot)
    assert [(m["metric"], m["low"], m["high"]) for m in marks] == [
        ("score", 36.0, 44.0),
        ("micro-F1", 0.5, 0.5),
        ("score", 80.0, 80.0),
    ]
    assert marks[0]["score"] == "40.0 ± 4.0"
    assert plot.caption == "Means. Lines span the deviation over samples."
    domains = {
        tuple(panel["layer"][0]["encoding"]["x"]["scale"]["domain"])
        for panel in plot.spec["concat"]
    }
    assert len(domains) == 1 and max(domains.pop()) > 80


def test_ranked_parts_run_from_blue_to_red(gallery: Section) -> None:
    order = tuple((name, name) for name in ("excellent", "good", "partial", "poor", "wrong"))
    shares = SharesPlot("V", "eg", "share", "verdict", order, ranked=True)
    rows = [(MODELS[0], "eg", "share", f"verdict={name}", 0.2) for name, _ in order]
    spec = _plot(_with(gallery, *rows), shares).spec
    colours = spec["layer"][0]["encoding"]["color"]["scale"]["range"]
    assert len(set(colours)) == 5 and colours != list(COLOURS[:5])


def test_nine_parts_have_nine_colours(gallery: Section) -> None:
    order = tuple((str(n), str(n)) for n in range(9))
    rows = [(MODELS[0], "eg", "share", f"kind={n}", 1 / 9) for n, _ in order]
    plot = _plot(_with(gallery, *rows), SharesPlot("V", "eg", "share", "kind", order))
    assert len(set(plot.spec["layer"][0]["encoding"]["color"]["scale"]["range"])) == 9


def test_diverging_colours_reach_as_far_below_zero_as_above(gallery: Section) -> None:
    wanted = next(p for p in Gallery.report.plots if isinstance(p, OptionMap))
    plot = _plot(
        _with(
            gallery,
            ("a", "rm", "affinity_bias", "option=A", 0.1),
            ("a", "sv", "affinity_bias", "option=B", -0.4),
        ),
        wanted,
    )
    for panel in plot.spec["concat"]:
        domain = panel["layer"][0]["encoding"]["color"]["scale"]["domain"]
        assert (domain[0], domain[-1]) == (-0.4, 0.4)
        assert domain[1] == -domain[2]
    legends = [panel["layer"][0]["encoding"]["color"]["legend"] for panel in plot.spec["concat"]]
    assert legends[0] is not None and legends[1] is None


def test_differences_have_a_scale_of_their_own_beside_plain_matrices(gallery: Section) -> None:
    wanted = MatrixPlot(
        "M", (("P", "rm", "co"), ("C", "sv", "co")), RHETORIC, minus=(None, ("rm", "co"))
    )
    section = _with(
        gallery,
        ("a", "rm", "co", "row=A,column=A", 0.5),
        ("a", "sv", "co", "row=A,column=A", 0.4),
    )
    panels = _plot(section, wanted).spec["concat"]
    colours = [panel["layer"][0]["encoding"]["color"] for panel in panels]
    plain, change = (colour["scale"]["domain"] for colour in colours)
    assert plain == [0, 0.5]
    assert (change[0], change[-1]) == (pytest.approx(-0.1), pytest.approx(0.1))
    assert all(colour["legend"] for colour in colours)


def test_an_option_map_leaves_out_a_panel_without_scores(gallery: Section) -> None:
    wanted = next(p for p in Gallery.report.plots if isinstance(p, OptionMap))
    only = _with(gallery, ("a", "sv", "affinity_bias", "option=B", -0.4))
    (panel,) = _plot(only, wanted).spec["concat"]
    assert panel["title"]["text"] == "Social value"


def test_points_that_would_cover_each_other_stand_side_by_side(gallery: Section) -> None:
    wanted = SpreadPlot("S", (("One", "rm"),), "change", "option", labels=(("B", "Bee"),))
    section = _with(
        gallery,
        *((m, "rm", "change", "option=B", v) for m, v in (("a", 0.1), ("b", 0.1), ("c", 0.4))),
        ("a", "rm", "change", "option=A", 0.0),
    )
    marks = _marks(_plot(section, wanted))
    bees = {m["model"]: m["at"] for m in marks if m["group"] == "Bee"}
    assert bees["a"] != bees["b"]
    assert bees["a"] == bees["c"] == bees["mean of 3"] == 0.5
    mean = next(m for m in marks if m["model"] == "mean of 3")
    assert mean["value"] == pytest.approx(0.2)
    assert marks[0]["group"] == "Bee"
    turned = replace(section, scores=list(reversed(section.scores)))
    assert _marks(_plot(turned, wanted)) == marks


def test_bars_below_zero_have_a_line_at_zero_and_lower_is_said(gallery: Section) -> None:
    wanted = BarsPlot("B", (("One", "rm"), ("Two", "sv")), "geometry_distortion")
    plot = _plot(_with(gallery, ("a", "rm", "geometry_distortion", "all", -0.2)), wanted)
    assert plot.caption == "Lower is better."
    assert any(layer["mark"]["type"] == "rule" for layer in plot.spec["layer"])
    positive = _plot(_with(gallery, ("a", "rm", "geometry_distortion", "all", 0.2)), wanted)
    assert not any(layer["mark"]["type"] == "rule" for layer in positive.spec["layer"])


def test_labels_avoid_points_and_each_other() -> None:
    points = [(100.0, 100.0), (130.0, 100.0), (100.0, 300.0)]
    first, second, alone = label_places(points, ["one-model", "two", "three"], 600, 400)
    assert (alone.dx, alone.dy, alone.align) == (9, 0, "left")
    # Right of the first point stands the second, so its label goes left.
    assert first.align == "right"
    assert second.align == "left"
    assert label_places([(595.0, 100.0)], ["at-the-edge"], 600, 400)[0].align == "right"


def test_short_names_differ_whatever_is_cut() -> None:
    assert short_names(["openai/gpt-4o", "baseline/majority"]) == {
        "openai/gpt-4o": "openai/gpt-4o",
        "baseline/majority": "baseline/majority",
    }
    long = short_names(LONG)
    assert len(set(long.values())) == len(LONG)
    assert max(map(len, long.values())) <= 26
    same = short_names(["x" * 50 + "y" * n + "x" * 50 for n in range(1, 5)])
    assert len(set(same.values())) == 4


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("zero", "lower"),
        ("total_le_0", "lower"),
        ("geometry_distortion", "lower"),
        ("judge_flags", "lower"),
        ("conservatism", "neither"),
        ("pc1_guided", "neither"),
        ("pc2_share", "neither"),
        ("pc1_share_guided", "neither"),
        ("comparable_videos", "neither"),
        ("micro_f1", "higher"),
    ],
)
def test_directions(metric: str, expected: str) -> None:
    assert find("vimu").metric(metric).better == expected


def test_metrics_are_named_for_people() -> None:
    names = [
        find("vimu").metric(m).title for m in ("micro_f1", "pc1_guided", "geometry_distortion")
    ]
    assert names == ["micro-F1", "PC1", "geometry distortion"]
