"""A study that is served inside of a test, and people whose browsers are signed in already."""

from __future__ import annotations

import re
import socket
import struct
import threading
import wave
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI
from httpx import Response
from starlette.testclient import TestClient

from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.ranking_questions import Best
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Role, Stage
from deadpan.core.study.text_questions import Text
from deadpan.studies.app import study_app
from deadpan.studies.making.creating import create_study
from deadpan.studies.pages.rendering import renderer
from deadpan.studies.pages.request_context import Doors, Reception
from deadpan.studies.people import accounts
from deadpan.studies.people.accounts import invite, sign_in
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow
from deadpan.studies.work.assignment import Queues

PORT = 8701
ORIGIN = f"http://localhost:{PORT}"
RATING = Likert(name="rating", title={"en": "How good is it?"}, highest=7)
WHY = Text(name="why", title={"en": "Why?"}, required=False, most=20_000)


class Clock:
    """A time that goes on only where a test says so."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Hasher:
    """Hashes as the real one, at once, and counts."""

    def __init__(self) -> None:
        self.quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        self.verified = self.hashed = self.at_once = self.most_at_once = 0
        self._counting = threading.Lock()

    def hash(self, password: str) -> str:
        self.hashed += 1
        return self.quick.hash(password)

    def verify(self, known: str, password: str) -> bool:
        with self._counting:
            self.verified += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return self.quick.verify(known, password)
        finally:
            with self._counting:
                self.at_once -= 1


def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> Hasher:
    """Has passwords hashed at once while a test runs."""
    found = Hasher()
    monkeypatch.setattr(accounts, "_HASHER", found)
    monkeypatch.setattr(accounts, "_NOBODY", found.quick.hash("nobody's"))
    return found


@dataclass
class Room:
    """A study, its app, and everybody's browsers."""

    study: OpenStudy
    app: FastAPI
    doors: Doors
    clock: Clock = field(default_factory=Clock)
    browsers: list[TestClient] = field(default_factory=list)

    @property
    def origin(self) -> str:
        """Under which address it is served."""
        return self.doors.url or next(iter(self.doors.origins))

    def browser(self, address: str = "192.0.2.1") -> TestClient:
        """A browser that nobody has used yet, at an address of its own."""
        found = TestClient(
            self.app,
            base_url=self.origin,
            headers={"Origin": self.origin, "Sec-Fetch-Site": "same-origin"},
            client=(address, 50_000),
            follow_redirects=False,
            raise_server_exceptions=False,
        )
        self.browsers.append(found)
        return found

    def invited(self, name: str, role: Role = "rater") -> str:
        """The token of an invitation."""
        with self.study.database.write() as session:
            return invite(session, self.study, name, role)

    def person(self, name: str, role: Role = "rater", **more: Any) -> Person:
        """Somebody who has joined, agreed, and is signed in."""
        now = self.study.now()
        times = {"invited_at": now, "joined_at": now, "consented_at": now}
        about = {"languages": [], "language": "en", "parameters": {}, "code": "", **times, **more}
        with self.study.database.write() as session:
            row = PersonRow(name=name, role=role, **about)
            session.add(row)
            session.flush()
            signed = sign_in(session, self.study, row)
        browser = self.browser()
        browser.cookies.set(self.doors.cookie, signed.token)
        return Person(self, row.id, name, browser, signed.csrf)


