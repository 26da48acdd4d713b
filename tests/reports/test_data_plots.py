"""Plots of data: which bars there are, in which order, and files that need no network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.core.plots import DataPlot
from deadpan.core.score import Score
from deadpan.reports.data_plots import data_figure, require_picture, write_data_plots

COUNTS = (("comics", "comics"),)


def score(group: str, value: float, metric: str = "comics", task: str = "data") -> Score:
    return Score(model="gold", task=task, metric=metric, group=group, value=value, n=9)


def bars(spec: dict[str, Any], panel: int = 0) -> list[tuple[str, str]]:
    """The rows of a panel in their order, each with what is printed at its bar."""
    drawn = spec["concat"][panel]
    layer = drawn["layer"][0]
    data = next(one["data"] for one in (layer, drawn, spec) if "data" in one)
    values = spec["datasets"][data["name"]] if "name" in data else data["values"]
    order = layer["encoding"]["y"]["sort"]
    printed = {one["row"]: one["printed"] for one in values}
    return [(row, printed[row]) for row in order]


def figure(plot: DataPlot, *scores: Score) -> dict[str, Any]:
    return data_figure("Toy", scores, [plot])


def test_names_stand_by_length_and_numbers_by_size() -> None:
    named = figure(
        DataPlot("Styles", COUNTS, "style"),
        *(score("style=Pun", 3), score("style=Dark", 1200), score("all", 9)),
        score("source=a,style=Pun", 1),
    )
    assert bars(named) == [("Dark", "1,200"), ("Pun", "3")]
    panels = [score(f"panels={n}", n) for n in (10, 2, 1)]
    assert [row for row, _ in bars(figure(DataPlot("Panels", COUNTS, "panels"), *panels))] == [
        *("1", "2", "10"),
    ]
    spans = [score(f"seconds={n}", 1) for n in ("10–15", "5–10", "0–5")]
    found = bars(figure(DataPlot("Durations", COUNTS, "seconds"), *spans))
    assert [row for row, _ in found] == ["0–5", "5–10", "10–15"]


def test_labels_stand_in_their_order() -> None:
    plot = DataPlot("Macros", COUNTS, "rhetoric", labels=(("B", "B 对立"), ("A", "A Literal")))
    found = bars(figure(plot, score("rhetoric=A", 5), score("rhetoric=B", 2)))
    assert found == [("B 对立", "2"), ("A Literal", "5")]


def test_of_many_bars_the_longest_are_shown_and_the_others_counted() -> None:
    many = [score(f"style=s{chr(97 + n)}", 100 - n) for n in range(26)]
    spec = figure(DataPlot("Many", COUNTS, "style"), *many)
    assert len(bars(spec)) == 24
    assert spec["concat"][0]["title"]["subtitle"] == ["2 more with fewer each."]


def test_series_by_task() -> None:
    plot = DataPlot(
        "Agreement",
        (("exact", "agreement_exact"), ("alpha", "alpha_nominal")),
        group="annotators=pairs",
        decimals=True,
    )
    spec = figure(
        plot,
        score("annotators=pairs", 0.5, "agreement_exact", "Q1"),
        score("annotators=pairs", 0.25, "alpha_nominal", "Q1"),
        score("annotators=all", 0.75, "alpha_nominal", "Q1"),
    )
    encoding = spec["concat"][0]["layer"][0]["encoding"]
    assert encoding["color"]["scale"]["domain"] == ["exact", "alpha"]
    assert bars(spec) == [("Q1", "0.250")]


def test_nothing_to_plot_raises_and_empty_plots_are_left_out() -> None:
    plots = [DataPlot("None", COUNTS, "style"), DataPlot("Panels", COUNTS, "panels")]
    assert len(data_figure("Toy", [score("panels=1", 1)], plots)["concat"]) == 1
    with pytest.raises(DeadpanError, match="Toy: there is nothing to plot"):
        data_figure("Toy", [], plots)


def test_formats(tmp_path: Path) -> None:
    made = ("Toy", [score("panels=1", 1)], [DataPlot("Panels", COUNTS, "panels")])
    for suffix in (".png", ".svg", ".html"):
        write_data_plots(tmp_path / f"a{suffix}", *made)
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.width > 300
    assert "<svg" in (tmp_path / "a.svg").read_text("utf-8")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert not re.search(r"<(?:script|link)[^>]*(?:src|href)=", page)
    with pytest.raises(InputError, match=r'unknown format ".pdf"'):
        require_picture(tmp_path / "a.pdf")


@pytest.mark.parametrize("name", ["pixelhumor", "vimu", "merbench", "cfms", "janusmm"])
def test_every_plot_of_a_benchmark_has_bars(name: str) -> None:
    benchmark = find(name)
    stats = benchmark.analyses.stats
    assert stats is not None
    scores = [*stats(benchmark.read(None))]
    if benchmark.votes and benchmark.votes.agreement:
        scores += benchmark.votes.agreement(None)
    plots = benchmark.analyses.data_plots
    assert plots and len(data_figure(name, scores, plots)["concat"]) == len(plots)
