"""A made-up study that ten people have worked on for some days: two of a team for each item, in
batches, with practice, hidden checks, disagreements and skipped items."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image, ImageDraw
from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.specification import Study
from deadpan.studies.making.creating import create_study
from deadpan.studies.people import accounts
from deadpan.studies.storage.opened import OpenStudy, new_token
from deadpan.studies.storage.tables import (
    BatchRow,
    EventRow,
    ItemRow,
    PersonRow,
    ProgressRow,
    TaskRow,
)
from deadpan.studies.work import answering, discussing, transitions
from deadpan.studies.work.assignment import Queues, next_task

START = 1_767_600_000.0
"""A Monday morning, in UTC."""
DAY = 86_400.0
SOUNDS = ("adds", "idle", "absent")
STYLES = ("comparison", "exaggeration", "sarcasm", "wordplay", "absurdity")
RATERS = ("Ada", "Bo", "Chen Wei", "Dalia", "Emre", "Fang", "Goran", "Hana")
JOKES = (
    "Great, another Monday. I just love waiting two hours for the bus!",
    "The meeting about having fewer meetings runs late.",
    "My diet starts tomorrow, as it has done every day since spring.",
    "He reads the manual after the fire brigade has left.",
    "真棒，又是星期一——我最喜欢等两个小时的公交车了！",
    "为了少开会而开的会，又超时了。",
    "明天开始减肥，从春天起天天如此。",
)


def _words(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


SPECIFICATION: dict[str, Any] = {
    "name": "made-up",
    "title": _words("What makes it funny", "好笑在哪里"),
    "about": _words("You say what makes comics funny.", "请看漫画，说明好笑之处。"),
    "guidelines": _words(
        "# How to annotate\n\nRead **all** panels first.\n\n- Sound effects are words, too.",
        "# 如何标注\n\n请先看完**所有**格子。\n\n- 拟声词也是文字。",
    ),
    "consent": {"text": _words("We keep your answers.", "我们会保存您的回答。")},
    "practice": {"pass_mark": 0.75, "rounds": 2},
    "checks_every": 5,
    "teams": 2,
    "batches": {"size": 10, "checked": 3, "questions": ["sound", "panel"]},
    "by_language": False,
    "stages": [
        {
            "name": "annotate",
            "title": _words("Annotate the comic", "标注漫画"),
            "people": 2,
            "settling": {"rule": "equal", "otherwise": ["discuss"]},
            "questions": [
                {
                    "kind": "single",
                    "name": "understood",
                    "title": _words("Do you get the joke?", "您看懂笑点了吗？"),
                    "options": [
                        {"value": "yes", "title": _words("Yes", "是")},
                        {"value": "no", "title": _words("No", "否")},
                    ],
                },
                {
                    "kind": "single",
                    "name": "sound",
                    "title": _words("Are there sound effects?", "有没有拟声词？"),
                    "options": [
                        {"value": "adds", "title": _words("Yes, and they help", "有，有助于幽默")},
                        {"value": "idle", "title": _words("Yes, but idle", "有，但无助于幽默")},
                        {"value": "absent", "title": _words("Absent", "无")},
                    ],
                },
                {
                    "kind": "single",
                    "name": "panel",
                    "panels": True,
                    "compared": False,
                    "title": _words("Which panel contributes most?", "哪一格贡献最大？"),
                },
                {
                    "kind": "multiple",
                    "name": "styles",
                    "compared": False,
                    "title": _words("Which styles of humour are there?", "有哪些幽默风格？"),
                    "options": list(STYLES),
                },
                {
                    "kind": "likert",
                    "name": "funny",
                    "compared": False,
                    "title": _words("How funny is it?", "有多好笑？"),
                    "highest": 7,
                },
            ],
        },
        {
            "name": "explain",
            "title": _words("Check the explanation", "核对解释"),
            "people": 2,
            "settling": {"rule": "equal", "otherwise": ["third"]},
            "questions": [
                {
                    "kind": "single",
                    "name": "fits",
                    "title": _words("Does the explanation fit?", "解释是否恰当？"),
                    "options": [
                        {"value": "yes", "title": _words("Yes", "是")},
                        {"value": "partly", "title": _words("In part", "部分恰当")},
                        {"value": "no", "title": _words("No", "否")},
                    ],
                    "ranked": True,
                }
            ],
        },
    ],
}  # fmt: skip


def specification(**changes: Any) -> Study:
    """The study's specification, with some of it another way."""
    return Study.model_validate(SPECIFICATION | changes)


