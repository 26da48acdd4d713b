"""Every plot of a report as a picture of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deadpan.base.files import write_bytes, write_text
from deadpan.reports.abilities import draw_abilities
from deadpan.reports.charts import plots
from deadpan.reports.checks import check
from deadpan.reports.marking import marked
from deadpan.reports.plot import plot_png, plot_svg
from deadpan.reports.section import Section


def write_plots(sections: Sequence[Section], folder: Path) -> list[Path]:
    """Writes the abilities profile and every benchmark's plots into a folder, each as PNG and SVG,
    and gives their paths."""
    check(sections)
    profile = draw_abilities(sections)
    named = [("abilities", profile.spec)] if profile else []
    named += [
        (f"{section.benchmark.name}-{plot.name}", plot.spec)
        for section in sections
        for plot in plots(marked(section))
    ]
    written: list[Path] = []
    for name, spec in named:
        twice = sum(path.stem == name for path in written) > 0
        if twice:
            name = f"{name}-{len(written) // 2 + 1}"
        write_bytes(folder / f"{name}.png", plot_png(spec))
        write_text(folder / f"{name}.svg", plot_svg(spec))
        written += [folder / f"{name}.png", folder / f"{name}.svg"]
    return written
