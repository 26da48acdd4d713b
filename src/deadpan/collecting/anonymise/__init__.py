"""Contributed chats made anonymous: metadata out of media, people out of texts, names at random, in
a new folder that appears whole or not at all."""

from __future__ import annotations

import json
import os
import random
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from pydantic import BaseModel, computed_field

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_there, write_bytes
from deadpan.base.resources.storage import sync_file
from deadpan.collecting.anonymise.film import clean_film
from deadpan.collecting.anonymise.pictures import clean_picture
from deadpan.collecting.anonymise.records import Replaced, clean_lines, leftover_lines
from deadpan.collecting.anonymise.sources import (
    BrokenMedia,
    Entry,
    Limits,
    MediaKind,
    Problem,
    Source,
    Sources,
    found_sources,
)

FIXED_TIME = 946_684_800  # 2000-01-01 00:00 UTC: what every file of the output says of its age
_MIX = random.SystemRandom()
Progress = Callable[[int, int], None]  # how many files are done, and of how many


class Removed(Entry):
    """How many pieces of metadata of a kind a file had."""

    kind: str
    count: int


class Note(Entry):
    """Something done to a file that its contributor should know."""

    what: str


class Report(BaseModel):
    """What was replaced, where in the input and how often; never what it was, never the new name
    of a file. Keep it with the input."""

    media_read: int = 0
    media_written: int = 0
    records_read: int = 0
    records_written: int = 0
    replaced: list[Replaced] = []
    removed: list[Removed] = []
    notes: list[Note] = []
    problems: list[Problem] = []

    @computed_field  # type: ignore[prop-decorator]
    @property
    def replaced_by_kind(self) -> dict[str, int]:
        """How often each kind was replaced in texts."""
        return _totals(self.replaced)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def removed_by_kind(self) -> dict[str, int]:
        """How many pieces of each kind of metadata were left behind."""
        return _totals(self.removed)


def _totals(found: Iterable[Replaced | Removed]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in found:
        total[one.kind] += one.count
    return dict(total.most_common())


@dataclass
class _Run:
    sources: Sources
    limits: Limits
    folder: Path
    report: Report
    new_names: dict[Path, str] = field(default_factory=dict)

    def media(self, source: Source, kind: MediaKind) -> None:
        name = secrets.token_hex(16) + (".jpg" if kind == "jpeg" else f".{kind}")
        target = self.folder / name
        self.report.media_read += 1
        try:
            if kind == "mp4":
                removed = clean_film(source.path, target)
                os.chmod(target, 0o644)
                sync_file(target)
            else:
                picture = clean_picture(kind, _read(source.path))
                removed = picture.removed
                write_bytes(target, picture.data)
                if target.read_bytes() != picture.data:
                    raise BrokenMedia("what was written is not what was meant")
                if picture.note:
                    self.report.notes.append(Note(where=source.shown, what=picture.note))
        except BrokenMedia:
            target.unlink(missing_ok=True)
            raise
        self.new_names[source.path] = name
        self.report.media_written += 1
        self.report.removed += [
            Removed(where=source.shown, kind=piece, count=count)
            for piece, count in sorted(removed.items())
        ]

    def records(self, source: Source) -> None:
        def new_name(text: str) -> str | None:
            named = self.sources.find(text, source.path.parent)
            return self.new_names.get(named.path) if named else None

        result = clean_lines(source, _read(source.path), new_name, self.limits.record)
        self.report.records_read += result.read
        self.report.problems += result.problems
        self.report.replaced += result.replaced
        if not result.records:
            return
        lines = [json.dumps(record, ensure_ascii=False) for record in result.records]
        _MIX.shuffle(lines)
        target = self.folder / (secrets.token_hex(16) + ".jsonl")
        write_bytes(target, "".join(f"{line}\n" for line in lines).encode())
        left = leftover_lines(target.read_bytes(), frozenset(self.new_names.values()))
        if left:
            what = f"{left} records would not be anonymous"
            raise InputError(source.shown, what, "Nothing was written.")
        self.report.records_written += len(lines)


def anonymise(
    source: Path, out: Path, limits: Limits | None = None, progress: Progress | None = None
) -> Report:
    """Writes the anonymous copy of a folder or file to `out`; what was left out is in the report.
    The input is never touched. `out` must be new or empty, and is not made when nothing is left."""
    if out.is_symlink() or (is_there(out) and (not is_folder(out) or any(out.iterdir()))):
        raise InputError(out, "exists and is not an empty folder", "Name a new folder.")
    if is_folder(source) and out.resolve().is_relative_to(source.resolve()):
        raise InputError(out, "lies inside the input", "Name a folder outside of it.")
    limits = limits or Limits()
    sources = found_sources(source, limits)
    with _new_folder(out) as folder:
        report = Report(problems=sources.problems)
        run = _Run(sources, limits, folder, report)
        files = list(sources.files.values())
        _MIX.shuffle(files)
        # Records come last: they take over the new names of what they refer to.
        files.sort(key=lambda one: one.kind == "records")
        for done, one in enumerate(files, 1):
            try:
                run.records(one) if one.kind == "records" else run.media(one, one.kind)
            except BrokenMedia as error:
                fix = "Mend it or take it out."
                report.problems.append(Problem(where=one.shown, what=str(error), fix=fix))
            if progress:
                progress(done, len(files))
        for listed in (report.removed, report.notes):
            listed.sort(key=attrgetter("where"))
        return report


@contextmanager
def _new_folder(out: Path) -> Iterator[Path]:
    """A folder that becomes `out` at the end, and vanishes on an error or when it is empty."""
    folder = out.parent / f".{out.name}.{secrets.token_hex(4)}"
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
        yield folder
        written = list(folder.iterdir())
        for path in [*written, folder]:
            os.utime(path, (FIXED_TIME, FIXED_TIME))
        if written:
            os.replace(folder, out)
    except OSError as error:
        fix = "Free some space or choose another place; nothing was written."
        raise InputError(out, f"cannot be written ({error.strerror})", fix) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BrokenMedia(f"cannot be read ({error.strerror})") from None
