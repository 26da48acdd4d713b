"""What people see before their first task, and after their last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Consent
from deadpan.core.study.stages import Settling
from tests.studies.study_room import Room, a_study, left, quick_passwords, rated, served, words

GUIDED = {"en": "# Read twice", "zh": "# 读两遍"}
ALONE = Settling(rule="independent")
ITEMS = [StudyItem(key=key, parts=(words(f"Joke {key}."),)) for key in "ab"]
PASSWORD = {"password": "correct horse", "again": "correct horse", "language": "zh"}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    quick_passwords(monkeypatch)
    consent = Consent(text={"en": "Agree?", "zh": "同意吗？"})
    languages = {"languages": ("en", "zh"), "title": {"en": "A study", "zh": "研究"}}
    stage = rated(people=2, settling=ALONE, title={"en": "Rate", "zh": "评分"})
    study = a_study(stage, guidelines=GUIDED, consent=consent, **languages)
    yield from left(served(tmp_path / "study", study, ITEMS))


def test_the_guidelines_come_before_the_first_task_and_not_again(room: Room) -> None:
    browser = room.browser()
    came = browser.post(f"/join/{room.invited('Ann')}", data=PASSWORD)
    assert came.headers["location"] == "/", "consent comes first"
    (csrf,) = set(_hidden(browser.get("/consent").text))
    agreed = browser.post("/consent", data={"csrf": csrf, "agree": "yes"})
    assert agreed.headers["location"] == "/guidelines?first"
    page = browser.get(agreed.headers["location"]).text
    assert "读两遍" in page and '<a class="button primary" href="/work">开始</a>' in page
    assert "前往任务</a>" in browser.get("/guidelines").text
    assert browser.get("/work").headers["location"].startswith("/t/")
    again = browser.post("/consent", data={"csrf": csrf, "agree": "yes"})
    assert again.headers["location"] == "/"


def _hidden(page: str) -> list[str]:
    return [part.split('"')[0] for part in page.split('name="csrf" value="')[1:]]


def test_leads_and_studies_without_guidelines_open_at_once(room: Room, tmp_path: Path) -> None:
    joined = room.browser().post(f"/join/{room.invited('Lena', 'lead')}", data=PASSWORD)
    assert joined.headers["location"] == "/"
    for bare in left(served(tmp_path / "bare", a_study(), ITEMS)):
        joined = bare.browser().post(f"/join/{bare.invited('Ann')}", data=PASSWORD)
        assert joined.headers["location"] == "/"


THANKS, LATER = "Thank you", "Nothing to do right now"


@pytest.mark.parametrize(
    ("rule", "told"), [("independent", THANKS), ("equal", LATER)], ids=["nothing", "something"]
)
def test_who_is_done_before_others_is_thanked_where_nothing_can_come(
    rule: str, told: str, tmp_path: Path
) -> None:
    study = a_study(rated(people=2, settling={"rule": rule}))
    for room in left(served(tmp_path / "study", study, ITEMS)):
        ann, bob, cid = (room.person(name) for name in ("Ann", "Bob", "Cid"))
        assert len(ann.work(rating="3")) == len(ITEMS)
        assert told in ann.get("/work").text
        assert len(bob.work(rating="3")) == len(ITEMS)
        assert THANKS in bob.get("/work").text
        assert cid.task() is None and THANKS in cid.get("/work").text


def test_who_may_still_get_what_others_leave_is_told_to_wait(tmp_path: Path) -> None:
    study = a_study(rated(people=1, settling=ALONE), claim_hours=1)
    for room in left(served(tmp_path / "study", study, ITEMS)):
        ann, bob = room.person("Ann"), room.person("Bob")
        ann.get(f"/t/{ann.task()}")
        assert len(bob.work(rating="3")) == 1
        assert LATER in bob.get("/work").text
        room.clock.now += 2 * 3600
        assert bob.task() is not None


def test_who_may_get_a_later_stage_is_told_to_wait(tmp_path: Path) -> None:
    stages = (rated(people=2, settling=ALONE), rated(name="more", people=1, settling=ALONE))
    for room in left(served(tmp_path / "study", a_study(*stages), ITEMS)):
        ann = room.person("Ann")
        assert len(ann.work(rating="3")) == len(ITEMS)
        assert LATER in ann.get("/work").text
