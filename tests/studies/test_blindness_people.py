"""Nobody learns what another answered before they may, nor ever who it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, select

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Review, Settling
from deadpan.core.study.text_questions import Text
from deadpan.studies.storage.media import media_path
from deadpan.studies.storage.tables import ItemRow, MediaRow, ProgressRow, TaskRow
from tests.studies.study_room import (
    RATING,
    WHY,
    Person,
    Room,
    a_sound,
    a_study,
    chosen,
    explained,
    left,
    rated,
    served,
    words,
)

FUNNY = Single(name="funny", title={"en": "Funny?"}, options=("yes", "no"))
REASON = Text(name="why", title={"en": "Why?"}, compared=False)
NAMES = ("Ann Amber", "Bob Birch", "Cat Cedar")


def _jokes(count: int, **more: object) -> list[StudyItem]:
    return [
        StudyItem.model_validate(
            {"key": f"j{at}", "parts": (words(f"Joke {at}.", "joke"),), **more}
        )
        for at in range(count)
    ]


def _told(person: Person) -> str:
    return "\n".join(f"{one.headers} {one.text}" for one in person.received)


def _disagreeing(room: Room) -> tuple[Person, Person]:
    """Two people who differ about every item."""
    first, second = room.person(NAMES[0]), room.person(NAMES[1])
    first.work(funny="yes", why="WORDS-OF-ANN")
    while (task := second.task()) is not None:
        with room.study.database.read() as session:
            kind = session.scalars(select(TaskRow.kind).where(TaskRow.token == task)).one()
        if kind == "discuss":
            break
        second.submit(task, funny="no", why="WORDS-OF-BOB")
    return first, second


class TestDiscussion:
    @pytest.fixture
    def room(self, tmp_path: Path) -> Iterator[Room]:
        settling = Settling(rule="equal", otherwise=("discuss", "third"))
        stage = rated(questions=(FUNNY, REASON), people=2, settling=settling)
        yield from left(served(tmp_path / "study", a_study(stage), _jokes(2)))

    def test_shows_both_answers_only_once_both_are_given_and_no_name(self, room: Room) -> None:
        first = room.person(NAMES[0])
        task = str(first.task())
        second = room.person(NAMES[1])
        other = str(second.task())
        second.submit(other, funny="no", why="WORDS-OF-BOB")
        first.crawl(f"/t/{task}")
        assert "WORDS-OF-BOB" not in _told(first), "not before one's own answer is in"
        assert "Birch" not in _told(first)

    def test_names_nobody(self, room: Room) -> None:
        first, second = _disagreeing(room)
        for person in (first, second):
            talk = str(person.task())
            person.post(f"/t/{talk}/say", text=f"I am {len(person.name)} and sure.")
            person.crawl(f"/t/{talk}")
        assert "WORDS-OF-BOB" in _told(first) and "WORDS-OF-ANN" in _told(second)
        assert "Birch" not in _told(first) and "Amber" not in _told(second)
        lines = re.findall(r'class="speaker">(.*?) <time', second.received[-1].text or "")
        assert set(lines) <= {"You", "The other"}

    def test_a_third_person_sees_neither_where_the_study_says_so(self, room: Room) -> None:
        first, second = _disagreeing(room)
        third = room.person(NAMES[2], "adjudicator")
        for person in (first, second):
            if (talk := person.task()) is not None:
                person.post(f"/t/{talk}/disagree")
        task = third.task()
        assert task is not None
        third.crawl(f"/t/{task}")
        assert not re.search("WORDS-OF|Amber|Birch", _told(third))

    def test_what_is_said_reaches_nobody_else(self, room: Room) -> None:
        first, _second = _disagreeing(room)
        talk = str(first.task())
        first.post(f"/t/{talk}/say", text="SAID-IN-CONFIDENCE")
        outsider = room.person(NAMES[2])
        outsider.crawl(f"/t/{talk}", f"/media/{talk}/0")
        assert not re.search("WORDS-OF|SAID-IN", _told(outsider))


class TestThird:
    def test_chooses_among_two_without_learning_whose_choice_or_output(
        self, tmp_path: Path
    ) -> None:
        settling = Settling(rule="equal", otherwise=("third",), third_chooses_among_theirs=True)
        items = [explained("k", **{"titan": "One.", "zeta": "Two.", "quill": "Three."})]
        room = served(tmp_path / "study", a_study(chosen(people=2, settling=settling)), items)
        with room.study.database.read() as session:
            item = room.study.item(session, 1, "rate")
        for name, source in zip(NAMES, (0, 2), strict=False):
            person = room.person(name)
            shown = room.study.outputs_shown(person.number, 1, item)
            person.submit(str(person.task()), best=str(shown.index(source)))
        third = room.person(NAMES[2], "adjudicator")
        task = str(third.task())
        page = third.get(f"/t/{task}").text
        assert "One." in page and "Three." in page and "Two." not in page
        assert re.findall(r'name="value" value="(\d)"', page) == ["0", "1"]
        third.crawl(f"/t/{task}")
        assert not re.search("titan|zeta|quill|Amber|Birch", _told(third))


class TestReview:
    def test_tells_reviewers_no_writer_and_writers_no_reviewer(self, tmp_path: Path) -> None:
        review = Review(question="why", points=({"en": "Says why"}, {"en": "Quotes"}), needed=2)
        stage = rated(questions=(RATING, REASON), review=review, people=2)
        items = [explained("k", **{"titan": "One."})]
        room = served(tmp_path / "study", a_study(stage), items)
        writers = [room.person(one) for one in NAMES[:2]]
        for at, person in enumerate(writers):
            person.work(rating="4", why=f"Because {at}.")
        reviewer = room.person(NAMES[2], "adjudicator")
        for _ in writers:
            task = str(reviewer.task())
            reviewer.crawl(f"/t/{task}")
            reviewer.post(f"/t/{task}/review", point="0", comment="More.", decision="return")
        assert "Because" in _told(reviewer)
        assert not re.search("Amber|Birch|titan", _told(reviewer))
        for at, person in enumerate(writers):
            person.crawl(f"/t/{person.task()}")
            assert "More." in _told(person) and "Cedar" not in _told(person)
            assert f"Because {1 - at}." not in _told(person), "nor what the other wrote"


def _kind(room: Room, token: str) -> str:
    """Of which kind a task's item is."""
    with room.study.database.read() as session:
        query = select(ItemRow.kind).join(TaskRow, ItemRow.id == TaskRow.item)
        return session.scalars(query.where(TaskRow.token == token)).one()


