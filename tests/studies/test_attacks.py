"""What somebody with a browser, or without one, tries on a study: nothing of it works."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from deadpan.core.study.choice_questions import Multiple, Single
from deadpan.core.study.picture_questions import Boxes
from deadpan.core.study.ranking_questions import Order
from deadpan.core.study.stages import Review
from deadpan.core.study.text_questions import Span, Transcription, shared_bigrams
from deadpan.studies.pages import task_routes
from deadpan.studies.pages.prose import prose
from deadpan.studies.storage.tables import (
    AnswerRow,
    EventRow,
    PersonRow,
    ReviewRow,
    SessionRow,
    TaskRow,
)
from tests.studies.study_room import (
    ORIGIN,
    RATING,
    WHY,
    Person,
    Room,
    a_study,
    explained,
    left,
    quick_passwords,
    rated,
    served,
)

TITLE = {"en": "?"}
KINDS = (
    RATING,
    WHY,
    Single(name="single", title=TITLE, options=("a", "b"), required=False),
    Multiple(name="multiple", title=TITLE, options=("a", "b"), required=False),
    Span(name="span", title=TITLE, of=("joke",), required=False),
    Boxes(name="boxes", title=TITLE, of="joke", required=False),
    Order(name="order", title=TITLE, options=("a", "b"), required=False),
    Transcription(name="transcription", title=TITLE, required=False),
)
WITHOUT_SESSION = ("/login", "/join/{token}", "/start", "/language")
"""The forms of those who are not signed in: the page that they come from is all there is to ask."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_passwords(monkeypatch)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    items = [explained(f"k{at}", titan="It is a pun.") for at in range(3)]
    study = a_study(rated(questions=KINDS), guidelines={"en": "Be kind."})
    yield from left(served(tmp_path / "study", study, items))


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Person:
    """Somebody in a study whose state does not matter."""
    items = [explained("k", titan="It is a pun.")]
    folder = tmp_path_factory.mktemp("standing") / "study"
    return served(folder, a_study(rated(questions=KINDS)), items).person("Ann")


def _routes(app: FastAPI, method: str) -> list[str]:
    """The addresses that take a method, later ones too."""
    found = [one for one in app.routes if method in (getattr(one, "methods", None) or ())]
    return [str(getattr(one, "path", "")) for one in found]


def _filled(path: str, task: str) -> str:
    known = {"token": task, "question": "rating", "number": "0"}
    return re.sub(r"\{(\w+)[^}]*\}", lambda found: known.get(found[1], "1"), path)


def _state(room: Room) -> list[Sequence[Any]]:
    """Everything that a request could change, but for counted attempts."""
    with room.study.database.read() as session:
        tables = (AnswerRow, TaskRow, PersonRow, SessionRow, EventRow, ReviewRow)
        return [session.execute(select(one.__table__)).all() for one in tables]


class TestForgedRequests:
    ELSEWHERE = (
        {"Origin": ""},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": f"{ORIGIN}.evil.example"},
        {"Origin": ORIGIN.replace("http", "https")},
        {"Origin": ORIGIN.replace("8701", "8702")},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    )

    def test_from_another_page_change_nothing_whatever_they_ask(self, room: Room) -> None:
        victim = room.person("Ann")
        task = str(victim.task())
        before, asked = _state(room), _routes(room.app, "POST")
        assert len(asked) > 12, "every form of the app"
        for path in asked:
            for headers in self.ELSEWHERE:
                found = victim.browser.post(
                    _filled(path, task), data={"csrf": victim.csrf, "value": "3"}, headers=headers
                )
                assert found.status_code == 403, (path, headers)
        bare = room.browser()
        del bare.headers["origin"]
        bare.cookies = victim.browser.cookies
        assert bare.post(f"/t/{task}/submit", data={"csrf": victim.csrf}).status_code == 403
        assert _state(room) == before

    def test_with_the_secret_of_another_session_change_nothing(self, room: Room) -> None:
        victim, thief = room.person("Ann"), room.person("Bob")
        task = str(victim.task())
        before = _state(room)
        for path in _routes(room.app, "POST"):
            if path in WITHOUT_SESSION:
                continue
            for given in (thief.csrf, "", victim.csrf[:-1], "é"):
                fields = {"csrf": given, "value": "3", "agree": "yes"}
                found = victim.browser.post(_filled(path, task), data=fields)
                assert found.status_code in (400, 404), path
        assert _state(room) == before

    @pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
    def test_by_other_methods_are_refused(self, person: Person, method: str) -> None:
        for headers in ({}, {"Origin": "http://evil.example"}):
            found = person.browser.request(method, "/work", headers=headers)
            assert found.status_code in (403, 405)


