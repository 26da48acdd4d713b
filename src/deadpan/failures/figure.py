"""The distribution of failure types over models, drawn (JanusMM, figure 4)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes, write_text
from deadpan.benchmarks import find
from deadpan.core.capabilities import Addition
from deadpan.core.plots import SharesPlot
from deadpan.failures.audit import TASK, distribution, failure_metric
from deadpan.failures.cases import rules_in_words
from deadpan.failures.criteria import NEW, Criteria, in_language
from deadpan.failures.labels import Label
from deadpan.reports.charts import draw_plot
from deadpan.reports.plot import Plot, altair_spec, plot_png, plot_svg
from deadpan.reports.section import Section

FORMATS = (".svg", ".png", ".html")


def types_plot(labels: Sequence[Label], criteria: Criteria) -> SharesPlot:
    """What is drawn: the types in the order of the criteria, new ones last, where there are any."""
    order = [
        (kind.name, f"{kind.name} {in_language(kind.title, 'en')}".strip())
        for kind in criteria.types
    ]
    if any(label.status == "new" for label in labels):
        order.append((NEW, "new type"))
    by = f" {rules_in_words(labels[0].wrong)}".rstrip()
    return SharesPlot(
        title="Why models fail",
        task=TASK,
        metric="share",
        group_key="type",
        order=tuple(order),
        caption=f"The share of each type among a model's failures, {len(labels)} in all.{by}",
    )


def failures_addition(labels: Sequence[Label], criteria: Criteria) -> Addition:
    """What a report shows of labelled failures: how their types are distributed over models."""
    scores = distribution(labels, criteria)
    return Addition(
        scores,
        plots=(types_plot(labels, criteria),),
        metrics={score.metric: failure_metric(score.metric) for score in scores},
    )


def failure_plot(labels: Sequence[Label], criteria: Criteria) -> Plot:
    """A bar for each model, in parts by type. No label that the judge could give raises."""
    models = list(dict.fromkeys(label.model for label in labels))
    section = Section(
        find(labels[0].benchmark),
        pl.DataFrame({"model": models}),
        distribution(labels, criteria),
    )
    made = draw_plot(section, types_plot(labels, criteria))
    if made is None:
        raise ValueError("no labels to draw")
    return made


def write_plot(made: Plot, path: Path) -> None:
    """Writes a plot in the format that the suffix names."""
    match path.suffix.lower():
        case ".svg":
            write_text(path, plot_svg(made.spec))
        case ".png":
            write_bytes(path, plot_png(made.spec))
        case ".html":
            import altair as alt

            chart = alt.Chart.from_dict(altair_spec(made.spec))
            write_text(path, chart.to_html(inline=True))
        case _:
            what = f"no plot has the suffix {path.suffix!r}"
            raise InputError(path, what, f"Expected one of {', '.join(FORMATS)}.")
