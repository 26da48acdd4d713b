"""What pages link to is there, as they lie in the repository: files, and headings in them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.programs import ROOT

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / folder / "README.md" for folder in ("bench", "examples")),
    *sorted(path for path in (ROOT / "src").rglob("README.md") if "data" not in path.parts),
]
_CODE = re.compile(r"^( *)(`{3,}).*?^\1\2|`[^`\n]*`", re.S | re.M)
_LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)|(?:href|src|srcset)=\"([^\"#]*)\"")
_HEADING = re.compile(r"^#+ +(.+?) *$", re.M)


@cache
def anchors(page: Path) -> set[str]:
    """The names that headings of a page have on the site and where the repository is shown."""
    text = re.sub(r"^( *)```.*?^\1```", "", page.read_text("utf-8"), flags=re.S | re.M)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", one) for one in _HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_links_to_is_there(page: Path) -> None:
    """Links that lead out of the repository are not looked at."""
    wrong = []
    for to, anchor, shown in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
        path = to or shown
        if "://" in path or path.startswith("mailto:"):
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(f"{path}#{anchor}")
    assert wrong == []


def test_headings_are_found() -> None:
    assert {"two-commands", "your-model-in-three-lines"} <= anchors(ROOT / "README.md")
    assert "能做什么" in anchors(ROOT / "docs" / "zh" / "index.md")
