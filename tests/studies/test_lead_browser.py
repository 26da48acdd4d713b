"""A lead's pages in a browser: by keyboard, refreshed, and with nothing serious for axe-core."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
import uvicorn
from sqlalchemy import select

from deadpan.core.study.stages import Settling
from deadpan.studies.app import study_app
from deadpan.studies.making.creating import create_study
from deadpan.studies.pages.rendering import renderer
from deadpan.studies.pages.request_context import Doors, Reception
from deadpan.studies.people import accounts
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import BatchRow, PersonRow
from deadpan.studies.work.assignment import Queues
from tests.reports.test_accessibility import findings
from tests.studies.filled import filled_study, tasks
from tests.studies.study_room import a_study, explained, on_a_port, rated

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> OpenStudy:
    return filled_study(tmp_path_factory.mktemp("browsed"), drawn=False, days=5)[0]


@pytest.fixture(scope="module")
def address(study: OpenStudy) -> Iterator[str]:
    """Where the study is served."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    doors = Doors(port, frozenset({"127.0.0.1"}))
    app = study_app(Reception(study, doors, renderer(study.study), Queues()))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=20)


def lead_page(
    chromium: Browser, study: OpenStudy, address: str, width: int = 1280, scheme: Scheme = "light"
) -> Page:
    """A page of a browser in which the lead is signed in."""
    with study.database.write() as session:
        lead = session.scalars(select(PersonRow).where(PersonRow.name == "Lena")).one()
        token = accounts.sign_in(session, study, lead).token
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    name = f"deadpan_study_{address.rpartition(':')[2]}"
    context.add_cookies([{"name": name, "value": token, "url": address}])
    page = context.new_page()
    page.goto(f"{address}/lead")
    page.wait_for_selector("html[data-ready]")
    return page


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_serious(
    chromium: Browser, study: OpenStudy, address: str, width: int, scheme: Scheme
) -> None:
    page = lead_page(chromium, study, address, width, scheme)
    with study.database.read() as session:
        batch = session.scalars(select(BatchRow.id).where(BatchRow.state == "answered")).first()
    assert batch is not None
    discussed = tasks(study, kind="discuss")[0].item
    skipped = tasks(study, state="skipped")[0].item
    for path in (
        "/lead",
        "/lead/people",
        "/lead/items",
        f"/lead/item/{discussed}",
        f"/lead/item/{skipped}",
        "/lead/batches",
        f"/lead/batch/{batch}",
        "/lead/guidelines",
    ):
        page.goto(address + path)
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        assert findings(page) == [], path
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide), path
    page.context.close()


def test_somebody_is_invited_by_keyboard_alone(
    chromium: Browser, study: OpenStudy, address: str
) -> None:
    page = lead_page(chromium, study, address)
    page.goto(f"{address}/lead/people")
    page.wait_for_selector("html[data-ready]")
    page.locator(".inviting summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Nia")
    page.keyboard.press("Tab")
    page.keyboard.type("adj")  # as in any list of choices
    while page.evaluate("document.activeElement.className") != "primary":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#link")
    assert "/join/" in page.locator("#link").inner_text()
    assert page.evaluate("document.activeElement.dataset.copy") == page.inner_text("#link")
    with study.database.read() as session:
        found = session.scalars(select(PersonRow).where(PersonRow.name == "Nia")).one()
    assert found.role == "adjudicator"
    page.context.close()


def test_shutting_out_asks_first(chromium: Browser, study: OpenStudy, address: str) -> None:
    page = lead_page(chromium, study, address)
    page.goto(f"{address}/lead/people")
    page.wait_for_selector("html[data-ready]")
    asked: list[str] = []

    def dismiss(dialog: object) -> None:
        asked.append(dialog.message)  # type: ignore[attr-defined]
        dialog.dismiss()  # type: ignore[attr-defined]

    page.on("dialog", dismiss)
    page.locator("tr", has_text="Fang").get_by_role("button", name="Shut out").click()
    (question,) = asked
    assert question.startswith("Shut Fang out?") and question.endswith("What was answered stays.")
    with study.database.read() as session:
        fang = session.scalars(select(PersonRow).where(PersonRow.name == "Fang")).one()
    assert fang.revoked_at is None
    page.context.close()


def test_the_dashboard_is_refreshed_and_downloads_can_be_repeated(
    chromium: Browser, study: OpenStudy, address: str
) -> None:
    page = lead_page(chromium, study, address)
    page.clock.install()
    page.goto(f"{address}/lead")
    page.wait_for_selector("html[data-ready]")
    page.evaluate("window.isSame = true")
    waits = page.get_by_text("Kim did not pass the practice")
    assert waits.is_visible()
    other = lead_page(chromium, study, address)
    other.get_by_role("button", name="Let pass").click()
    other.wait_for_selector("html[data-ready]")
    other.context.close()
    page.clock.fast_forward(16_000)
    waits.wait_for(state="detached")
    assert page.evaluate("window.isSame")
    for _ in range(2):
        with page.expect_download() as download:
            page.get_by_role("button", name="CSV").click()
        assert download.value.suggested_filename == "made-up-csv.zip"
    page.context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_tiles_hold_what_they_say_once_all_is_answered(
    chromium: Browser, tmp_path: Path, width: int
) -> None:
    check = explained("check", model="A pun.").model_copy(
        update={"kind": "check", "gold": {"rating": 3}}
    )
    items = [*(explained(key, model="A pun.") for key in ("one", "two", "three")), check]
    alone = rated(people=1, settling=Settling(rule="independent"))
    with on_a_port(
        create_study(tmp_path / "study", a_study(alone, checks_every=2), items).opened
    ) as room:
        room.person("Ann").work(rating=3)
        for language in ("en", "zh"):
            lead = room.person(f"Lena {language}", "lead", language=language)
            context = chromium.new_context(viewport={"width": width, "height": 900})
            token = lead.browser.cookies[room.doors.cookie]
            context.add_cookies([{"name": room.doors.cookie, "value": token, "url": room.origin}])
            page = context.new_page()
            page.goto(f"{room.origin}/lead")
            tiles = page.locator(".tile")
            told = {"en": "all answered", "zh": "已全部答完"}[language]
            assert tiles.count() == 6 and told in tiles.last.inner_text()
            wide = "(tiles) => tiles.map((one) => one.scrollWidth - one.clientWidth)"
            assert tiles.evaluate_all(wide) == [0] * 6
            context.close()
