"""Hostile text in every field of a study, in a real browser: it is shown, and nothing else."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from deadpan.core.study.choice_questions import Multiple, Single
from deadpan.core.study.items import Output, Part, StudyItem, Turn
from deadpan.core.study.options import Option
from deadpan.core.study.picture_questions import Boxes
from deadpan.core.study.ranking_questions import Order
from deadpan.core.study.recruiting import Recruiting
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.specification import Consent, Study
from deadpan.core.study.stages import Review, Settling, Stage
from deadpan.core.study.text_questions import Span, Text, Transcription
from deadpan.studies.making.creating import create_study
from tests.reports.hostile import ATTACKS as OF_REPORTS
from tests.studies.study_room import Person, Room, a_study, explained, on_a_port, rated

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ATTACKS = (
    *(one for one in OF_REPORTS if len(one) < 200),
    '" autofocus onfocus=alert(6) x="',
    "' onmouseover='alert(7)' y='",
    "<svg><script>alert(8)</script><animate onbegin=alert(9) attributeName=x dur=1s>",
    '<div hx-get="http://evil.example/" hx-trigger="load" hx-on:load="alert(10)"></div>',
    "<base href=http://evil.example/><meta http-equiv=refresh content=0;http://evil.example>",
    "<style>@import url(http://evil.example/x.css);*{display:none}</style>",
    '<iframe srcdoc="<script>alert(11)</script>"></iframe><object data=http://evil.example/>',
    "[x](javascript:alert(12)) **<b onclick=alert(13)>bold</b>** # <i>head</i>",
    "</textarea></title></select></form><script>alert(14)</script>",
    "<math><mi xlink:href='javascript:alert(15)'>x</mi></math>`${alert(16)}`",
)
ALL = " ".join(ATTACKS)
WORDS = {"en": ALL, "zh": ALL}
SHORT = "<b onclick=alert(17)>\"'</b>"


def _hostile(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "title": WORDS, "help": WORDS, "required": False, **more}


OPTIONS = tuple(Option(value=one, title={"en": one}, about=WORDS) for one in ATTACKS[:4])
QUESTIONS = (
    Single.model_validate(_hostile("single", options=OPTIONS, required=True)),
    Multiple.model_validate(_hostile("multiple", options=OPTIONS)),
    Likert.model_validate(_hostile("likert", ends=(WORDS, WORDS))),
    Text.model_validate(_hostile("why", most=20_000, compared=False)),
    Text.model_validate(_hostile("word", suggestions=ATTACKS)),
    Span.model_validate(_hostile("span", of=("text",))),
    Order.model_validate(_hostile("order", options=ATTACKS[:3])),
    Boxes.model_validate(_hostile("boxes", of="picture")),
    Transcription.model_validate(_hostile("panels")),
)


def _study() -> Study:
    settling = Settling(rule="equal", otherwise=("discuss",))
    stage = Stage(
        name="label", title=WORDS, about=WORDS, questions=QUESTIONS, settling=settling, drafted=True
    )
    return a_study(
        stage,
        title=WORDS,
        about=WORDS,
        guidelines=WORDS,
        pay=WORDS,
        consent=Consent(text=WORDS, warning=WORDS),
        recruiting=Recruiting(parameters=("PID",), person="PID"),
    )


def _item(folder: Path) -> StudyItem:
    path = folder / "<img src=x onerror=alert(18)>.png"
    Image.new("RGB", (40, 30), "red").save(path)
    said = tuple(Turn(speaker=one, text=one) for one in ATTACKS)
    parts = (
        Part(name="picture", kind="picture", path=str(path), title=WORDS, alt=ALL),
        Part(name="text", kind="text", text=ALL, title=WORDS),
        Part(name="talk", kind="dialogue", turns=said, title=WORDS),
    )
    output = Output(source=ALL, parts=(Part(name="o", kind="text", text=ALL, title=WORDS),))
    draft = {"why": ALL, "word": ALL}
    about = {"key": ALL, "attributes": {ALL: ALL}, "draft": draft, "draft_by": ALL}
    return StudyItem.model_validate({"parts": parts, "outputs": (output,), **about})


class Watched:
    """A browser's pages, and everything they did that they should not."""

    def __init__(self, chromium: Browser, room: Room, person: Person | None = None) -> None:
        self.origin = room.origin
        self.complaints: list[str] = []
        self.context: BrowserContext = chromium.new_context()
        if person is not None:
            cookie = {"name": room.doors.cookie, "url": self.origin}
            value = person.browser.cookies[room.doors.cookie]
            self.context.add_cookies([{**cookie, "value": value}])  # type: ignore[list-item]
        self.page: Page = self.context.new_page()
        self.page.on("dialog", lambda one: (self.complaints.append(one.message), one.dismiss()))
        self.page.on("pageerror", lambda one: self.complaints.append(str(one)))
        self.page.on("console", lambda one: self._said(one.type, one.text))
        self.page.on("request", self._asked)

    def _said(self, kind: str, text: str) -> None:
        # What the policy stopped is told so, too: nothing must even try. Pages that are not there
        # are no offence.
        if kind in ("error", "warning") and "responded with a status of 40" not in text:
            self.complaints.append(text)

    def _asked(self, request: object) -> None:
        if not (url := str(getattr(request, "url", ""))).startswith(self.origin):
            self.complaints.append(url)

    def look(self, path: str) -> str:
        """The text of a page, after whatever runs in it has run."""
        self.page.goto(self.origin + path)
        self.page.wait_for_selector("[data-ready]")
        for element in ("script:not([src])", "iframe", "object", "base", "style", "[onclick]"):
            assert self.page.locator(element).count() == 0, (path, element)
        return self.page.locator("body").inner_text()


