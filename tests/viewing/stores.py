"""Answer stores of the mini-sets, whole and as they are while a run goes on."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import deadpan
from deadpan.engine.answers import answer_of
from deadpan.engine.segments import place_of


def small_store(folder: Path) -> Path:
    """Two baselines on four comics, one on three posts, judged where that is due."""
    for model in ("baseline/random", "baseline/majority"):
        deadpan.evaluate(
            "pixelhumor",
            model=model,
            judge="judge/lexical",
            tasks=("presence", "style", "interpretation"),
            limit=4,
            store=folder,
            progress=False,
        )
    deadpan.evaluate(
        "cfms",
        model="baseline/random",
        judge="judge/lexical",
        tasks=("identification", "target"),
        limit=3,
        store=folder,
        progress=False,
    )
    return folder


@dataclass
class Running:
    """A store whose run goes on: answers are appended to a segment one by one."""

    folder: Path
    segment: Path
    left: list[bytes]

    def write(self, count: int, torn: bool = False) -> None:
        """Appends answers; the last one without its end where it is torn."""
        lines, self.left = self.left[:count], self.left[count:]
        data = b"".join(lines)
        with self.segment.open("ab") as stream:
            stream.write(data[:-5] if torn else data)
        if torn:
            self.left.insert(0, lines[-1][-5:])


def running(
    store: Path, folder: Path, task: str = "pixelhumor-presence.baseline-random"
) -> Running:
    """A copy of a store in which the answers to a task have yet to come."""
    shutil.copytree(store, folder)
    (compacted,) = folder.glob(f"{task}.[0-9]*.parquet")
    rows = pl.read_parquet(compacted)
    compacted.unlink()
    place = place_of(f"{rows['segment'][0]}.jsonl")
    assert place is not None
    lines = [answer_of(row).line for row in rows.iter_rows(named=True)]
    return Running(folder, folder / f"{place.stem}.jsonl", lines)
