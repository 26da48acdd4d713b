"""Every table and plot asks for scores that scoring makes."""

import polars as pl
import pytest

from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.judge import VERDICTS
from deadpan.benchmarks.vimu.metrics import SOURCES
from deadpan.benchmarks.vimu.records import read_videos
from deadpan.benchmarks.vimu.selections import ERROR_TYPES
from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, RHETORIC, SOCIAL
from deadpan.core.plots import (
    BarsPlot,
    MatrixPlot,
    OptionMap,
    PlotSpec,
    ScatterPlot,
    SharesPlot,
    SpreadPlot,
)
from deadpan.core.score import ScoringOptions
from tests.benchmarks.vimu.data_folder import answered, judgement, rows, write

Key = tuple[str, str, str]
TABLES, PLOTS = VIMU.report.tables, VIMU.report.plots


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> set[Key]:
    """The scores of three models that differ, in every task."""
    gold = {f"v{n}": (letters, letters, letters) for n, letters in enumerate("ABCDE")}
    dataset = read_videos(write(tmp_path_factory.mktemp("data"), rows(gold)))
    tables = []
    for model, chosen in (("m", "A"), ("n", "B, C"), ("o", "E")):
        answers = {spec.name: dict.fromkeys(gold, chosen) for spec in VIMU.tasks}
        judged = {name: [judgement(3)] for name in gold}
        tables.append(answered(dataset, answers, model, judged))
    scores = VIMU.score(pl.concat(tables), ScoringOptions())
    return {(score.task, score.metric, score.group) for score in scores}


def wanted(plot: object) -> set[Key]:
    """The scores a plot is drawn from."""
    match plot:
        case ScatterPlot():
            pairs = [plot.x, plot.y, *(("summary", share) for share in plot.shares or ())]
            return {(task, metric, "all") for task, metric in pairs}
        case SharesPlot():
            return {(plot.task, plot.metric, f"{plot.group_key}={v}") for v, _ in plot.order}
        case MatrixPlot():
            pairs = [(task, metric) for _, task, metric in plot.panels]
            pairs += [pair for pair in plot.minus if pair is not None]
            names = [name for name, _ in plot.labels]
            return {(t, m, f"row={r},column={c}") for t, m in pairs for r in names for c in names}
        case OptionMap():
            return {
                (task, plot.metric, f"{plot.group_key}={value}")
                for (_, task), labels in zip(plot.panels, plot.labels, strict=True)
                for value, _ in labels
            }
        case SpreadPlot():
            return {(t, plot.metric, f"{plot.group_key}={v}") for _, t in plot.series for v in "AE"}
        case BarsPlot():
            return {(task, plot.metric, "all") for _, task in plot.series}
        case PlotSpec():
            raise AssertionError("ViMU has no plot along a group key")
    raise AssertionError(plot)


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: str(plot.title))
def test_plots(made: set[Key], plot: object) -> None:
    assert wanted(plot) <= made


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.title))
def test_tables(made: set[Key], table: object) -> None:
    columns = next(layout.columns for layout in TABLES if layout is table)
    not_in_this_data = {"difficulty=medium", "speech=unknown"}
    asked = {(task, metric, group) for _, task, metric, group in columns}
    assert {key for key in asked if key[2] not in not_in_this_data} <= made
    assert len({heading for heading, *_ in columns}) == len(columns)


def test_titles_differ() -> None:
    titles = [plot.title for plot in PLOTS]
    assert len(set(titles)) == len(titles)


def test_labels_are_those_of_the_taxonomy() -> None:
    rhetoric, social = (tuple((one.letter, one.label) for one in of) for of in (RHETORIC, SOCIAL))
    sources = tuple(zip(SOURCES, (one.label for one in EVIDENCE), strict=True))
    labels = [plot.labels for plot in PLOTS if isinstance(plot, MatrixPlot)]
    assert labels == [sources, rhetoric, social]
    maps = [plot.labels for plot in PLOTS if isinstance(plot, OptionMap)]
    assert maps == [(rhetoric, social)] * 2
    spreads = [plot.labels for plot in PLOTS if isinstance(plot, SpreadPlot)]
    assert spreads == [rhetoric, social]
    shares = [plot for plot in PLOTS if isinstance(plot, SharesPlot)]
    kinds = {plot.metric: tuple(kind for kind, _ in plot.order) for plot in shares}
    assert kinds == {"verdict_share": VERDICTS, "error_share": ERROR_TYPES}


def test_no_plot_names_an_option_by_its_letter_alone() -> None:
    for plot in PLOTS:
        labels = getattr(plot, "labels", ())
        flat = [pair for one in labels for pair in (one if isinstance(one[0], tuple) else [one])]
        assert all(len(label) > 1 for _, label in flat)
