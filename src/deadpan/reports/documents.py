"""The report as a document, each form from its template: an HTML page that asks the network for
nothing, Markdown, and LaTeX tables ready to be copied into a paper."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

import vl_convert
from markupsafe import Markup

from deadpan.base.version import __version__
from deadpan.core.abilities import ABILITIES
from deadpan.reports import tables
from deadpan.reports.abilities import ability_rows, draw_abilities
from deadpan.reports.chapters import make_chapter
from deadpan.reports.charts import plots
from deadpan.reports.front import make_front
from deadpan.reports.marking import marked
from deadpan.reports.paired_cells import paired
from deadpan.reports.samples import browser, browser_of
from deadpan.reports.score_table import (
    ScoreTable,
    behind,
    behind_briefly,
    floats,
    heading_lines,
    span_lines,
)
from deadpan.reports.section import Section
from deadpan.reports.text import one_line
from deadpan.reports.verdicts import verdict_index
from deadpan.web.pages import asset, embedded_json, page, templates

_PACKAGE = "deadpan.reports"
_STYLES = ("samples", "front", "report")
_SCRIPTS = ("page", "plots", "samples", "tables", "navigation", "start")
"""The parts of a page's style and script, in order."""
_MARKDOWN = re.compile(r"([\\`*_\[\]#|~$>])")
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_JOINED = re.compile("-(?=-)")
_NO_CHINESE = "% Chinese text needs \\usepackage[fontset=fandol]{ctex}.\n"
"""What stands in a LaTeX document's preamble where it has no Chinese."""
_MOST_FLOATS = 10
"""Tables of a fragment after which it ends with a page, so that LaTeX need not hold them."""
Escape = Callable[[str], str]


def markdown_escape(text: str) -> str:
    """The text on one line with everything Markdown or HTML would act on made literal."""
    plain = one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    escaped = _MARKDOWN.sub(r"\\\1", plain)
    return escaped.replace("://", ":&#47;&#47;").replace("@", "&#64;")


def latex_escape(text: str) -> str:
    """The text on one line with every character LaTeX would act on made literal, and hyphens that
    it would join into a dash kept apart."""
    escaped = one_line(text).translate(str.maketrans(_latex()["escapes"]))
    return _JOINED.sub("-{}", escaped)


def markdown_report(sections: Sequence[Section], generated: str | None) -> str:
    """Facts, coverage and score tables."""
    return _plain_report("report.md", markdown_escape, sections, generated)


def latex_report(sections: Sequence[Section], generated: str | None) -> str:
    """Booktabs tables in a document, which sees to a Chinese font when there is Chinese; where only
    some tables are wanted, these alone, for a paper to \\input."""
    if any(section.is_chosen for section in sections):
        return _fragment(sections, generated)
    text = _plain_report("report.tex", latex_escape, sections, generated, **_latex()["tags"])
    is_chinese = _CJK.search(text) is not None
    return text.replace(_NO_CHINESE, asset(_PACKAGE, "chinese.tex"), 1) if is_chinese else text


def latex_fragment(section: Section, generated: str | None, title: str = "") -> str:
    """The tables of one benchmark alone, for a paper to \\input one after another; the title of
    what they are of stands in a comment."""
    return _fragment([section], generated, one_line(title), has_end=True)


def _fragment(
    sections: Sequence[Section], generated: str | None, heading: str = "", has_end: bool = False
) -> str:
    """Tables alone; they end with a page where that is wanted, or where they are more floats than
    LaTeX keeps well."""
    told = {"heading": heading, "has_end": has_end, "most_floats": _MOST_FLOATS}
    return _plain_report(
        "fragment.tex", latex_escape, sections, generated, told, **_latex()["tags"]
    )


def html_report(
    sections: Sequence[Section],
    generated: str | None,
    items: int,
    pages: Sequence[Sequence[tuple[str, Sequence[str]]]] = (),
    heading: str = "",
) -> str:
    """The whole page; scripts run only if their hash is in its content security policy. `pages` are
    each section's pages of samples beside it: their addresses and the items on them. `heading` is
    what it is called; else by its benchmarks, and by who was asked what."""
    made = [
        (section, make_chapter(section), marked(section), own)
        for section, own in zip(sections, pages or [()] * len(sections), strict=True)
    ]
    chapters = [
        {
            **chapter,
            "scores": paired(named, chapter["scores"]),
            "plots": plots(named),
            "browser": browser(named, items),
            "pages": own,
        }
        for section, chapter, named, own in made
    ]
    data = [
        {
            "name": section.benchmark.name,
            "plots": [plot.spec for plot in chapter["plots"]],
            "browser": chapter["browser"].data,
            "pages": [[address, list(map(one_line, held))] for address, held in chapter["pages"]],
            "index": verdict_index(section, chapter["pages"]),
        }
        for section, chapter in zip(sections, chapters, strict=True)
    ]
    front, abilities = make_front(sections), draw_abilities(sections)
    measured = {row.ability for row in ability_rows(sections)}
    titles, heading = " · ".join(chapter["title"] for chapter in chapters), one_line(heading)
    return _page(
        "report.html",
        {
            "chapters": data,
            "plots": [abilities.spec, abilities.narrow] if abilities else [],
            "differences": front.differences,
        },
        bool(abilities) or any(chapter["plots"] for chapter in chapters),
        heading or f"{titles} – report",
        heading=heading,
        chapters=chapters,
        generated=generated,
        front=front,
        models=[*(row.model for row in front.rows), *front.others],
        abilities=abilities,
        meanings=[one for one in ABILITIES if one in measured],
    )