class TestReplayedRequests:
    def test_an_answer_counts_once_and_an_old_one_does_not_come_back(self, room: Room) -> None:
        person = room.person("Ann")
        task = person.task()
        for value, key in (
            ("3", "key-one-1"),
            ("3", "key-one-1"),
            ("5", "key-two-2"),
            ("3", "key-one-1"),
        ):
            found = person.post(f"/t/{task}/answer/rating", True, value=value, key=key)
            assert found.status_code == 200
        with room.study.database.read() as session:
            assert session.scalars(select(AnswerRow.value).order_by(AnswerRow.id)).all() == [3, 5]

    def test_a_key_of_the_studys_own_is_not_taken(self, room: Room) -> None:
        person = room.person("Ann")
        task = person.task()
        person.post(f"/t/{task}/answer/rating", True, value="3", key="draft:why")
        with room.study.database.read() as session:
            assert session.scalars(select(AnswerRow.key)).one() != "draft:why"

    def test_a_submission_again_is_the_same_one(self, room: Room) -> None:
        person = room.person("Ann")
        task = str(person.task())
        person.submit(task, rating="3")
        room.clock.now += 60
        before = _state(room)[1][0]
        assert person.post(f"/t/{task}/submit").status_code == 303
        assert _state(room)[1][0] == before

    def test_after_logging_out_nothing_is_heard(self, room: Room) -> None:
        person = room.person("Ann")
        task = person.task()
        cookie = person.browser.cookies[room.doors.cookie]
        assert person.post("/logout").headers["location"] == "/login"
        person.browser.cookies.set(room.doors.cookie, cookie)
        before = _state(room)
        for step in ("answer/rating", "submit", "undo"):
            found = person.post(f"/t/{task}/{step}", value="3")
            assert (found.status_code, found.headers["location"]) == (303, "/login")
        assert person.get(f"/t/{task}").headers["location"] == "/login"
        assert person.get(f"/media/{task}/0").headers["location"] == "/login"
        assert _state(room) == before


