"""Pages that lie beside the code, with their links led to where they are on the site."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CODE = "src/deadpan"
PAGES = {
    **{
        f"benchmarks/{name}.md": f"{_CODE}/benchmarks/{name}/README.md"
        for name in ("janusmm", "merbench", "cfms", "vimu", "pixelhumor")
    },
    "more/studies.md": f"{_CODE}/studies/README.md",
    "more/curate.md": f"{_CODE}/curate/README.md",
    "more/failures.md": f"{_CODE}/failures/README.md",
    "more/fewshot.md": f"{_CODE}/learning/fewshot/README.md",
    "more/anonymise.md": f"{_CODE}/collecting/anonymise/README.md",
    "more/bench.md": "bench/README.md",
    "more/results.md": "bench/RESULTS.md",
    "more/changelog.md": "CHANGELOG.md",
    "more/contributing.md": "CONTRIBUTING.md",
    "more/releasing.md": "RELEASING.md",
    "more/security.md": "SECURITY.md",
    "more/third-party.md": "THIRD_PARTY.md",
}
"""The site's pages and the files that they are."""
_PLACES = {source: place for place, source in PAGES.items()}
_BLOCK = re.compile(r"(^[ ]*```.*?^[ ]*```[ ]*$)", re.S | re.M)
_LINK = re.compile(r"(?P<bang>!?)\[(?P<text>[^\]]*)\]\((?P<to>[^)\s#]*)(?P<anchor>#[^)\s]*)?\)")


def page(place: str) -> str:
    """The text of a page that is a file beside the code."""
    source = ROOT / PAGES[place]
    return led(source.read_text("utf-8"), source.parent, place)


def led(text: str, folder: Path, place: str) -> str:
    """The text of a file in this folder, with its links to other files led to these files' pages.
    What is not on the site stays as words."""

    def change(found: re.Match[str]) -> str:
        to, anchor = found["to"], found["anchor"] or ""
        if not to or "://" in to:
            return found[0]
        target = os.path.relpath(folder / to, ROOT)
        there = _PLACES.get(target)
        if there is None and target.startswith("docs/"):
            there = target.removeprefix("docs/")
        if there is None:
            return found["text"] if not found["bang"] else ""
        path = os.path.relpath(there, Path(place).parent)
        return f"{found['bang']}[{found['text']}]({path}{anchor})"

    return outside_code(text, lambda words: _LINK.sub(change, words))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with its words changed, and its blocks of code as they are."""
    parts = _BLOCK.split(text)
    return "".join(part if at % 2 else change(part) for at, part in enumerate(parts))
