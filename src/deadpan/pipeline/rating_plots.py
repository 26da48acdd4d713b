"""The plots of a benchmark that ratings alone can fill, as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.files import write_bytes, write_text
from deadpan.core.benchmark import Benchmark
from deadpan.core.published import read_published
from deadpan.pipeline.rating import RatedStudy
from deadpan.reports.charts import draw_plot
from deadpan.reports.checks import REQUIRED
from deadpan.reports.plot import plot_png, plot_svg
from deadpan.reports.section import Section


def write_rating_plots(benchmark: Benchmark[Any], found: RatedStudy, folder: Path) -> list[Path]:
    """Writes each plot as .svg and .png into the folder; the pictures, none where no plot of the
    benchmark's is about ratings."""
    nothing = pl.DataFrame(schema=dict.fromkeys(REQUIRED, pl.String))
    section = Section(benchmark, nothing, found.scores, read_published(benchmark.folder))
    written = []
    for wanted in benchmark.report.plots:
        if (plot := draw_plot(section, wanted)) is not None:
            write_text(folder / f"{plot.name}.svg", plot_svg(plot.spec))
            write_bytes(folder / f"{plot.name}.png", plot_png(plot.spec))
            written.append(folder / f"{plot.name}.png")
    return written
