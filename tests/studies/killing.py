"""A server that is killed under load, again and again, and what is in its database then."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import AnswerRow, ProgressRow, TaskRow
from tests.studies.crowd import Crowd, Server, made_study, seats

PEOPLE = 2


@dataclass(frozen=True)
class Account:
    """What was acknowledged, what is there, and what is wrong with it."""

    kills: int
    answers: int
    submits: int
    asked_again: int
    lost: int
    doubled: int
    unknown: int
    """Answers that are there and that nobody was told of."""
    wrong: list[str]
    """Items and tasks that contradict each other."""
    seconds: float

    @property
    def line(self) -> str:
        return (
            f"{self.kills} kills in {self.seconds:.0f} s: {self.answers:,} answers and "
            f"{self.submits:,} submits acknowledged, {self.asked_again:,} requests repeated; "
            f"{self.lost} lost, {self.doubled} doubled, {self.unknown} unknown, "
            f"{len(self.wrong)} contradictions"
        )


def kill_often(
    folder: Path, kills: int, raters: int = 16, database: str = "", seed: int = 0
) -> Account:
    """Kills the server of a new study so often, at random moments, while raters answer."""
    study = made_study(folder, max(200, kills * raters * 2), database)
    people = seats(study, raters)
    server = Server(folder / "study", database)
    crowd = Crowd(server)
    began = time.monotonic()

    async def killed() -> None:
        working = asyncio.create_task(crowd.work(people))
        draw = random.Random(seed)
        for _ in range(kills):
            before = len(crowd.answered)
            while len(crowd.answered) < before + 3 and not working.done():
                await asyncio.sleep(0.01)
            await asyncio.sleep(draw.uniform(0, 0.5))
            server.kill()
            await asyncio.to_thread(server.start)
        await asyncio.sleep(1)
        crowd.stopping = True
        await working

    server.start()
    try:
        asyncio.run(killed())
    finally:
        server.kill()
    found = _account(study, crowd, kills, time.monotonic() - began)
    study.database.close()
    return found


def _account(study: OpenStudy, crowd: Crowd, kills: int, seconds: float) -> Account:
    with study.database.read() as session:
        query = select(TaskRow.token, AnswerRow).join(TaskRow, TaskRow.id == AnswerRow.task)
        rows = [(token, row) for token, row in session.execute(query)]
        there = {(token, row.question, _said(row.value), row.key) for token, row in rows}
        states = {
            token: state for token, state in session.execute(select(TaskRow.token, TaskRow.state))
        }
        wrong = _contradictions(study)
    told = {(one.task, one.question, one.value, one.key) for one in crowd.answered}
    lost = told - there
    twice = [
        key for key, many in Counter((token, row.key) for token, row in rows).items() if many > 1
    ]
    twice += [
        key
        for key, many in Counter(
            (token, row.question, _said(row.value)) for token, row in rows
        ).items()
        if many > 1
    ]
    wrong += [
        f"{one} is {states.get(one)}" for one in crowd.submitted if states.get(one) != "submitted"
    ]
    wrong += crowd.refused
    return Account(
        kills,
        len(crowd.answered),
        len(crowd.submitted),
        crowd.again,
        len(lost),
        len(twice),
        len(there - told),
        wrong,
        seconds,
    )


def _said(value: object) -> str:
    return ";".join(sorted(map(str, value))) if isinstance(value, list) else str(value)


def _contradictions(study: OpenStudy) -> list[str]:
    """Items that more people have than should, or whose state does not fit their tasks."""
    wrong = []
    with study.database.read() as session:
        counted = select(TaskRow.item, TaskRow.state, func.count()).group_by(
            TaskRow.item, TaskRow.state
        )
        tasks: dict[int, Counter[str]] = {}
        for item, state, many in session.execute(counted):
            tasks.setdefault(item, Counter())[state] += many
        for row in session.scalars(select(ProgressRow)):
            own = tasks.get(row.item, Counter())
            if own.total() != row.claims or row.claims > PEOPLE:
                wrong.append(f"item {row.item}: {row.claims} claims, tasks {dict(own)}")
            if (row.state != "open") != (own["submitted"] == PEOPLE):
                wrong.append(f"item {row.item}: {row.state}, tasks {dict(own)}")
    return wrong
