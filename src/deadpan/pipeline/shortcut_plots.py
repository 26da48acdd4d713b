"""The plots of a shortcut audit as pictures: what scores need, and what they hang on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from deadpan.base.files import write_bytes, write_text
from deadpan.benchmarks import find
from deadpan.core.plots import AnyPlot
from deadpan.pipeline.ablation import variants_plot
from deadpan.pipeline.results import Results
from deadpan.pipeline.robustness import Spread, variance_addition
from deadpan.pipeline.shortcuts import TaskAudit
from deadpan.reports.charts import draw_plot
from deadpan.reports.plot import Plot, plot_png, plot_svg
from deadpan.reports.section import Section


def write_plots(
    results: Results, audits: Sequence[TaskAudit], spreads: Sequence[Spread], folder: Path
) -> list[Path]:
    """Writes each plot as .svg and .png into the folder; the paths."""
    written: list[Path] = []
    for plot in drawn_plots(results, audits, spreads):
        write_text(folder / f"{plot.name}.svg", plot_svg(plot.spec))
        write_bytes(folder / f"{plot.name}.png", plot_png(plot.spec))
        written += [folder / f"{plot.name}.svg", folder / f"{plot.name}.png"]
    return written


def drawn_plots(
    results: Results, audits: Sequence[TaskAudit], spreads: Sequence[Spread]
) -> Iterator[Plot]:
    """The plots of every benchmark: scores with what guessing gets, and sources of variance."""
    for name, table in results.tables.items():
        benchmark = find(name)
        chance = [
            (one.task, one.metric.name, one.chance.value)
            for one in audits
            if one.benchmark == name and one.chance is not None
        ]
        signatures = {one.task: one.signature for one in results.by_benchmark[name]}
        own = [one for one in spreads if one.benchmark == name]
        addition = variance_addition(own, signatures)
        scores = [*results.by_benchmark[name], *addition.scores]
        section = Section(benchmark, table, scores, None, additions=(addition,))
        wanted: list[AnyPlot | None] = [variants_plot(benchmark, table, chance), *addition.plots]
        for one in wanted:
            if one is not None and (plot := draw_plot(section, one)) is not None:
                yield plot
