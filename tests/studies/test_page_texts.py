"""What people are told where they do not answer: links, consent, reviews, batches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import deadpan
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Batches, Consent, Practice
from deadpan.core.study.stages import Review, Settling
from tests.studies.study_room import Room, a_study, explained, left, rated, served, words

PACKAGE = Path(deadpan.__file__).parent
ABOUT = "Rate it, and justify the rating."


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    points = tuple({"en": f"Point {at}"} for at in range(4))
    stage = rated(
        people=1,
        about={"en": ABOUT},
        settling=Settling(rule="independent"),
        review=Review(question="why", points=points, needed=2),
    )
    study = a_study(
        stage,
        consent=Consent(text={"en": "We keep what you answer."}),
        practice=Practice(by_person=True),
        batches=Batches(size=1, checked=1),
    )
    practice = StudyItem(key="try", kind="practice", parts=(words("A try."),), gold={"rating": 3})
    yield from left(served(tmp_path / "study", study, [explained("one", model="A pun."), practice]))


def test_a_link_that_is_used_up_says_whom_to_ask(room: Room) -> None:
    page = room.browser().get("/join/nobody")
    told = "This invitation is not valid any more: ask the person who invited you for a new link."
    assert page.status_code == 404 and told in page.text


def test_reviewers_are_told_what_to_do_and_can_do_it(room: Room) -> None:
    ann, chen = room.person("Ann"), room.person("Chen", "adjudicator")
    ann.submit(ann.task() or "", rating=3, why="Dry.")
    practice = chen.task() or ""
    page = chen.get(f"/t/{practice}").text
    assert 'id="review"' in page and "Look at their answers" in page and ABOUT not in page
    assert "0 of 0" not in page
    chen.post(f"/t/{practice}/review", decision="accept")
    task = ann.task() or ""
    assert ABOUT in ann.get(f"/t/{task}").text
    ann.submit(task, rating=3, why="It is dry.")
    page = chen.get(f"/t/{chen.task()}").text
    assert "tick the points that they meet" in page and ABOUT not in page


@pytest.mark.parametrize("skipping", [True, False])
def test_consent_says_only_what_holds(tmp_path: Path, skipping: bool) -> None:
    study = a_study(consent=Consent(text={"en": "We keep all."}), skipping=skipping)
    for room in left(served(tmp_path / "study", study, [explained("one", model="A pun.")])):
        page = room.person("Ann", consented_at=None).get("/consent").text
        assert "withdraw at any time" in page and ("skip any item" in page) == skipping


def test_one_item_is_not_some_items(room: Room) -> None:
    page = room.person("Dana", "lead").get("/lead/batches").text
    assert "drawn at random: 1." in page and "1 random items" not in page


def test_those_who_take_part_are_addressed_politely_and_told_once_that_they_may_stop() -> None:
    folders = [*PACKAGE.glob("benchmarks/*/studies"), PACKAGE / "studies" / "making"]
    templates = [path for folder in folders for path in folder.glob("*.yaml")]
    said = [path.read_text("utf-8") for path in templates]
    said.append((PACKAGE / "studies" / "pages" / "wording.toml").read_text("utf-8"))
    assert len(said) > 15
    assert [one for one in said if "你" in one] == []
    assert [one for one in said[:-1] if re.search("随时退出|stop at any time", one)] == []


def test_who_withdraws_reads_the_last_page_in_their_language(room: Room) -> None:
    ann = room.person("Ann", language="zh")
    ann.browser.headers["Accept-Language"] = "en"
    page = ann.post("/withdraw").text
    assert "您已退出" in page and 'lang="zh-CN"' in page and "Ann" not in page
    assert "Log in" in ann.get("/login").text, "then it is the browser's"
