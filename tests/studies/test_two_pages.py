"""One person with one task open in two pages: what is submitted is what the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from httpx import Response
from sqlalchemy import select

from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Settling
from deadpan.studies.making.creating import create_study
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import AnswerRow, TaskRow
from tests.chromium import launched_chromium
from tests.studies import browsing
from tests.studies.study_room import Person, Room, a_study, chosen, explained, left, rated, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_ALONE = rated(people=1, settling=Settling(rule="independent"))
_TOLD = "changed on another page of yours"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    items = [explained(key, model="A pun.") for key in ("one", "two")]
    yield from left(served(tmp_path / "study", a_study(_ALONE), items))


def _marks(page: Response) -> list[str]:
    """What a page, or a part of one, says that it shows."""
    return re.findall(
        r'<input type="hidden" id="shown-\w+" name="shown" value="([^"]*)"', page.text
    )


def _rates(person: Person, task: str, rating: int) -> Response:
    return person.post(f"/t/{task}/answer/rating", fragment=True, value=str(rating))


def _last(study: OpenStudy, question: str = "rating") -> object:
    with study.database.read() as session:
        rows = select(AnswerRow.value).where(AnswerRow.question == question)
        return session.scalars(rows.order_by(AnswerRow.id.desc()).limit(1)).one()


def _states(study: OpenStudy) -> list[str]:
    with study.database.read() as session:
        return list(session.scalars(select(TaskRow.state).order_by(TaskRow.id)))


@pytest.mark.parametrize(
    ("language", "told"), [("en", _TOLD), ("zh", "您在另一个页面中修改过回答")]
)
def test_a_page_does_not_submit_what_it_does_not_show(room: Room, language: str, told: str) -> None:
    ann = room.person("Ann", language=language)
    task = str(ann.task())
    _rates(ann, task, 1)
    shown = _marks(ann.get(f"/t/{task}"))
    _rates(ann, task, 5)
    found = ann.post(f"/t/{task}/submit", fragment=True, shown=shown)
    assert found.status_code == 422 and told in found.text and _states(room.study) == ["open"]
    assert re.search(r'value="5"[^>]* checked', found.text)
    fresh = _marks(found)
    assert fresh != shown
    assert told not in ann.post(f"/t/{task}/submit", fragment=True, shown=fresh).text
    assert _states(room.study)[0] == "submitted" and _last(room.study) == 5


def test_a_page_that_saved_another_answer_meanwhile_is_told_too(room: Room) -> None:
    ann = room.person("Ann")
    task = str(ann.task())
    rating, _ = _marks(ann.get(f"/t/{task}"))
    _rates(ann, task, 5)
    saved = ann.post(f"/t/{task}/answer/why", fragment=True, value="It is.")
    found = ann.post(f"/t/{task}/submit", fragment=True, shown=[rating, *_marks(saved)])
    assert found.status_code == 422 and _TOLD in found.text


def test_a_repeated_request_that_changes_nothing_any_more(room: Room) -> None:
    """An answer is kept, but not its reply; before it is sent again, another page changes it."""
    ann = room.person("Ann")
    task = str(ann.task())
    _, why = _marks(ann.get(f"/t/{task}"))
    once = {"value": "1", "key": "0123456789"}
    ann.post(f"/t/{task}/answer/rating", fragment=True, **once)
    _rates(ann, task, 5)
    again = ann.post(f"/t/{task}/answer/rating", fragment=True, **once)
    assert again.status_code == 200 and _last(room.study) == 5
    found = ann.post(f"/t/{task}/submit", fragment=True, shown=[*_marks(again), why])
    assert found.status_code == 422 and re.search(r'value="5"[^>]* checked', found.text)


def test_what_a_page_saved_itself_is_submitted(room: Room) -> None:
    ann = room.person("Ann")
    task = str(ann.task())
    _, why = _marks(ann.get(f"/t/{task}"))
    _rates(ann, task, 3)
    saved = _rates(ann, task, 4)
    fields = {"shown": [*_marks(saved), why]}
    for _ in range(2):  # the reply may not have come
        assert ann.post(f"/t/{task}/submit", **fields).status_code == 303
    assert _states(room.study) == ["submitted"] and _last(room.study) == 4


def test_a_draft_is_submitted_where_it_is_shown(tmp_path: Path) -> None:
    stage = rated(people=1, drafted=True, settling=Settling(rule="independent"))
    items = [explained("one", model="A pun.").model_copy(update={"draft": {"rating": 2}})]
    for room in left(served(tmp_path / "study", a_study(stage), items)):
        ann = room.person("Ann")
        task = str(ann.task())
        shown = _marks(ann.get(f"/t/{task}"))
        ann.post(f"/t/{task}/answer/rating", fragment=True)
        assert _TOLD in ann.post(f"/t/{task}/submit", shown=shown).text
        _rates(ann, task, 2)
        assert ann.post(f"/t/{task}/submit", shown=shown).status_code == 303


def test_the_same_choice_is_told_otherwise_of_every_task(tmp_path: Path) -> None:
    """Else who finds out once of which source an output is would know it of all."""
    items: list[StudyItem] = [explained(key, a="A.", b="B.", c="C.") for key in ("one", "two")]
    stage = chosen(people=1, settling=Settling(rule="independent"))
    (name,) = (one.name for one in stage.questions if one.chooses)
    for room in left(served(tmp_path / "study", a_study(stage), items)):
        ann, told = room.person("Ann"), []
        for _ in items:
            task = str(ann.task())
            for place in range(3):
                saved = ann.post(f"/t/{task}/answer/{name}", fragment=True, value=str(place))
                told += _marks(saved)
            ann.submit(task)
        assert len(set(told)) == 6


def test_nobody_disagrees_with_answers_that_the_page_does_not_show(tmp_path: Path) -> None:
    stage = rated(people=2, settling=Settling(rule="equal", otherwise=("discuss", "third")))
    items = [explained("one", model="A pun.")]
    for room in left(served(tmp_path / "study", a_study(stage), items)):
        ann, bo = room.person("Ann"), room.person("Bo")
        for person, rating in ((ann, 2), (bo, 6)):
            person.submit(str(person.task()), rating=rating)
        task = str(ann.task())
        shown = _marks(ann.get(f"/t/{task}"))
        _rates(ann, task, 3)
        for step in ("disagree", "submit"):
            found = ann.post(f"/t/{task}/{step}", fragment=True, shown=shown)
            assert found.status_code == 422 and _TOLD in found.text
        # What the other does is no change of one's own.
        shown = _marks(ann.get(f"/t/{task}"))
        bo.answer(str(bo.task()), rating=3)
        assert ann.post(f"/t/{task}/submit", shown=shown).status_code == 303


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        ("en", "you have submitted this already", "You have submitted this item"),
        ("zh", "您已提交此项", "您已提交此条目"),
    ],
)
def test_who_submitted_it_themselves_is_told_so(
    room: Room, language: str, said: str, told: str
) -> None:
    ann = room.person("Ann", language=language)
    task = str(ann.task())
    shown = _marks(ann.get(f"/t/{task}"))
    ann.submit(task, rating=4)
    late = _rates(ann, task, 5)
    assert (late.status_code, late.text) == (410, said)
    assert told in ann.get(f"/t/{task}").text
    found = ann.post(f"/t/{task}/submit", fragment=True, shown=shown)
    assert told in found.text and _TOLD not in found.text, "it cannot be submitted again"
    assert _last(room.study) == 4


def test_what_was_submitted_is_changed_only_where_that_is_seen(tmp_path: Path) -> None:
    """While the item is still open to others; an answer may come late, or from another window."""
    items = [explained("one", model="A pun.")]
    stage = rated(people=2, settling=Settling(rule="independent"))
    for room in left(served(tmp_path / "study", a_study(stage), items)):
        ann = room.person("Ann")
        task = str(ann.task())
        seen = dict(re.findall(r'name="(seen)" value="(\w+)"', ann.get(f"/t/{task}").text))
        assert seen == {"seen": "open"}
        ann.submit(task, rating=4)
        late = ann.post(f"/t/{task}/answer/rating", fragment=True, value="5", **seen)
        assert late.status_code == 410 and "submitted this already" in late.text
        assert ann.post(f"/t/{task}/undo", fragment=True, **seen).status_code == 410
        assert _states(room.study) == ["submitted"] and _last(room.study) == 4
        assert ann.post(f"/t/{task}/submit", **seen).status_code == 303, "the reply may be lost"
        seen = dict(re.findall(r'name="(seen)" value="(\w+)"', ann.get(f"/t/{task}").text))
        ann.post(f"/t/{task}/answer/rating", fragment=True, value="5", **seen)
        assert _states(room.study) == ["open"] and _last(room.study) == 5


def test_who_did_not_end_a_discussion_is_not_told_that_they_did(tmp_path: Path) -> None:
    stage = rated(people=2, settling=Settling(rule="equal", otherwise=("discuss",)))
    items = [explained("one", model="A pun.")]
    for room in left(served(tmp_path / "study", a_study(stage), items)):
        ann, bo = room.person("Ann"), room.person("Bo")
        for person, rating in ((ann, 2), (bo, 6)):
            person.submit(str(person.task()), rating=rating)
        hers, his = str(ann.task()), str(bo.task())
        ann.submit(hers, rating=6)
        assert "You have submitted this item" in ann.get(f"/t/{hers}").text
        assert "This item is decided" in bo.get(f"/t/{his}").text
        assert _rates(ann, hers, 5).status_code == 410 and _rates(bo, his, 5).status_code == 404


@pytest.fixture
def chromium() -> Iterator[Browser]:
    """For one test alone: other tests here run loops of their own."""
    with launched_chromium() as browser:
        yield browser


@pytest.mark.browser
def test_two_tabs(chromium: Browser, tmp_path: Path) -> None:
    items = [explained(key, model="A pun.") for key in ("one", "two")]
    study = create_study(tmp_path / "study", a_study(_ALONE), items).opened
    with browsing.served(study) as address:
        ann = browsing.Person.at(chromium, address, study, "Ann")
        ann.look()
        ann.answer({"rating": 1})
        task = ann.page.url
        other = browsing.Person(ann.page.context.new_page())
        other.page.goto(task)
        other.answer({"rating": 5})
        ann.answer({"why": "It is."})  # which says nothing of the rating
        ann.submit()
        assert _TOLD in ann.page.inner_text(".problem") and ann.page.url == task
        assert ann.page.is_checked("[data-question=rating] [value='5']")
        ann.answer({"rating": 3})
        ann.submit()
        ann.page.wait_for_function("task => location.href !== task", arg=task)
        assert _last(study) == 3 and _states(study)[0] == "submitted"
        other.page.locator("[data-question=rating] [value='2']").press("Space")
        other.page.wait_for_selector("#alarm >> text=you have submitted this item already")
        assert other.page.inner_text("#saved") == "This item is over" and _last(study) == 3
        # 422 and 410 are in the console; nothing else is.
        assert all("Failed to load resource" in one for one in ann.problems)
