"""The runs of stores, one by one, with how much of each was answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from deadpan.engine.manifests import ANY_SERVER, Manifest, manifests_below, read_manifest
from deadpan.engine.store import AnswerStore


@dataclass(frozen=True)
class ListedRun:
    """One manifest: what was asked of whom, and how much of it was answered."""

    file: str
    task: str
    model: str
    judge: str
    answered: str
    settings: str


def listed_runs(paths: Iterable[Path]) -> list[ListedRun]:
    """Every run below the paths, in the order in which they were begun."""
    found = []
    for folder, files in manifests_below(paths).items():
        replies = AnswerStore(folder).answers().filter(pl.col("error").is_null())
        known = set(replies.select("key", "server").iter_rows())
        keys = {key for key, _ in known}
        for file in files:
            manifest = read_manifest(file)
            done = sum(
                row.key in keys
                if manifest.server == ANY_SERVER
                else (row.key, manifest.server) in known
                for row in manifest.rows
            )
            found.append(_listed(manifest, file, done))
    return found


def _listed(manifest: Manifest, file: Path, done: int) -> ListedRun:
    settings = {**(manifest.settings or {}), "data": manifest.data, "prompts": manifest.prompts}
    settings |= {"server": manifest.server, "from": manifest.origin}
    told = [f"{name}:{value}" for name, value in settings.items() if value]
    epochs = max(row.epoch for row in manifest.rows)
    told += [f"epochs:{epochs}"] if epochs > 1 else []
    return ListedRun(
        str(file),
        f"{manifest.benchmark}/{manifest.task}",
        manifest.model,
        manifest.judge,
        f"{done:,}/{len(manifest.rows):,}",
        " ".join(told),
    )
