"""People who are shut out and let in again from the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError
from deadpan.cli import app as cli
from deadpan.studies.lead.operations import invite_people, revoke_people
from deadpan.studies.people.accounts import invited, sign_in, withdraw
from deadpan.studies.storage.opened import NotAllowed
from deadpan.studies.storage.tables import EventRow, PersonRow, ProgressRow, TaskRow
from tests.studies.study_room import Room, a_study, explained, left, rated, served


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    yield from left(served(tmp_path / "study", a_study(), [explained("k", titan="x")]))


def person(room: Room, name: str) -> PersonRow:
    with room.study.database.read() as session:
        return session.scalars(select(PersonRow).where(PersonRow.name == name)).one()


def test_an_unused_invitation_is_taken_back_and_given_again(room: Room) -> None:
    token = room.invited("Ann")
    assert revoke_people(room.study, ["Ann"]) == [
        "Ann is not invited any more; their answers are kept"
    ]
    with room.study.database.read() as session, pytest.raises(NotAllowed):
        invited(session, room.study, token)
    ((name, again),) = invite_people(room.study, ["Ann"], again=True)
    with room.study.database.read() as session:
        assert (name, invited(session, room.study, again).name) == ("Ann", "Ann")


def test_somebody_who_joined_is_out_at_once(room: Room) -> None:
    ann = room.person("Ann")
    task = ann.task()
    (told,) = revoke_people(room.study, ["Ann"], left_out=True)
    assert told == "Ann is shut out; their answers are left out"
    assert ann.get(f"/t/{task}").headers["location"] == "/login"
    assert person(room, "Ann").left_out
    with room.study.database.read() as session:
        (event,) = session.scalars(select(EventRow).where(EventRow.what == "revoked"))
    assert event.person is None and event.about == {"who": ann.number, "left_out": True}


def test_what_was_begun_is_theirs_again(room: Room) -> None:
    ann = room.person("Ann")
    task = str(ann.task())
    ann.answer(task, rating=3)
    revoke_people(room.study, ["Ann"])
    ((_, again),) = invite_people(room.study, ["Ann"], again=True)
    with room.study.database.write() as session:
        back = sign_in(session, room.study, invited(session, room.study, again))
    ann.browser.cookies.set(room.doors.cookie, back.token)
    ann.csrf = back.csrf
    assert ann.task() == task and " checked" in ann.get(f"/t/{task}").text
    ann.submit(task)
    assert ann.task() is None


def test_what_somebody_else_has_by_now_is_not(tmp_path: Path) -> None:
    stage, items = rated(people=1), [explained("k", titan="x")]
    for room in left(served(tmp_path / "study", a_study(stage), items)):
        ann = room.person("Ann")
        assert ann.task()
        revoke_people(room.study, ["Ann"])
        bo = room.person("Bo")
        assert bo.task()
        invite_people(room.study, ["Ann"], again=True)
        with room.study.database.read() as session:
            states = session.scalars(select(TaskRow.state).order_by(TaskRow.id)).all()
            assert states == ["released", "open"]
            assert session.scalar(select(ProgressRow.claims)) == 1


def test_nobody_is_shut_out_where_one_is_not_known(room: Room) -> None:
    room.invited("Anna Liese")
    with pytest.raises(DeadpanError, match=r"Anna Lise: nobody.*did you mean Anna Liese\?"):
        revoke_people(room.study, ["Anna Liese", "Anna Lise"])
    assert person(room, "Anna Liese").revoked_at is None


def test_again_is_for_who_is_known(room: Room) -> None:
    with pytest.raises(DeadpanError, match="nobody is invited under that name"):
        list(invite_people(room.study, ["Bo"], again=True))


def test_who_withdrew_is_neither_shut_out_nor_invited(room: Room) -> None:
    ann = room.person("Ann")
    with room.study.database.write() as session:
        withdraw(session, room.study, session.get_one(PersonRow, ann.number), False)
    with pytest.raises(NotAllowed, match="withdrew"):
        revoke_people(room.study, ["Ann"], left_out=True)
    with pytest.raises(NotAllowed, match="withdrew"):
        list(invite_people(room.study, ["Ann"], again=True))
    assert not person(room, "Ann").left_out


def test_who_has_joined_is_not_signed_out_by_mistake(room: Room) -> None:
    ann = room.person("Ann")
    with pytest.raises(DeadpanError, match="Ann: has joined already; --again"):
        list(invite_people(room.study, ["An\u200bn"]))
    assert ann.get("/mine").status_code == 200


def test_a_hidden_character_is_told_and_nobody_invited(room: Room) -> None:
    room.invited("Bo")
    for name, why in (("Ann\u200b", r"U\+200B"), ("BO", "looks like Bo"), ("Ｂｏ", "looks like")):
        with pytest.raises(NotAllowed, match=why):
            list(invite_people(room.study, [name]))


def test_the_command_says_what_became_of_each(room: Room) -> None:
    room.invited("Ann")
    room.person("Bo")
    done = CliRunner().invoke(
        cli, ["study", "revoke", str(room.study.folder), "Ann", "Bo", "--leave-out"]
    )
    assert done.exit_code == 0, done.output
    assert "Ann is not invited any more" in done.output and "Bo is shut out" in done.output
    assert person(room, "Ann").revoked_at is not None
