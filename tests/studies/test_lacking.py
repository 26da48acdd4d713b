"""Items that lack people once answers are left out: open for others, and never called agreed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from deadpan.cli import app as cli
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Practice
from deadpan.core.study.stages import Settling, Stage
from deadpan.core.study.text_questions import Text
from deadpan.studies.lead.deciding import settle_by_lead
from deadpan.studies.lead.operations import invite_people, revoke_people, set_closed
from deadpan.studies.results.export_rows import gold_rows
from deadpan.studies.results.gathering import gather
from deadpan.studies.results.status import study_status
from deadpan.studies.storage.tables import BatchRow, PersonRow, ProgressRow, TaskRow
from tests.studies.study_room import Person, Room, a_study, explained, left, served, words

FUNNY = Single(name="funny", title={"en": "Funny?"}, options=["yes", "no"])
WHY = Text(name="why", title={"en": "Why?"}, compared=False)
Opened = Callable[..., Room]


def looked(name: str = "look", **more: Any) -> Stage:
    about = {"name": name, "title": {"en": name}, "people": 2, "questions": (FUNNY, WHY)}
    return Stage.model_validate({"settling": Settling(rule="equal"), **about, **more})


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    rooms: list[Room] = []

    def made(*stages: Stage, **more: Any) -> Room:
        study = a_study(*(stages or (looked(),)), **more)
        rooms.append(served(tmp_path / f"study{len(rooms)}", study, [explained("k", a="x")]))
        return rooms[-1]

    yield made
    for room in rooms:
        list(left(room))


def answered(room: Room, *people: tuple[str, str]) -> list[Person]:
    """People who come and answer an item, by name."""
    found = []
    for name, funny in people:
        found.append(room.person(name))
        found[-1].submit(str(found[-1].task()), funny=funny, why=f"{name} says so.")
    return found


def without(room: Room, *names: str) -> None:
    revoke_people(room.study, names, left_out=True)


def gold(room: Room) -> dict[str, tuple[object, object, object]]:
    """By question the value, how it came about, and the item's state."""
    rows = gold_rows(gather(room.study, names=True))
    return {str(row["question"]): (row["value"], row["by"], row["state"]) for row in rows}


def states(room: Room) -> dict[str, dict[str, int]]:
    return {name: dict(many) for name, many in study_status(room.study).stages.items()}


def who_counts(room: Room) -> set[str]:
    return {one.person for one in gather(room.study, names=True).independent}


def test_an_item_is_open_for_somebody_else(opened: Opened) -> None:
    room = opened()
    answered(room, ("Ann", "yes"), ("Bo", "yes"))
    assert gold(room)["funny"] == ("yes", "agreed", "settled")
    without(room, "Ann")
    assert gold(room) == {"": ("", "", "open")} and states(room) == {"look": {"open": 1}}
    assert study_status(room.study).lacking == 1
    assert [one.done for one in study_status(room.study).people] == [1, 1]
    (cy,) = answered(room, ("Cy", "yes"))
    assert gold(room)["funny"] == ("yes", "agreed", "settled") and who_counts(room) == {"Bo", "Cy"}
    assert study_status(room.study).lacking == 0 and cy.task() is None


def test_status_and_the_leads_page_say_how_many(opened: Opened) -> None:
    room = opened()
    answered(room, ("Ann", "yes"), ("Bo", "yes"))
    lead = room.person("Lea", "lead")
    told = "lack people because answers were left out: 1"
    assert told not in lead.get("/lead").text
    lead.post("/lead/revoke", person="1", answers="leave_out")
    page = lead.get("/lead").text
    assert told in page and "settled <b>" not in page
    assert "answers left out" in lead.get("/lead/item/1").text
    status = CliRunner().invoke(cli, ["study", "status", str(room.study.folder)])
    asked = ["study", "status", str(room.study.folder), "--json", "-"]
    document = json.JSONDecoder().raw_decode(CliRunner().invoke(cli, asked).stdout)[0]
    assert document["items"] and document["people"][0]["name"] == "Ann"
    assert told in status.output and "look: 1 open" in status.output


def practised(person: Person, funny: str) -> None:
    """Answers the one item of practice."""
    task = str(person.task())
    person.answer(task, funny=funny, why="So.")
    person.post(f"/t/{task}/submit")


