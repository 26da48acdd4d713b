"""People from recruiting platforms: in by a link, out with a code, never into another's work."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from httpx import Response
from pydantic import ValidationError
from sqlalchemy import select
from starlette.testclient import TestClient
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError
from deadpan.cli import app as cli
from deadpan.core.study.files import read_study
from deadpan.core.study.recruiting import PLATFORMS, Recruiting, recruiting_from
from deadpan.core.study.specification import Consent
from deadpan.studies.people.accounts import reissue
from deadpan.studies.results.export_files import write_export
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.tables import PersonRow, ProgressRow
from tests.studies.study_room import (
    Room,
    a_study,
    explained,
    left,
    quick_passwords,
    rated,
    served,
)

LINK = {"PROLIFIC_PID": "5f9a-Ann", "STUDY_ID": "s=1&x", "SESSION_ID": "=CMD()"}
BACK = "https://app.prolific.com/submissions/complete?cc={code}"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_passwords(monkeypatch)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    recruiting = Recruiting(return_to=BACK, code="C0DE-1", items=2)
    study = a_study(rated(people=3), consent=Consent(text={"en": "Yes?"}), recruiting=recruiting)
    items = [explained(f"k{at}", titan="It is a pun.") for at in range(4)]
    yield from left(served(tmp_path / "study", study, items))


def _csrf(page: str) -> str:
    found = re.findall(r'name="csrf" value="([^"]*)"', page)
    return str(found[0]) if found else ""


def _shown(browser: TestClient, path: str) -> Response:
    """The page that a link leads to."""
    found = browser.get(path)
    while "location" in found.headers:
        found = browser.get(found.headers["location"])
    return found


def _start(browser: TestClient, **link: str) -> Response:
    """Follows a platform's link, and the button on the page."""
    page = browser.get(f"/start?{urlencode(link)}")
    if page.status_code != 200:
        return page
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
    named = {name: link[name] for name in fields if name in link}
    return browser.post("/start", data={**fields, **named})


def _agree(browser: TestClient) -> None:
    page = _shown(browser, "/work")
    found = browser.post("/consent", data={"csrf": _csrf(page.text), "agree": "yes"})
    assert found.status_code == 303


def _work(browser: TestClient) -> Response:
    """Answers until there is nothing to do, and returns the last page."""
    while "/t/" in str((page := _shown(browser, "/work")).url):
        fields = {"csrf": _csrf(page.text), "value": "4"}
        where = urlsplit(str(page.url)).path
        assert browser.post(f"{where}/answer/rating", data=fields).status_code == 204
        assert browser.post(f"{where}/submit", data=fields).status_code == 303
    return page


