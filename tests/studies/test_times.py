"""How long people worked on a task: waiting for others does not count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Review, Settling, Stage
from deadpan.core.study.text_questions import Text
from deadpan.studies.lead.dashboard import dashboard
from deadpan.studies.lead.deciding import reopen
from deadpan.studies.lead.live_agreement import Agreement
from deadpan.studies.results.datasheet import datasheet
from deadpan.studies.results.export_rows import time_rows
from deadpan.studies.results.gathering import gather
from deadpan.studies.results.label_studio import label_studio_tasks
from deadpan.studies.results.status import study_status
from deadpan.studies.storage.tables import ItemRow, PersonRow, TaskRow
from deadpan.studies.work.transitions import return_batch
from tests.studies.study_room import Person, Room, a_study, explained, left, served, words

FUNNY = Single(name="funny", title={"en": "Funny?"}, options=["yes", "no"])


def looked(**more: Any) -> Stage:
    about = {"name": "look", "title": {"en": "Look"}, "people": 2, "questions": (FUNNY,), **more}
    return Stage.model_validate({"settling": Settling(rule="equal"), **about})


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Any]:
    rooms: list[Room] = []

    def made(*stages: Stage, **more: Any) -> Room:
        rooms.append(served(tmp_path / "study", a_study(*stages, **more), [explained("k", a="x")]))
        return rooms[-1]

    yield made
    for room in rooms:
        list(left(room))


def passed(room: Room, seconds: float) -> None:
    """Lets time go by."""
    room.clock.now += seconds


def does(person: Person, seconds: float, **values: Any) -> str:
    """Is shown what comes next, and submits it after some seconds."""
    task = person.task()
    assert task is not None
    person.get(f"/t/{task}")
    passed(person.room, seconds)
    person.submit(task, **values)
    return task


def times(room: Room) -> dict[tuple[str, str], float | None]:
    """By person and kind how long a task took."""
    return {(one.person, one.kind): one.seconds for one in gather(room.study, names=True).spent}


def test_a_returned_batch_adds_what_is_worked_anew(opened: Any) -> None:
    room = opened(looked(), batches={"size": 1, "checked": 1})
    ann, bo, lead = room.person("Ann"), room.person("Bo"), room.person("Lea", "lead")
    task = does(ann, 4, funny="yes")
    passed(room, 50)
    does(bo, 6, funny="yes")
    passed(room, 120)
    with room.study.database.write() as session:
        row = session.get_one(PersonRow, lead.number)
        return_batch(session, room.study, row, 1, "Look again.")
    passed(room, 200)
    assert does(ann, 3, funny="no") == task
    assert times(room) == {("Ann", "answer"): 7}
    passed(room, 200)
    does(bo, 0)
    assert times(room) == {("Ann", "answer"): 7, ("Bo", "answer"): 6}
    assert [one.seconds for one in study_status(room.study).people] == [7, 6, None]


def test_words_that_were_sent_back(opened: Any) -> None:
    why = Text(name="why", title={"en": "Why?"}, compared=False)
    review = Review(question="why", points=({"en": "clear"},), needed=1)
    room = opened(looked(questions=(FUNNY, why), review=review))
    ann, judge = room.person("Ann"), room.person("Jo", "adjudicator")
    does(ann, 10, funny="yes", why="So.")
    passed(room, 100)
    task = judge.task()
    judge.post(f"/t/{task}/review", decision="return", comment="Why so?")
    passed(room, 100)
    does(ann, 5, why="It is dry.")
    judge.post(f"/t/{judge.task()}/review", decision="accept", point="0")
    assert times(room)["Ann", "answer"] == 15


def test_a_change_of_ones_own_counts_from_when_it_is_looked_at(opened: Any) -> None:
    room = opened(looked())
    ann = room.person("Ann")
    task = does(ann, 10, funny="yes")
    passed(room, 150)
    ann.get(f"/t/{task}")
    assert times(room)["Ann", "answer"] == 10
    passed(room, 7)
    ann.answer(task, funny="no")
    passed(room, 2)
    ann.submit(task)
    assert times(room)["Ann", "answer"] == 19


def test_a_lead_gives_an_item_back(opened: Any) -> None:
    room = opened(looked(people=1))
    ann, lead = room.person("Ann"), room.person("Lea", "lead")
    does(ann, 10, funny="yes")
    passed(room, 250)
    with room.study.database.write() as session:
        reopen(session, room.study, session.get_one(PersonRow, lead.number), 1, "look", "Really?")
    passed(room, 250)
    task = does(ann, 4)
    assert times(room)["Ann", "answer"] == 14
    ann.post(f"/t/{task}/submit")
    assert times(room)["Ann", "answer"] == 14


def test_a_submission_from_a_page_of_before_adds_nothing(opened: Any) -> None:
    room = opened(looked(people=1))
    ann, lead = room.person("Ann"), room.person("Lea", "lead")
    task = does(ann, 10, funny="yes")
    with room.study.database.write() as session:
        reopen(session, room.study, session.get_one(PersonRow, lead.number), 1, "look", "Really?")
    passed(room, 250)
    ann.submit(task)
    assert times(room)["Ann", "answer"] == 10


def test_a_long_pause_is_no_work(opened: Any) -> None:
    room = opened(looked())
    does(room.person("Ann"), 7_200, funny="yes")
    assert times(room) == {("Ann", "answer"): 300}


def test_in_a_discussion_waiting_for_the_other_is_no_work(opened: Any) -> None:
    room = opened(looked(settling=Settling(rule="equal", otherwise=("discuss",))))
    ann, bo = room.person("Ann"), room.person("Bo")
    does(ann, 5, funny="yes")
    does(bo, 5, funny="no")
    passed(room, 140)
    task = ann.task()
    ann.get(f"/t/{task}")
    passed(room, 3)
    ann.post(f"/t/{task}/say", text="It is a pun.")
    passed(room, 1)
    ann.submit(str(task))  # and does not give way
    assert times(room)["Ann", "discuss"] == 4
    passed(room, 130)
    theirs = bo.task()
    bo.get(f"/t/{theirs}")
    passed(room, 6)
    bo.post(f"/t/{theirs}/say", text="Hm.")
    for _ in range(20):  # a page that is left open
        passed(room, 8)
        assert bo.browser.get(f"/t/{theirs}", headers={"HX-Request": "true"}).status_code == 200
    bo.submit(str(theirs))
    assert times(room)["Bo", "discuss"] == 66
    passed(room, 140)
    ann.get(f"/t/{task}")
    passed(room, 2)
    ann.submit(str(task), funny="no")
    found = times(room)
    assert (found["Ann", "discuss"], found["Bo", "discuss"]) == (6, 66)
    (task_of_both,) = label_studio_tasks(gather(room.study))
    assert [one["lead_time"] for one in task_of_both["annotations"]] == [5, 5]


def test_who_talked_until_the_other_gave_way_has_worked(opened: Any) -> None:
    room = opened(looked(settling=Settling(rule="equal", otherwise=("discuss",))))
    ann, bo = room.person("Ann"), room.person("Bo")
    does(ann, 5, funny="yes")
    does(bo, 5, funny="no")
    task = bo.task()
    bo.get(f"/t/{task}")
    passed(room, 9)
    bo.post(f"/t/{task}/say", text="It is not.")
    passed(room, 100)
    does(ann, 2, funny="no")
    assert times(room)["Bo", "discuss"] == 9 and times(room)["Ann", "discuss"] == 2


def test_a_discussion_that_others_ended_is_not_submitted_by_who_was_not_there(opened: Any) -> None:
    room = opened(looked(people=3, settling=Settling(rule="equal", otherwise=("discuss",))))
    ann, bo, cy = (room.person(name) for name in ("Ann", "Bo", "Cy"))
    does(ann, 5, funny="yes")
    does(bo, 5, funny="no")
    does(cy, 5, funny="no")
    bo.submit(str(bo.task()))  # stays with it
    does(ann, 2, funny="no")
    rows = time_rows(gather(room.study, names=True))
    states = {str(row["person"]): row["state"] for row in rows if row["kind"] == "discuss"}
    assert states == {"Ann": "submitted", "Bo": "submitted", "Cy": "ended"}
    assert {row["state"] for row in rows if row["kind"] == "answer"} == {"submitted"}


def test_medians_are_of_the_same_seconds_everywhere(tmp_path: Path) -> None:
    """First answers alone: neither hidden checks nor discussions, and left out or not."""
    stage = looked(settling=Settling(rule="equal", otherwise=("discuss",)))
    check = StudyItem(key="c", kind="check", gold={"funny": "no"}, parts=(words("A joke."),))
    items = [*(explained(key, a="x") for key in "klm"), check]
    room = served(tmp_path / "study", a_study(stage, checks_every=2), items)
    ann, bo, lead = room.person("Ann"), room.person("Bo"), room.person("Lea", "lead")
    takes = {"Ann": {"answer": 4, "check": 90, "discuss": 50}, "Bo": {"answer": 6, "check": 70}}
    with room.study.database.read() as session:
        kinds = {row.id: row.kind for row in session.scalars(select(ItemRow))}
    for person, funny in ((ann, "yes"), (bo, "no")):
        while (task := person.task()) is not None:
            row = _row(room, task)
            if row.kind == "discuss":  # Bo talks to Ann, who gives way
                does(ann, takes["Ann"]["discuss"], funny="no")
                continue
            kind = "check" if kinds[row.item] == "check" else "answer"
            does(person, takes[person.name][kind], funny=funny)
    found = {one.name: one.seconds for one in study_status(room.study).people}
    assert found == {"Ann": 4, "Bo": 6, "Lea": None}
    assert {kind for _, kind in times(room)} == {"answer", "check", "discuss"}

    def shown() -> dict[str, float | None]:
        export = gather(room.study, names=True)
        with room.study.database.read() as session:
            board = dashboard(session, room.study, Agreement.of(export))
        return {one.name: one.times.median if one.times else None for one in board.people}

    assert shown() == found
    page = datasheet(gather(room.study, names=True), ())
    assert "| 0 | 4 |" in page and "| 0 | 6 |" in page
    lead.post("/lead/revoke", person=str(ann.number), answers="leave_out")
    again = {one.name: one.seconds for one in study_status(room.study).people}
    assert again == found == shown()
    list(left(room))


def _row(room: Room, token: str) -> TaskRow:
    with room.study.database.read() as session:
        return session.scalars(select(TaskRow).where(TaskRow.token == token)).one()
