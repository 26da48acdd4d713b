"""`deadpan data get`: a benchmark's released data, laid out as it is read, at one commit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.collecting.releases.hub import get_hub_data
from deadpan.collecting.releases.lock import Lock, changes_since, read_lock
from deadpan.collecting.releases.repository import get_repository_data
from deadpan.collecting.releases.selection import (
    ANNOTATIONS,
    MEDIA,
    Selection,
    Watcher,
    require_known,
)
from deadpan.core.benchmark import Benchmark
from deadpan.core.release import HubData, RepositoryData

__all__ = [
    "ANNOTATIONS",
    "MEDIA",
    "Gotten",
    "Lock",
    "Selection",
    "Watcher",
    "changes_since",
    "get_release",
    "read_lock",
]


@dataclass(frozen=True)
class Gotten:
    """What lies in a folder now: where its data begins, and the record of it."""

    folder: Path
    lock: Lock | None = None


def get_release(
    benchmark: Benchmark[Any], folder: Path, wanted: Selection, watcher: Watcher
) -> Gotten:
    """Brings what is wanted of a benchmark's release into a folder; what is there already and right
    is not fetched again, what is there and something else is never overwritten. A benchmark that is
    not released raises with what to do."""
    release = benchmark.release
    if release is None or (release.source is None and not release.instead):
        raise DeadpanError(f"{benchmark.name} does not say where its data is released")
    if release.source is None:
        raise DeadpanError(f"{benchmark.name}: no release of its data is known; {release.instead}")
    require_known(wanted, isinstance(release.source, HubData) and bool(release.source.by_model))
    if isinstance(release.source, HubData):
        return Gotten(*get_hub_data(benchmark, release.source, folder, wanted, watcher))
    assert isinstance(release.source, RepositoryData)
    return Gotten(*get_repository_data(benchmark, release.source, folder, wanted, watcher))
