"""A report's section and a page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from deadpan.reports import ITEMS, Section, write_report
from tests.reports.toy import toy_section

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

Scheme = Literal["light", "dark"]
Open = Callable[..., "Page"]


@pytest.fixture(scope="session")
def section(tmp_path_factory: pytest.TempPathFactory) -> Section:
    """Twenty-four toy items answered by three models."""
    return toy_section(tmp_path_factory.mktemp("pictures"))


@pytest.fixture
def complaints() -> list[str]:
    """What the pages of a test complained of: dialogs, errors, requests to anywhere."""
    return []


@pytest.fixture
def opened(chromium: Browser, complaints: list[str], tmp_path: Path) -> Iterator[Open]:
    """A function that writes sections to a page and opens it."""
    contexts = []

    def dismissed(dialog: Dialog) -> None:
        complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def open_page(
        *sections: Section, width: int = 1280, scheme: Scheme = "light", items: int = ITEMS
    ) -> Page:
        path = tmp_path / "report.html"
        write_report(sections, path, generated="2031-05-06", items=items)
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("dialog", dismissed)
        page.on("pageerror", lambda error: complaints.append(f"error {error}"))
        page.on("console", lambda told: complaints.append(f"{told.type} {told.text}"))
        page.on(
            "request",
            lambda request: (
                None
                if re.match("file:|data:", request.url)
                else complaints.append(f"request {request.url}")
            ),
        )
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", timeout=30_000)
        return page

    yield open_page
    for context in contexts:
        context.close()
