"""The plots a benchmark may ask for: which scores, drawn how. Reports draw them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class PlotSpec:
    """One metric along a group key: a line or a row of dots for each model."""

    title: str
    task: str
    metric: str
    group_key: str
    ends: tuple[float, float] | None = None
    """Where the axis of values starts and ends, such as a rating scale's bounds; else by the
    metric's range, or by the values."""
    caption: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    """(group value, label), in order; groups left out go by their value, after these."""


@dataclass(frozen=True)
class ScatterPlot:
    """One labelled point for each model; `x` and `y` are (task, metric) pairs."""

    title: str
    x: tuple[str, str]
    y: tuple[str, str]
    caption: str = ""
    zero: Literal["x", "y", "both", ""] = ""
    """Where a line marks zero."""
    shares: tuple[str, str] | None = None
    """Metrics whose values are the shares of variance the axes explain."""


@dataclass(frozen=True)
class SharesPlot:
    """Parts of a whole for each model, stacked: scores of one group key that sum to one."""

    title: str
    task: str
    metric: str
    group_key: str
    order: tuple[tuple[str, str], ...]
    """(group value, label), from first to last."""
    caption: str = ""
    ranked: bool = False
    """Whether the parts run from best to worst: shaded so."""


@dataclass(frozen=True)
class MatrixPlot:
    """A matrix for each panel, from scores of groups `row=…,column=…`, as the mean over models, or
    with `each_model` one for each model.

    A panel is (heading, task, metric); with `minus` its values have those of another (task, metric)
    taken from them. `labels` are (group value, label) pairs for both axes, or for the rows where
    `across` gives those of the columns.
    """

    title: str
    panels: tuple[tuple[str, str, str], ...]
    labels: tuple[tuple[str, str], ...]
    minus: tuple[tuple[str, str] | None, ...] = ()
    diverging: bool = False
    caption: str = ""
    across: tuple[tuple[str, str], ...] = ()
    each_model: bool = False


@dataclass(frozen=True)
class OptionMap:
    """A heat map of models by group value around zero; one panel for each (heading, task)."""

    title: str
    panels: tuple[tuple[str, str], ...]
    metric: str
    group_key: str
    labels: tuple[tuple[tuple[str, str], ...], ...]
    """For each panel the (group value, label) pairs of its columns."""
    caption: str = ""


@dataclass(frozen=True)
class SpreadPlot:
    """How a metric spreads over models for each group value: a point a model, a mark at the mean;
    one colour for each (heading, task) series."""

    title: str
    series: tuple[tuple[str, str], ...]
    metric: str
    group_key: str
    caption: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    """(group value, label), in order; groups left out go by their value, after these."""


@dataclass(frozen=True)
class BarsPlot:
    """One bar for each model and (heading, task) series, of a score of group `all`, and with a
    `group_key` one more for each of its groups."""

    title: str
    series: tuple[tuple[str, str], ...]
    metric: str
    caption: str = ""
    group_key: str = ""


@dataclass(frozen=True)
class RadarPlot:
    """One metric of each model around a circle: an axis for each value of the group keys, in the
    order of `groups`; a model without a value on an axis has a gap there."""

    title: str
    task: str
    metric: str
    groups: tuple[str, ...]
    """Group keys, such as `visual_type`."""
    labels: tuple[tuple[str, str], ...] = ()
    """(group, label), in order, such as `layout_type=MultiPanel_Meme`; groups left out go by their
    value, after these."""
    caption: str = ""


@dataclass(frozen=True)
class DataPlot:
    """Bars of what describes the data: one for each value of a group key, or, where `group` names
    one, for each task that has a score of that group."""

    title: str
    series: tuple[tuple[str, str], ...]
    """(heading, metric); with several, bars of one group stand together."""
    group_key: str = ""
    group: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    """(group value, label), in order; without them numbers stand by size, others by length."""
    caption: str = ""
    decimals: bool = False
    """Whether values are printed with their metric's decimals; else they are counts."""


@dataclass(frozen=True)
class MetricsPlot:
    """A bar for each of several metrics of one task, a panel for each model, with deviations over
    draws where there are any; all panels have the same axis."""

    title: str
    task: str
    series: tuple[tuple[str, tuple[str, ...]], ...]
    """(heading, metrics), a colour each."""
    caption: str = ""


@dataclass(frozen=True)
class VariantsPlot:
    """How far the scores of each task fall where questions are asked with less: a panel for each
    model, a row for each task, a point for each way of asking, along the metric's range."""

    title: str
    rows: tuple[tuple[str, str, tuple[str, ...]], ...]
    """(heading, task, metrics): the first of the metrics that a model has a score of."""
    ways: tuple[str, ...]
    """What follows a model's name in brackets where it was asked so."""
    chance: tuple[tuple[str, str, float], ...] = ()
    """(task, metric, value) of what guessing gets."""
    caption: str = ""


@dataclass(frozen=True)
class VariancePlot:
    """Where the variance of scores comes from: stacked shares, a row for each model and task that
    has scores of the metric by `source`."""

    title: str
    metric: str
    sources: tuple[str, ...]
    caption: str = ""


@dataclass(frozen=True)
class IntervalsPlot:
    """Scores with their 95 % intervals: a row for each model, or for each value of a group key, and
    in it a point for each (heading, metric) series of one task."""

    title: str
    task: str
    series: tuple[tuple[str, str], ...]
    group_key: str = ""
    caption: str = ""
    axis: str = ""
    """What the axis measures; else the title of the first metric."""
    ends: tuple[float, float] | None = None
    """What the axis holds at least."""


AnyPlot = (
    PlotSpec
    | ScatterPlot
    | SharesPlot
    | MatrixPlot
    | OptionMap
    | SpreadPlot
    | BarsPlot
    | MetricsPlot
    | RadarPlot
    | VariantsPlot
    | VariancePlot
    | IntervalsPlot
)
