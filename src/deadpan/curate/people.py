"""The stage in which people decide: candidates go out as a study, and what was settled in it comes
back as records. A study that people have begun is never made anew."""

from __future__ import annotations

import csv
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_file
from deadpan.core.curation import Building, Post
from deadpan.core.dataset import Dataset
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.templates import StudySource, StudyTemplate
from deadpan.curate.schema import People
from deadpan.studies.lead.staffing import people_needed
from deadpan.studies.making.catalogue import find_template
from deadpan.studies.making.creating import PLACE, create_study, open_study
from deadpan.studies.results.agreement import study_agreement
from deadpan.studies.results.datasheet import datasheet
from deadpan.studies.results.gathering import gather
from deadpan.studies.results.status import study_status
from deadpan.studies.storage.opened import OpenStudy

_NAMES = ("id", "meme_id", "comic_id", "video_id")
"""What items are called in the files that templates write."""
_ENDED = ("discarded", "returned", "disputed")
_DONE = ("settled", "discarded", "returned")
"""States that nobody has anything to do about any more."""
Row = dict[str, JsonValue]


@dataclass(frozen=True)
class StudyWork:
    """A study of candidates, how far it is, and what was said when it was made."""

    opened: OpenStudy
    template: StudyTemplate
    notes: tuple[str, ...] = ()

    @property
    def open_items(self) -> int:
        """How many items people have still to decide on, those included that they discuss or that
        wait for a third person; none where it is closed."""
        status = study_status(self.opened)
        if status.is_closed:
            return 0
        counted = (states.items() for states in status.stages.values())
        return sum(many for states in counted for state, many in states if state not in _DONE)

    @property
    def invitations(self) -> tuple[str, ...]:
        """Whom to invite, as nobody who is there can do what is left."""
        return tuple(one.invitation for one in people_needed(self.opened))


@dataclass(frozen=True)
class Settled:
    """What people settled: rows by item, why others are left out, and the study's datasheet."""

    rows: Mapping[str, Row]
    left_out: Mapping[str, str]
    datasheet: str


def template_of(people: People, benchmark: str, building: Building) -> StudyTemplate:
    """The study that candidates go into."""
    _, template = find_template(people.template or f"{benchmark}/{building.template}")
    return template


def has_study(folder: Path) -> bool:
    """Whether a folder holds a study."""
    return is_file(folder / PLACE)


def has_people(folder: Path) -> bool:
    """Whether anybody was invited into a folder's study, or has said anything in it."""
    status = study_status(open_study(folder))
    return bool(status.people or status.saved)


def study_of(
    people: People, template: StudyTemplate, folder: Path, dataset: Dataset[Any], seed: int
) -> StudyWork:
    """The study of a folder, made from the candidates where there is none yet."""
    if has_study(folder):
        return StudyWork(open_study(folder), template)
    settings = template.settings({name: str(value) for name, value in people.set.items()})
    made = template.make(StudySource(dataset, None, seed, settings))
    created = create_study(folder, made.study, made.items)
    left_out = [f"left out: {one}" for one in created.left_out]
    notes = (one.replace(" FOLDER ", f" {folder} ") for one in (*made.notes, *created.notes))
    return StudyWork(created.opened, template, (*notes, *left_out))


def settled(work: StudyWork) -> Settled:
    """What came of a study that is done; raises where nothing did."""
    export = gather(work.opened)
    rows = _written_rows(work.template, export)
    if not rows:
        names = ", ".join(_NAMES)
        what = f"nothing that people settled is written by an item's name ({names})"
        raise DeadpanError(f"{work.opened.folder}: {what}, so nothing can be released")
    left_out = {
        one.item.key: f"{one.state}: {one.reason}" if one.reason else one.state
        for one in export.settled
        if one.state in _ENDED and one.item.key not in rows
    }
    return Settled(rows, left_out, datasheet(export, study_agreement(export)))


def _written_rows(template: StudyTemplate, export: StudyExport) -> dict[str, Row]:
    """By item what a template writes of it, in all of its files together."""
    if template.write is None:
        raise DeadpanError(f"{template.name}: this study settles no records; name another template")
    found: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for path in template.write(export, Path(scratch)):
            if path.name in ("left_out.json", "changes.json", "revised_edits.json"):
                continue
            if path.suffix not in _READERS:
                expected = ", ".join(_READERS)
                raise DeadpanError(f"{template.name} writes {path.name}; expected {expected}")
            for row in _READERS[path.suffix](path):
                if name := next((str(row[one]) for one in _NAMES if row.get(one)), ""):
                    found.setdefault(name, {}).update(row)
    return found


def _lines(path: Path) -> Iterator[Row]:
    yield from (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def _document(path: Path) -> Iterator[Row]:
    yield from json.loads(path.read_text("utf-8"))


def _table(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        yield from (dict(row) for row in csv.DictReader(stream))


_READERS: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    ".jsonl": _lines,
    ".json": _document,
    ".csv": _table,
}


def decided(
    posts: Sequence[Post], done: Settled, named: Callable[[Post], str]
) -> tuple[list[Post], dict[str, Row]]:
    """The posts, those that people left out dropped, and the settled rows by post."""
    found: list[Post] = []
    rows: dict[str, Row] = {}
    for post in posts:
        item = named(post)
        if post.drop is None and item in done.rows:
            rows[post.id] = done.rows[item]
        elif post.drop is None:
            why = done.left_out.get(item, "not settled")
            state, _, what = why.partition(": ")
            post = post.dropped("people", state, what)
        found.append(post)
    return found, rows


def settled_words(posts: Sequence[Post]) -> str:
    """What people did, in words."""
    lost = Counter(one.drop.reason for one in posts if one.drop and one.drop.stage == "people")
    kept = sum(one.drop is None for one in posts)
    said = ", ".join(f"{many} {reason}" for reason, many in lost.most_common())
    return f"{count_noun(kept, 'item')} settled" + (f"; {said}" if said else "")
