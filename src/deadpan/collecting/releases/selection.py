"""What of a release is wanted, who hears of the fetching, and whether there is room for it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.collecting.releases.lock import Lock, read_lock, write_lock
from deadpan.core.benchmark import Benchmark

ANNOTATIONS, MEDIA = "annotations", "media"
EVERY = "all"
_PATHS = frozenset("*?[/.")
"""Signs of a pattern of paths, or of a path."""
_SPARE = 200_000_000
"""Bytes of the disk that are left alone."""


def _nothing(*_: Any) -> None:
    pass


@dataclass(frozen=True)
class Selection:
    """What is wanted: `only` are `annotations`, `media` or patterns of paths, both where there are
    none; `models` are those whose answers come too, or `all`."""

    only: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    revision: str | None = None
    allow_private: bool = False

    def wants(self, part: str) -> bool:
        """Whether a part, annotations or media, is wanted."""
        return not self.only or part in self.only

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns among what is wanted."""
        return tuple(one for one in self.only if one not in (ANNOTATIONS, MEDIA))


@dataclass(frozen=True)
class Watcher:
    """Who hears what is said before and after, and how many files of how many came."""

    say: Callable[[str], None] = _nothing
    progress: Callable[[int, int], None] = field(default=_nothing)


def matching(names: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """The paths that fit any of the patterns; a folder stands for all below it."""
    whole = [f"{one}*" if one.endswith("/") else one for one in patterns]
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in whole)]


def require_room(folder: Path, size: int) -> None:
    """Raises where the disk of a folder has no room for so many bytes."""
    place = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    free = shutil.disk_usage(place).free
    if size + _SPARE > free:
        what = f"needs {in_bytes(size)}, and its disk has {in_bytes(free)} left"
        fix = "Free some space, choose another folder, or fetch a part with --only."
        raise InputError(folder, what, fix)


def in_bytes(size: int) -> str:
    """A size as a person says it."""
    for unit, bytes_ in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= bytes_:
            return f"{size / bytes_:.1f} {unit}"
    return f"{size} bytes"


def known_lock(benchmark: Benchmark[Any], source: str, folder: Path) -> Lock | None:
    """The folder's record; one of another benchmark or place raises."""
    lock = read_lock(folder)
    if lock is not None and (lock.benchmark, lock.source) != (benchmark.name, source):
        what = f"holds {lock.benchmark} from {lock.source}"
        raise InputError(folder, what, "Choose another folder.")
    return lock


@dataclass(frozen=True)
class Found:
    """What a revision turned out to be, and the licence that is told there."""

    address: str
    revision: str
    commit: str
    licence: str


def announce(
    benchmark: Benchmark[Any], found: Found, lock: Lock | None, folder: Path, watcher: Watcher
) -> None:
    """Says what is to be fetched and under which licence; raises where a folder holds the data of
    another commit."""
    if lock is not None and lock.commit != found.commit:
        what = f"holds commit {lock.commit[:12]}, not {found.commit[:12]}"
        fix = "Leave --revision out to go on with it, or choose another folder."
        raise InputError(folder, what, fix)
    watcher.say(f"{found.address} at {found.commit}")
    watcher.say(f"licence: {found.licence}")
    if benchmark.release is not None and benchmark.release.note:
        watcher.say(f"note: {benchmark.release.note}")


def begin(benchmark: Benchmark[Any], found: Found, lock: Lock | None, folder: Path) -> Lock:
    """The folder's record, begun where there is none, so that whatever breaks off goes on with the
    same commit."""
    if lock is not None:
        return lock
    made = Lock(
        benchmark=benchmark.name,
        source=found.address,
        revision=found.revision,
        commit=found.commit,
        licence=found.licence,
    )
    return write_lock(folder, made, {})


def require_known(wanted: Selection, models: bool) -> None:
    """Raises for a part that is nearly one of those there are, and for models' answers where there
    are none."""
    for pattern in wanted.patterns:
        hint = "" if _PATHS & set(pattern) else meant(pattern, (ANNOTATIONS, MEDIA))
        if hint:
            expected = f"expected {ANNOTATIONS}, {MEDIA} or a pattern of paths"
            raise DeadpanError(f"--only {pattern}: {expected}{hint}")
    if wanted.models and not models:
        raise DeadpanError("--models: no model's answers are released with this data")
