"""The abilities profile: rows by ability, places between worst and best, languages side by side."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.core.abilities import AbilityScore
from deadpan.core.capabilities import Report
from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.reports import Section, plot_png, plot_svg, report_text, write_plots
from deadpan.reports.abilities import CHANCE, ability_rows, draw_abilities
from deadpan.reports.plot import NARROWEST
from tests.reports.toy import MODELS, Toy

RATING = Metric("rating", "rating, 1 to 7", unit="points", decimals=2, range=(1, 7))
ERRORS = Metric("errors", "errors", better="lower", range=(0, 50), decimals=1)


class Able(Toy):
    title = "Able: a toy of abilities"
    metrics = (RATING, ERRORS, Metric("unbounded"))
    report = Report(
        headline=("presence", "f1"),
        abilities=(
            AbilityScore("order", "style", "errors"),
            AbilityScore("recognise", "presence", "f1"),
            AbilityScore("explain", "panel_text", "rating"),
            AbilityScore("explain", "panel_text", "unbounded"),
            AbilityScore("stance", "panel_text", "nobody-has-it"),
        ),
    )


def score(task: str, metric: str, model: str, value: float | None, **more: Any) -> Score:
    return Score(model=model, task=task, metric=metric, value=value, n=9, **more)


@pytest.fixture
def able(section: Section) -> Section:
    scores = [
        score("presence", "f1", MODELS[0], 0.5, low=0.25, high=0.75),
        score("presence", "f1", MODELS[0], 1.0, group="language=zh"),
        score("presence", "f1", MODELS[0], 0.0, group="language=en"),
        score("presence", "f1", MODELS[0], 0.3, group="language=en,panels=2"),
        score("presence", "f1", CHANCE, 0.1),
        score("panel_text", "rating", MODELS[0], 4.0),
        score("panel_text", "rating", MODELS[1], None),
        score("panel_text", "unbounded", MODELS[0], 4.0),
        score("style", "errors", MODELS[0], 10.0, low=5.0, high=20.0),
        score("style", "errors", "not-asked", 10.0),
    ]
    table = section.table
    guessed = table.head(1).with_columns(model=table["model"].head(1).replace(MODELS[0], CHANCE))
    return replace(section, benchmark=Able(), scores=scores, table=table.vstack(guessed))


def values(spec: dict[str, Any], panel: int) -> list[dict[str, Any]]:
    """The rows behind a panel's marks."""
    layers = spec["concat"][panel]["layer"]
    held = [one["data"] for one in layers]
    return [
        row for one in held for row in one.get("values") or spec["datasets"][one.get("name", "")]
    ]


def marks(spec: dict[str, Any]) -> list[dict[str, Any]]:
    every = [row for panel in range(1, len(spec["concat"])) for row in values(spec, panel)]
    return [row for row in every if "model" in row]


def test_rows_follow_the_abilities_and_need_a_worst_and_a_best(able: Section) -> None:
    rows = ability_rows([able])
    assert [(row.ability.name, row.metric.name) for row in rows] == [
        *(("recognise", "f1"), ("explain", "rating"), ("order", "errors")),
    ]
    assert rows[0].label == "Able · Humour presence"
    assert {panel for panel, _ in rows[0].scores} == {"all", "en", "zh"}


def test_places_run_from_worst_to_best(able: Section) -> None:
    plot = draw_abilities([able])
    assert plot is not None
    places = {
        (one["metric"], one["panel"], one["model"]): (one["place"], one["low"], one["high"])
        for one in marks(plot.spec)
    }
    model = MODELS[0]
    assert places["Able · Humour presence, F1", "all", model] == (0.5, 0.25, 0.75)
    assert places["Able · Humour presence, F1", "zh", model] == (1, 1, 1)
    assert places["Able · Panel text, rating, 1 to 7", "all", model] == (0.5, 0.5, 0.5)
    assert places["Able · Humour style, errors", "all", model] == pytest.approx((0.8, 0.9, 0.6))
    assert not any("not-asked" in key for key in places)
    kinds = {one["model"]: one["kind"] for one in marks(plot.spec)}
    assert kinds == {model: "model", CHANCE: "chance"}
    assert "what guessing gets" in plot.caption and "95 % intervals" in plot.caption
    titles = [panel["title"]["text"] for panel in plot.spec["concat"][1:]]
    assert titles[0] == "All" and sorted(titles[1:]) == ["Chinese", "English"]


def test_ends_are_said_and_one_language_has_one_panel(able: Section) -> None:
    only = [one for one in able.scores if one.group != "language=zh"]
    plot = draw_abilities([replace(able, scores=only)])
    assert plot is not None
    assert [panel["title"]["text"] for panel in plot.spec["concat"][1:]] == ["English"]
    texts = [one["text"] for one in values(plot.spec, 0)]
    assert texts[:3] == ["Recognise", "Explain", "Order"]
    assert "F1, 0 to 1" in texts and "rating, 1 to 7" in texts and "errors, 50 to 0" in texts


def test_on_a_phone_panels_stand_below_each_other_with_what_is_in_them(able: Section) -> None:
    plot = draw_abilities([able])
    assert plot is not None and plot.narrow is not None
    panels = plot.narrow["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["All", "Chinese", "English"]
    assert {panel["width"] for panel in panels} == {306}
    heights = [panel["height"] for panel in panels]
    assert heights[0] > heights[1] == heights[2]
    drawn = plot_svg(plot.narrow)
    assert drawn.count(">Recognise<") == 3 and drawn.count(">Order<") == 1
    wide = re.search(r'width="(\d+)"', drawn)
    assert wide is not None and int(wide[1]) <= NARROWEST + 20


def test_nothing_is_drawn_where_nothing_is_measured(section: Section) -> None:
    assert draw_abilities([section]) is None


def test_nothing_is_drawn_of_chance_alone(able: Section, tmp_path: Path) -> None:
    guessed = [one.model_copy(update={"model": CHANCE}) for one in able.scores]
    alone = replace(able, scores=guessed, table=able.table.with_columns(model=pl.lit(CHANCE)))
    assert ability_rows([alone]) and draw_abilities([alone]) is None
    assert "abilities.png" not in {path.name for path in write_plots([alone], tmp_path)}
    assert 'id="abilities"' not in report_text([alone], ".html")


def test_chance_may_be_alone_in_a_language(able: Section) -> None:
    more = [score("presence", "f1", CHANCE, 0.2, group="language=fr")]
    plot = draw_abilities([replace(able, scores=[*able.scores, *more])])
    assert plot is not None and plot_png(plot.spec).startswith(b"\x89PNG")


def test_it_is_a_picture_and_every_plot_is_a_file(able: Section, tmp_path: Path) -> None:
    plot = draw_abilities([able])
    assert plot is not None
    assert plot_png(plot.spec).startswith(b"\x89PNG")
    assert "Stay consistent" not in plot_svg(plot.spec) and "Recognise" in plot_svg(plot.spec)
    written = write_plots([able], tmp_path / "plots")
    names = sorted(path.name for path in written)
    assert names[:2] == ["abilities.png", "abilities.svg"]
    assert {path.name for path in (tmp_path / "plots").iterdir()} == set(names)
    assert all(path.stat().st_size > 500 for path in written)
    assert len(names) % 2 == 0 and "toy-overview.svg" in names


def test_two_plots_of_one_name_are_two_files(able: Section, tmp_path: Path) -> None:
    written = write_plots([able, able], tmp_path)
    assert len({path.name for path in written}) == len(written)