def test_who_failed_practice_is_nobody_who_could_answer(tmp_path: Path) -> None:
    gold = {"funny": "yes"}
    tried = StudyItem(key="t", kind="practice", gold=gold, parts=(words("A try."),))
    study = a_study(looked(), practice=Practice(rounds=1))
    items = [tried, *(explained(key, a="x") for key in "klm")]
    room = served(tmp_path / "study", study, items)
    ann, bo, cy = (room.person(name) for name in ("Ann", "Bo", "Cy"))
    for person, funny in ((ann, "yes"), (bo, "yes"), (cy, "no")):
        practised(person, funny)
    assert len(bo.work(funny="yes", why="So.")) == 3 and cy.task() is None

    def told() -> str:
        status = CliRunner().invoke(cli, ["study", "status", str(room.study.folder)])
        return " ".join(status.output.replace(" reading en", "").split())

    assert "practice failed look" in told() and "invite" not in told()
    ann.submit(str(ann.task()), funny="yes", why="So.")
    without(room, "Ann")
    assert "invite 1 more rater: nobody is left for 3 items of look" in told()
    lead = room.person("Lea", "lead")
    assert "where items wait: 3." in lead.get("/lead").text
    practised(room.person("Di"), "yes")
    assert "invite" not in told()
    list(left(room))


def test_a_hidden_check_lacks_nobody(tmp_path: Path) -> None:
    check = StudyItem(key="c", kind="check", gold={"funny": "no"}, parts=(words("A joke."),))
    study = a_study(looked(people=1), checks_every=2)
    room = served(tmp_path / "study", study, [*(explained(key, a="x") for key in "kl"), check])
    ann = room.person("Ann")
    assert len(ann.work(funny="yes", why="So.")) == 3
    without(room, "Ann")
    assert study_status(room.study).lacking == 2
    list(left(room))


def test_who_is_invited_again_counts_again(opened: Opened) -> None:
    room = opened()
    answered(room, ("Ann", "yes"), ("Bo", "yes"))
    without(room, "Ann")
    list(invite_people(room.study, ["Ann"], again=True))
    assert gold(room)["funny"] == ("yes", "agreed", "settled")
    assert who_counts(room) == {"Ann", "Bo"} and study_status(room.study).lacking == 0
    without(room, "Ann")
    answered(room, ("Cy", "yes"))
    list(invite_people(room.study, ["Ann"], again=True))
    assert gold(room)["funny"] == ("yes", "agreed", "settled")
    assert who_counts(room) == {"Ann", "Bo", "Cy"}
    without(room, "Ann")
    assert gold(room)["funny"] == ("yes", "agreed", "settled")
    with room.study.database.read() as session:
        assert session.scalars(select(ProgressRow.claims)).one() == 2


def test_one_answer_more_that_differs_is_not_called_alike(opened: Opened) -> None:
    room = opened(looked(settling=Settling(rule="equal", otherwise=("discuss",))))
    answered(room, ("Ann", "no"), ("Bo", "yes"))
    assert states(room) == {"look": {"discussing": 1}}
    without(room, "Ann")
    assert states(room) == {"look": {"open": 1}}
    answered(room, ("Cy", "yes"))
    assert gold(room)["funny"] == ("yes", "agreed", "settled")
    list(invite_people(room.study, ["Ann"], again=True))
    assert gold(room)["funny"] == ("yes", "voted", "settled")


def test_those_who_are_left_talk_to_somebody_new(opened: Opened) -> None:
    room = opened(looked(settling=Settling(rule="equal", otherwise=("discuss",))))
    _, bo = answered(room, ("Ann", "no"), ("Bo", "yes"))
    without(room, "Ann")
    assert bo.task() is None
    answered(room, ("Cy", "no"))
    assert states(room) == {"look": {"discussing": 1}}
    bo.submit(str(bo.task()), funny="no")
    assert gold(room)["funny"] == ("no", "discussed", "settled")


def test_what_was_talked_over_stays_and_is_not_called_agreed(opened: Opened) -> None:
    room = opened(looked(settling=Settling(rule="equal", otherwise=("discuss",))))
    _, bo = answered(room, ("Ann", "no"), ("Bo", "yes"))
    bo.submit(str(bo.task()), funny="no")
    assert gold(room)["funny"] == ("no", "discussed", "settled")
    without(room, "Ann")
    found = gold(room)
    assert found["funny"] == ("no", "remaining", "settled")
    assert found["why"] == ("Bo says so.", "remaining", "settled")
    assert study_status(room.study).lacking == 1
    without(room, "Bo")
    assert gold(room) == {"": ("", "", "open")} and states(room) == {"look": {"open": 1}}


