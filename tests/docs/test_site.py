"""The site: built strictly, whole without a network, and every field and option explained."""

from __future__ import annotations

import html
import inspect
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("material")
pytest.importorskip("mkdocstrings")

from scripts.site import commands, fields
from tests.docs.blocks import blocks_of
from tests.docs.programs import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REFERENCE = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `mkdocs build --strict` makes it."""
    place = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-6000:]
    return place


class Fetched(HTMLParser):
    """What a browser fetches for a page by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = "href" if tag == "link" and given.get("rel") != "canonical" else "src"
        if tag != "a" and (address := given.get(name)):
            self.addresses.append(address)


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    assert len(pages) > 60
    for page in pages:
        found = Fetched()
        found.feed(page.read_text("utf-8"))
        for address in found.addresses:
            assert not re.match(r"(?:https?:)?//", address), f"{page}: {address}"
            if page.name != "404.html" and not address.startswith("data:"):
                assert (page.parent / address.partition("?")[0]).exists(), f"{page}: {address}"


def test_nothing_for_tests_is_left_in_pages(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert "<!-- before" not in text and "<!-- ends with" not in text, page
        assert not re.search(r"\{\{ (?:fields|columns|commands)", text), page


def test_chinese_pages_say_that_they_are(site: Path) -> None:
    chinese = [*(site / "zh").glob("*.html")]
    assert len(chinese) >= 2
    for page in chinese:
        assert '<html lang="zh-Hans"' in page.read_text("utf-8")


def test_code_stands_there_line_by_line(site: Path) -> None:
    """As in the pages' files, Chinese ones too, in which the lines of a sentence are joined."""
    for name in ("index", "quickstart", "zh/index", "zh/quickstart"):
        shown = html.unescape(re.sub(r"<[^>]*>", "", (site / f"{name}.html").read_text("utf-8")))
        for block in blocks_of(ROOT / "docs" / f"{name}.md"):
            if block.kind == "run":
                assert block.body in shown, str(block)


def test_every_field_of_a_class_stands_in_the_python_reference(site: Path) -> None:
    page = (site / "reference" / "api.html").read_text("utf-8")
    text = (REFERENCE / "api.md").read_text("utf-8")
    seen = 0
    for path in re.findall(r"^::: (\S+)$(?!\n    options)", text, re.M):
        module, _, name = path.rpartition(".")
        found = getattr(import_module(module), name)
        every = inspect.get_annotations(found) if inspect.isclass(found) else {}
        for field in every:
            if not field.startswith("_") and field != "model_config":
                assert f'id="{path}.{field}"' in page, f"{path}.{field}"
                seen += 1
    assert seen > 150


@pytest.mark.browser
def test_pictures_do_not_glare_in_the_dark(site: Path, chromium: Browser) -> None:
    filters = {}
    for scheme in ("light", "dark"):
        page = chromium.new_page(color_scheme=scheme)
        page.goto((site / "index.html").as_uri())
        images = page.locator(".md-typeset img").all()
        filters[scheme] = {one.evaluate("one => getComputedStyle(one).filter") for one in images}
        page.close()
    assert filters["light"] == {"none"}
    assert filters["dark"] == {"brightness(0.8)", "invert(0.88) hue-rotate(180deg)"}


def test_every_field_of_a_file_is_explained() -> None:
    named = [
        path
        for page in REFERENCE.glob("*.md")
        for path in re.findall(r"\{\{ fields (\S+) \}\}", page.read_text("utf-8"))
    ]
    assert len(named) > 30
    for path in named:
        table = fields.of_class(path)
        assert not re.findall(r"^\| `\w+` .*\|  \|$", table, re.M), f"{path}:\n{table}"


@pytest.mark.parametrize("name", commands.NAMES)
def test_every_option_of_a_command_is_explained(name: str) -> None:
    page = commands.page(name)
    assert f"# deadpan {name}\n" in page
    assert not re.findall(r"^\| `[^|]*` \|  \|", page, re.M), page
