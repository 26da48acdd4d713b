"""Stages whose words are reviewed, beside hidden checks, third persons and later stages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Review, Settling, Stage
from deadpan.core.study.text_questions import Text
from deadpan.studies.lead.dashboard import Dashboards
from deadpan.studies.results.export_files import export_tables
from deadpan.studies.results.gathering import gather
from deadpan.studies.results.status import study_status
from tests.studies.study_room import Person, Room, a_study, left, served, words

LABELS = {"title": {"en": "Funny?"}, "options": ["yes", "no"]}
FUNNY = Single.model_validate({"name": "funny", **LABELS})
SURE = Single.model_validate({"name": "sure", **LABELS})
WHY = Text(name="why", title={"en": "Why?"}, compared=False)


def _study(third_sees: bool) -> Study:
    first = Stage(
        name="first",
        title={"en": "First look"},
        questions=(FUNNY, WHY),
        review=Review(question="why", points=({"en": "clear"},), needed=1),
        settling=Settling(rule="equal", otherwise=("third",), third_sees=third_sees),
    )
    second = Stage(name="second", title={"en": "Second look"}, people=1, questions=(SURE,))
    return a_study(first, second, checks_every=2)


def _items() -> list[StudyItem]:
    checks = [
        StudyItem(key=f"check-{at}", kind="check", gold={"funny": "no"}, parts=(words("No."),))
        for at in range(2)
    ]
    mains = [StudyItem(key=f"item-{at}", parts=(words(f"Joke {at}."),)) for at in range(4)]
    return [*checks, *mains]


@pytest.fixture(params=[True, False], ids=["third sees", "third does not see"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    yield from left(served(tmp_path / "study", _study(request.param), _items()))


def _accept_all(reviewer: Person) -> None:
    while (task := reviewer.task()) and "review" in reviewer.get(f"/t/{task}").text:
        found = reviewer.post(f"/t/{task}/review", point="0", decision="accept")
        if found.status_code != 303:
            return


def test_checks_count_at_once_and_the_rest_is_said_to_wait(room: Room) -> None:
    ann, bo = room.person("Ann"), room.person("Bo")
    ann.work(funny="yes", why="because")
    bo.work(funny="yes", why="because")
    export = gather(room.study)
    assert {(one.item, one.right) for one in export.checks} == {
        ("check-0", False),
        ("check-1", False),
    }
    assert export.waiting == 8
    assert study_status(room.study).waiting == 8
    assert Dashboards(room.study).now().to_review == 8
    page = room.person("Dana", "lead").get("/lead").text
    assert "wait for a reviewer: 8" in page and "No item has two answers yet." not in page


def test_a_reviewer_is_the_third_only_where_a_third_sees_all(room: Room) -> None:
    ann, bo, chen = room.person("Ann"), room.person("Bo"), room.person("Chen", "adjudicator")
    ann.work(funny="yes", why="because")
    bo.work(funny="no", why="because")
    _accept_all(chen)
    board = Dashboards(room.study).now()
    third_sees = room.study.study.stages[0].settling.third_sees
    task = chen.task()
    if third_sees:
        assert task is not None and not board.lacks
        assert chen.post(f"/t/{task}/answer/funny", value="yes").status_code < 400
    else:
        assert task is None and [one.role for one in board.lacks] == ["adjudicator"]


def test_checks_come_among_items_of_their_own_stage(room: Room) -> None:
    ann, bo, chen = room.person("Ann"), room.person("Bo"), room.person("Chen", "adjudicator")
    ann.work(funny="yes", why="because")
    bo.work(funny="yes", why="because")
    _accept_all(chen)
    late = room.person("Late")
    seen = []
    while (task := late.task()) is not None:
        seen.append("Second look" in late.get(f"/t/{task}").text)
        late.submit(task, sure="yes")
    assert seen == [True] * 4


def test_what_reviewers_said_is_exported(room: Room) -> None:
    ann, chen = room.person("Ann"), room.person("Chen", "adjudicator")
    ann.work(funny="yes", why="because")
    task = chen.task()
    chen.post(f"/t/{task}/review", comment="Say <why>.", decision="return")
    _accept_all(chen)
    rows = export_tables(gather(room.study))["reviews"]
    assert len(rows) == 4 and {one["kind"] for one in rows} == {"answer"}
    first = rows[0]
    assert (first["person"], first["reviewer"]) == ("rater-1", "adjudicator-1")
    assert (first["points"], first["accepted"], first["comment"]) == ("", False, "Say <why>.")
    assert {(one["points"], one["accepted"]) for one in rows[1:]} == {("1", True)}
