"""Text that a lab wrote, guidelines or consent, as paragraphs of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from deadpan.base.printable import visible

_HEADING = re.compile(r"(#{1,4})\s+(\S.*)")
_ENTRY = re.compile(r"\s*(?:([-*+])|\d{1,3}[.)])\s+(.+)")
# Bounded: without an end to be found, every beginning would be looked through to the end.
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1")
_CODE = re.compile(r"`([^`]{1,500})`")
# Neither in a product, 2*3*4, nor across the end of bold words.
_ITALIC = re.compile(
    r"(?<![0-9A-Za-z*])\*(?=[^\s*])((?:[^*<>]|<strong>[^<>]{1,500}</strong>){1,500}?)(?<=\S)"
    r"\*(?![0-9A-Za-z*])"
)
# In the place of code meanwhile: `visible` leaves none of these characters in a text.
_KEPT = re.compile("\0([0-9]+)\0")
_BLOCK = re.compile(r"\n[ \t]*\n")
# Lines that were broken only to be short: between Chinese characters no space takes their place.
_BROKEN = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])")


def prose(text: str, top: int = 2) -> Markup:
    """Markdown as HTML: headings (the first level is `h2`, or what `top` says), lists,
    bold, italic, code and paragraphs. All else, HTML, links and tables among it, stands there as it
    was written."""
    blocks = _BLOCK.split(visible(text).strip())
    return Markup("\n").join(made for block in blocks for made in _blocks(block, top))


def _blocks(block: str, top: int) -> Iterator[Markup]:
    """The elements that lines without an empty one between them make."""
    kind, lines = "", list[str]()
    for line in block.splitlines():
        heading, entry = _HEADING.match(line), _ENTRY.match(line)
        if heading:
            yield from _element(kind, lines)
            level = min(6, top - 1 + len(heading[1]))
            title = heading[2].rstrip().rstrip("#").rstrip()
            yield Markup(f"<h{level}>{{}}</h{level}>").format(_inline(title))
            kind, lines = "", []
        elif entry:
            wanted = "ul" if entry[1] else "ol"
            if kind != wanted:
                yield from _element(kind, lines)
                kind, lines = wanted, []
            lines.append(entry[2])
        elif kind in ("ul", "ol") and line.startswith((" ", "\t")):
            lines[-1] += " " + line.strip()
        else:
            if kind != "p":
                yield from _element(kind, lines)
                kind, lines = "p", []
            lines.append(line.strip())
    yield from _element(kind, lines)


def _element(kind: str, lines: list[str]) -> Iterator[Markup]:
    """A paragraph or a list; nothing where there are no lines."""
    if not lines:
        return
    if kind == "p":
        text = _BROKEN.sub("", "\n".join(lines)).replace("\n", " ")
        yield Markup("<p>{}</p>").format(_inline(text))
    else:
        entries = Markup("").join(Markup("<li>{}</li>").format(_inline(line)) for line in lines)
        yield Markup(f"<{kind}>{{}}</{kind}>").format(entries)


def _inline(line: str) -> Markup:
    """A line with its bold and italic words, and code, in which nothing else is looked for."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(f"<code>{found[1]}</code>")
        return f"\0{len(kept) - 1}\0"

    text = _CODE.sub(keep, str(escape(line)))
    text = _ITALIC.sub(r"<em>\1</em>", _BOLD.sub(r"<strong>\2</strong>", text))
    return Markup(_KEPT.sub(lambda found: kept[int(found[1])], text))