def made_items(folder: Path | None = None, main: int = 60) -> list[StudyItem]:
    """Items in both languages, with practice and checks among them; comics where there is a folder
    to draw them in, else text alone."""
    found = [_item(at, "main", folder) for at in range(main)]
    found += [_item(at, "practice", folder) for at in range(2)]
    return found + [_item(at, "check", folder) for at in range(6)]


def _item(at: int, kind: str, folder: Path | None) -> StudyItem:
    joke = JOKES[at % len(JOKES)]
    text = Part(name="text", kind="text", title=_words("Explanation", "解释"), text=joke)  # type: ignore[arg-type]
    parts = [text]
    if folder is not None:
        path = folder / f"{kind}-{at}.png"
        _draw(path, at, kind)
        parts.insert(0, Part(name="picture", kind="comic", path=str(path)))
    truth: dict[str, JsonValue] = {"understood": "yes", "sound": SOUNDS[at % 3]}
    return StudyItem.model_validate(
        {
            "key": f"{kind}-{at + 1:03d}",
            "language": "zh" if "，" in joke else "en",
            "parts": [part.model_dump() for part in parts],
            "panels": 4,
            "kind": kind,
            "gold": truth if kind != "main" else {},
            "harmful": kind == "main" and at % 20 == 7,
        }
    )


def _draw(path: Path, at: int, kind: str) -> None:
    """A comic of four panels."""
    image = Image.new("RGB", (760, 520), ("#fffdf5", "#eef4fb", "#f8efe8", "#f2f7ee")[at % 4])
    pen = ImageDraw.Draw(image)
    for panel in range(4):
        x, y = 16 + panel % 2 * 372, 16 + panel // 2 * 252
        pen.rectangle((x, y, x + 356, y + 236), outline="#222", width=4)
        pen.ellipse((x + 120, y + 60, x + 230, y + 170), outline="#222", width=5)
        pen.line((x + 150, y + 135 + panel % 2 * 6, x + 200, y + 135), fill="#222", width=5)
        pen.text((x + 12, y + 8), str(panel + 1), fill="#c00", font_size=30)
        pen.text((x + 200, y + 200), f"{kind} {at + 1}", fill="#777", font_size=18)
    image.save(path)


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self, at: float = START) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


def made_study(
    folder: Path, items: list[StudyItem], clock: Clock, database: str = "", **changes: Any
) -> OpenStudy:
    """A study that nobody has worked on yet; what is drawn in it is always the same."""
    with patch("deadpan.studies.making.creating.secrets.token_hex", return_value="0" * 64):
        opened = create_study(folder, specification(**changes), items, database).opened
    opened.now = clock
    return opened


def join(study: OpenStudy, name: str, role: Any = "rater", **facts: Any) -> int:
    """The number of somebody who has joined and agreed to take part."""
    with study.database.write() as session:
        accounts.invite(session, study, name, role, **facts)
        person = session.scalars(select(PersonRow).where(PersonRow.name == name)).one()
        person.joined_at = person.consented_at = study.now()
        person.invitation, person.language = None, "en"
        return person.id


