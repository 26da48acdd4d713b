"""All answers, scored, as Parquet files in the cache: what pages are read from.

A snapshot is what the sources held at one moment. It is named by the state of their files, so that
a store that did not change is not scored again by the next `deadpan view`.
"""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from pydantic import BaseModel, ConfigDict, ValidationError

from deadpan.base.errors import InputError, MixedSignatures
from deadpan.base.files import cache_folder, read_bytes, write_text
from deadpan.base.version import __version__
from deadpan.benchmarks import find
from deadpan.core.measurement import ALL, scores_of
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import checksum, require_equal
from deadpan.engine.manifests import is_store
from deadpan.engine.store import RUNS
from deadpan.pipeline.growing import GrowingTable
from deadpan.pipeline.results import Results
from deadpan.reports.section import Section
from deadpan.viewing.chapters import Chapter, chapter_of
from deadpan.viewing.rows import view_rows, with_ids

ROW_GROUP = 2_000
"""Rows that are read at least where one is wanted."""
_ABOUT = "snapshot.json"
_PACKAGE = Path(__file__).resolve().parents[1]
_KEPT_SECONDS, _TOUCHED_SECONDS = 600, 60
"""How long a snapshot is kept that nobody touches, and how often one that is in use is."""
Options = Callable[[pl.DataFrame], ScoringOptions]
_logger = logging.getLogger("deadpan")


class Snapshot(BaseModel):
    """What all sources held at one moment: a Parquet file for each benchmark, and what the first
    page says of it."""

    model_config = ConfigDict(frozen=True)

    version: str
    chapters: tuple[Chapter, ...] = ()
    files: tuple[str, ...] = ()
    is_mixed: bool = False
    """Whether models are named apart as their answers were not made alike."""

    @property
    def answers(self) -> int:
        return sum(chapter.answers for chapter in self.chapters)

    def chapter(self, name: str) -> Chapter | None:
        """The benchmark of that name."""
        return next((one for one in self.chapters if one.name == name), None)


def file_states(paths: Iterable[Path]) -> list[tuple[str, int, int]]:
    """Name, size and time of every file that answers are read from."""
    states: list[tuple[str, int, int]] = []
    for path in paths:
        for one in sorted(_files(path)):
            try:
                state = one.stat()
            except OSError:
                continue  # compacted since it was seen
            states.append((str(one), state.st_size, state.st_mtime_ns))
    return states


def _files(path: Path) -> Iterable[Path]:
    if path.is_file() and path.parent.name == RUNS:  # one run of a store
        return [path, *_files(path.parent.parent)]
    if path.is_file():
        return [path]
    if is_store(path):  # its pictures may be very many
        segments = (one for suffix in (".jsonl", ".parquet") for one in path.glob(f"*{suffix}"))
        return [*segments, *(path / RUNS).glob("*.parquet")]
    suffixes = (".parquet", ".jsonl", ".json", ".eval")
    return [one for one in path.rglob("*") if one.suffix in suffixes and one.parent.name != "notes"]


def _scored_with() -> list[object]:
    """What scores depend on besides the answers: the code, lexicons and models."""
    changed = max(path.stat().st_mtime_ns for path in _PACKAGE.rglob("*.py"))
    return [__version__, changed, sorted(map(str, cache_folder("resources").glob("*/*")))]


@dataclass
class _Made:
    """A benchmark's answers when they were scored last, and what came of them."""

    table: pl.DataFrame
    chapter: Chapter
    file: Path
    is_mixed: bool


