"""People in Chromium: a study served on this machine, and what they do in its pages."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import uvicorn

from deadpan.studies.app import study_app
from deadpan.studies.lead.operations import invite_people
from deadpan.studies.pages.rendering import renderer
from deadpan.studies.pages.request_context import Reception
from deadpan.studies.serving import doors
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.work.assignment import Queues

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PASSWORD = "correct horse battery"
PHONE = {"width": 390, "height": 844}
Answers = Mapping[str, Any]


@contextmanager
def served(study: OpenStudy) -> Iterator[str]:
    """The address of a study that is served by a thread of this process."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        reception = Reception(study, doors("127.0.0.1", port), renderer(study.study), Queues())
        config = uvicorn.Config(study_app(reception), log_level="error", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join(timeout=10)


@contextmanager
def replaced(page: Page, path: str) -> Iterator[None]:
    """Does something that sends a form there, and waits until the answer stands in the page: the
    response alone may come before it."""
    before = page.locator("#main").element_handle()
    with page.expect_response(lambda found: found.url.endswith(path)):
        yield
    page.wait_for_function("before => !before.isConnected", arg=before)


@dataclass
class Person:
    """Somebody at a browser of their own."""

    page: Page
    problems: list[str] = field(default_factory=list)

    @classmethod
    def at(
        cls,
        browser: Browser,
        address: str,
        study: OpenStudy,
        name: str,
        role: str = "rater",
        **more: Any,
    ) -> Person:
        """Somebody who has joined by an invitation, agreed, and seen the guidelines."""
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **more})
        person = cls(context.new_page())
        person.page.on("pageerror", lambda error: person.problems.append(str(error)))
        person.page.on(
            "console",
            lambda said: person.problems.append(said.text) if said.type == "error" else None,
        )
        ((_, token),) = invite_people(study, [name], role)
        person.page.goto(f"{address}/join/{token}")
        person.page.fill("[name=password]", PASSWORD)
        person.page.fill("[name=again]", PASSWORD)
        with person.page.expect_navigation():
            person.page.click("main button.primary")
        if person.page.locator("[name=agree]").count():
            person.page.check("[name=agree]")
            with person.page.expect_navigation():
                person.page.click("main button.primary")
        if person.page.url.endswith("/guidelines?first"):
            with person.page.expect_navigation():
                person.page.click("main a.primary")
        return person

    @property
    def heading(self) -> str:
        return self.page.locator("h1").first.inner_text()

    @property
    def has_task(self) -> bool:
        return self.page.locator("article.task").count() > 0

    def look(self) -> None:
        """Goes to whatever comes next."""
        self.page.goto("/".join([*self.page.url.split("/")[:3], "work"]))

    def answer(self, answers: Answers) -> None:
        """Answers the questions of the page that are asked, and waits until all are saved."""
        for name, value in answers.items():
            form = self.question(name)
            if form.count() and form.is_visible():
                fill(form, value)
        self.saved()

    def question(self, name: str) -> Locator:
        return self.page.locator(f'form[data-question="{name}"]')

    def saved(self) -> None:
        self.page.wait_for_selector("#saved [data-state=saved]")

    def submit(self) -> None:
        """Submits, and waits for what comes then."""
        asked = self.page.locator("form.question:visible").count()
        with replaced(self.page, "/submit"):
            self.page.click("#submit button")
        if self.page.locator("[data-go-on]").count():
            # Practice that is done shows what was answered.
            assert self.page.locator("form.question:visible").count() == asked
            with self.page.expect_navigation():
                self.page.click("[data-go-on]")

    def close(self) -> None:
        self.page.context.close()


def fill(form: Locator, value: Any) -> None:
    """Gives an answer by the keyboard."""
    if callable(value):
        value(form)
        return
    for one in value if isinstance(value, list) else [value]:
        choice = form.locator(f'input[name=value][value="{one}"]')
        if choice.count():
            if not choice.is_checked():
                choice.press("Space")
        else:
            form.locator("textarea, input.line").first.fill(str(one))
            form.locator("textarea, input.line").first.blur()