class TestRoles:
    def test_pages_and_forms_of_leads_are_not_there_for_others(self, room: Room) -> None:
        """Those that come later are looked at, too."""
        people = [room.person("Ann"), room.person("Cat", "adjudicator")]
        before = _state(room)
        for method in ("GET", "POST"):
            for path in _routes(room.app, method):
                if not path.startswith("/lead"):
                    continue
                for person in people:
                    where = _filled(path, "x")
                    found = person.get(where) if method == "GET" else person.post(where)
                    assert found.status_code == 404, (method, path)
        for person in people:
            assert person.get("/lead").status_code == 404
            assert person.post("/lead/people", name="Eve", role="lead").status_code in (404, 405)
        assert _state(room) == before

    def test_no_form_takes_a_role_or_a_person(self, room: Room) -> None:
        person = room.person("Ann")
        task = str(person.task())
        more = {"role": "lead", "person": "2", "origin": "adopted", "state": "accepted", "at": "0"}
        for path in ("/consent", "/language", f"/t/{task}/answer/rating", f"/t/{task}/submit"):
            person.post(path, value="3", agree="yes", language="zh", **more)
        with room.study.database.read() as session:
            (row,) = session.scalars(select(PersonRow))
            (answer,) = session.scalars(select(AnswerRow))
            assert (row.role, row.name, answer.origin) == ("rater", "Ann", "person")
            assert session.get_one(TaskRow, 1).state == "submitted"

    def test_joining_takes_none_either(self, room: Room) -> None:
        token = room.invited("Eve")
        secret = {"password": "long enough words", "again": "long enough words"}
        found = room.browser().post(f"/join/{token}", data={**secret, "role": "lead", "team": "9"})
        assert found.status_code == 303
        with room.study.database.read() as session:
            assert session.scalars(select(PersonRow.role)).one() == "rater"

    def test_raters_do_not_review_themselves_nor_end_a_review_by_other_ways(
        self, tmp_path: Path
    ) -> None:
        review = Review(question="why", points=({"en": "Says why"},), needed=1)
        stage = rated(people=1, review=review, questions=(RATING, WHY))
        room = served(tmp_path / "reviewed", a_study(stage), [explained("k", titan="x")])
        writer, reviewer = room.person("Ann"), room.person("Cat", "adjudicator")
        task = str(writer.task())
        writer.submit(task, rating="3", why="So.")
        looked = str(reviewer.task())
        before = _state(room)
        for person, where in ((writer, task), (writer, looked)):
            found = person.post(f"/t/{where}/review", point="0", decision="accept")
            assert found.status_code == 404
        for step in ("submit", "say", "adopt", "disagree", "skip", "answer/why"):
            assert reviewer.post(f"/t/{looked}/{step}", value="x", text="x").status_code == 404
        assert _state(room) == before
        reviewer.post(f"/t/{looked}/review", point=["0", "1" * 5_000, "-1", "٣"], decision="return")
        with room.study.database.read() as session:
            assert session.scalars(select(ReviewRow.points)).all() == [[0]]


SQL = (
    "'; DROP TABLE answers; --",
    "1 OR 1=1",
    '" UNION SELECT password FROM people --',
    "%' OR name LIKE '%",
    "\\'; SELECT pg_sleep(9); --",
)