class Snapshots:
    """Makes snapshots of sources: the first one, and another whenever they have changed."""

    def __init__(
        self,
        paths: Sequence[Path],
        growing: GrowingTable,
        options: Options,
        about: object = "",
        tasks: Sequence[str] = (),
    ) -> None:
        self._paths, self._growing, self._options = paths, growing, options
        self._tasks = tuple(tasks)
        self._made: dict[str, _Made] = {}
        named = [str(path.resolve()) for path in paths]
        name = checksum([named, repr(about), *_scored_with()])
        self._folder = cache_folder("views") / name
        self._state, self._touched = "", 0.0

    def changed(self) -> bool:
        """Whether any source was written to since the last snapshot, which is kept in use."""
        if time.monotonic() - self._touched > _TOUCHED_SECONDS:
            self._touch(self._folder / self._state)
        return self._state != self._now()

    def _touch(self, place: Path) -> None:
        self._touched = time.monotonic()
        with suppress(OSError):
            os.utime(place)

    def _now(self) -> str:
        return checksum(file_states(self._paths))

    def take(self) -> Snapshot:
        """What the sources hold now; one that was made of the same files is taken as it is."""
        state = self._now()
        place = self._folder / state
        found = _read(place)
        if found is None:
            self._growing.look()
            found = self._make(self._growing.table(), place, state)
            write_text(place / _ABOUT, found.model_dump_json())
        self._state = state
        self._touch(place)
        self._remove_others(place)
        return found

    def _make(self, table: pl.DataFrame | None, place: Path, state: str) -> Snapshot:
        place.mkdir(parents=True, exist_ok=True)
        os.chmod(self._folder, 0o700)  # answers are not everybody's
        if table is None:
            return Snapshot(version=state)
        table = with_ids(table)
        options = self._options(table)
        made = [
            self._of_benchmark(str(name), rows, options, place)
            for (name,), rows in table.group_by("benchmark", maintain_order=True)
        ]
        return Snapshot(
            version=state,
            chapters=tuple(one.chapter for one in made),
            files=tuple(str(one.file) for one in made),
            is_mixed=any(one.is_mixed for one in made),
        )

    def _of_benchmark(
        self, name: str, table: pl.DataFrame, options: ScoringOptions, place: Path
    ) -> _Made:
        file = place / f"{checksum(name)}.parquet"
        before = self._made.get(name)
        if before is not None and before.table.equals(table) and before.file.exists():
            _link(before.file, file)
            made = _Made(table, before.chapter, file, before.is_mixed)
        else:
            results = score(table, options, self._tasks)
            section = overall(results)
            rows = view_rows(section)
            _write(rows, file)
            chapter = chapter_of(section, rows, results.measurements[name])
            made = _Made(table, chapter, file, results.mix)
        self._made[name] = made
        return made

    def sections(self) -> list[Section]:
        """What the report is made of, scored anew."""
        self._growing.look()
        table = self._growing.table()
        if table is None:
            return []
        options = self._options(table)
        groups = table.group_by("benchmark", maintain_order=True)
        results = [score(rows, options, self._tasks) for _, rows in groups]
        return [section for one in results for section in one.sections()]

    def _remove_others(self, place: Path) -> None:
        """Takes away snapshots of these sources that nobody reads any more."""
        for other in self._folder.iterdir() if self._folder.is_dir() else ():
            try:
                if other != place and time.time() - other.stat().st_mtime > _KEPT_SECONDS:
                    shutil.rmtree(other)
            except OSError as error:  # another process was faster
                _logger.debug("%s", error)


def score(table: pl.DataFrame, options: ScoringOptions, tasks: tuple[str, ...] = ()) -> Results:
    """A benchmark's results, of some tasks or of all; where answers were not made alike, mixed."""
    try:
        results = Results(table, options, tasks=tasks)
        for measured in results.measurements.values():
            require_equal(((one.model, one.signature) for one in measured), False)
    except MixedSignatures:
        return Results(table, options, mix=True, tasks=tasks)
    return results


def overall(results: Results) -> Section:
    """A benchmark's section with its overall scores alone, and without their intervals: those of
    every group take many times as long as all the rest."""
    ((name, measured),) = results.measurements.items()
    table = results.to_polars()
    shown = table.filter(pl.col("task").is_in(results.tasks)) if results.tasks else table
    whole = [one for one in measured if isinstance(one, Score) or one.group == ALL]
    found = [one for one in scores_of(whole) if one.group == ALL]
    return Section(find(name), shown, found)


def _read(place: Path) -> Snapshot | None:
    """The snapshot of a folder; None where there is none, or not a whole one."""
    try:
        found = Snapshot.model_validate_json(read_bytes(place / _ABOUT))
    except (InputError, ValidationError):
        return None
    if not all(Path(file).is_file() for file in found.files):
        return None
    return found


def _write(rows: pl.DataFrame, file: Path) -> None:
    """Writes rows whole or not at all; without a sync, as they can be made again."""
    temporary = file.with_suffix(f".{os.getpid()}.tmp")
    rows.write_parquet(temporary, row_group_size=ROW_GROUP, compression="zstd", compression_level=1)
    temporary.replace(file)


def _link(before: Path, file: Path) -> None:
    if before == file:
        return
    file.unlink(missing_ok=True)
    try:
        os.link(before, file)
    except OSError:
        shutil.copyfile(before, file)
