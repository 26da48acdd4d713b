"""Many raters at once at a server of its own process: they answer, and remember what was
acknowledged. What came to no answer is asked again under the same key, as the pages do."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from PIL import Image, ImageDraw

from deadpan.core.study.choice_questions import Multiple, Single
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Settling, Stage
from deadpan.core.study.text_questions import Text
from deadpan.studies.making.creating import create_study
from deadpan.studies.people.accounts import sign_in
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow

_STYLES = ("pun", "irony", "parody", "slapstick")
_SECONDS = 60


def crowded_study(people: int = 2) -> Study:
    """Five questions about a picture; where two disagree on the joke, it is the lead's."""
    questions = (
        Single(name="funny", title={"en": "Is it funny?"}, options=["yes", "no"]),
        Likert(name="rating", title={"en": "How much?"}, highest=7, compared=False),
        Likert(name="sure", title={"en": "How sure are you?"}, highest=5, compared=False),
        Multiple(name="styles", title={"en": "How?"}, options=_STYLES, compared=False),
        Text(name="why", title={"en": "Why?"}, compared=False),
    )
    settling = Settling(rule="equal")
    stage = Stage(
        name="look",
        title={"en": "Look"},
        people=people,
        questions=questions,
        settling=settling,
    )
    return Study(name="crowded", title={"en": "A crowd"}, stages=(stage,))


def crowded_items(folder: Path, many: int, pictures: int = 20) -> list[StudyItem]:
    """Items with pictures of the size of a meme; some share one."""
    folder.mkdir(parents=True, exist_ok=True)
    for at in range(pictures):
        picture = Image.effect_noise((480, 360), 40).convert("RGB")
        ImageDraw.Draw(picture).text((20, 20), f"Picture {at}", fill="white")
        picture.save(folder / f"{at}.png")
    return [
        StudyItem(
            key=f"joke-{at}",
            parts=(
                Part(name="picture", kind="picture", path=str(folder / f"{at % pictures}.png")),
            ),
        )
        for at in range(many)
    ]


@dataclass(frozen=True)
class Seat:
    """Somebody who is signed in already."""

    name: str
    cookie: str
    csrf: str


def seats(study: OpenStudy, many: int) -> list[Seat]:
    """As many raters, who have joined."""
    found = []
    now = study.now()
    with study.database.write() as session:
        for at in range(many):
            row = PersonRow(
                name=f"rater {at}",
                role="rater",
                languages=[],
                language="en",
                parameters={},
                code="",
                invited_at=now,
                joined_at=now,
            )
            session.add(row)
            session.flush()
            signed = sign_in(session, study, row)
            found.append(Seat(row.name, signed.token, signed.csrf))
    return found


class Server:
    """`deadpan study serve` in a process of its own, which may be killed and started again."""

    def __init__(self, folder: Path, database: str = "") -> None:
        self.folder, self.database = folder, database
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        """What it printed."""
        return self.folder.with_name("server.log")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        return f"deadpan_study_{self.port}"

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        command = [sys.executable, "-m", "deadpan", "study", "serve", str(self.folder)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                env={**os.environ, "DEADPAN_STUDY_DATABASE": self.database},
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + _SECONDS
        while time.monotonic() < until and self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.02)
        raise AssertionError(f"the server did not start: {self.log.read_text()}")

    def kill(self) -> None:
        """Ends it as a power cut does."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    @property
    def memory(self) -> float:
        """MB that it holds now."""
        pid = self.process.pid if self.process else 0
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def seconds(self) -> float:
        """CPU time that it took so far."""
        pid = self.process.pid if self.process else 0
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Acknowledged:
    """An answer that the server said it has."""

    task: str
    question: str
    value: str
    key: str


@dataclass
class Crowd:
    """Everybody's browsers, what they were told, and how long it took."""

    server: Server
    pause: float = 0.0
    """Seconds between two answers of a person."""
    within: float = 0.0
    """Seconds within which they come."""
    answered: list[Acknowledged] = field(default_factory=list)
    submitted: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """Of each kind of request."""
    refused: list[str] = field(default_factory=list)
    again: int = 0
    """How often something was asked again."""
    stopping: bool = False

    async def work(self, people: Sequence[Seat]) -> None:
        """Everybody works, until told to stop or nothing is left."""
        await asyncio.gather(*(self._person(one) for one in people))

    async def _person(self, seat: Seat) -> None:
        draw = random.Random(seat.name)
        headers = {"Origin": self.server.address, "Cookie": f"{self.server.cookie}={seat.cookie}"}
        async with aiohttp.ClientSession(
            self.server.address, headers=headers, timeout=aiohttp.ClientTimeout(30)
        ) as browser:
            visit = _Visit(self, browser, seat, draw)
            await asyncio.sleep(draw.uniform(0, self.within))
            await visit.work()

    def took(self, what: str, began: float) -> None:
        self.seconds.setdefault(what, []).append(time.perf_counter() - began)


