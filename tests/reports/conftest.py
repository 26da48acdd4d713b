"""A report's section and a page in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deadpan.reports import Section
from tests.reports.toy import toy_section

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def section(tmp_path_factory: pytest.TempPathFactory) -> Section:
    """Twenty-four toy items answered by three models."""
    return toy_section(tmp_path_factory.mktemp("pictures"))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser; tests that need one are skipped where there is none."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()
