"""A study made from its specification and items: a folder with its files, and a database.

Nothing is half made: the database is filled in one go, after every file is there.
"""

from __future__ import annotations

import json
import os
import random
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

from deadpan.base.errors import DeadpanError, InputError, NotWritten
from deadpan.base.files import is_file, is_there, read_text, write_text
from deadpan.base.printable import without_controls
from deadpan.core.study.files import study_text
from deadpan.core.study.items import Output, Part, StudyItem, Turn
from deadpan.core.study.specification import Study
from deadpan.core.study.validation import require_fit, with_read_gold
from deadpan.studies.making.sealing import sealed_items
from deadpan.studies.storage.database import Database, file_database, make_private, server_database
from deadpan.studies.storage.media import KeptFile, keep_part, private_folder
from deadpan.studies.storage.migrating import migrate
from deadpan.studies.storage.opened import COPY, SECRET, OpenStudy, new_token
from deadpan.studies.storage.tables import (
    BatchRow,
    ItemRow,
    MediaRow,
    ProgressRow,
    SettingRow,
    SpecificationRow,
)
from deadpan.studies.storage.troubles import shown
from deadpan.studies.storage.unfinished import clear, is_unfinished, mark, require_own_place, unmark
from deadpan.studies.work.answering import cleaned

SPECIFICATION, PLACE, DATABASE = "study.yaml", "study.json", "study.db"
ENVIRONMENT = "DEADPAN_STUDY_DATABASE"


@dataclass(frozen=True)
class Created:
    """A study that was made: how many items, and what could not be shown, with the reason."""

    opened: OpenStudy
    items: int
    left_out: Sequence[str]
    notes: Sequence[str] = ()
    """What is worth knowing of how outputs were made alike."""


def create_study(
    folder: Path,
    study: Study,
    items: Sequence[StudyItem],
    database: str = "",
    progress: Callable[[], None] = lambda: None,
) -> Created:
    """Makes a study in a folder. An item whose file cannot be shown is left out and named; a folder
    that holds a study already raises, and so do items that do not fit the study."""
    require_free(folder)
    if not items:
        raise DeadpanError("there is nothing to ask about: the data gave no item")
    require_fit(study, [(f"item {item.key}", item) for item in items])
    private_folder(folder)
    place = _new_place(folder, study, database)
    kept: dict[str, KeptFile] = {}
    ready: list[StudyItem] = []
    left_out: list[str] = []
    alike, notes = sealed_items(items)
    for item in alike:
        try:
            ready.append(_keep_item(with_read_gold(study, _storable(item)), folder, kept))
        except NotWritten:
            raise
        except InputError as error:
            # Advice to fetch data is none for files of one's own.
            why = str(error) if study.template else f"{error.where}: {error.what}"
            left_out.append(f"{item.key}: {why}")
        progress()
    if not any(item.kind == "main" for item in ready):
        raise DeadpanError(f"no item can be shown; the first: {left_out[0]}")
    files = {one.checksum: one for one in kept.values()}
    opened = _fill(folder, study, ready, files.values(), place)
    write_text(folder / SPECIFICATION, study_text(study))
    write_place(folder, opened)
    unmark(folder)
    return Created(opened, len(ready), left_out, notes)


def _storable(item: StudyItem) -> StudyItem:
    """The item as every database can hold it: one with a NUL in its words, as a model may write,
    without control characters."""
    plain = item.model_dump(mode="json")
    return StudyItem.model_validate(cleaned(plain)) if "\\x00" in repr(plain) else item


def require_free(folder: Path) -> None:
    """Raises where a folder holds a study already, or a file that would be overwritten."""
    if is_there(folder / PLACE):
        raise DeadpanError(f"{folder}: holds a study already; name another folder with --out")
    if is_there(folder / SPECIFICATION) and not is_unfinished(folder):
        path = folder / SPECIFICATION
        raise InputError(path, "would be overwritten", "Name another folder with --out.")


def _new_place(folder: Path, study: Study, database: str) -> Database:
    """The database of a study that is to be made, before anything else is: one that cannot be
    written, or holds a study, raises. What is left of one that was cut off is taken away."""
    if database:
        found = server_database(database, study.name)
        require_own_place(folder, found)
        return found
    path = folder / DATABASE
    if is_unfinished(folder):
        clear(folder, [f"{DATABASE}*"])
    elif is_there(path):
        fix = f"Name another folder; {PLACE} is missing here, and a backup has it."
        raise InputError(path, "is the database of a study that is there already", fix)
    found = file_database(path)
    mark(folder, found)
    make_private(path)
    return found


def open_study(folder: Path, database: str = "") -> OpenStudy:
    """The study of a folder, its database brought up to date; without one raises."""
    found = study_database(folder, database)
    migrate(found)
    return OpenStudy.of(found, folder)