@dataclass
class _Visit:
    """One person's browser."""

    crowd: Crowd
    browser: aiohttp.ClientSession
    seat: Seat
    draw: random.Random

    async def work(self) -> None:
        task = await self._first()
        while task is not None and not self.crowd.stopping:
            await self._look(task)
            for question, values in self._answers():
                await self._pause()
                if self.crowd.stopping:
                    return
                await self._answer(task, question, values)
            await self._pause()
            task = await self._submit(task)

    async def _pause(self) -> None:
        if self.crowd.pause:
            await asyncio.sleep(self.draw.uniform(0.5, 1.5) * self.crowd.pause)

    def _answers(self) -> list[tuple[str, list[str]]]:
        words = f"because of {self.draw.getrandbits(64):x}, 因为好笑"
        return [
            ("funny", [self.draw.choice(["yes", "yes", "yes", "no"])]),
            ("rating", [str(self.draw.randint(1, 7))]),
            ("sure", [str(self.draw.randint(1, 5))]),
            ("styles", sorted(self.draw.sample(_STYLES, 2))),
            ("why", [words]),
        ]

    async def _first(self) -> str | None:
        _, headers, _ = await self._ask("first page", "GET", "/work")
        task = _task(headers.get("location", ""))
        if task is not None:
            await self._ask("first page", "GET", f"/t/{task}")
        return task

    async def _look(self, task: str) -> None:
        await self._ask("picture", "GET", f"/media/{task}/0")

    async def _answer(self, task: str, question: str, values: Sequence[str]) -> None:
        key = f"{self.draw.getrandbits(96):024x}"
        path = f"/t/{task}/answer/{question}"
        status, _, text = await self._ask("answer", "POST", path, key=key, value=values)
        if status == 200:
            self.crowd.answered.append(Acknowledged(task, question, ";".join(values), key))
        else:
            self.crowd.refused.append(f"{status} {text[:200]}")

    async def _submit(self, task: str) -> str | None:
        status, headers, text = await self._ask("submit", "POST", f"/t/{task}/submit")
        if status != 200:
            self.crowd.refused.append(f"{status} {text[:200]}")
            return await self._first()
        self.crowd.submitted.append(task)
        return _task(headers.get("hx-push-url", ""))

    async def _ask(
        self, what: str, method: str, path: str, **fields: str | Sequence[str]
    ) -> tuple[int, dict[str, str], str]:
        """The answer to a request, which is asked until there is one."""
        form = aiohttp.FormData([("csrf", self.seat.csrf), ("seen", "open")])
        for name, value in fields.items():
            for one in [value] if isinstance(value, str) else value:
                form.add_field(name, one)
        until = time.monotonic() + 3 * _SECONDS
        while True:
            began = time.perf_counter()
            try:
                async with self.browser.request(
                    method,
                    path,
                    data=form() if method == "POST" else None,
                    headers=_FRAGMENT if method == "POST" else {},
                    allow_redirects=False,
                ) as found:
                    text = (await found.read()).decode("utf-8", "replace")
                    self.crowd.took(what, began)
                    return found.status, {k.lower(): v for k, v in found.headers.items()}, text
            except (TimeoutError, aiohttp.ClientError, OSError):
                if time.monotonic() > until:
                    raise
                self.crowd.again += 1
                await asyncio.sleep(self.draw.uniform(0.05, 0.2))


_FRAGMENT = {"HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}


def _task(address: str) -> str | None:
    found = re.fullmatch(r"/t/([\w-]+)", address)
    return found.group(1) if found else None


def made_study(folder: Path, items: int, database: str = "") -> OpenStudy:
    """A study for a crowd, in a folder."""
    made = crowded_items(folder / "pictures", items)
    return create_study(folder / "study", crowded_study(), made, database).opened
