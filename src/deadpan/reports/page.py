"""The report as one HTML file that asks the network for nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from deadpan.base.version import __version__
from deadpan.core.published import Published
from deadpan.reports.charts import plots
from deadpan.reports.costs import CostTable, cost_table
from deadpan.reports.coverage import CoverageTable, coverage_table
from deadpan.reports.listing import Listing, listings
from deadpan.reports.plot import Plot
from deadpan.reports.samples import Browser, browser
from deadpan.reports.scores import ScoreTable, score_tables
from deadpan.reports.section import Section
from deadpan.reports.text import LANGUAGES, one_line

BY_TASK_OPEN = 24


@dataclass(frozen=True)
class Chapter:
    """One benchmark of the page, ready for the template."""

    title: str
    title_parts: list[str]
    """The name with its colon, and what follows: a line breaks between them first."""
    measured: str
    citation: str
    facts: list[tuple[str, str]]
    models: list[str]
    signatures: list[str]
    coverage: CoverageTable
    outcome_note: str
    scores: list[ScoreTable]
    listings: list[Listing]
    costs: CostTable
    plots: list[Plot]
    browser: Browser
    paper: Published | None
    caveat: str
    unavailable: list[str]
    unfinished: list[str]


def html_report(sections: Sequence[Section], generated: str | None, items: int) -> str:
    """The whole page; scripts run only if their hash is in its content security policy."""
    chapters = [_chapter(section, items) for section in sections]
    data = _embedded_json(
        {
            "chapters": [
                {"plots": [plot.spec for plot in chapter.plots], "browser": chapter.browser.data}
                for chapter in chapters
            ],
        }
    )
    library = _vega() if any(chapter.plots for chapter in chapters) else ""
    scripts = [script for script in (library, _asset("report.js")) if script]
    environment = Environment(
        loader=PackageLoader("deadpan.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(
        chapters=chapters,
        generated=generated,
        version=__version__,
        policy=_policy(scripts),
        style=Markup(_asset("report.css")),
        scripts=[Markup(script) for script in scripts],
        data=Markup(data),
        by_task_open=BY_TASK_OPEN,
        title=" · ".join(chapter.title for chapter in chapters),
    )


def _chapter(section: Section, items: int) -> Chapter:
    benchmark = section.benchmark
    coverage = coverage_table(section)
    models = [one_line(model) for model in section.models]
    return Chapter(
        title=one_line(benchmark.title),
        title_parts=one_line(benchmark.title).replace(": ", ":\n", 1).split("\n"),
        measured=" · ".join(one_line(section.task_title(task)) for task in section.tasks),
        citation=one_line(benchmark.citation),
        facts=_facts(section, coverage, models),
        models=models,
        signatures=[one_line(signature) for signature in section.signatures],
        coverage=coverage,
        outcome_note=one_line(benchmark.report.outcome_note),
        scores=score_tables(section),
        listings=listings(section),
        costs=cost_table(section),
        plots=plots(section),
        browser=browser(section, items),
        paper=section.from_paper,
        caveat=section.caveat,
        unavailable=section.unavailable,
        unfinished=[one_line(text) for text in section.unfinished],
    )


def _facts(
    section: Section, coverage: CoverageTable, models: Sequence[str]
) -> list[tuple[str, str]]:
    table, total = section.table, coverage.total.coverage
    present = table["language"].drop_nulls().unique(maintain_order=True).to_list()
    return [
        (f"{len(models):,}", "model" if len(models) == 1 else "models"),
        (f"{len(section.tasks):,}", "task" if len(section.tasks) == 1 else "tasks"),
        (f"{table['item'].n_unique():,}", "items"),
        (f"{total.total:,}", "questions asked"),
        (f"{_percent(total.answered, total.total)}%", "answered"),
        (
            " + ".join(LANGUAGES.get(code, one_line(code)) for code in present),
            "languages" if len(present) > 1 else "language",
        ),
    ]


def _percent(part: int, whole: int) -> str:
    """A share in percent that says 100 only when it is all."""
    if part == whole:
        return "100"
    return f"{min(100 * part / whole, 99.9):.1f}"


def _embedded_json(value: dict[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _policy(scripts: Sequence[str]) -> str:
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _asset(name: str) -> str:
    """A file of the templates folder, to be inlined."""
    return files("deadpan.reports").joinpath("templates", name).read_text("utf-8")


@cache
def _vega() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that leaves `vegaEmbed` behind."""
    bundle = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    # Either would let the script element end early or change how its text is read.
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--").replace("\r", "\n")
