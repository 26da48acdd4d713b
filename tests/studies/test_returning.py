"""What a later stage sends back goes to those who answered the one before, and comes again."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.core.study.choices import Single
from deadpan.core.study.specification import Settling, Stage
from deadpan.core.study.writing import Text
from deadpan.studies.results.gathering import gather
from deadpan.studies.work.returning import MOST_RETURNS
from tests.studies.study_room import Person, Room, a_study, explained, left, quick_passwords, served


def _room(folder: Path) -> Room:
    first = Stage(
        name="first",
        title={"en": "First pass"},
        people=1,
        questions=(Text(name="why", title={"en": "Why?"}),),
        settling=Settling(rule="equal"),
    )
    verdict = Single(name="verdict", title={"en": "Right?"}, options=["accept", "return"])
    reason = Text(
        name="reason",
        title={"en": "What is wrong?"},
        when={"question": "verdict", "values": ["return"]},
    )
    second = Stage(
        name="second",
        title={"en": "Second pass"},
        people=1,
        role="adjudicator",
        builds_on=("first",),
        questions=(verdict, reason),
        settling=Settling(rule="objection", verdict="verdict", returns=("return",)),
    )
    return served(folder, a_study(first, second), [explained("joke", model="A pun.")])


def _first(person: Person, words: str) -> None:
    task = person.task()
    assert task is not None
    person.submit(task, why=words)


def _second(person: Person, **answers: str) -> None:
    task = person.task()
    assert task is not None
    person.submit(task, **answers)


def test_it_is_answered_anew_and_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_passwords(monkeypatch)
    room = _room(tmp_path / "study")
    ann, chen = room.person("Ann"), room.person("Chen", "adjudicator")
    _first(ann, "A joke.")
    _second(chen, verdict="return", reason="Which joke?")
    assert chen.task() is None
    task = ann.task()
    assert task is not None
    assert "Which joke?" in ann.get(f"/t/{task}").text
    ann.submit(task, why="A pun on wit.")
    again = chen.task()
    assert again is not None and "A pun on wit." in chen.get(f"/t/{again}").text
    chen.submit(again, verdict="accept")
    export = gather(room.study)
    assert [(one.stage, one.state) for one in export.settled] == [
        ("first", "settled"),
        ("second", "settled"),
    ]
    assert export.settled[0].result == {"why": "A pun on wit."}
    list(left(room))


def test_what_goes_back_and_forth_is_the_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_passwords(monkeypatch)
    room = _room(tmp_path / "study")
    ann, chen = room.person("Ann"), room.person("Chen", "adjudicator")
    for turn in range(MOST_RETURNS + 1):
        _first(ann, f"Joke {turn}.")
        _second(chen, verdict="return", reason=f"No {turn}.")
    assert ann.task() is None and chen.task() is None
    assert [one.state for one in gather(room.study).settled] == ["settled", "disputed"]
    list(left(room))