class TestFields:
    @pytest.mark.parametrize("text", SQL)
    def test_sql_is_text(self, room: Room, text: str) -> None:
        person = room.person(text)
        task = str(person.task())
        person.answer(task, why=text)
        assert person.post(f"/t/{task}/answer/{text}", value="x").status_code == 404
        assert person.get(f"/t/{text}").status_code == 404
        assert person.post(f"/t/{task}/answer/rating", value=text).status_code == 422
        person.post(f"/t/{task}/skip", reason=text)
        found = room.browser().post("/login", data={"name": text, "password": text})
        assert found.status_code == 403
        assert room.browser().get(f"/join/{text}").status_code == 404
        with room.study.database.read() as session:
            assert session.scalars(select(AnswerRow.value)).one() == text
            assert session.scalar(select(func.count()).select_from(PersonRow)) == 1

    def test_characters_that_hide_or_command_are_not_kept(self, room: Room) -> None:
        person = room.person("Ann")
        task = str(person.task())
        person.answer(task, why="a\x00b\x1b[31m\u202ec\u2066d\x85 e\r\nf")
        halves = person.browser.post(
            f"/t/{task}/answer/transcription",
            data={"csrf": person.csrf, "value": '{"1": "x\\ud800y"}'},
        )
        assert halves.status_code == 204
        with room.study.database.read() as session:
            kept = session.scalars(select(AnswerRow.value).order_by(AnswerRow.id)).all()
        assert kept == ["ab[31mcd e\nf", {"1": "xy"}]

    def test_long_answers_in_any_script_are_kept_and_longer_ones_told(self, room: Room) -> None:
        person = room.person("Ann")
        task = str(person.task())
        for text in ("笑" * 20_000, "👩‍💻" * 6_666, "مرحبا " * 3_333):
            person.answer(task, why=text)
            with room.study.database.read() as session:
                last = select(AnswerRow.value).order_by(AnswerRow.id.desc())
                assert session.scalars(last.limit(1)).one() == text.strip()
        found = person.post(f"/t/{task}/answer/why", True, value="x" * 20_001)
        assert found.status_code == 422 and "20,001" in found.text

    @pytest.mark.parametrize(
        "value",
        [
            "[" * 900 + "]" * 900,
            "[" * 40_000,
            '{"1":' * 500 + "1" + "}" * 500,
            json.dumps([{"x1": 10**400, "y1": 0, "x2": 1, "y2": 1}]),
            '[{"x1": NaN, "y1": 0, "x2": 1, "y2": 1}]',
            '[{"x1": 1e999, "y1": 0, "x2": 1, "y2": 1}]',
            json.dumps({"text": "joke", "part": "joke", "start": -9, "end": -5}),
            json.dumps({"text": "T", "part": "joke", "start": False, "end": True}),
            json.dumps({"text": "x", "part": ["joke"], "start": {}, "end": []}),
            json.dumps({"__proto__": {"x": 1}, "constructor": "x"}),
            "9" * 5_000,
            "1e400",
            "null",
            "true",
            '"\\ud800"',
        ],
        ids=str,
    )
    def test_what_is_no_answer_is_refused_and_breaks_nothing(
        self, person: Person, value: str
    ) -> None:
        task = person.task()
        for question in KINDS:
            if question.name == "why":
                continue
            found = person.post(f"/t/{task}/answer/{question.name}", True, value=value)
            assert found.status_code in (200, 422), (question.name, found.text)
        assert person.get(f"/t/{task}").status_code == 200
        with person.room.study.database.read() as session:
            kept = [str(one) for one in session.scalars(select(AnswerRow.value)) if one is not None]
        assert all(len(one) < 300 for one in kept)


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        [
            "../study.db",
            "%2e%2e/study.db",
            "%2e%2e%2fstudy.db",
            "..%5cstudy.db",
            "....//study.db",
            "study.css%00.png",
            "%00",
            "%c0%ae%c0%ae/study.db",
            "%ef%bc%8e%ef%bc%8e/study.db",
            "%ed%a0%80",
            "/etc/passwd",
            "C:%5cwindows",
            "study.css/",
            "STUDY.CSS",
            "a" * 3_000,
        ],
    )
    def test_lead_nowhere(self, person: Person, path: str) -> None:
        task = person.task()
        places = ("/assets/", "/media/", f"/media/{task}/", "/t/", f"/t/{task}/")
        for place in places:
            found = person.get(place + path)
            assert found.status_code == 404, place
            assert b"SQLite format" not in found.content and b"root:" not in found.content
        for number in ("-1", "99", "0x0", "1e1", "٣", "9" * 500, "0%00"):
            assert person.get(f"/media/{task}/{number}").status_code == 404

    @pytest.mark.parametrize(
        "back",
        [
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example/",
            "https:evil.example",
            "javascript:alert(1)",
            " //evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            "///evil.example",
            "/..//evil.example",
            "/x\r\nSet-Cookie: a=b",
            "/x\u2028y",
            "/中文\x00",
        ],
    )
    def test_nobody_is_sent_elsewhere(self, person: Person, back: str) -> None:
        for fragment in (False, True):
            found = person.post("/language", fragment, language="en", back=back)
            where = found.headers.get("location") or found.headers["hx-redirect"]
            assert re.fullmatch(r"/(?![/\\])[ -~]*", where), where
            assert "a" not in found.cookies