class TestHiddenChecks:
    def test_stand_out_by_nothing(self, tmp_path: Path) -> None:
        checks = _jokes(1, key="c", kind="check", gold={"funny": "yes"})
        study = a_study(rated(questions=(FUNNY,), people=1), checks_every=2)
        room = served(tmp_path / "study", study, [*_jokes(6), *checks])
        person = room.person(NAMES[0])
        done = []
        while (task := person.task()) is not None:
            page = person.get(f"/t/{task}").text
            text = re.sub(r"Joke \d|>\d done|(?<=funny:)[0-9a-f]{24}|" + task, "", page)
            done.append((task, text))
            person.submit(task, funny="yes")
        assert len(done) == 7
        assert len({text for _, text in done}) == 1, "on the page"
        mine = person.get("/mine").text
        assert len(set(re.findall(r'href="/t/[^"]+">([^<]+)<', mine))) == 1, "in the list"
        with room.study.database.read() as session:
            query = select(TaskRow.token).join(ItemRow, ItemRow.id == TaskRow.item)
            (check,) = session.scalars(query.where(ItemRow.kind == "check"))
        answers = [person.post(f"/t/{one}/answer/funny", value="no") for one, _ in done]
        assert {one.status_code for one in answers} == {410}, "nor can it alone be changed"
        assert check in [one for one, _ in done]

    def test_are_gone_back_to_like_everything_else(self, tmp_path: Path) -> None:
        checks = _jokes(1, key="c", kind="check", gold={"funny": "yes"})
        study = a_study(rated(questions=(FUNNY,)), checks_every=2)
        room = served(tmp_path / "study", study, [*_jokes(4), *checks])
        person = room.person(NAMES[0])
        kinds = []
        while "check" not in kinds:
            assert len(kinds) < 3, "one in every two"
            task = str(person.task())
            room.clock.now += 10
            person.submit(task, funny="yes")
            kinds.append(_kind(room, task))
        back = person.post(f"/t/{person.task()}/undo", fragment=True)
        assert back.headers["HX-Push-Url"] == f"/t/{task}"

    def test_come_where_nobody_can_count_on_them(self, tmp_path: Path) -> None:
        checks = [
            one.model_copy(update={"key": f"c{at}"})
            for at, one in enumerate(_jokes(3, kind="check", gold={"funny": "yes"}))
        ]
        study = a_study(rated(questions=(FUNNY,)), checks_every=5)
        room = served(tmp_path / "study", study, [*_jokes(15), *checks])
        places = set()
        for at in range(6):
            kinds = [_kind(room, one) for one in room.person(f"P{at}").work(funny="yes")]
            found = [place for place, kind in enumerate(kinds) if kind == "check"]
            before = [place - number for number, place in enumerate(found)]
            assert [(many - 1) // 5 for many in before] == [0, 1, 2], "one in every five"
            places.add(tuple(found))
        assert len(places) > 2


class TestWhatIsNotOnesOwn:
    def test_looks_like_what_is_not_there(self, tmp_path: Path) -> None:
        sound = words("x", "joke")
        heard = {"name": "s", "kind": "sound", "path": str(a_sound(tmp_path / "s.wav"))}
        items = [StudyItem.model_validate({"key": "k", "parts": (sound, heard)})]
        room = served(tmp_path / "study", a_study(rated()), items)
        owner, snoop = room.person(NAMES[0]), room.person(NAMES[1])
        task, made_up = str(owner.task()), "A" * 24
        assert owner.get(f"/media/{task}/0").status_code == 200
        for path in ("/t/{}", "/media/{}/0", "/media/{}/9"):
            found = [snoop.get(path.format(one)) for one in (task, made_up)]
            bodies = [one.text.replace(task, made_up) for one in found]
            assert bodies[0] == bodies[1]
            assert [one.status_code for one in found] == [404, 404]
            assert len({str(sorted(one.headers.items())) for one in found}) == 1
        for step in (
            "answer/rating",
            "submit",
            "undo",
            "skip",
            "review",
            "say",
            "adopt",
            "disagree",
        ):
            for fragment in (False, True):
                found = [
                    snoop.post(f"/t/{one}/{step}", fragment, value="3", text="x", question="why")
                    for one in (task, made_up)
                ]
                assert found[0].text.replace(task, made_up) == found[1].text
                assert [one.status_code for one in found] == [404, 404]
        with room.study.database.read() as session:
            assert session.scalars(select(TaskRow.state)).all() == ["open"]
            assert session.scalars(select(ProgressRow.state)).all() == ["open"]

    def test_a_missing_file_does_not_tell_where_it_should_lie(self, tmp_path: Path) -> None:
        heard = {"name": "s", "kind": "sound", "path": str(a_sound(tmp_path / "s.wav"))}
        items = [StudyItem.model_validate({"key": "k", "parts": (heard,)})]
        room = served(tmp_path / "place-of-study", a_study(rated()), items)
        person = room.person(NAMES[0])
        task = person.task()
        with room.study.database.read() as session:
            (checksum,) = session.scalars(select(MediaRow.checksum))
        media_path(room.study.folder, checksum).unlink()
        found = person.get(f"/media/{task}/0")
        assert found.status_code == 404 and "place-of-study" not in found.text
        assert checksum not in found.text


class TestWork:
    def test_is_the_same_for_every_source(self, tmp_path: Path) -> None:
        """Not by the clock: by what the database is asked."""
        items = [
            explained(f"k{at}", **{one: "It is a pun."}) for at in range(4) for one in ("a", "b")
        ]
        room = served(tmp_path / "study", a_study(rated(questions=(RATING, WHY))), items)
        person = room.person(NAMES[0])
        asked: list[str] = []

        @event.listens_for(room.study.database.engine, "before_cursor_execute")
        def count(_c: object, _cursor: object, statement: str, *_: object) -> None:
            asked.append(statement)

        person.submit(str(person.task()), rating="3")
        seen = set()
        for _ in range(6):
            task = str(person.task())
            asked.clear()
            person.get(f"/t/{task}")
            person.answer(task, rating="3")
            seen.add(tuple(asked))
            person.submit(task)
        assert len(seen) == 1