def test_what_the_next_stage_is_built_on_stays(opened: Opened) -> None:
    room = opened(looked("first"), looked("second", people=1, builds_on=("first",)))
    answered(room, ("Ann", "yes"), ("Bo", "yes"))
    room.person("Cy").work(funny="no", why="Late.")
    assert states(room)["second"] == {"settled": 1}
    without(room, "Ann")
    rows = gold_rows(gather(room.study, names=True))
    by = {(row["stage"], row["question"]): (row["value"], row["by"]) for row in rows}
    assert by["first", "funny"] == ("yes", "remaining")
    assert by["first", "why"] == ("Bo says so.", "remaining")
    assert states(room)["second"] == {"settled": 1} and study_status(room.study).lacking == 1


def test_a_next_stage_that_nobody_has_begun_is_taken_back(opened: Opened) -> None:
    room = opened(looked("first"), looked("second", people=1, role="adjudicator"))
    answered(room, ("Ann", "yes"), ("Bo", "yes"))
    assert states(room) == {"first": {"settled": 1}, "second": {"open": 1}}
    without(room, "Ann")
    assert states(room) == {"first": {"open": 1}, "second": {}}


def test_a_third_persons_word_stays(opened: Opened) -> None:
    room = opened(looked(settling=Settling(rule="equal", otherwise=("third",))))
    answered(room, ("Ann", "no"), ("Bo", "yes"))
    judge = room.person("Jo", "adjudicator")
    judge.work(funny="yes", why="Clearly.")
    assert gold(room)["funny"] == ("yes", "third", "settled")
    without(room, "Ann")
    assert gold(room)["funny"] == ("yes", "third", "settled")
    list(invite_people(room.study, ["Ann"], again=True))
    without(room, "Jo")
    assert states(room) == {"look": {"third": 1}}
    room.person("Kim", "adjudicator").work(funny="no", why="No.")
    assert gold(room)["funny"] == ("no", "third", "settled")


def test_what_the_lead_decided_stays(opened: Opened) -> None:
    room = opened()
    answered(room, ("Ann", "no"), ("Bo", "yes"))
    lead = room.person("Lea", "lead")
    with room.study.database.write() as session:
        task = session.scalars(select(TaskRow.id).where(TaskRow.person == 1)).one()
        who = session.get_one(PersonRow, lead.number)
        settle_by_lead(session, room.study, who, 1, "look", task)
    without(room, "Ann", "Bo")
    assert gold(room)["funny"] == ("no", "lead", "settled") and "why" not in gold(room)
    assert study_status(room.study).lacking == 0


def test_a_batch_waits_for_more(opened: Opened) -> None:
    room = opened(batches={"size": 1, "checked": 1})
    answered(room, ("Ann", "yes"), ("Bo", "yes"))

    def batch() -> str:
        with room.study.database.read() as session:
            return session.scalars(select(BatchRow.state)).one()

    assert batch() == "answered"
    without(room, "Ann")
    assert batch() == "open"
    answered(room, ("Cy", "yes"))
    assert batch() == "answered"


def test_in_a_closed_study_nothing_is_asked_until_it_opens(opened: Opened) -> None:
    room = opened()
    answered(room, ("Ann", "yes"), ("Bo", "yes"))
    set_closed(room.study, True)
    without(room, "Ann")
    assert gold(room)["funny"] == ("yes", "remaining", "settled")
    assert study_status(room.study).lacking == 1
    set_closed(room.study, False)
    assert states(room) == {"look": {"open": 1}}
    set_closed(room.study, True)
    without(room, "Bo")
    assert gold(room) == {"": ("", "", "open")}


def test_answers_that_stand_by_themselves_are_asked_of_others(opened: Opened) -> None:
    room = opened(looked(people=3, settling=Settling(rule="independent")))
    answered(room, ("Ann", "yes"), ("Bo", "yes"), ("Cy", "no"))
    assert states(room) == {"look": {"settled": 1}} and gold(room) == {}
    without(room, "Bo")
    assert states(room) == {"look": {"open": 1}} and gold(room) == {}
    answered(room, ("Di", "no"))
    assert states(room) == {"look": {"settled": 1}} and who_counts(room) == {"Ann", "Cy", "Di"}