class TestHosts:
    @pytest.mark.parametrize(
        "host",
        [
            "evil.example",
            "",
            "localhost",
            "localhost:80",
            "localhost:8701.evil.example",
            "localhost:8701@evil.example",
            "evil.example:8701",
            "127.0.0.1:8701",
            "localhost:8701, evil.example",
        ],
    )
    def test_that_are_not_served_are_refused(self, person: Person, host: str) -> None:
        found = person.get("/work", Host=host)
        assert found.status_code == 421 and "location" not in found.headers

    def test_what_a_client_says_of_other_hosts_is_not_believed(self, person: Person) -> None:
        told = {
            "X-Forwarded-Host": "evil.example",
            "X-Forwarded-Proto": "https",
            "Forwarded": "host=e",
        }
        found = person.get("/work", **told)
        assert found.headers["location"].startswith("/t/")
        assert "evil.example" not in person.get("/mine", **told).text


class TestSizesAndTypes:
    def test_large_forms_and_many_fields_are_refused(self, room: Room) -> None:
        person = room.person("Ann")
        task = person.task()
        before = _state(room)
        many = "&".join(f"value={at}" for at in range(10_000)) + f"&csrf={person.csrf}"
        for path in (f"/t/{task}/answer/why", "/consent"):
            for body in (b"x=" + b"y" * 1_000_000, many.encode(), b"\xff\xfe=1"):
                kind = "application/x-www-form-urlencoded"
                found = person.browser.post(path, content=body, headers={"Content-Type": kind})
                assert found.status_code == 400
        assert _state(room) == before

    @pytest.mark.parametrize(
        "kind",
        [
            "application/json",
            "text/plain",
            "multipart/form-data; boundary=x",
            "application/xml",
            "",
        ],
    )
    def test_other_types_are_refused(self, room: Room, kind: str) -> None:
        person = room.person("Ann")
        task = person.task()
        body = f"csrf={person.csrf}&value=3"
        found = person.browser.post(
            f"/t/{task}/answer/rating", content=body, headers={"Content-Type": kind}
        )
        assert found.status_code == 400
        with room.study.database.read() as session:
            assert not session.scalars(select(AnswerRow.id)).all()


class TestAnswersOfTheServer:
    def test_all_carry_the_policy_and_private_ones_are_not_kept(self, room: Room) -> None:
        person = room.person("Ann")
        task = person.task()
        person.crawl(f"/t/{task}")
        person.get("/no/such/page")
        person.get("/work", Host="evil.example")
        person.browser.post("/consent", headers={"Origin": "http://evil.example"})
        for found in person.received:
            policy = found.headers["content-security-policy"]
            assert "script-src 'self'" in policy and "unsafe" not in policy
            assert found.headers["x-content-type-options"] == "nosniff"
            assert found.headers["x-frame-options"] == "DENY"
            is_asset = found.request.url.path.startswith("/assets/")
            assert (found.headers["cache-control"] == "no-store") != is_asset
            assert "server" not in found.headers

    def test_a_mistake_of_ours_tells_nothing_and_is_as_safe(
        self, room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def broken(*_: object) -> None:
            raise RuntimeError("/srv/secret/place")

        monkeypatch.setattr(task_routes, "task_page", broken)
        person: Person = room.person("Ann")
        found = person.get(f"/t/{person.task()}")
        assert found.status_code == 500 and "secret" not in found.text
        assert "default-src 'none'" in found.headers["content-security-policy"]
        assert found.headers["cache-control"] == "no-store"
        assert "/t/{token}" in caplog.text, "the log names the page, and no token"


def test_texts_of_strangers_are_compared_and_shown_in_no_time(room: Room) -> None:
    """What took a time that grew with the square of their length."""
    first, second = (
        "".join(chr(0x4E00 + (at * step) % 9_000) for at in range(20_000)) for step in (7, 11)
    )
    assert 0 <= shared_bigrams(first, second) < 1
    assert "<strong>" not in prose("**a " * 20_000)
    assert "<em>" not in prose("*a <" * 20_000) and "<code>" not in prose("`" * 20_000)
    assert prose("# " + "x " * 100_000 + "y").startswith("<h2>")