class TestRoundTrip:
    def test_from_the_link_to_the_code_and_back(self, room: Room) -> None:
        browser = room.browser()
        assert _start(browser, **LINK).headers["location"] == "/work"
        _agree(browser)
        page = _work(browser)
        assert "Thank you" in page.text and "C0DE-1" in page.text
        (back,) = re.findall(r'href="(https://[^"]+)"', page.text)
        assert back == BACK.format(code="C0DE-1")
        with room.study.database.read() as session:
            assert sum(session.scalars(select(ProgressRow.claims))) == 2, "as many as were asked"

    def test_code_is_given_though_others_are_not_done(self, tmp_path: Path) -> None:
        study = a_study(rated(people=2), recruiting=Recruiting())
        room = served(tmp_path / "study", study, [explained("k", titan="x")])
        first, second = room.browser(), room.browser()
        codes = []
        for at, browser in enumerate((first, second)):
            _start(browser, PROLIFIC_PID=f"p{at}")
            codes += re.findall(r'data-copy="([0-9A-F]{8})"', _work(browser).text)
        assert len(set(codes)) == 2, "each has one of their own"

    def test_no_code_before_the_work_is_done(self, room: Room) -> None:
        browser = room.browser()
        _start(browser, **LINK)
        pages = [_shown(browser, path).text for path in ("/work", "/consent", "/mine", "/start")]
        assert not any("C0DE-1" in page for page in pages)

    @pytest.mark.parametrize("items", [None, 2])
    def test_no_code_for_who_skips_or_comes_too_late(
        self, tmp_path: Path, items: int | None
    ) -> None:
        recruiting = Recruiting(return_to=BACK, code="C0DE-1", items=items)
        study = a_study(rated(people=1), recruiting=recruiting)
        made = [explained(f"k{at}", titan="It is a pun.") for at in range(3)]
        room = served(tmp_path / "study", study, made)
        idle, busy, late = (room.browser() for _ in range(3))
        _start(idle, PROLIFIC_PID="idle")
        while "/t/" in str((page := _shown(idle, "/work")).url):
            where = urlsplit(str(page.url)).path
            idle.post(f"{where}/skip", data={"csrf": _csrf(page.text), "reason": "no"})
        assert "Nothing is left for you" in page.text and "C0DE-1" not in page.text
        assert "app.prolific.com" not in page.text
        _start(busy, PROLIFIC_PID="busy")
        assert "C0DE-1" in _work(busy).text
        _start(late, PROLIFIC_PID="late")
        found = _work(late)
        assert ("C0DE-1" in found.text) is False
        room.study.database.close()

    def test_a_study_without_it_has_no_open_door(self, tmp_path: Path) -> None:
        room = served(tmp_path / "study", a_study(), [explained("k", titan="x")])
        browser = room.browser()
        assert browser.get("/start?PROLIFIC_PID=x").status_code == 404
        assert browser.post("/start", data={"PROLIFIC_PID": "x"}).status_code == 404

    @pytest.mark.parametrize("link", [{}, {"PROLIFIC_PID": ""}, {"STUDY_ID": "s"}])
    def test_a_link_without_a_name_starts_nothing(self, room: Room, link: dict[str, str]) -> None:
        assert _start(room.browser(), **link).status_code == 404
        long = room.browser().post("/start", data={"PROLIFIC_PID": "x" * 201})
        assert long.status_code == 404


class TestComingAgain:
    def test_in_the_same_browser_goes_on(self, room: Room) -> None:
        browser = room.browser()
        _start(browser, **LINK)
        _agree(browser)
        task = str(_shown(browser, "/work").url)
        assert _start(browser, **LINK).headers["location"] == "/work"
        assert str(_shown(browser, "/start").url) == task

    def test_in_the_same_browser_after_logging_out_or_without_the_answer(self, room: Room) -> None:
        browser = room.browser()
        _start(browser, **LINK)
        _agree(browser)
        page = _shown(browser, "/work")
        browser.post("/logout", data={"csrf": _csrf(page.text)})
        assert _start(browser, **LINK).headers["location"] == "/work"
        assert _shown(browser, "/work").url == page.url
        for _ in range(2):  # the button twice
            assert browser.post("/start", data=LINK).status_code == 303
        with room.study.database.read() as session:
            assert len(session.scalars(select(PersonRow)).all()) == 1

    def test_in_another_browser_takes_nothing_over(self, room: Room) -> None:
        owner, thief = room.browser(), room.browser("198.51.100.9")
        _start(owner, **LINK)
        _agree(owner)
        found = _start(thief, **LINK)
        assert found.status_code == 404 and "begun already" in found.text
        assert room.doors.cookie not in thief.cookies
        planted = room.browser()
        planted.cookies.set(room.doors.browser_cookie, "guessed")
        assert _start(planted, **LINK).status_code == 404

    def test_somebody_else_at_the_same_machine_begins_anew(self, room: Room) -> None:
        browser = room.browser()
        _start(browser, **LINK)
        _agree(browser)
        task = _shown(browser, "/work").url
        _start(browser, **{**LINK, "PROLIFIC_PID": "5f9a-Bob"})
        assert "/consent" in str(_shown(browser, "/work").url), "as a person of their own"
        assert browser.get(str(task)).status_code == 404
        with room.study.database.read() as session:
            assert len({one.name for one in session.scalars(select(PersonRow))}) == 2

    def test_who_withdrew_or_was_revoked_does_not_come_back(self, room: Room) -> None:
        browser = room.browser()
        _start(browser, **LINK)
        _agree(browser)
        csrf = _csrf(_shown(browser, "/work").text)
        assert browser.post("/withdraw", data={"csrf": csrf}).status_code == 200
        assert _start(browser, **LINK).status_code == 404

    def test_who_lost_the_browser_can_be_invited(self, room: Room) -> None:
        _start(room.browser(), **LINK)
        with room.study.database.write() as session:
            token = reissue(session, room.study, session.scalars(select(PersonRow)).one(), None)
        secret = {"password": "long enough words", "again": "long enough words"}
        assert room.browser().post(f"/join/{token}", data=secret).status_code == 303

    def test_nobody_floods_a_study_with_people_who_are_none(self, room: Room) -> None:
        found = [
            room.browser().post("/start", data={"PROLIFIC_PID": f"p{at}"}).status_code
            for at in range(42)
        ]
        assert found == [303] * 40 + [429] * 2
        other = room.browser("198.51.100.9").post("/start", data={"PROLIFIC_PID": "real"})
        assert other.status_code == 303


