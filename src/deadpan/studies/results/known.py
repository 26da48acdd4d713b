"""Whom and what the results of a study speak of: people, items and batches, by number."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.exports import Recruited, Spent
from deadpan.studies.storage.tables import BatchRow, ItemRow, PersonRow, TaskRow


@dataclass(frozen=True)
class Known:
    """The people, items and batches of a study, by number."""

    people: Mapping[int, PersonRow]
    names: Mapping[int, str]
    items: Mapping[int, ItemRow]
    batches: Mapping[int, str]

    @classmethod
    def of(cls, session: Session, names: bool) -> Known:
        everybody = {row.id: row for row in session.scalars(select(PersonRow))}
        people = {number: row for number, row in everybody.items() if not row.left_out}
        items = {row.id: row for row in session.scalars(select(ItemRow))}
        batches = {row.id: batch_name(row) for row in session.scalars(select(BatchRow))}
        return cls(people, people_named(everybody, names), items, batches)

    @property
    def recruited(self) -> list[Recruited]:
        """Those whom a recruiting platform sent."""
        came = [row for row in self.people.values() if row.outside is not None]
        return [Recruited(self.names[row.id], row.code, row.parameters) for row in came]

    def spent(self, task: TaskRow, turns: Set[int]) -> Spent:
        """How long a task took. A discussion in which its person took no turn was ended by the
        others."""
        item = self.items[task.item]
        is_ended = task.kind == "discuss" and task.id not in turns
        return Spent(
            unit=task.item,
            item=item.key,
            stage=task.stage,
            person=self.names[task.person],
            kind="check" if item.kind == "check" else task.kind,
            state="ended" if is_ended else task.state,
            seconds=task.seconds,
            reason=task.note if task.state == "skipped" else "",
        )


def batch_name(row: BatchRow) -> str:
    """What a batch is called in files: `team 1 batch 2`."""
    return f"team {row.team} batch {row.number}"


def people_named(people: Mapping[int, PersonRow], names: bool) -> dict[int, str]:
    """What everybody is called: rater-1, adjudicator-1, by role; or by their names."""
    if names:
        return {number: row.name for number, row in people.items()}
    counts: dict[str, int] = {}
    found = {}
    for number in sorted(people):
        role = people[number].role
        counts[role] = counts.get(role, 0) + 1
        found[number] = f"{role}-{counts[role]}"
    return found
