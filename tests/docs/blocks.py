"""What a page holds: the blocks of code in it, with what stands in the page for tests alone."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["run", "before", "file", "output", "data", "needs", "other"]
RUN = {"sh", "bash", "python"}
DATA = {"json", "yaml", "toml"}
OTHER = {"caddy", "cron", "dockerfile", "ini", "mermaid", "nginx", "bibtex"}
"""Languages of other people's programs, which are shown and not run."""
_FENCE = re.compile(
    r"^(?P<in>[ ]*)(?P<ticks>`{3,})(?P<language>[\w-]*)(?P<more>[^\n`]*)\n"
    r"(?P<body>.*?)^(?P=in)(?P=ticks)[ ]*$"
    r"|^<!-- before\n(?P<before>.*?)^-->$"
    r"|^<!-- ends with (?P<status>\d+) -->$"
    r"|^<!-- needs (?P<needs>\w+) -->$",
    re.S | re.M,
)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """One block of a page."""

    page: Path
    line: int
    language: str
    body: str
    kind: Kind
    title: str = ""
    status: int = 0
    """What it has to end with."""

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks_of(page: Path) -> Iterator[Block]:
    """The blocks of a page in their order. Hidden ones are comments, `<!-- before`, that lay out
    what a reader has; `<!-- ends with 1 -->` stands before a command that does not end with 0, and
    `<!-- needs torch -->` before what cannot be tried without that module."""
    text = page.read_text("utf-8")
    ran, status = False, 0
    for found in _FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["status"]:
            status = int(found["status"])
            continue
        if found["before"] is not None:
            yield Block(page, line, "sh", found["before"], "before")
            continue
        if found["needs"]:
            yield Block(page, line, "python", found["needs"], "needs")
            continue
        language, more = found["language"], found["more"]
        titled = _TITLE.search(more)
        title = titled[1] if titled else ""
        kind = _kind(language, title, ran)
        body = textwrap.dedent(found["body"])
        yield Block(page, line, language, body, kind, title, status)
        ran, status = kind == "run", 0


def _kind(language: str, title: str, ran: bool) -> Kind:
    if title and language not in RUN:
        return "file"
    if language in RUN:
        return "file" if title.endswith(".py") else "run"
    if language in DATA:
        return "data"
    if language in ("text", "console"):
        return "output" if ran else "other"
    return "other"