class TestExport:
    def test_what_the_platform_said_comes_with_names_only(self, room: Room, tmp_path: Path) -> None:
        browser = room.browser()
        _start(browser, **LINK)
        _agree(browser)
        _work(browser)
        plain = write_export(gather(room.study), tmp_path / "plain", "csv")
        everything = "".join(one.read_text() for one in plain)
        assert "5f9a-Ann" not in everything and "C0DE-1" not in everything
        assert "recruited.csv" not in [one.name for one in plain]
        named = write_export(gather(room.study, names=True), tmp_path / "named", "csv")
        (path,) = [one for one in named if one.name == "recruited.csv"]
        (row,) = csv.DictReader(path.open())
        assert row["PROLIFIC_PID"] == "5f9a-Ann" and row["code"] == "C0DE-1"
        assert row["SESSION_ID"] == "'=CMD()", "no formula"
        with room.study.database.read() as session:
            person = session.scalars(select(PersonRow)).one()
        assert row["person"] == person.name and person.outside != "5f9a-Ann"


class TestSettings:
    def test_platforms_are_known_by_name_and_others_by_their_parameter(self) -> None:
        assert recruiting_from("prolific").person == "PROLIFIC_PID"
        assert recruiting_from("prolific").way_back("A B&c=d") == (
            "https://app.prolific.com/submissions/complete?cc=A%20B%26c%3Dd"
        )
        assert PLATFORMS["mturk"].parameters == ("workerId", "assignmentId", "hitId")
        assert recruiting_from("survey_code").parameters == ("survey_code",)
        with pytest.raises(DeadpanError, match="expected prolific, mturk, or a parameter"):
            recruiting_from("<script>")

    @pytest.mark.parametrize(
        "wrong",
        [
            {"return_to": "javascript:alert(1)//{code}"},
            {"return_to": "data:text/html,{code}"},
            {"return_to": "//evil.example"},
            {"return_to": "https://{code}.evil.example/"},
            {"code": "x" * 33},
            {"code": "<b>"},
            {"parameters": ["a b"]},
            {"person": ""},
            {"items": 0},
        ],
        ids=str,
    )
    def test_what_would_harm_is_refused(self, wrong: dict[str, object]) -> None:
        with pytest.raises(ValidationError):
            Recruiting.model_validate(wrong)

    def test_on_the_command_line(self, tmp_path: Path) -> None:
        words = "name: own\ntitle: Own\nstages:\n- name: s\n  title: S\n  questions:\n"
        (tmp_path / "own.yaml").write_text(words + "  - {kind: likert, name: q, title: Q}\n")
        (tmp_path / "items.jsonl").write_text(
            '{"key": "k", "parts": [{"name": "t", "kind": "text", "text": "x"}]}\n'
        )
        command = ["study", "create", str(tmp_path / "own.yaml"), "--from"]
        command += [str(tmp_path / "items.jsonl"), "--out", str(tmp_path / "made")]
        done = CliRunner().invoke(cli, [*command, "--recruit", "prolific"])
        assert done.exit_code == 0, done.output
        told = " ".join(done.output.split())
        assert "/start?PROLIFIC_PID=…&STUDY_ID=…&SESSION_ID=…" in told
        made = read_study(tmp_path / "made" / "study.yaml").recruiting
        assert made is not None and made.return_to == BACK
        assert re.fullmatch("[0-9A-F]{8}", made.code) and f"completion code: {made.code}" in told
        assert dict(parse_qsl(urlsplit(made.way_back(made.code)).query)) == {"cc": made.code}