def samples_document(section: Section, items: Sequence[str], **facts: str) -> str:
    """A page of samples alone, of a section whose names are marked; `facts` say its place, and the
    pages before and after it."""
    found = browser_of(section, items)
    chapter = {"browser": found, "pages": (), "title": one_line(section.benchmark.title)}
    data = [{"name": section.benchmark.name, "plots": [], "browser": found.data, "pages": []}]
    title = f"{chapter['title']}, samples {facts['place']}"
    page_data = {"chapters": data, "plots": []}
    return _page("samples_page.html", page_data, False, title, chapter=chapter, **facts)


def _page(template: str, data: dict[str, Any], has_plots: bool, title: str, **facts: Any) -> str:
    scripts = [*([_vega()] if has_plots else []), _script()]
    return page(
        _PACKAGE,
        template,
        title,
        style(),
        scripts,
        version=__version__,
        data=embedded_json(data),
        **facts,
    )


@cache
def style() -> str:
    """What every page of a report looks like."""
    return "\n".join(asset(_PACKAGE, f"{name}.css") for name in _STYLES)


@cache
def _script() -> str:
    """The page's own script: its parts share one scope, and leave nothing behind."""
    parts = "\n".join(asset(_PACKAGE, f"{name}.js") for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def _plain_report(
    template: str,
    escape: Escape,
    sections: Sequence[Section],
    generated: str | None,
    told: Mapping[str, Any] | None = None,
    **tags: Any,
) -> str:
    """A text document of the sections, and of what else its template is told."""
    chapters = [make_chapter(section) for section in sections]
    rows = [row for one in chapters for table in one["scores"] for row in table.rows]
    return plain_document(
        template,
        escape,
        {
            "chapters": chapters,
            "printed": {
                name
                for name in ("has_intervals", "has_sides")
                if any(getattr(r, name) for r in rows)
            },
            "coverage_head": tables.COVERAGE_HEAD,
            "behind": behind,
            "behind_briefly": behind_briefly,
            "floats": floats,
            "heading_lines": heading_lines,
            "span_lines": span_lines,
            "rules": _rules,
            "stamp": f"Deadpan {__version__}" + (f", {generated}" if generated else ""),
            **(told or {}),
        },
        **tags,
    )


def plain_document(template: str, escape: Escape, facts: Mapping[str, Any], **tags: Any) -> str:
    """A text document; whatever its template prints is escaped unless it is marked as safe."""

    def safe(value: Any) -> Markup:
        return value if isinstance(value, Markup) else Markup(escape(str(value)))

    def listed(texts: Iterable[str], between: str) -> Markup:
        return Markup(between.join(map(escape, texts)))

    environment = templates(_PACKAGE, finalize=safe, keep_trailing_newline=True, **tags)
    environment.filters |= {"listed": listed, "fence": _fence, "breaking": _breaking}
    environment.filters["comment"] = lambda text: Markup(one_line(text))
    return environment.get_template(template).render(**facts)


def _fence(lines: Sequence[str]) -> Markup:
    """The lines in a Markdown code block whose fence is longer than any in them."""
    text = "\n".join(lines)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markup(f"{fence}\n{text}\n{fence}")


def _breaking(signature: str) -> Markup:
    """A signature, which is one long word, for LaTeX to break after each bar."""
    return Markup(latex_escape(signature).replace(bar := r"\textbar{}", bar + r"\allowbreak{}"))


def _rules(table: ScoreTable) -> list[tuple[int, int]]:
    """The first and last column, counted from 1 and with that of names, of each heading above."""
    ends = list(accumulate((span.width for span in table.above), initial=1))
    return [(start + 1, end) for start, end in pairwise(ends)]


@cache
def _latex() -> Any:
    """How LaTeX's own characters are written, and the tags of its template, as braces and per cent
    signs are LaTeX's own."""
    return json.loads(asset(_PACKAGE, "latex.json"))


@cache
def _vega() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that leaves `vegaEmbed` behind, with the notice
    that their licences want in copies."""
    script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    bundle = f"/*!\n{asset(_PACKAGE, 'LICENSE-vega.txt')}*/\n{script}"
    # Either would let the script element end early or change how its text is read.
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--").replace("\r", "\n")
