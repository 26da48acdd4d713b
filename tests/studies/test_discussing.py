"""Discussions: what is said once stands once, and nothing is said or taken when it is over."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.picture_questions import Upload
from deadpan.core.study.stages import Settling
from deadpan.studies.lead.operations import set_closed
from deadpan.studies.storage.tables import AnswerRow, MessageRow
from tests.studies.study_room import Person, Room, a_study, left, rated, served, words

FUNNY = Single(name="funny", title={"en": "Funny?"}, options=("yes", "no"))
EDITED = Upload(name="edited", title={"en": "A better picture"}, required=False)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    settling = Settling(rule="equal", otherwise=("discuss", "third"))
    stage = rated(questions=(FUNNY, EDITED), people=2, settling=settling)
    items = [StudyItem(key="j", parts=(words("A joke.", "joke"),))]
    yield from left(served(tmp_path / "study", a_study(stage), items))


@pytest.fixture
def talking(room: Room) -> tuple[Person, str, Person, str]:
    """Two people who differ, one of whom sent a picture, and their discussion."""
    ann, bob = room.person("Ann"), room.person("Bob")
    own, other = str(ann.task()), str(bob.task())
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), "#884422").save(stream, "PNG")
    sent = ann.browser.post(
        f"/t/{own}/upload/edited",
        data={"csrf": ann.csrf},
        files={"file": ("a.png", stream.getvalue(), "image/png")},
    )
    assert sent.status_code == 204
    ann.submit(own, funny="yes")
    bob.submit(other, funny="no")
    return ann, str(ann.task()), bob, str(bob.task())


def _said(room: Room) -> list[str]:
    with room.study.database.read() as session:
        return list(session.scalars(select(MessageRow.text).order_by(MessageRow.id)))


def test_the_same_request_is_said_once(
    room: Room, talking: tuple[Person, str, Person, str]
) -> None:
    ann, talk, bob, other = talking
    for _ in range(5):
        assert ann.post(f"/t/{talk}/say", text="It is a pun.").status_code == 303
    assert "at most 4,000 characters" in ann.post(f"/t/{talk}/say", text="a" * 4_001).text
    assert ann.post(f"/t/{talk}/say", text="Well?", key="key-000001").status_code == 303
    assert bob.post(f"/t/{other}/say", text="No.", key="key-000001").status_code == 303
    for _ in range(2):  # a request that comes again after others have spoken
        assert ann.post(f"/t/{talk}/say", text="Well?", key="key-000001").status_code == 303
    assert ann.post(f"/t/{talk}/say", text="Well?", key="key-000002").status_code == 303
    assert _said(room) == ["It is a pun.", "Well?", "No.", "Well?"]


def test_nothing_is_said_or_taken_over_once_the_study_is_closed(
    room: Room, talking: tuple[Person, str, Person, str]
) -> None:
    ann, talk, _, _ = talking
    set_closed(room.study, True)
    assert ann.post(f"/t/{talk}/say", text="Late.").status_code == 404
    assert ann.post(f"/t/{talk}/adopt", question="funny").status_code == 404
    set_closed(room.study, False)
    assert _said(room) == []
    with room.study.database.read() as session:
        assert "adopted" not in set(session.scalars(select(AnswerRow.origin)))
    assert ann.post(f"/t/{talk}/adopt", question="funny").status_code == 303


def test_nothing_is_said_once_the_discussion_is_over(
    room: Room, talking: tuple[Person, str, Person, str]
) -> None:
    ann, talk, bob, other = talking
    bob.post(f"/t/{other}/disagree")
    ann.post(f"/t/{talk}/disagree")
    for person, task in ((ann, talk), (bob, other)):
        assert person.post(f"/t/{task}/say", text="One more thing.").status_code == 404
    assert _said(room) == []


def test_another_s_picture_is_not_taken_over(
    room: Room, talking: tuple[Person, str, Person, str]
) -> None:
    _, _, bob, other = talking
    assert bob.post(f"/t/{other}/adopt", question="edited").status_code == 404
    assert bob.get(f"/t/{other}/upload/edited").status_code == 404


@pytest.mark.parametrize(("language", "who"), [("zh", "您："), ("en", "You: ")])
def test_narrow_pages_name_who_answered_with_the_colon_of_the_language(
    language: str, who: str, tmp_path: Path
) -> None:
    settling = Settling(rule="equal", otherwise=("discuss",))
    study = a_study(rated(questions=(FUNNY,), people=2, settling=settling), languages=("en", "zh"))
    items = [StudyItem(key="j", parts=(words("A joke.", "joke"),))]
    for own in left(served(tmp_path / "two", study, items)):
        ann, bob = own.person("Ann", language=language), own.person("Bob")
        first, second = str(ann.task()), str(bob.task())
        ann.submit(first, funny="yes")
        bob.submit(second, funny="no")
        assert f'data-who="{who}"' in ann.get(f"/t/{ann.task()}").text
