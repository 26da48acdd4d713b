"""A store that is read while runs write to it: each look reads only what is new."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from deadpan.engine.answers import Answer, answer_of, read_compacted, read_tail
from deadpan.engine.manifests import (
    ANY_SERVER,
    JUDGEMENTS,
    Asked,
    Kind,
    Manifest,
    manifests_below,
    read_manifests,
)
from deadpan.engine.reading import AskedTask, JudgedTask, asked_task, judged_task
from deadpan.engine.segments import SUFFIX, place_of
from deadpan.engine.store import AnswerStore
from deadpan.engine.uniting import latest_runs, united_judgements, united_runs

_logger = logging.getLogger("deadpan")


class Spot(NamedTuple):
    """Where an answer stands: in the store, and in what was read of it."""

    failed: bool
    number: int
    tag: str
    offset: int
    frame: int
    row: int

    @property
    def place(self) -> tuple[int, str, int]:
        """Its place in the store."""
        return self.number, self.tag, self.offset

    def counts_before(self, other: Spot) -> bool:
        """Whether it counts where both answer a question: the first success, else the last
        failure."""
        if self.failed != other.failed:
            return other.failed
        return self.place > other.place if self.failed else self.place < other.place


class _Answers(Mapping[tuple[str, str], Answer]):
    """Answers by name and server, made from their rows when they are asked for."""

    def __init__(self) -> None:
        self.frames: list[pl.DataFrame] = []
        self.spots: dict[tuple[str, str], Spot] = {}

    def __getitem__(self, key: tuple[str, str]) -> Answer:
        spot = self.spots[key]
        return answer_of(self.frames[spot.frame].row(spot.row, named=True))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.spots)

    def __len__(self) -> int:
        return len(self.spots)

    def add(self, frame: pl.DataFrame) -> bool:
        """Takes up rows; whether any of them counts that was not there."""
        number, is_new = len(self.frames), False
        names = ("key", "server", "number", "tag", "offset")
        failed = frame["error"].is_not_null().to_list()
        for row, (key, server, order, tag, offset) in enumerate(frame.select(names).iter_rows()):
            spot = Spot(failed[row], order, tag, offset, number, row)
            for known in ((key, server), (key, ANY_SERVER)):
                before = self.spots.get(known)
                if before is None or spot.counts_before(before):
                    self.spots[known] = spot
                    is_new = True
        if is_new:
            self.frames.append(frame)
        return is_new


class FollowedStore:
    """One store, or the runs of it that are named, as far as it was written when it was looked at
    last. It may be an empty folder that a run has yet to make a store of."""

    def __init__(self, folder: Path, only: Sequence[Path] = ()) -> None:
        self.folder, self._only = folder, only
        AnswerStore(folder)  # one of another form raises
        self._answers = _Answers()
        self._ends: dict[str, int] = {}
        self._compacted: set[str] = set()
        self._manifests: dict[Path, Manifest] = {}

    def look(self) -> bool:
        """Reads what was written since; whether there is anything new. Segments come first: one
        that is gone by then was compacted, and its Parquet file is read afterwards."""
        is_new = False
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            if (place := place_of(path.name)) is not None:
                frame, problems, end = read_tail(path, place, self._ends.get(place.stem, 0))
                self._ends[place.stem] = end
                for problem in problems:
                    _logger.warning("%s", problem)
                is_new |= self._answers.add(frame)
        for path in sorted(self.folder.glob("*.parquet")):
            if path.name not in self._compacted:
                is_new |= self._answers.add(read_compacted(path))
                self._compacted.add(path.name)
        new = read_manifests(path for path in self._files() if path not in self._manifests)
        self._manifests |= new
        return is_new or bool(new)

    def _files(self) -> list[Path]:
        """The manifests, those that were written first in front."""
        found = manifests_below(self._only or [self.folder])
        return [path for files in found.values() for path in files]

    def runs(self, latest: bool = False) -> list[Manifest]:
        """The runs, those that asked in one way as one."""
        every = self._manifests.values()
        return united_runs(latest_runs(every) if latest else every, self._is_answered)

    def _is_answered(self, key: str, server: str) -> bool:
        spot = self._answers.spots.get((key, server))
        return spot is not None and not spot.failed

    def answered(self, run: Manifest) -> dict[Asked, tuple[int, str, int]]:
        """The questions of a run that have an answer, and where that stands."""
        spots = self._answers.spots
        found = ((row, spots.get((row.key, run.server))) for row in run.rows)
        return {row: spot.place for row, spot in found if spot is not None}

    def asked(self, run: Manifest) -> AskedTask:
        """What was asked in a run, or in a part of it, and what came back."""
        return asked_task(run, self._answers, self.folder)

    def judged(self, kind: Kind = JUDGEMENTS) -> list[JudgedTask]:
        """What was judged, or read by a model."""
        united = united_judgements(self._manifests.values(), kind)
        return [judged_task(one, self._answers) for one in united]
