"""The report as a document, each form from its template: an HTML page that asks the network for
nothing, Markdown, and LaTeX tables ready to be copied into a paper."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from deadpan.base.version import __version__
from deadpan.reports import tables
from deadpan.reports.charts import plots
from deadpan.reports.marking import marked
from deadpan.reports.samples import browser, browser_of
from deadpan.reports.scores import behind, score_tables
from deadpan.reports.section import Section
from deadpan.reports.text import LANGUAGES, one_line

_MARKDOWN = re.compile(r"([\\`*_\[\]#|~$>])")
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
Escape = Callable[[str], str]


def markdown_escape(text: str) -> str:
    """The text on one line with everything Markdown or HTML would act on made literal."""
    plain = one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    escaped = _MARKDOWN.sub(r"\\\1", plain)
    return escaped.replace("://", ":&#47;&#47;").replace("@", "&#64;")


def latex_escape(text: str) -> str:
    """The text on one line with every character LaTeX would act on made literal."""
    return one_line(text).translate(str.maketrans(_latex()["escapes"]))


def markdown_report(sections: Sequence[Section], generated: str | None) -> str:
    """Facts, coverage and score tables."""
    return _plain_report("report.md", markdown_escape, sections, generated)


def latex_report(sections: Sequence[Section], generated: str | None) -> str:
    """Booktabs tables in a document, in which ctex is switched on when there is Chinese; where only
    some tables are wanted, these alone, for a paper to \\input."""
    if any(section.only for section in sections):
        return _plain_report("fragment.tex", latex_escape, sections, generated, **_latex()["tags"])
    text = _plain_report("report.tex", latex_escape, sections, generated, **_latex()["tags"])
    chinese = _CJK.search(text) is not None
    return text.replace("\n% \\usepackage", "\n\\usepackage", 1) if chinese else text


def html_report(
    sections: Sequence[Section],
    generated: str | None,
    items: int,
    pages: Sequence[Sequence[tuple[str, Sequence[str]]]] = (),
) -> str:
    """The whole page; scripts run only if their hash is in its content security policy. `pages` are
    each section's pages of samples beside it: their addresses and the items on them."""
    chapters = [
        {
            **_chapter(section),
            "plots": plots(named),
            "browser": browser(named, items),
            "pages": own,
        }
        for section, named, own in zip(
            sections, map(marked, sections), pages or [()] * len(sections), strict=True
        )
    ]
    data = [
        {
            "plots": [plot.spec for plot in chapter["plots"]],
            "browser": chapter["browser"].data,
            "pages": [[address, list(map(one_line, held))] for address, held in chapter["pages"]],
        }
        for chapter in chapters
    ]
    has_plots = any(chapter["plots"] for chapter in chapters)
    title = " · ".join(chapter["title"] for chapter in chapters)
    facts = {"chapters": chapters, "generated": generated, "title": title}
    return _page("report.html", data, has_plots, **facts)


def samples_document(section: Section, items: Sequence[str], **facts: str) -> str:
    """A page of samples alone; `facts` say its place, and the pages before and after it."""
    found = browser_of(marked(section), items)
    chapter = {"browser": found, "pages": (), "title": one_line(section.benchmark.title)}
    data = [{"plots": [], "browser": found.data, "pages": []}]
    return _page("samples_page.html", data, False, chapter=chapter, **facts)


def _page(template: str, data: Sequence[Any], has_plots: bool, **facts: Any) -> str:
    scripts = [*([_vega()] if has_plots else []), _asset("report.js")]
    return (
        _environment(autoescape=True)
        .get_template(template)
        .render(
            version=__version__,
            policy=script_policy(scripts),
            style=Markup(_asset("report.css")),
            scripts=[Markup(script) for script in scripts],
            data=Markup(embedded_json({"chapters": data})),
            **facts,
        )
    )