@pytest.mark.browser
def test_nothing_of_it_runs_loads_or_leads_away(chromium: Browser, tmp_path: Path) -> None:
    opened = create_study(tmp_path / "study", _study(), [_item(tmp_path)]).opened
    with on_a_port(opened) as room:
        ann, bob = (room.person(f"{SHORT} {name}") for name in ("Ann", "Bob"))
        for person, choice in ((ann, 0), (bob, 1)):
            task = str(person.task())
            person.submit(task, single=OPTIONS[choice].value, why=ALL, word=ALL)
        talk = str(ann.task())
        ann.post(f"/t/{talk}/say", text=ALL)
        new = room.person(f"{SHORT} new", consented_at=None)
        invited = room.invited(f"{SHORT} lead", "lead")
        seen = Watched(chromium, room, ann)
        page = seen.look(f"/t/{talk}")
        for attack in ATTACKS:
            if "\x00" not in attack and "\u202e" not in attack:
                assert " ".join(attack.split()) in " ".join(page.split()), "it stands there as text"
        seen.page.fill("#say", ALL)
        seen.page.click(".say button")
        seen.page.wait_for_selector(".bubbles li >> nth=12")
        seen.page.locator("[data-zoom]").first.dispatch_event("click")
        for path in ("/mine", "/guidelines", "/t/%3Cscript%3Ealert(1)%3C/script%3E"):
            seen.look(path)
        other = Watched(chromium, room)
        for path in (f"/join/{invited}", "/login", f"/start?PID={SHORT}&x=<script>"):
            other.look(path)
        other.page.goto(f"{other.origin}/login")
        other.page.fill("#field-name", ALL[:150])
        other.page.fill("#field-password", ALL)
        other.page.click("button.primary")
        consent = Watched(chromium, room, new)
        consent.look("/consent")
        for one in (seen, other, consent):
            assert one.complaints == []
            one.context.close()


def test_words_that_are_reviewed_and_sent_back_are_text(tmp_path: Path) -> None:
    review = Review(question="why", points=(WORDS,), needed=1)
    why = Text(name="why", title=WORDS, most=20_000)
    stage = rated(questions=(why,), people=1, review=review)
    opened = create_study(tmp_path / "study", a_study(stage), [explained("k", titan=ALL)]).opened
    with on_a_port(opened) as room:
        writer, reviewer = room.person(SHORT), room.person(f"{SHORT}2", "adjudicator")
        writer.submit(str(writer.task()), why=ALL)
        looked = str(reviewer.task())
        pages = [reviewer.get(f"/t/{looked}").text]
        reviewer.post(f"/t/{looked}/review", comment=ALL, decision="return")
        task = writer.task()
        pages += [writer.get(path).text for path in (f"/t/{task}", "/mine")]
        for page in pages:
            assert "onclick=alert(13)" in page
            inside = re.sub(r'"[^"]*"', '""', page)
            assert not re.search(r"<(?!/?(?:span|p|kbd|bdi)\b)[^>]*\bon\w+=", inside)
            assert not re.search(r"<(?:img src=x|svg|iframe|style|base|math|b )", inside)


@pytest.mark.parametrize("head", [b"X: " + b"y" * 1_000_000, b"\r\n".join([b"A: b"] * 50_000)])
def test_bombs_of_headers_are_refused_and_the_server_lives(tmp_path: Path, head: bytes) -> None:
    opened = create_study(tmp_path / "study", a_study(), [explained("k", titan="x")]).opened
    with on_a_port(opened) as room:
        where = ("127.0.0.1", room.doors.port)
        host = b"Host: 127.0.0.1:%d\r\n" % room.doors.port

        def sent(*lines: bytes) -> bytes:
            with socket.create_connection(where, timeout=20) as line:
                try:
                    line.sendall(b"GET /login HTTP/1.1\r\n" + host + b"".join(lines) + b"\r\n\r\n")
                    return line.recv(60)
                except OSError:  # it hung up while we were still sending
                    return b""

        assert b" 200 " not in sent(head)
        assert b" 400 " in sent(b"Host: evil.example\r\n", b"X: y"), "two hosts are none"
        assert b" 200 " in sent(b"X: y")