def study_database(folder: Path, database: str = "") -> Database:
    """The database of a folder's study, as it is; where there is none raises."""
    if not is_file(folder / PLACE):
        what = f"{folder}: holds no study"
        raise DeadpanError(f"{what}; make one with `deadpan study create TEMPLATE --out {folder}`")
    try:
        place = json.loads(read_text(folder / PLACE))
        name, kind = str(place["study"]), str(place["database"])
        known = str(place.get("copy", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(folder / PLACE, "is damaged", "Restore it from a backup.") from None
    if kind != "postgresql" and database:
        if database != os.environ.get(ENVIRONMENT):
            what = f"{folder}: its database is the file {DATABASE} in it"
            raise DeadpanError(f"{what}; leave out --database, or move it by backup and restore")
        database = ""  # the variable is of other studies
    if kind == "postgresql" and not database:
        what = f"{folder}: its database is on a PostgreSQL server"
        raise DeadpanError(f"{what}; name it with --database, or in {ENVIRONMENT}")
    if not database and not is_there(folder / DATABASE):
        raise InputError(folder / DATABASE, "is missing", "Restore it from a backup.")
    if not database:
        return file_database(folder / DATABASE)
    found = server_database(database, name)
    if not found.has_tables():
        what = f"{folder}: {shown(found.place)} holds no study called {name}"
        raise DeadpanError(f"{what}; name the database that it was made in")
    with found.read() as session:
        copy = session.get(SettingRow, COPY)
    if known and (copy is None or copy.value != known):
        what = f"{folder}: {shown(found.place)} holds another copy of {name}"
        raise DeadpanError(f"{what}; name the database that this one was restored to")
    return found


def write_place(folder: Path, opened: OpenStudy) -> None:
    """Notes which study a folder holds, and where its database is: it is then a study's folder. A
    backup may be restored beside its study, under the same name: each folder knows its own copy."""
    with opened.database.read() as session:
        copy = session.get_one(SettingRow, COPY).value
    kind = DATABASE if opened.database.is_sqlite else "postgresql"
    place = {"study": opened.study.name, "database": kind, "copy": copy}
    write_text(folder / PLACE, json.dumps(place, indent=1) + "\n")


def _keep_item(item: StudyItem, folder: Path, kept: dict[str, KeptFile]) -> StudyItem:
    """The item with its files in the study, and its words without hidden characters."""

    def part_kept(part: Part, is_output: bool) -> Part:
        words = {
            "text": without_controls(part.text),
            "texts": {language: without_controls(text) for language, text in part.texts.items()},
            "alt": without_controls(part.alt),
            "turns": tuple(
                Turn(speaker=without_controls(one.speaker), text=without_controls(one.text))
                for one in part.turns
            ),
        }
        if not part.is_file:
            return part.model_copy(update=words)
        is_sealed = is_output or part.sealed
        made = f"{part.kind} {is_sealed} {part.panels!r} {part.path}"
        if made not in kept:  # many items show the same picture
            kept[made] = keep_part(part, folder, is_sealed)
        return part.model_copy(update=words | {"path": kept[made].checksum})

    parts = tuple(part_kept(part, False) for part in item.parts)
    outputs = tuple(
        Output(
            source=one.source, parts=tuple(part_kept(part, is_output=True) for part in one.parts)
        )
        for one in item.outputs
    )
    return item.model_copy(update={"parts": parts, "outputs": outputs})


def _fill(
    folder: Path,
    study: Study,
    items: Sequence[StudyItem],
    media: Iterable[KeptFile],
    found: Database,
) -> OpenStudy:
    migrate(found)
    secret = secrets.token_hex(32)
    with found.write() as session:
        opened = OpenStudy(found, folder, study, 1, secret)
        now = opened.now()
        session.add(SettingRow(name=SECRET, value=secret))
        session.add(SettingRow(name=COPY, value=new_token()))
        session.add(SpecificationRow(version=1, text=study_text(study), at=now))
        session.add_all(
            MediaRow(checksum=one.checksum, type=one.type, width=one.width, height=one.height)
            for one in media
        )
        _add_items(session, study, items, random.Random(secret), now)
        opened.note(session, None, "created", items=len(items))
    return opened


def _add_items(
    session: Session,
    study: Study,
    items: Sequence[StudyItem],
    generator: random.Random,
    now: float,
) -> None:
    """Adds items in a random order, so that no number tells where they come from, dealt to teams
    and batches."""
    order = list(items)
    generator.shuffle(order)
    main = [item for item in order if item.kind == "main"]
    size = study.batches.size if study.batches else None
    batches: dict[tuple[int, int], BatchRow] = {}
    place = {id(item): at for at, item in enumerate(main)}
    for at, item in enumerate(order):
        team = batch = None
        if item.kind == "main" and study.teams > 1:
            team = place[id(item)] % study.teams + 1
        if item.kind == "main" and size:
            number = place[id(item)] // study.teams // size + 1
            batch = batches.get((team or 1, number)) or _add_batch(session, team or 1, number)
            batches[team or 1, number] = batch
        row = ItemRow(
            key=item.key,
            language=item.language,
            kind=item.kind,
            content=item.model_dump(mode="json"),
            place=at,
            team=team,
            batch=batch.id if batch else None,
        )
        session.add(row)
        if item.kind == "main":
            session.flush()
            first = study.stages[0].name
            session.add(
                ProgressRow(item=row.id, stage=first, state="open", claims=0, result={}, at=now)
            )


def _add_batch(session: Session, team: int, number: int) -> BatchRow:
    state = "open" if number == 1 else "waiting"
    row = BatchRow(team=team, number=number, state=state, checked=[])
    session.add(row)
    session.flush()
    return row
