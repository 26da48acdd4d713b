"""Outputs on pages: only where a stage shows them, and in one order for who speaks of A and B."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.ranking_questions import Best
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.stages import Settling
from deadpan.studies.results.export_rows import choice_rows, rating_rows
from deadpan.studies.results.gathering import gather
from tests.studies.study_room import Person, Room, a_study, chosen, explained, left, rated, served

FUNNY = Single(name="funny", title={"en": "Funny?"}, options=("yes", "no"))
GOOD = Likert(name="good", title={"en": "How good?"}, highest=5)
SAID = {
    "model-w": "A pun on tides.",
    "model-x": "The moon is late.",
    "model-y": "Nobody waits.",
    "model-z": "Low water.",
}


def _items(sources: int = len(SAID)) -> list[StudyItem]:
    return [explained("j", **dict(list(SAID.items())[:sources]))]


class TestStages:
    @pytest.fixture
    def room(self, tmp_path: Path) -> Iterator[Room]:
        first = rated(name="first", questions=(FUNNY, GOOD), people=1, shows=("joke",))
        second = chosen(name="second", people=1, shows=("joke",))
        yield from left(served(tmp_path / "study", a_study(first, second), _items()))

    def test_outputs_stand_only_where_they_are_named_or_chosen_among(self, room: Room) -> None:
        ann = room.person("Ann")
        task = str(ann.task())
        assert not any(said in ann.get(f"/t/{task}").text for said in SAID.values())
        ann.submit(task, funny="yes", good="4")
        page = ann.get(f"/t/{ann.task()}").text
        assert "Which is best?" in page and all(said in page for said in SAID.values())

    def test_named_by_a_part_of_theirs_they_stand_there(self, tmp_path: Path) -> None:
        stage = rated(questions=(GOOD,), people=1, shows=("joke", "text"))
        room = served(tmp_path / "named", a_study(stage), _items())
        for room_ in left(room):
            ann = room_.person("Ann")
            assert all(said in ann.get(f"/t/{ann.task()}").text for said in SAID.values())

    def test_what_nobody_saw_is_not_rated(self, tmp_path: Path) -> None:
        stage = rated(questions=(GOOD,), people=1, shows=("joke",))
        study = a_study(stage, rated(name="rate2", questions=(GOOD,), people=1), produces="ratings")
        for room in left(served(tmp_path / "unseen", study, _items(sources=1))):
            ann = room.person("Ann")
            for good in ("1", "5"):
                ann.submit(str(ann.task()), good=good)
            rows = rating_rows(gather(room.study))
            assert [row.rating for row in rows] == [5]


class TestDiscussions:
    @pytest.fixture
    def room(self, tmp_path: Path) -> Iterator[Room]:
        settling = Settling(rule="equal", otherwise=("discuss", "third"))
        stage = chosen(people=3, settling=settling)
        study = a_study(stage, produces="choices")
        yield from left(served(tmp_path / "study", study, _items()))

    def _letters(self, person: Person) -> list[str]:
        """The outputs of a person's page, from A on."""
        page = person.get(f"/t/{person.task()}").text
        return sorted(SAID.values(), key=page.index)

    def _differ(self, room: Room) -> list[Person]:
        """Three people, two of whom say the same, in a discussion now."""
        people = [room.person(name) for name in ("Ann", "Bob", "Cai")]
        first, second, *_ = SAID.values()
        for person, best in zip(people, (first, first, second), strict=True):
            place = self._letters(person).index(best)
            person.submit(str(person.task()), best=str(place))
        return people

    def test_all_have_one_order_and_numbers_of_their_own(self, room: Room) -> None:
        ann, bob, cai = self._differ(room)
        assert self._letters(ann) == self._letters(bob) == self._letters(cai)
        bob.post(f"/t/{bob.task()}/say", text="A is better.")
        pages = {one.name: one.get(f"/t/{one.task()}").text for one in (ann, bob, cai)}
        assert all("Write to the others" in page for page in pages.values())
        assert all(f"You ({at})" in page for at, page in enumerate(pages.values(), 1))
        for name in ("Ann", "Cai"):
            assert re.search(r'class="speaker">Person 2 <', pages[name]), name
        assert re.search(r'class="speaker">You <', pages["Bob"])

    def test_one_of_the_others_answers_is_taken_over(self, room: Room) -> None:
        ann = self._differ(room)[0]
        task = str(ann.task())
        page = ann.get(f"/t/{task}").text
        assert 'id="adopt-best-3"' in page and 'id="adopt-best-2"' not in page
        assert ann.post(f"/t/{task}/adopt", question="best").status_code == 404
        assert ann.post(f"/t/{task}/adopt", question="best", whose="1").status_code == 404
        assert ann.post(f"/t/{task}/adopt", question="best", whose="3").status_code == 303
        assert 'id="adopt-best-2"' in ann.get(f"/t/{task}").text


class TestThirds:
    @pytest.fixture
    def room(self, tmp_path: Path) -> Iterator[Room]:
        settling = Settling(
            rule="equal", otherwise=("third",), third_chooses_among_theirs=True, third_sees=True
        )
        best = Best(name="best", kind="pairwise", title={"en": "Which is best?"}, tie=True)
        stage = rated(questions=(best,), people=2, settling=settling)
        study = a_study(stage, produces="choices")
        yield from left(served(tmp_path / "study", study, _items(sources=2)))

    def test_choose_among_all_where_one_saw_no_difference(self, room: Room) -> None:
        ann, bob, eve = room.person("Ann"), room.person("Bob"), room.person("Eve", "adjudicator")
        ann.submit(str(ann.task()), best="0")
        bob.submit(str(bob.task()), best="tie")
        page = eve.get(f"/t/{eve.task()}").text
        on_page = sorted(list(SAID.values())[:2], key=page.rindex)
        eve.submit(str(eve.task()), best="1")
        third = choice_rows(gather(room.study))[-1]
        assert [SAID[third.left], SAID[third.right]] == on_page
        assert third.chosen == third.right
