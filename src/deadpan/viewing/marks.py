"""Tags and notes of answers, kept beside the store or table they are about.

A file of JSON lines that is only appended to: a mark counts once it is on the disk, the last one of
an answer holds, and what a crash left of a line is passed over.
"""

from __future__ import annotations

import errno
import os
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.printable import without_controls
from deadpan.engine.manifests import is_manifest

FOLDER, FILE = "notes", "answers.jsonl"
LONGEST_TAG, MOST_TAGS, LONGEST_NOTE = 60, 20, 10_000
_Tag = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TAG)]


class Mark(BaseModel):
    """What somebody said of an answer: `id` is its name, `at` when, `who` where they said so."""

    model_config = ConfigDict(frozen=True)

    id: str
    """Its name."""
    benchmark: str
    """Of which benchmark."""
    task: str
    """Of which task."""
    model: str
    """Who answered."""
    item: str
    """About which item."""
    epoch: int
    """Which time of asking."""
    tags: tuple[_Tag, ...] = ()
    """Words it is found by."""
    note: Annotated[str, StringConstraints(max_length=LONGEST_NOTE)] = ""
    """What was said."""
    who: str = ""
    """Who said it."""
    at: str = ""
    """When."""

    @property
    def is_empty(self) -> bool:
        return not self.tags and not self.note


def marks_file(source: Path) -> Path:
    """Where the marks of a store, a run of it, a table or a log are kept."""
    if is_manifest(source):
        source = source.parent.parent
    if source.is_file():
        return source.with_name(f"{source.stem}.notes.jsonl")
    return source / FOLDER / FILE


def read_tags(texts: Iterable[str]) -> list[str]:
    """Tags as they were typed, parted by commas of either language, each once and without control
    characters; too long or too many raise."""
    found: dict[str, None] = {}
    for text in texts:
        plain = without_controls(text)
        for part in plain.replace("，", ",").replace("、", ",").replace("\n", ",").split(","):
            if tag := " ".join(part.split()):
                found[tag] = None
    if long := [tag for tag in found if len(tag) > LONGEST_TAG]:
        what = f"tag {long[0][:20]}…: {len(long[0])} characters"
        raise DeadpanError(f"{what}; expected at most {LONGEST_TAG}")
    if len(found) > MOST_TAGS:
        raise DeadpanError(f"{len(found)} tags; expected at most {MOST_TAGS}")
    return list(found)


class Marks:
    """The marks of several sources; what other processes add is seen too."""

    def __init__(self, sources: Sequence[Path]) -> None:
        self._files = {str(source): marks_file(source) for source in sources}
        self._ends: dict[Path, int] = {}
        self._marks: dict[str, Mark] = {}
        self._lock = threading.Lock()
        self.look()

    def look(self) -> None:
        """Reads what was added since."""
        with self._lock:
            for file in dict.fromkeys(self._files.values()):
                self._read(file)

    def _read(self, file: Path) -> None:
        try:
            with file.open("rb") as stream:
                stream.seek(self._ends.get(file, 0))
                data = stream.read()
        except FileNotFoundError:
            return
        except OSError as error:
            what = f"cannot be read ({error.strerror})"
            raise InputError(file, what, "Check the permissions.") from None
        whole = data[: data.rfind(b"\n") + 1]
        self._ends[file] = self._ends.get(file, 0) + len(whole)
        for line in whole.splitlines():
            with suppress(ValidationError):  # what a crash left of a line
                mark = Mark.model_validate_json(line)
                self._marks.pop(mark.id, None)
                self._marks[mark.id] = mark

    @property
    def version(self) -> str:
        """Another one whenever a mark was added."""
        return "-".join(str(self._ends.get(file, 0)) for file in self._files.values())

    def of(self, name: str) -> Mark | None:
        """The mark of an answer; None where there is none."""
        mark = self._marks.get(name)
        return mark if mark is not None and not mark.is_empty else None

    def all(self) -> list[Mark]:
        """Every mark that holds, the newest last."""
        return [mark for mark in list(self._marks.values()) if not mark.is_empty]

    def tags(self) -> dict[str, int]:
        """The tags that are used and how often, the most frequent first."""
        return dict(Counter(tag for mark in self.all() for tag in mark.tags).most_common())

    def tagged(self, tag: str) -> frozenset[str]:
        """The names of the answers that have a tag."""
        return frozenset(mark.id for mark in self.all() if tag in mark.tags)

    def refusal(self, source: str) -> str:
        """Why nothing can be kept beside a source; nothing where it can."""
        file = self._files.get(source)
        if file is None:
            return "it is not known which store or table this answer is from"
        place = file if file.exists() else next(one for one in file.parents if one.exists())
        return "" if os.access(place, os.W_OK) else f"{place} cannot be written"

    def add(
        self, row: Mapping[str, Any], tags: Sequence[str], note: str, who: str = ""
    ) -> Mark | None:
        """Keeps what is said of an answer, and returns it once it is on the disk. Where nothing is
        said, what was said before is taken back; where nothing was, nothing is written."""
        known = {name: row[name] for name in ("id", "benchmark", "task", "model", "item", "epoch")}
        at = datetime.now(UTC).isoformat(timespec="seconds")
        told, words = tuple(read_tags(tags)), without_controls(note).strip()
        try:
            mark = Mark(**known, tags=told, note=words, who=without_controls(who), at=at)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise DeadpanError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        if mark.is_empty and self.of(mark.id) is None:
            return None
        if why := self.refusal(str(row["source"])):
            raise DeadpanError(f"this cannot be kept: {why}")
        file = self._files[str(row["source"])]
        line = mark.model_dump_json().encode("utf-8", "replace") + b"\n"
        with self._lock:
            _append(file, line)
            self._read(file)
        return self.of(mark.id)


def _append(file: Path, line: bytes) -> None:
    """Appends a line and syncs it; after the torn line of a crash, on a line of its own."""
    try:
        is_new = not file.exists()
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            data = b"\n" + line if torn else line
            if os.write(handle, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(handle)
        finally:
            os.close(handle)
        if is_new:
            folder = os.open(file.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise InputError(file, what, "Free some space, or allow writing there.") from error
