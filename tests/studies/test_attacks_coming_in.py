"""Who is not invited, or not any more, does not come in: by guessing, by links, by cookies."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx import Response
from sqlalchemy import select

from deadpan.studies.making.creating import open_study
from deadpan.studies.people import accounts, login_attempts
from deadpan.studies.serving import doors
from deadpan.studies.storage.tables import PersonRow, ProgressRow, SessionRow
from tests.studies.study_room import (
    PORT,
    Hasher,
    Room,
    a_study,
    explained,
    left,
    quick_passwords,
    rated,
    room_of,
    served,
)

RIGHT, WRONG = "correct horse battery", "wrong horse battery"


@pytest.fixture(autouse=True)
def hasher(monkeypatch: pytest.MonkeyPatch) -> Hasher:
    return quick_passwords(monkeypatch)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    study = a_study(rated(people=1))
    yield from left(served(tmp_path / "study", study, [explained("k", titan="x")]))


def _join(room: Room, token: str, address: str = "192.0.2.1") -> Response:
    secret = {"password": RIGHT, "again": RIGHT, "language": "en"}
    return room.browser(address).post(f"/join/{token}", data=secret)


def _login(room: Room, name: str, password: str, address: str = "192.0.2.1") -> int:
    fields = {"name": name, "password": password}
    return room.browser(address).post("/login", data=fields).status_code


@pytest.fixture
def ann(room: Room) -> str:
    """The name of somebody who has joined."""
    assert _join(room, room.invited("Ann")).status_code == 303
    return "Ann"


class TestInvitations:
    def test_are_claimed_by_a_form_once_and_by_looking_never(self, room: Room) -> None:
        token = room.invited("Lee", "lead")
        browser = room.browser()
        for _ in range(12):
            assert browser.get(f"/join/{token}").status_code == 200
        assert room.doors.cookie not in browser.cookies
        first = _join(room, token)
        assert (first.status_code, room.doors.cookie in first.cookies) == (303, True)
        again = _join(room, token)
        assert again.status_code == 404 and room.doors.cookie not in again.cookies
        assert browser.get(f"/join/{token}").status_code == 404
        assert _login(room, "Lee", RIGHT) == 303

    def test_go_to_exactly_one_of_two_who_claim_at_once(self, room: Room) -> None:
        token = room.invited("Eve")
        ready, found = threading.Barrier(6), []

        def claim(at: int) -> None:
            ready.wait()
            found.append(_join(room, token, f"192.0.2.{at}").status_code)

        threads = [threading.Thread(target=claim, args=(at,)) for at in range(6)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert sorted(found) == [303, 404, 404, 404, 404, 404]
        with room.study.database.read() as session:
            assert len(session.scalars(select(SessionRow)).all()) == 1

    def test_that_are_old_revoked_or_replaced_open_nothing(self, room: Room) -> None:
        old, revoked, lost = (room.invited(name) for name in ("Old", "Rev", "Lost"))
        with room.study.database.write() as session:
            people = {one.name: one for one in session.scalars(select(PersonRow))}
            accounts.revoke(session, room.study, people["Rev"], None)
            new = accounts.reissue(session, room.study, people["Lost"], None)
        assert _join(room, revoked).status_code == _join(room, lost).status_code == 404
        assert _join(room, new).status_code == 303
        room.clock.now += accounts.INVITED_SECONDS + 1
        assert _join(room, old).status_code == 404

    def test_replaced_while_they_are_claimed_open_nothing(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        token = room.invited("Eve")
        seen = accounts.invited

        def replaced_meanwhile(session, study, given):  # type: ignore[no-untyped-def]
            person = seen(session, study, given)
            person.invitation = accounts.hashed("a new one")
            session.flush()
            return person

        monkeypatch.setattr(accounts, "invited", replaced_meanwhile)
        with (
            pytest.raises(accounts.NotAllowed),
            room.study.database.write() as session,
        ):
            accounts.claim(session, room.study, token, "hash", "en")

    def test_cannot_be_guessed(self, room: Room, hasher: Hasher) -> None:
        real = room.invited("Eve")
        guesses = ["", "x", real[:-1], real + "A", real.swapcase(), "' OR 1=1", "%00", "A" * 43]
        for guess in guesses:
            assert _join(room, guess or "%20").status_code == 404
        assert hasher.hashed == 0, "nor do they cost anything"
        found = [room.browser().get(f"/join/{at}").status_code for at in range(100)]
        assert found == [404] * 92 + [429] * 8
        assert room.browser().get(f"/join/{real}").status_code == 200, "which is no guess"
        assert _join(room, real).status_code == 303, "others come in, from there too"
        assert _login(room, "Eve", RIGHT) == 303

    def test_that_are_claimed_twice_keep_nobody_out(self, room: Room) -> None:
        token = room.invited("Ann")
        assert _join(room, token).status_code == 303
        for _ in range(20):  # a double click, and a few more
            assert _join(room, token).status_code == 404
        assert _login(room, "Ann", RIGHT) == 303
        assert _join(room, room.invited("Bob")).status_code == 303


class TestGuessingPasswords:
    def test_ends_after_ten_and_the_right_one_comes_too_late(self, room: Room, ann: str) -> None:
        assert [_login(room, ann, WRONG) for _ in range(10)] == [403] * 10
        assert _login(room, ann, RIGHT) == 429
        assert _login(room, ann, RIGHT, "198.51.100.7") == 303, "at home she still comes in"
        room.clock.now += login_attempts.WINDOW_SECONDS + 1
        assert _login(room, ann, RIGHT) == 303

    def test_under_many_names_ends_by_the_address(
        self, room: Room, ann: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert [_login(room, f"name {at}", WRONG) for at in range(45)] == [403] * 45
        assert _login(room, ann, RIGHT) == 303, "the address may be a university's"
        monkeypatch.setitem(login_attempts._BORNE, "address", 50)
        tried = [_login(room, f"other {at}", WRONG) for at in range(6)]
        assert tried == [403] * 5 + [429]
        assert _login(room, ann, RIGHT, "198.51.100.7") == 303

    def test_while_the_clock_was_wrong_shuts_nobody_out(self, room: Room, ann: str) -> None:
        now = room.clock.now
        room.clock.now += 10 * 365 * 86_400
        assert [_login(room, ann, WRONG) for _ in range(10)] == [403] * 10
        room.clock.now = now
        assert _login(room, ann, RIGHT) == 303
        room.clock.now -= 600
        assert _login(room, ann, RIGHT) == 303

    def test_from_many_addresses_ends_by_the_name(self, room: Room, ann: str) -> None:
        tried = [_login(room, ann, WRONG, f"10.0.{at}.1") for at in range(101)]
        assert tried == [403] * 100 + [429]

    def test_of_one_name_is_counted_however_it_is_spelled(self, room: Room, ann: str) -> None:
        spellings = ("Ann\x01", "An\u202en", " Ann ", "A\u2066nn", "ANN", "Ann\r", "a\x7fnn")
        for at in range(10):
            assert _login(room, spellings[at % len(spellings)], WRONG) == 403
        assert _login(room, ann, RIGHT) == 429

    def test_from_one_household_is_counted_as_one(self, room: Room, ann: str) -> None:
        for at in range(10):
            _login(room, ann, WRONG, f"2001:db8:1:2::{at:x}")
        assert _login(room, ann, RIGHT, "2001:db8:1:2:ffff::1") == 429
        assert _login(room, ann, RIGHT, "2001:db8:1:3::1") == 303
        assert login_attempts.source_of("::ffff:192.0.2.1") == "192.0.2.1"

    def test_all_at_once_gets_no_more_tries(self, room: Room, ann: str, hasher: Hasher) -> None:
        ready, found, before = threading.Barrier(24), [], hasher.verified

        def guess() -> None:
            ready.wait()
            found.append(_login(room, ann, WRONG))

        threads = [threading.Thread(target=guess) for _ in range(24)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert sorted(found) == [403] * 10 + [429] * 14
        assert hasher.verified - before == 10
        assert hasher.most_at_once <= 4, "so that memory lasts"

    def test_is_remembered_by_a_server_that_starts_anew(self, room: Room, ann: str) -> None:
        for _ in range(10):
            _login(room, ann, WRONG)
        folder, now = room.study.folder, room.clock.now
        room.study.database.close()
        again = room_of(open_study(folder))
        again.clock.now = now + 60
        assert _login(again, ann, RIGHT) == 429
        again.study.database.close()

    def test_signing_in_is_no_failure(self, room: Room, ann: str) -> None:
        assert [_login(room, ann, RIGHT) for _ in range(15)] == [303] * 15

    def test_takes_as_long_for_names_that_are_not_there(
        self, room: Room, ann: str, hasher: Hasher
    ) -> None:
        room.invited("Not yet")
        for name in (ann, "Nobody", "Not yet", ""):
            before = hasher.verified
            assert _login(room, name, WRONG) == 403
            assert hasher.verified == before + 1, name

    def test_answers_the_same_for_names_that_are_not_there(self, room: Room, ann: str) -> None:
        pages = [
            room.browser().post("/login", data={"name": name, "password": WRONG}).text
            for name in (ann, "Bob")
        ]
        assert pages[0].replace(ann, "Bob") == pages[1]


class TestSessions:
    def test_have_a_token_of_their_own_whatever_cookie_was_there(
        self, room: Room, ann: str
    ) -> None:
        browser = room.browser()
        browser.cookies.set(room.doors.cookie, "planted", domain="localhost.local", path="/")
        found = browser.post("/login", data={"name": ann, "password": RIGHT})
        mine = found.cookies[room.doors.cookie]
        assert mine != "planted" and len(mine) == 43
        other = room.browser()
        other.cookies.set(room.doors.cookie, "planted")
        assert other.get("/work").headers["location"] == "/login"
        with room.study.database.read() as session:
            kept = session.scalars(select(SessionRow.token)).all()
        assert mine not in kept, "the database holds no token"

    def test_have_cookies_that_no_script_and_no_other_site_uses(self, room: Room, ann: str) -> None:
        found = room.browser().post("/login", data={"name": ann, "password": RIGHT})
        told = found.headers["set-cookie"].lower()
        assert {"httponly", "samesite=lax", "path=/"} <= set(told.split("; "))
        assert "secure" not in told and "domain" not in told

    def test_behind_tls_have_cookies_of_this_host_alone(self, tmp_path: Path) -> None:
        items = [explained("k", titan="x")]
        room = served(tmp_path / "s", a_study(), items, url="https://study.example.org")
        found = _join(room, room.invited("Ann"))
        told = found.headers["set-cookie"]
        assert told.startswith(f"__Host-deadpan_study_{PORT}=")
        assert {"Secure", "HttpOnly", "Path=/"} <= set(told.split("; "))
        language = room.browser().post("/language", data={"language": "zh", "back": "/"})
        assert "secure" in language.headers["set-cookie"].lower()
        assert (
            room.browser().get("/login", headers={"Host": "study.example.org"}).status_code == 200
        )
        forged = {"Origin": "http://study.example.org"}
        assert room.browser().post("/login", headers=forged).status_code == 403

    def test_end_with_logging_out_and_by_themselves(self, room: Room) -> None:
        person, elsewhere = room.person("Ann"), room.person("Bob")
        ended = person.post("/logout").headers["set-cookie"]
        assert ended.startswith(f'{room.doors.cookie}="";') and "Max-Age=0" in ended
        assert person.get("/mine").headers["location"] == "/login"
        assert elsewhere.get("/mine").status_code == 200
        room.clock.now += accounts.SIGNED_IN_SECONDS + 1
        assert elsewhere.get("/mine").headers["location"] == "/login"

    def test_of_the_revoked_are_over_at_once(self, room: Room, ann: str) -> None:
        browser = room.browser()
        browser.post("/login", data={"name": ann, "password": RIGHT})
        assert browser.get("/mine").status_code == 200
        with room.study.database.write() as session:
            person = session.scalars(select(PersonRow)).one()
            accounts.revoke(session, room.study, person, None)
        assert browser.get("/mine").headers["location"] == "/login"
        assert _login(room, ann, RIGHT) == 403

    def test_of_the_withdrawn_are_over_and_others_get_their_items(self, room: Room) -> None:
        person = room.person("Ann")
        task = person.task()
        assert person.post("/withdraw", answers="leave_out").status_code == 200
        assert person.get(f"/t/{task}").headers["location"] == "/login"
        with room.study.database.read() as session:
            assert session.scalars(select(ProgressRow.claims)).one() == 0
        assert room.person("Bob").task() is not None

    def test_of_those_with_a_new_invitation_are_over(self, room: Room) -> None:
        person = room.person("Ann")
        with room.study.database.write() as session:
            row = session.get_one(PersonRow, person.number)
            accounts.reissue(session, room.study, row, None)
        assert person.get("/mine").headers["location"] == "/login"


class TestAddresses:
    @pytest.mark.parametrize(
        ("url", "origin"),
        [
            ("https://Study.Example.org/", "https://study.example.org"),
            ("https://study.example.org:443", "https://study.example.org"),
            ("http://study.example.org:80", "http://study.example.org"),
            ("https://study.example.org:8443", "https://study.example.org:8443"),
            ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
        ],
    )
    def test_of_a_study_are_as_browsers_say_them(self, url: str, origin: str) -> None:
        assert doors("127.0.0.1", PORT, url).url == origin
        assert origin in doors("127.0.0.1", PORT, url).origins

    @pytest.mark.parametrize(
        "url",
        [
            "study.example.org",
            "ftp://study.example.org",
            "https://",
            "https://user:secret@study.example.org",
            "https://study.example.org/path",
            "https://study.example.org?x",
            "https://study.example.org:port",
            "javascript:alert(1)",
        ],
    )
    def test_that_are_none_are_told(self, url: str) -> None:
        with pytest.raises(accounts.DeadpanError, match="expected https://HOST"):
            doors("127.0.0.1", PORT, url)
