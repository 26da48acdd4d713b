"""Table → page, plot, Markdown, LaTeX, CSV, JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.base.printable import in_cell
from deadpan.core.parts import items_of, parts_in
from deadpan.core.score_documents import scores_json
from deadpan.core.signature import without_reasons
from deadpan.reports.abilities import draw_abilities
from deadpan.reports.charts import plots
from deadpan.reports.checks import check
from deadpan.reports.columns import read_column_names
from deadpan.reports.documents import html_report, latex_report, markdown_report
from deadpan.reports.layouts import check_columns, chosen_scores
from deadpan.reports.model_names import read_model_names, rename_models, unknown_models
from deadpan.reports.plot import Plot, plot_png, plot_svg
from deadpan.reports.plot_files import write_plots
from deadpan.reports.sample_pages import MOST_ITEMS, plan_pages, samples_folder, write_pages
from deadpan.reports.samples import ITEMS
from deadpan.reports.section import Intervals, Section

__all__ = [
    "FORMATS",
    "ITEMS",
    "MOST_ITEMS",
    "Intervals",
    "Plot",
    "Section",
    "check_columns",
    "draw_abilities",
    "plot_png",
    "plot_svg",
    "plots",
    "read_column_names",
    "read_model_names",
    "rename_models",
    "report_text",
    "scores_list",
    "unknown_models",
    "write_plots",
    "write_report",
]

FORMATS = (".html", ".md", ".tex", ".csv", ".json")
_FACTS = ("benchmark", "model", "task", "metric", "group", "value")
_COUNTS = ("invalid", "truncated", "refused", "unscored", "not_given", "read", "items", "of_items")
_INTERVAL = ("low", "high", "interval", "better", "unit", "n")
_COLUMNS = (*_FACTS, *_INTERVAL, *_COUNTS, "signature")


def write_report(
    sections: Sequence[Section],
    out: Path,
    *,
    generated: str | None = None,
    items: int = ITEMS,
    samples: int = MOST_ITEMS,
    title: str = "",
) -> Path:
    """The report's path, in the format its suffix names. `items` limits the page's own sample
    browser; where that cannot hold all, at most `samples` are on pages of their own beside it.
    `title` is what a page is called."""
    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        what = f"no report format has the suffix {out.suffix!r}"
        raise InputError(out, what, f"Expected one of {', '.join(FORMATS)}.")
    if suffix == ".html":
        check(sections)
        planned = [plan_pages(one, samples_folder(out), items, samples) for one in sections]
        pages = [[(page.address, page.items) for page in own] for own in planned]
        write_text(out, html_report(sections, generated, items, pages, title))
        write_pages(sections, planned, out)
    else:
        write_text(out, report_text(sections, suffix, generated=generated, items=items))
    return out


def report_text(
    sections: Sequence[Section], suffix: str, *, generated: str | None = None, items: int = ITEMS
) -> str:
    """The report in the format of a suffix of FORMATS."""
    check(sections)
    match suffix:
        case ".csv":
            return _csv_report(sections)
        case ".json":
            return _json_report(sections)
        case ".md":
            return markdown_report(sections, generated)
        case ".tex":
            return latex_report(sections, generated)
        case _:
            return html_report(sections, generated, items)


def scores_list(sections: Sequence[Section]) -> str:
    """The JSON report as a list, also where it is of one section."""
    return _json_report(sections, as_list=True)


def _csv_report(sections: Sequence[Section]) -> str:
    """One line per score; an empty value means that nothing was scored."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    for section in sections:
        parts = parts_in(section.table)
        for score in chosen_scores(section):
            metric = section.metric(score.metric)
            row = {"benchmark": section.benchmark.name, **score.model_dump()}
            row |= items_of(score, parts)
            row |= {"better": metric.better, "unit": metric.unit}
            row |= {"signature": without_reasons(score.signature)}
            writer.writerow({k: in_cell(v) if isinstance(v, str) else v for k, v in row.items()})
    return buffer.getvalue()


def _json_report(sections: Sequence[Section], as_list: bool = False) -> str:
    """The document of the one section, or the list of the documents of several."""
    by_name = {section.benchmark.name: section for section in sections}
    scores = {name: chosen_scores(section) for name, section in by_name.items()}
    parts = {name: parts_in(section.table) for name, section in by_name.items()}
    try:
        return scores_json(scores, lambda name: by_name[name].metric, parts, as_list)
    except ValueError as error:
        names = ", ".join(section.benchmark.name for section in sections)
        raise InputError(names, f"signature: {error}", "Score the results again.") from error
