"""People made of rules: they join by their invitation, and answer whatever a study asks."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue
from sqlalchemy import select
from starlette.responses import Response
from starlette.testclient import TestClient

from deadpan.core.study.choice_questions import Multiple, Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.picture_questions import Boxes
from deadpan.core.study.ranking_questions import Best, Order
from deadpan.core.study.scale_questions import Likert, Number
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.core.study.text_questions import Span, Text, Transcription
from deadpan.studies.app import study_app
from deadpan.studies.lead.operations import invite_people
from deadpan.studies.making.creating import create_study
from deadpan.studies.pages.rendering import renderer
from deadpan.studies.pages.request_context import Doors, Reception
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import TaskRow
from deadpan.studies.work.assignment import Queues

PORT = 8000
ORIGIN = f"http://localhost:{PORT}"
PASSWORD = "correct horse battery"
Choose = Callable[[Question, StudyItem, random.Random], JsonValue]


@dataclass
class Room:
    """A study that is served inside of a test."""

    study: OpenStudy
    app: Any

    def client(self) -> TestClient:
        """A browser that nobody has used yet."""
        return TestClient(self.app, base_url=ORIGIN, headers={"Origin": ORIGIN})

    def invite(self, name: str, role: str = "rater", **more: Any) -> str:
        """The path of an invitation."""
        (found,) = invite_people(self.study, [name], role, **more)
        return f"/join/{found[1]}"

    def joined(self, name: str, role: str = "rater", **more: Any) -> Robot:
        """Somebody who has joined and agreed."""
        return Robot(self, name, self.client(), self.invite(name, role, **more))


def room_of(folder: Path, study: Study, items: Sequence[StudyItem], database: str = "") -> Room:
    """A new study, served."""
    return served(create_study(folder, study, items, database).opened)


def served(opened: OpenStudy) -> Room:
    """A study that is there already, served."""
    doors = Doors(PORT, frozenset({"localhost"}))
    return Room(opened, study_app(Reception(opened, doors, renderer(opened.study), Queues())))


class Robot:
    """One person: whatever a task asks is answered by `choose`, or else by lot."""

    def __init__(self, room: Room, name: str, client: TestClient, link: str) -> None:
        self.room, self.name, self.client = room, name, client
        self.draw = random.Random(name)
        self.csrf = ""
        self.done: list[str] = []
        joined = self.post(link, password=PASSWORD, again=PASSWORD, language="en")
        assert joined.status_code == 200, joined.text
        if room.study.study.consent:
            self.get("/consent")
            self.post("/consent", agree="yes")

    def get(self, path: str) -> Response:
        found = self.client.get(path)
        if token := re.search(r'name="csrf" value="([^"]+)"', found.text):
            self.csrf = token.group(1)
        return found

    def post(self, path: str, fragment: bool = False, **fields: Any) -> Response:
        headers = {"HX-Request": "true"} if fragment else {}
        return self.client.post(path, data={"csrf": self.csrf, **fields}, headers=headers)

    def task(self) -> TaskRow | None:
        """The task that comes next; None where there is none."""
        found = self.get("/work")
        place = re.search(r"/t/([\w-]+)$", str(found.url))
        if place is None:
            return None
        with self.room.study.database.read() as session:
            query = select(TaskRow).where(TaskRow.token == place.group(1))
            return session.scalars(query).one()

    def answer(self, task: TaskRow, choose: Choose | None = None) -> Mapping[str, JsonValue]:
        """Answers a task's questions, those first on which others depend."""
        study = self.room.study
        with study.database.read() as session:
            item = study.item(session, task.item, task.stage)
        said: dict[str, JsonValue] = {}
        for question in study.stage(task.stage).questions:
            if not question.is_asked(said):
                continue
            value = choose(question, item, self.draw) if choose else None
            if value is None:
                value = any_answer(question, item, self.draw)
            if value is None:
                continue
            said[question.name] = value
            if question.uploads:
                continue
            found = self.post(
                f"/t/{task.token}/answer/{question.name}",
                fragment=True,
                value=form_value(question, value),
                key=f"key-{task.id}-{question.name}-{self.draw.random()}",
            )
            assert found.status_code == 200, (question, value, found.text)
        return said

    def work(self, choose: Choose | None = None, most: int = 500) -> int:
        """Does everything there is to do, and returns how many tasks that were."""
        for count in range(most):
            task = self.task()
            if task is None:
                return count
            self.done.append(task.token)
            if task.kind == "review":
                self.post(f"/t/{task.token}/review", point=["0", "1"], decision="accept")
                continue
            self.answer(task, choose)
            found = self.post(f"/t/{task.token}/submit")
            assert found.status_code == 200, found.text
        raise AssertionError(f"{self.name} is not done after {most} tasks")


def form_value(question: Question, value: JsonValue) -> Any:
    """A value as the page's form sends it."""
    if question.several:
        return value
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def any_answer(question: Question, item: StudyItem, draw: random.Random) -> JsonValue:
    """Some right answer to a question; None where it may be left out."""
    match question:
        case Single():
            return draw.choice(question.choices(item))
        case Multiple():
            free = [one.value for one in question.options if one.value not in question.alone]
            return sorted(draw.sample(free, max(question.least, 1)))
        case Likert():
            return draw.randint(question.lowest, question.highest)
        case Number():
            return question.lowest
        case Text():
            if question.closed:
                return draw.choice(question.suggested(item.language))
            words = f"because it is {draw.randint(0, 99)} times as it seems "
            return (words * (question.least // len(words) + 1)).strip()[: question.most]
        case Span():
            part = item.part(question.of[0])
            text = part.text if part else ""
            if not text:
                return {"text": "somebody"}
            return {"text": text[:4], "part": question.of[0], "start": 0, "end": len(text[:4])}
        case Transcription():
            return {str(number): "hm" for number in item.panel_numbers}
        case Best():
            return draw.randrange(2)
        case Boxes():
            return [
                {"x1": 0.1, "y1": 0.1, "x2": 0.5, "y2": 0.9},
                {"x1": 0.5, "y1": 0.1, "x2": 0.9, "y2": 0.9},
            ]
        case Order():
            return question.choices(item)
        case _:
            return None


@contextmanager
def everybody(*robots: Robot) -> Iterator[Sequence[Robot]]:
    """Several people whose browsers are closed in the end."""
    try:
        yield robots
    finally:
        for robot in robots:
            robot.client.close()


def work_together(robots: Sequence[Robot], choose: Choose | None = None, rounds: int = 30) -> None:
    """Everybody works until nobody has anything to do."""
    for _ in range(rounds):
        if not sum(robot.work(choose) for robot in robots):
            return
    raise AssertionError("the study does not come to an end")