@dataclass
class Person:
    """Somebody of a study with a browser, and everything that it was ever sent."""

    room: Room
    number: int
    name: str
    browser: TestClient
    csrf: str
    received: list[Response] = field(default_factory=list)

    def get(self, path: str, **headers: str) -> Response:
        found = self.browser.get(path, headers=headers)
        self.received.append(found)
        return found

    def post(self, path: str, fragment: bool = False, **fields: Any) -> Response:
        headers = {"HX-Request": "true"} if fragment else {}
        found = self.browser.post(path, data={"csrf": self.csrf, **fields}, headers=headers)
        self.received.append(found)
        return found

    def task(self) -> str | None:
        """The token of the task that comes next; None where none does."""
        found = self.get("/work")
        place = re.fullmatch(r"/t/([\w-]+)", found.headers.get("location", ""))
        return place.group(1) if place else None

    def answer(self, task: str, **values: Any) -> None:
        """Answers questions of a task."""
        for name, value in values.items():
            found = self.post(f"/t/{task}/answer/{name}", fragment=True, value=value)
            assert found.status_code == 200, (name, value, found.text)

    def submit(self, task: str, **values: Any) -> Response:
        """Answers a task, and is done with it."""
        self.answer(task, **values)
        found = self.post(f"/t/{task}/submit")
        assert found.status_code == 303, found.text
        return found

    def work(self, most: int = 1_000, **values: Any) -> list[str]:
        """Does everything that there is to do with the same answers, and returns the tasks."""
        done: list[str] = []
        while (task := self.task()) is not None:
            assert len(done) < most
            self.get(f"/t/{task}")
            self.submit(task, **values)
            done.append(task)
        return done

    def crawl(self, *starts: str) -> None:
        """Follows every link, picture, style, script and redirect from some pages."""
        seen: set[str] = set()
        rest = [*starts, "/", "/work", "/mine", "/guidelines", "/consent"]
        while rest:
            path = rest.pop()
            if path in seen:
                continue
            seen.add(path)
            found = self.get(path)
            where = [found.headers["location"]] if "location" in found.headers else []
            if found.headers.get("content-type", "").startswith("text/html"):
                where += Links.of(found.text)
            near = (urlsplit(urljoin(ORIGIN + path, one)) for one in where)
            rest += [one._replace(scheme="", netloc="").geturl() for one in near if one.path]


class Links(HTMLParser):
    """The addresses that a page names, but for those that its forms send to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    @classmethod
    def of(cls, page: str) -> list[str]:
        parser = cls()
        parser.feed(page)
        return parser.found

    def handle_starttag(self, tag: str, attributes: Sequence[tuple[str, str | None]]) -> None:
        named = ("href", "src", "poster", "hx-get")
        self.found += [value for name, value in attributes if name in named and value]


def served(
    folder: Path, study: Study, items: Sequence[StudyItem], url: str = "", database: str = ""
) -> Room:
    """A new study, served under this machine's name, or under a public address."""
    opened = create_study(folder, study, items, database).opened
    return room_of(opened, url)


def room_of(opened: OpenStudy, url: str = "", port: int = PORT, host: str = "localhost") -> Room:
    """A study that is there already, served anew."""
    clock = Clock()
    opened.now = clock
    doors = Doors(port, frozenset({host}), url)
    reception = Reception(opened, doors, renderer(opened.study), Queues())
    return Room(opened, study_app(reception), doors, clock)


@contextmanager
def on_a_port(opened: OpenStudy) -> Iterator[Room]:
    """A study that a real server serves on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        room = room_of(opened, "", listening.getsockname()[1], "127.0.0.1")
        settings = uvicorn.Config(room.app, log_level="error", server_header=False, ws="none")
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield room
        finally:
            server.should_exit = True
            thread.join()
            opened.database.close()


def left(room: Room) -> Iterator[Room]:
    """A room for a test, tidied up afterwards."""
    yield room
    for browser in room.browsers:
        browser.close()
    room.study.database.close()


def a_study(*stages: Stage, **more: Any) -> Study:
    """A study of some stages; of one with a rating and a reason where none is named."""
    about = {"name": "made", "title": {"en": "A study"}, **more}
    return Study.model_validate({"stages": stages or (rated(),), **about})


def rated(**more: Any) -> Stage:
    """A stage in which outputs are rated."""
    about: Mapping[str, Any] = {"people": None, "questions": (RATING, WHY), **more}
    return Stage.model_validate({"name": "rate", "title": {"en": "Rate"}, **about})


def chosen(kind: str = "best", **more: Any) -> Stage:
    """A stage in which the best output is chosen."""
    best = Best(name="best", kind=kind, title={"en": "Which is best?"})  # type: ignore[arg-type]
    return rated(**{"questions": (best,), **more})


def words(text: str, name: str = "text", **more: Any) -> Part:
    return Part(name=name, kind="text", text=text, **more)


def explained(key: str, **said: str) -> StudyItem:
    """A joke with what each source said of it."""
    outputs = tuple(Output(source=name, parts=(words(text),)) for name, text in said.items())
    return StudyItem(key=key, parts=(words(f"The joke {len(key)}.", "joke"),), outputs=outputs)


def a_sound(path: Path, seconds: int = 1) -> Path:
    """A file of silence."""
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(struct.pack("<h", 0) * 8_000 * seconds)
    return path