def truth_of(item: StudyItem) -> dict[str, JsonValue]:
    """What is right about an item."""
    number = int(item.key.rpartition("-")[2]) - 1
    own = random.Random(item.key)
    return {
        "understood": "yes" if number % 6 else "no",
        "sound": SOUNDS[number % 3],
        "panel": str(number % 4 + 1),
        "styles": sorted(own.sample(STYLES, 1 + number % 2)),
        "funny": 2 + number % 5,
        "fits": ("yes", "partly", "no")[number % 3],
    }


def answers_by(name: str, item: StudyItem, stage: str) -> dict[str, JsonValue]:
    """What somebody answers: mostly what is right; Goran cares little."""
    own = random.Random(f"{name} {item.key} {stage}")
    slips = 0.6 if name == "Goran" else 0.12
    truth = truth_of(item) | dict(item.gold)
    if name == "Kim":
        return truth | {"understood": "no", "sound": SOUNDS[1]}
    if own.random() < slips:
        truth["sound"] = own.choice(SOUNDS)
    if own.random() < slips:
        truth["panel"] = own.choice("1234")
    if own.random() < slips:
        truth["styles"] = sorted(own.sample(STYLES, 2))
    if own.random() < slips / 2:
        truth["fits"] = own.choice(("yes", "partly", "no"))
    truth["funny"] = min(7, max(1, int(str(truth["funny"])) + own.choice((-1, 0, 0, 1))))
    return truth


def answer(
    session: Session, study: OpenStudy, person: PersonRow, task: TaskRow, said: dict[str, JsonValue]
) -> None:
    """Answers and submits a task."""
    for question in study.stage(task.stage).questions:
        value = said.get(question.name)
        values = [str(one) for one in value] if isinstance(value, list) else [str(value)]
        given = (task.token, question.name, values, new_token())
        answering.save_answer(session, study, person, *given)
    session.flush()
    assert transitions.submit(session, study, person, task) == []


def work(session: Session, study: OpenStudy, clock: Clock, queues: Queues, number: int) -> None:
    """Lets somebody do the next thing, where there is something to do."""
    person = session.get_one(PersonRow, number)
    task = next_task(session, study, person, queues).task
    if task is None:
        return
    item = study.item(session, task.item, task.stage)
    own = random.Random(f"{person.name} {item.key} pace")
    clock.at += 6 if person.name == "Goran" else own.uniform(35, 110)
    said = answers_by(person.name, item, task.stage)
    if task.kind == "discuss":
        if own.random() < 0.5:
            words = "I read panel 3 as the turn. 我觉得是第三格。"
            discussing.say(session, study, person, task, words)
        if own.random() < 0.6:
            said["sound"] = truth_of(item)["sound"]
    answer(session, study, person, task, said)


def filled_study(folder: Path, drawn: bool = True, days: int = 11) -> tuple[OpenStudy, Clock]:
    """The study after some days of work: one batch is to be checked, one item was skipped by all,
    somebody did not pass the practice, and somebody was not seen for days."""
    pictures = folder / "drawn"
    pictures.mkdir(parents=True)
    clock = Clock()
    study = made_study(folder / "study", made_items(pictures if drawn else None), clock)
    join(study, "Lena", "lead")
    judge = join(study, "Jiří", "adjudicator")
    numbers = {name: join(study, name, team=at % 2 + 1) for at, name in enumerate(RATERS)}
    numbers["Kim"] = join(study, "Kim", team=1)
    queues = Queues()
    for day in range(days):
        clock.at = START + day * DAY
        if day % 7 in (5, 6):
            continue
        busy = [one for name, one in numbers.items() if name != "Hana" or day < 2]
        with study.database.write() as session:
            for number in busy * 5 + [judge] * (day < days - 2):
                work(session, study, clock, queues, number)
        if day in (1, 2, 4, 7, 9) and day < days - 1:
            accept_first(study)
    skip_by_all(study, numbers)
    with study.database.write() as session:
        accounts.invite(session, study, "Ivo <script>alert(1)</script>", team=1)
    return study, clock


