"""A study that is open: its specification, its items, its database and its files."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from deadpan.base.errors import DeadpanError
from deadpan.core.study.files import study_of
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Stage
from deadpan.core.study.words import Wording
from deadpan.studies.storage.database import Database
from deadpan.studies.storage.tables import (
    EventRow,
    ItemRow,
    MediaRow,
    PersonRow,
    SettingRow,
    SpecificationRow,
)

SECRET, CLOSED, COPY = "secret", "closed", "copy"
"""Settings: what orders are drawn with, when it was closed, and by what its folder knows it."""
CLOSED_NOW = select(SettingRow.name).where(SettingRow.name == CLOSED).exists()
"""Whether the study is closed, as a part of a query."""
LOOK_SECONDS = 2.0
"""How often a server looks whether the study was changed beside it."""


error_words = Wording(Path(__file__).with_name("errors.toml"))
"""What the app says of what cannot be done."""


class NotAllowed(DeadpanError):
    """Somebody asked for what is not theirs, or not theirs any more; said by a key of
    `errors.toml`."""

    def __init__(self, key: str, /, **facts: object) -> None:
        self.words = error_words(key, **facts)
        super().__init__(self.words["en"])


@dataclass
class OpenStudy:
    """A study while it is served or worked on: `study` is always the newest version. Items are read
    once, as they hardly ever change."""

    database: Database
    folder: Path
    study: Study
    version: int
    secret: str
    now: Callable[[], float] = time.time
    _looked: float = 0.0
    _items: dict[tuple[int, str], StudyItem] = field(default_factory=dict)
    _sizes: dict[str, tuple[int, int] | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls, database: Database, folder: Path, now: Callable[[], float] = time.time
    ) -> OpenStudy:
        """The study of a database; one that holds none raises."""
        with database.read() as session:
            newest = select(SpecificationRow).order_by(SpecificationRow.version.desc()).limit(1)
            row = session.scalars(newest).first()
            secret = session.get(SettingRow, SECRET)
        if row is None or secret is None:
            what = f"{folder}: the database holds no study"
            raise DeadpanError(f"{what}; make one with `deadpan study create`")
        study = study_of(row.text, f"{folder} version {row.version}")
        return cls(database, folder, study, row.version, secret.value, now)

    def catch_up(self, session: Session) -> None:
        """Takes over a newer version that another process stored, looking every few seconds."""
        if (at := time.monotonic()) - self._looked < LOOK_SECONDS:
            return
        self._looked = at
        newest = select(func.max(SpecificationRow.version))
        if (version := session.scalar(newest) or 0) <= self.version:
            return
        row = session.get_one(SpecificationRow, version)
        self.study = study_of(row.text, f"{self.folder} version {version}")
        self.version = version

    def stage(self, name: str) -> Stage:
        """The stage of that name; one that a newer version left out raises."""
        if (found := self.study.stage(name)) is None:
            raise DeadpanError(f"stage {name} is not in the study any more")
        return found

    def next_stage(self, name: str) -> Stage | None:
        """The stage after that one; None after the last."""
        names = [stage.name for stage in self.study.stages]
        after = self.study.stages[names.index(name) + 1 :]
        return after[0] if after else None

    def stage_before(self, name: str) -> Stage | None:
        """The stage before that one; None before the first."""
        names = [stage.name for stage in self.study.stages]
        return self.study.stages[names.index(name) - 1] if names.index(name) else None

    def item(self, session: Session, number: int, stage: str) -> StudyItem:
        """An item as it is in a stage, whole; its sealed parts never leave the server."""
        if (number, stage) not in self._items:
            row = session.get_one(ItemRow, number)
            names = [one.name for one in self.study.stages]
            so_far = names[: names.index(stage) + 1] if stage in names else []
            changed = [row.later[name] for name in so_far if name in row.later]
            content = changed[-1] if changed else row.content
            self._items[number, stage] = StudyItem.model_validate(content)
        return self._items[number, stage]

    def forget(self, number: int) -> None:
        """Has an item read anew the next time."""
        for key in [one for one in self._items if one[0] == number]:
            self._items.pop(key, None)

    def size(self, session: Session, checksum: str) -> tuple[int, int] | None:
        """Width and height of a picture that the study keeps; None of what has none."""
        if checksum not in self._sizes:
            row = session.get(MediaRow, checksum)
            width, height = (row.width, row.height) if row is not None else (None, None)
            self._sizes[checksum] = (width, height) if width and height else None
        return self._sizes[checksum]

    def draw(self, *about: object) -> random.Random:
        """A generator that always draws the same about the same, and that nobody can foresee."""
        return random.Random(":".join(map(str, (self.secret, *about))))

    def outputs_shown(
        self, person: int, number: int, item: StudyItem, among: Sequence[int] | None = None
    ) -> list[int]:
        """The places of an item's outputs in the order in which a person sees them."""
        places = list(range(len(item.outputs))) if among is None else sorted(set(among))
        self.draw("outputs", person, number).shuffle(places)
        return places

    def is_closed(self, session: Session) -> bool:
        """Whether nothing can be answered any more; looked up once in a session."""
        if CLOSED not in session.info:
            session.info[CLOSED] = bool(session.scalar(select(CLOSED_NOW)))
        return bool(session.info[CLOSED])

    def note(
        self, session: Session, person: PersonRow | int | None, what: str, **about: Any
    ) -> None:
        """Adds to the audit trail."""
        who = person.id if isinstance(person, PersonRow) else person
        session.add(EventRow(person=who, what=what, about=about, at=self.now()))


def languages_read(study: OpenStudy, person: PersonRow) -> list[str] | None:
    """The languages of items for a person; None for all."""
    return list(person.languages) if study.study.by_language and person.languages else None


def new_token() -> str:
    """A name that nobody can guess."""
    return secrets.token_urlsafe(18)


def count(session: Session, query: Any) -> int:
    """How many rows a query has."""
    found: int = session.scalar(select(func.count()).select_from(query.subquery())) or 0
    return found
