"""What those see and do who talk an item over: it ends when both say so, and an open page tells
that it is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from deadpan.core.study.stages import Settling
from deadpan.studies.making.creating import create_study
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow, ProgressRow
from tests.chromium import launched_chromium
from tests.studies import browsing
from tests.studies.study_room import Person, Room, a_study, explained, left, rated, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_TALKED_OVER = rated(people=2, settling=Settling(rule="equal", otherwise=("discuss", "third")))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    yield from left(
        served(tmp_path / "study", a_study(_TALKED_OVER), [explained("one", model="A pun.")])
    )


def _apart(room: Room, differing: bool = False) -> tuple[Person, Person, str, str]:
    """Two who do not agree, and their discussion."""
    ann, bo = room.person("Ann"), room.person("Bo")
    for person, rating in ((ann, 2), (bo, 6)):
        person.submit(
            person.task() or "", rating=rating, why=f"It is a {rating}." if differing else "It is."
        )
    return ann, bo, ann.task() or "", bo.task() or ""


def _state(study: OpenStudy) -> str:
    with study.database.read() as session:
        return session.scalars(select(ProgressRow.state)).one()


def test_one_alone_does_not_end_a_discussion(room: Room) -> None:
    ann, bo, hers, his = _apart(room)
    ann.post(f"/t/{hers}/disagree", fragment=True)
    assert _state(room.study) == "discussing"
    assert ann.task() is None  # it is the other's turn
    assert "It was said that you cannot agree" in bo.get(f"/t/{his}").text
    assert "You have said that you cannot agree" in ann.get(f"/t/{hers}").text
    bo.answer(his, rating=5)
    bo.post(f"/t/{his}/disagree", fragment=True)
    assert _state(room.study) == "third"
    lead = room.person("Dana", "lead")
    assert "1 more person is needed for “Rate”" in lead.get("/lead").text
    room.person("Chen", "adjudicator")
    page = bo.get(f"/t/{his}").text
    assert "This item is decided" in page and 'id="submit"' not in page


def test_who_cannot_agree_may_agree_after_all(room: Room) -> None:
    ann, bo, hers, his = _apart(room)
    ann.post(f"/t/{hers}/disagree")
    ann.answer(hers, rating=6)
    assert "cannot agree." not in bo.get(f"/t/{his}").text
    ann.submit(hers)
    assert _state(room.study) == "settled"


def test_the_other_may_give_way_or_answer_anew(room: Room) -> None:
    ann, bo, hers, his = _apart(room)
    ann.post(f"/t/{hers}/disagree")
    bo.submit(his, rating=4)
    assert ann.task() == hers  # what was said was about another answer
    assert "cannot agree." not in ann.get(f"/t/{hers}").text
    ann.post(f"/t/{hers}/disagree")
    bo.submit(his, rating=2)
    assert _state(room.study) == "settled"


def test_a_discussion_ends_after_some_turns(room: Room) -> None:
    ann, bo, hers, his = _apart(room)
    for _ in range(3):
        assert _state(room.study) == "discussing"
        ann.post(f"/t/{hers}/disagree")
        bo.submit(his)
    assert _state(room.study) == "third"


def test_nobody_waits_for_somebody_who_is_gone(room: Room) -> None:
    ann, bo, hers, _ = _apart(room)
    with room.study.database.write() as session:
        session.get_one(PersonRow, bo.number).withdrew_at = room.study.now()
    ann.post(f"/t/{hers}/disagree")
    assert _state(room.study) == "third"


def test_only_what_is_compared_differs(tmp_path: Path) -> None:
    why = _TALKED_OVER.questions[1].model_copy(update={"compared": False})
    stage = _TALKED_OVER.model_copy(update={"questions": (_TALKED_OVER.questions[0], why)})
    items = [explained("one", model="A pun.")]
    for room in left(served(tmp_path / "study", a_study(stage), items)):
        ann, _, hers, _ = _apart(room, differing=True)
        page = ann.get(f"/t/{hers}").text
        assert page.count('class="mark"') == 1
        assert 'id="adopt-rating"' in page and 'id="adopt-why"' not in page


@pytest.fixture
def chromium() -> Iterator[Browser]:
    """For one test alone: other tests here run loops of their own."""
    with launched_chromium() as browser:
        yield browser


def _rate(page: Page, rating: int) -> None:
    page.locator(f"form[data-question=rating] input[value='{rating}']").check(force=True)


@pytest.mark.browser
def test_an_open_page_hears_of_the_other_and_of_the_end(chromium: Browser, tmp_path: Path) -> None:
    items = [explained("one", model="A pun.")]
    study = create_study(tmp_path / "study", a_study(_TALKED_OVER), items).opened
    with browsing.served(study) as address:
        ann, bo = (browsing.Person.at(chromium, address, study, name) for name in ("Ann", "Bo"))
        for person, rating in ((ann, 2), (bo, 6)):
            person.look()
            person.answer({"rating": rating, "why": "It is."})
            person.submit()
        for person in (ann, bo):
            person.look()
            person.page.on("dialog", lambda dialog: dialog.accept())
        bo.page.clock.install()
        bo.look()
        ann.page.fill("#say", "It is no pun.")
        ann.page.click(".say button")
        ann.page.wait_for_selector("#messages >> text=It is no pun.")
        _rate(ann.page, 3)
        ann.saved()
        bo.page.clock.run_for(8_500)
        bo.page.wait_for_selector("#messages >> text=It is no pun.")
        assert "3" in bo.page.inner_text("#compare tbody tr >> nth=0")
        ann.page.click("text=We cannot agree")
        ann.page.wait_for_selector("text=Nothing to do right now")
        bo.page.clock.run_for(8_500)
        bo.page.wait_for_selector("#messages >> text=It was said that you cannot agree")
        # Bo says so in another window; this one is over.
        other = bo.page.context.new_page()
        other.on("dialog", lambda dialog: dialog.accept())
        other.goto(bo.page.url)
        other.click("text=We cannot agree")
        other.wait_for_selector("text=Thank you")
        _rate(bo.page, 5)
        bo.page.wait_for_selector("#alarm >> text=this item is decided")
        assert bo.page.inner_text("#saved") == "This item is over"
        bo.page.click("#submit button")
        assert bo.page.evaluate("document.activeElement.getAttribute('href')") == "/work"
        bo.page.keyboard.press("Enter")
        bo.page.wait_for_selector("text=Thank you")