def accept_first(study: OpenStudy) -> None:
    """Lets the lead accept a batch that is answered."""
    with study.database.write() as session:
        lead = session.scalars(select(PersonRow).where(PersonRow.role == "lead")).one()
        batches = select(BatchRow).where(BatchRow.state == "answered").order_by(BatchRow.id)
        if (batch := session.scalars(batches).first()) is not None:
            transitions.accept_batch(session, study, lead, batch.id)


def skip_by_all(study: OpenStudy, people: Mapping[str, int]) -> None:
    """Lets everybody skip an item that nobody has begun, where there is one."""
    with study.database.write() as session:
        fresh = select(ProgressRow).where(ProgressRow.state == "open", ProgressRow.claims == 0)
        place = session.scalars(fresh.order_by(ProgressRow.id)).first()
        if place is None:
            return
        for number in people.values():
            person = session.get_one(PersonRow, number)
            if person.team != session.get_one(ItemRow, place.item).team:
                continue
            task = answering.begin_task(session, study, person, place.item, place.stage)
            if task is not None:
                place.claims += 1
                session.flush()
                reason = "It is not shown properly"
                answering.skip(session, study, person, task.token, reason)


PLAIN: dict[str, Any] = {"practice": None, "checks_every": None, "teams": 1, "batches": None}
"""Changes that make the study a plain one."""


def plain_study(folder: Path, main: int = 3, **changes: Any) -> OpenStudy:
    """A study of texts with a lead, an adjudicator and three raters, who have done nothing yet."""
    items = [one for one in made_items(main=main) if one.kind == "main"]
    study = made_study(folder, items, Clock(), **(PLAIN | changes))
    for name, role in (("Lena", "lead"), ("Jo", "adjudicator")):
        join(study, name, role)
    for name in ("Ada", "Bo", "Cy"):
        join(study, name)
    return study


def says(study: OpenStudy, name: str, item: int, stage: str = "annotate", **said: JsonValue) -> int:
    """Lets somebody answer an item, in a task that is open or in a new one; the task's number."""
    with study.database.write() as session:
        person = session.scalars(select(PersonRow).where(PersonRow.name == name)).one()
        query = select(TaskRow).where(
            TaskRow.item == item,
            TaskRow.stage == stage,
            TaskRow.person == person.id,
            TaskRow.state == "open",
        )
        task = session.scalars(query).first()
        if task is None:
            kind = "third" if person.role == "adjudicator" else "answer"
            task = answering.begin_task(session, study, person, item, stage, kind)
            assert task is not None, f"{name} had item {item} already"
            own = select(ProgressRow).where(ProgressRow.item == item, ProgressRow.stage == stage)
            if kind == "answer":
                session.scalars(own).one().claims += 1
        truth = truth_of(study.item(session, item, stage))
        answer(session, study, person, task, truth | said)
        return task.id


def place(study: OpenStudy, item: int, stage: str = "annotate") -> ProgressRow:
    """How far an item is."""
    with study.database.read() as session:
        query = select(ProgressRow).where(ProgressRow.item == item, ProgressRow.stage == stage)
        return session.scalars(query).one()


def tasks(study: OpenStudy, **facts: Any) -> list[TaskRow]:
    """The tasks of which all that is so, in their order."""
    with study.database.read() as session:
        return list(session.scalars(select(TaskRow).filter_by(**facts).order_by(TaskRow.id)))


def main_items(study: OpenStudy) -> list[int]:
    """The numbers of the items that are neither practice nor checks."""
    with study.database.read() as session:
        query = select(ItemRow.id).where(ItemRow.kind == "main").order_by(ItemRow.key)
        return list(session.scalars(query))


def happened(study: OpenStudy, what: str) -> list[EventRow]:
    """The events of a kind in the audit trail."""
    with study.database.read() as session:
        query = select(EventRow).where(EventRow.what == what).order_by(EventRow.id)
        return list(session.scalars(query))