def _environment(**options: Any) -> Environment:
    options |= {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    return Environment(loader=PackageLoader("deadpan.reports"), **options)


def _plain_report(
    template: str, escape: Escape, sections: Sequence[Section], generated: str | None, **tags: Any
) -> str:
    """A text document; whatever its template prints is escaped unless it is marked as safe."""

    def safe(value: Any) -> Markup:
        return value if isinstance(value, Markup) else Markup(escape(str(value)))

    def listed(texts: Iterable[str], between: str) -> Markup:
        return Markup(between.join(map(escape, texts)))

    environment = _environment(finalize=safe, keep_trailing_newline=True, **tags)
    environment.filters |= {"listed": listed, "fence": _fence, "breaking": _breaking}
    environment.filters["comment"] = lambda text: Markup(one_line(text))
    return environment.get_template(template).render(
        chapters=[_chapter(section) for section in sections],
        coverage_head=tables.COVERAGE_HEAD,
        behind=behind,
        stamp=f"Deadpan {__version__}" + (f", {generated}" if generated else ""),
    )


def _fence(lines: Sequence[str]) -> Markup:
    """The lines in a Markdown code block whose fence is longer than any in them."""
    text = "\n".join(lines)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markup(f"{fence}\n{text}\n{fence}")


def _breaking(signature: str) -> Markup:
    """A signature, which is one long word, for LaTeX to break after each bar."""
    return Markup(latex_escape(signature).replace(bar := r"\textbar{}", bar + r"\allowbreak{}"))


def _chapter(section: Section) -> dict[str, Any]:
    """One benchmark of the report, by the names that templates use."""
    costs, people = tables.cost_table(section), section.people
    section = marked(section)  # prices go by unmarked names
    benchmark, coverage = section.benchmark, tables.coverage_table(section)
    title = one_line(benchmark.title)
    models = [one_line(model) for model in section.models]
    tasks = [one_line(section.task_title(task)) for task in section.tasks]
    return {
        "label": "tab:" + re.sub(r"[^a-z0-9:]+", "-", benchmark.name.lower()),
        "title": title,
        "task_titles": tasks,
        "item_count": section.table["item"].n_unique(),
        "citation": one_line(benchmark.citation),
        "facts": _facts(section, coverage, people),
        "models": models,
        "signatures": [one_line(signature) for signature in section.signatures],
        "coverage": coverage,
        "coverage_titles": tables.COLUMN_TITLES,
        "outcome_note": " ".join(
            [one_line(benchmark.report.outcome_note), *section.not_given, *section.read_by]
        ),
        "scores": score_tables(section),
        "listings": [] if section.only else tables.listings(section),
        "costs": costs,
        "paper": section.published,
        "caveat": section.caveat,
        "deviations": [one_line(text) for text in section.deviations],
        "unavailable": section.unavailable,
        "unfinished": [one_line(text) for text in section.unfinished],
        "parts": [one_line(text) for text in section.part_notes],
    }


def _facts(section: Section, coverage: tables.CoverageTable, people: int) -> list[tuple[str, str]]:
    table, total = section.table, coverage.total.coverage
    models = len(section.models) - bool(people)
    asked = section.counted
    codes = table["language"].drop_nulls().unique(maintain_order=True).to_list()
    # 100 % only when it is all.
    share = min(100 * total.read / total.total, 99.9)
    answered = "100" if total.read == total.total else f"{share:.1f}"
    return [
        *([(f"{models:,}", "model" if models == 1 else "models")] if models else []),
        *([(f"{people:,}", "person" if people == 1 else "people")] if people else []),
        (f"{len(section.tasks):,}", "task" if len(section.tasks) == 1 else "tasks"),
        (f"{table['item'].n_unique():,}", "items"),
        (f"{total.total:,}", asked),
        (f"{answered}%", "answered"),
        (
            " + ".join(LANGUAGES.get(code, one_line(code)) for code in codes),
            "languages" if len(codes) > 1 else "language",
        ),
    ]


def embedded_json(value: dict[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def script_policy(scripts: Sequence[str]) -> str:
    """A content security policy under which these scripts run and nothing is fetched."""
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
def _latex() -> Any:
    """How LaTeX's own characters are written, and the tags of its template, as braces and per cent
    signs are LaTeX's own."""
    return json.loads(_asset("latex.json"))


@cache
def _vega() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that leaves `vegaEmbed` behind."""
    bundle = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    # Either would let the script element end early or change how its text is read.
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--").replace("\r", "\n")
