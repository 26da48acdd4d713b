"""Axe-core finds nothing serious in a report, light or dark, wide or narrow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from deadpan.reports import Section
from tests.reports.conftest import Open, Scheme
from tests.reports.gallery import LONG, gallery_section
from tests.reports.toy import toy_section, toy_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

UNFOLD = "document.querySelectorAll('details').forEach(one => { one.open = true })"
WHOLE = "document.querySelectorAll('.siblings button:last-child').forEach(one => one.click())"
COMPARE = """() => {
  const select = document.getElementById('reference');
  select.selectedIndex = 1;
  select.dispatchEvent(new Event('change'));
}"""


def findings(page: Page) -> list[str]:
    """What axe-core finds that is serious or critical, each with where it is."""
    axe = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not there")
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']} ({one['impact']}): {node['target']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_report_has_no_serious_findings(
    section: Section, opened: Open, scheme: Scheme, width: int
) -> None:
    page = opened(section, width=width, scheme=scheme, items=10)
    assert findings(page) == []
    page.evaluate(UNFOLD)
    page.evaluate(WHOLE)
    page.evaluate(COMPARE)
    assert findings(page) == []


def test_nor_have_contents_keys_and_blurred_items(opened: Open, tmp_path: Path) -> None:
    table = toy_table(tmp_path, items=4).with_columns(pl.lit(True).alias("attr.harmful"))
    page = opened(toy_section(tmp_path, table))
    page.click("#menu")
    assert findings(page) == []
    page.keyboard.press("Escape")
    page.click("#keys")
    assert findings(page) == []


def test_nor_have_plots_of_many_models(opened: Open, tmp_path: Path) -> None:
    assert findings(opened(gallery_section(tmp_path, LONG))) == []


def test_nor_has_a_page_of_samples(section: Section, opened: Open, tmp_path: Path) -> None:
    page = opened(section, items=10)
    page.goto((tmp_path / "report-samples" / "toy-002.html").as_uri())
    page.wait_for_selector("html[data-ready]")
    assert findings(page) == []
