"""Table → page, plot, Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.reports.charts import plots
from deadpan.reports.latex import latex_report
from deadpan.reports.markdown import markdown_report
from deadpan.reports.page import html_report
from deadpan.reports.plot import Plot, plot_png, plot_svg
from deadpan.reports.rows import csv_report, json_report
from deadpan.reports.samples import ITEMS
from deadpan.reports.section import Section, check

__all__ = [
    "FORMATS",
    "ITEMS",
    "Plot",
    "Section",
    "plot_png",
    "plot_svg",
    "plots",
    "report_text",
    "write_report",
]

FORMATS = (".html", ".md", ".tex", ".csv", ".json")


def write_report(
    sections: Sequence[Section], out: Path, *, generated: str | None = None, items: int = ITEMS
) -> Path:
    """The report's path, in the format its suffix names; `items` limits the sample browser."""
    if out.suffix.lower() not in FORMATS:
        raise InputError(
            out,
            f"no report format has the suffix {out.suffix!r}",
            f"Expected one of {', '.join(FORMATS)}.",
        )
    write_text(out, report_text(sections, out.suffix.lower(), generated=generated, items=items))
    return out


def report_text(
    sections: Sequence[Section], suffix: str, *, generated: str | None = None, items: int = ITEMS
) -> str:
    """The report in the format of a suffix of FORMATS."""
    check(sections)
    match suffix:
        case ".csv":
            return csv_report(sections)
        case ".json":
            return json_report(sections)
        case ".md":
            return markdown_report(sections, generated)
        case ".tex":
            return latex_report(sections, generated)
        case _:
            return html_report(sections, generated, items)
