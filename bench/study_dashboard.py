"""What a lead waits for: the dashboard and each deed of a study of thousands of items.

Everybody's answers are written into the database as they would be after weeks of work; then a
lead's pages are asked for one after the other, and each deed is followed by the page it leads to.
Times are from the request to the last byte, of the app in this process, on SQLite.

    python bench/study_dashboard.py [--items 3000] [--people 20]
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import insert, select

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from deadpan.core.study.items import StudyItem  # noqa: E402
from deadpan.studies.storage.opened import new_token  # noqa: E402
from deadpan.studies.storage.tables import AnswerRow, PersonRow, ProgressRow, TaskRow  # noqa: E402
from tests.studies.crowd import crowded_study  # noqa: E402
from tests.studies.study_room import Person, Room, served, words  # noqa: E402

_ANSWERED, _DISPUTED = 0.8, 0.1
"""Shares of the items that are answered, and of those the ones on which two differ."""


def main() -> None:
    """Prints how long each page and each deed takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=3_000)
    parser.add_argument("--people", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        room, lead = a_worked_study(Path(folder), options.items, options.people)
        about = f"{options.items:,} items, {options.people} people"
        print(f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} cores; {about}", flush=True)
        measure(room, lead)
        room.study.database.close()


def a_worked_study(folder: Path, items: int, people: int) -> tuple[Room, Person]:
    """A study of which most items are answered by two, and its lead."""
    made = [StudyItem(key=f"k{at}", parts=(words(f"Joke {at}."),)) for at in range(items)]
    room = served(folder / "study", crowded_study(), made)
    lead = room.person("Lena", role="lead")
    raters = [room.person(f"Rater {at}").number for at in range(people)]
    draw, now = random.Random(0), room.clock()
    tasks, answers = [], []
    with room.study.database.write() as session:
        rows = session.scalars(select(ProgressRow).order_by(ProgressRow.id)).all()
        for row in rows[: round(len(rows) * _ANSWERED)]:
            differ = draw.random() < _DISPUTED
            row.claims, row.state = 2, "disputed" if differ else "settled"
            row.result = {} if differ else {"funny": "yes"}
            for at, person in enumerate(draw.sample(raters, 2)):
                ended = now - draw.uniform(0, 20) * 86_400
                about = {"item": row.item, "stage": "look", "person": person, "kind": "answer"}
                times = {"opened_at": ended - 60, "ended_at": ended, "seconds": 40 * draw.random()}
                number = len(tasks) + 1
                state = {"id": number, "state": "submitted", "token": new_token()}
                tasks.append({**about, **state, **times})
                said = {
                    "funny": "no" if differ and at else "yes",
                    "rating": draw.randint(1, 7),
                    "sure": draw.randint(1, 5),
                    "styles": draw.sample(["pun", "irony", "parody"], 2),
                    "why": "Because it says the opposite of what it means.",
                }
                answers += [
                    {"task": number, "question": name, "value": value, "origin": "person"}
                    | {"version": 1, "key": f"{number}-{name}", "at": ended}
                    for name, value in said.items()
                ]
        session.flush()
        session.execute(insert(TaskRow), tasks)
        session.execute(insert(AnswerRow), answers)
    return room, lead


def measure(room: Room, lead: Person) -> None:
    """Prints a line for each page, and for each deed with the page that follows it."""

    def timed(name: str, ask: Callable[[], object]) -> None:
        began, busy = time.perf_counter(), time.process_time()
        ask()
        took, worked = time.perf_counter() - began, time.process_time() - busy
        print(f"{name:24} {took * 1000:8.0f} ms {worked * 1000:8.0f} ms of a core", flush=True)

    def deed(what: str, path: str, page: str = "/lead", **fields: object) -> None:
        timed(what, lambda: _fine(lead.post(path, **fields).status_code))
        timed(f"  then {page}", lambda: _fine(lead.get(page).status_code))

    with room.study.database.read() as session:
        query = select(ProgressRow.item).where(ProgressRow.state == "disputed")
        disputed = session.scalars(query.limit(3)).all()
        said = select(TaskRow.id).where(TaskRow.item == disputed[0])
        task = session.scalars(said.limit(1)).one()
        somebody = session.scalars(select(PersonRow.id).where(PersonRow.role == "rater")).all()
    timed("/lead, the first time", lambda: _fine(lead.get("/lead").status_code))
    timed("/lead, again", lambda: _fine(lead.get("/lead").status_code))
    timed("/lead/people", lambda: _fine(lead.get("/lead/people").status_code))
    timed("/lead/items", lambda: _fine(lead.get("/lead/items").status_code))
    deed("invite", "/lead/invite", "/lead/people", name="Nina", role="rater")
    deed("a new link", "/lead/reissue", "/lead/people", person=somebody[0])
    deed("shut out", "/lead/revoke", "/lead/people", person=somebody[1])
    item = f"/lead/item/{disputed[0]}"
    timed("an item", lambda: _fine(lead.get(item).status_code))
    deed("settle", f"{item}/settle", stage="look", task=task)
    deed("discard", f"/lead/item/{disputed[1]}/discard", stage="look", reason="unclear")
    deed("close", "/lead/close")
    deed("open again", "/lead/open")


def _fine(status: int) -> None:
    if status >= 400:
        raise SystemExit(f"expected a page, got {status}")


if __name__ == "__main__":
    main()
