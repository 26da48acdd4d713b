"""The report as one HTML file that asks the network for nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from deadpan.base.version import __version__
from deadpan.reports.charts import plots
from deadpan.reports.samples import browser
from deadpan.reports.scores import score_tables
from deadpan.reports.section import Section
from deadpan.reports.tables import CoverageTable, cost_table, coverage_table, listings
from deadpan.reports.text import LANGUAGES, one_line

BY_TASK_OPEN = 24


def html_report(sections: Sequence[Section], generated: str | None, items: int) -> str:
    """The whole page; scripts run only if their hash is in its content security policy."""
    chapters = [_chapter(section, items) for section in sections]
    data = [
        {"plots": [plot.spec for plot in chapter["plots"]], "browser": chapter["browser"].data}
        for chapter in chapters
    ]
    library = _vega() if any(chapter["plots"] for chapter in chapters) else ""
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
        data=Markup(_embedded_json({"chapters": data})),
        by_task_open=BY_TASK_OPEN,
        title=" · ".join(chapter["title"] for chapter in chapters),
    )


def _chapter(section: Section, items: int) -> dict[str, Any]:
    """One benchmark of the page, by the names its template uses."""
    benchmark, coverage = section.benchmark, coverage_table(section)
    title = one_line(benchmark.title)
    models = [one_line(model) for model in section.models]
    return {
        "title": title,
        # The name with its colon, and what follows: a line breaks between them first.
        "title_parts": title.replace(": ", ":\n", 1).split("\n"),
        "measured": " · ".join(one_line(section.task_title(task)) for task in section.tasks),
        "citation": one_line(benchmark.citation),
        "facts": _facts(section, coverage, len(models)),
        "models": models,
        "signatures": [one_line(signature) for signature in section.signatures],
        "coverage": coverage,
        "outcome_note": one_line(benchmark.outcome_note),
        "scores": score_tables(section),
        "listings": listings(section),
        "costs": cost_table(section),
        "plots": plots(section),
        "browser": browser(section, items),
        "paper": section.from_paper,
        "caveat": section.caveat,
        "unavailable": section.unavailable,
        "unfinished": [one_line(text) for text in section.unfinished],
    }


def _facts(section: Section, coverage: CoverageTable, models: int) -> list[tuple[str, str]]:
    table, total = section.table, coverage.total.coverage
    codes = table["language"].drop_nulls().unique(maintain_order=True).to_list()
    # 100 % only when it is all.
    share = min(100 * total.answered / total.total, 99.9)
    answered = "100" if total.answered == total.total else f"{share:.1f}"
    return [
        (f"{models:,}", "model" if models == 1 else "models"),
        (f"{len(section.tasks):,}", "task" if len(section.tasks) == 1 else "tasks"),
        (f"{table['item'].n_unique():,}", "items"),
        (f"{total.total:,}", "questions asked"),
        (f"{answered}%", "answered"),
        (
            " + ".join(LANGUAGES.get(code, one_line(code)) for code in codes),
            "languages" if len(codes) > 1 else "language",
        ),
    ]


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
