"""Stores read in shards of items: what was asked and what came back, some items at a time.

All that was asked about an item, of any model and task, and every judgement of it is in one shard.
What is in memory at once is the outline of all runs, some hundred bytes a question, and the texts
of one shard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path

import polars as pl

from deadpan.core.questions import Language
from deadpan.engine.answers import Answer
from deadpan.engine.index import AnswerReader, Replies, read_rows
from deadpan.engine.manifests import (
    ANSWERS,
    ANY_SERVER,
    Asked,
    Manifest,
    manifests_below,
    read_manifests,
)
from deadpan.engine.reading import (
    AskedTask,
    JudgedTask,
    Known,
    about_run,
    asked_task,
    judged_task,
)
from deadpan.engine.requests import attempt_key
from deadpan.engine.store import AnswerStore
from deadpan.engine.uniting import latest_runs, united_judgements, united_runs

Shard = tuple[list[AskedTask], list[JudgedTask]]
"""What `read_stores` gives, of some items."""
_Rows = list[Asked]


@dataclass(frozen=True, eq=False)
class Outline:
    """One run, or one judge's work, without its texts: which of its rows are in which shard."""

    whole: Manifest
    rows: Mapping[int, _Rows]

    def of(self, shard: int) -> Manifest:
        """The rows of a shard."""
        return replace(self.whole, rows=tuple(self.rows.get(shard, ())))


class StoreShards:
    """The runs of stores, of folders of stores and of single manifests, as `read_stores` has them,
    in shards of about so many rows."""

    def __init__(self, paths: Iterable[Path], latest: bool = False, size: int = 20_000) -> None:
        self._stores = [
            _Store(folder, files, latest) for folder, files in manifests_below(paths).items()
        ]
        self._shards = _numbered((store.runs for store in self._stores), size)
        self.count = 1 + max(self._shards.values(), default=-1)

    @cached_property
    def runs(self) -> list[tuple[AskedTask, list[str]]]:
        """Each run without its questions, and the items that have an answer, one for each."""
        return [
            (about_run(run), [row.item for row in run.rows if store.spot(row.key, run.server)])
            for store in self._stores
            for run in store.runs
        ]

    @property
    def judged(self) -> list[tuple[str, str, str, str]]:
        """Benchmark, task, model and judge of every judge's work."""
        return [
            (one.benchmark, one.task, one.model, one.judge)
            for store in self._stores
            for one in store.judgements
        ]

    def languages(self) -> dict[str, list[Language]]:
        """The languages of each benchmark's questions."""
        found: dict[str, set[Language]] = {}
        for store in self._stores:
            for file, run in store.manifests.items():
                if run.kind == ANSWERS:
                    language = pl.col("question").str.json_path_match("$.language")
                    told = pl.scan_parquet(file, glob=False).select(language.unique())
                    own = told.collect(engine="streaming")["question"].drop_nulls()
                    found.setdefault(run.benchmark, set()).update(own)
        return {name: sorted(own) for name, own in found.items()}

    def __iter__(self) -> Iterator[Shard]:
        """One shard after the other, runs and judges' work in the order of `runs`; each is there in
        every shard, with questions or without."""
        outlines = [store.outlined(self._shards) for store in self._stores]
        for shard in range(self.count):
            asked: list[AskedTask] = []
            judged: list[JudgedTask] = []
            for store, (runs, judgements) in zip(self._stores, outlines, strict=True):
                own = [store.with_questions(run.of(shard)) for run in runs]
                known = store.answers([*own, *(one.of(shard) for one in judgements)])
                for run, part in zip(runs, own, strict=True):
                    found = asked_task(part, known, store.folder) if part.rows else None
                    questions = found.questions if found else ()
                    asked.append(replace(about_run(run.whole), questions=questions))
                judged += [_judged_part(one, shard, known) for one in judgements]
            yield asked, judged


def _judged_part(outline: Outline, shard: int, known: Known) -> JudgedTask:
    whole = outline.whole
    answers = judged_task(part, known).answers if (part := outline.of(shard)).rows else ()
    epochs = max(row.judge_epoch or 1 for row in whole.rows)
    about = (whole.benchmark, whole.task, whole.model, whole.judge, whole.identity)
    return JudgedTask(*about, epochs, answers)


def _numbered(stores: Iterable[list[Manifest]], size: int) -> dict[tuple[str, str], int]:
    """The number of the shard of each benchmark and item, in the order in which they were asked:
    about `size` rows in each."""
    counts: dict[tuple[str, str], int] = {}
    for run in (run for runs in stores for run in runs):
        for row in run.rows:
            key = run.benchmark, row.item
            counts[key] = counts.get(key, 0) + 1
    shard = held = 0
    for key, count in counts.items():
        if held >= size:
            shard, held = shard + 1, 0
        counts[key], held = shard, held + count
    return counts


def _questions(file: str, rows: tuple[int, int]) -> pl.DataFrame:
    return pl.scan_parquet(file, glob=False).select("question").slice(*rows).collect()


class _Store:
    """One store: its manifests in outline, and where its answers stand."""

    def __init__(self, folder: Path, files: list[Path], latest: bool) -> None:
        store = AnswerStore(folder)
        self.folder = folder
        self.manifests = read_manifests(files, outline=True)
        self._known, self._reader = Replies(store.spots()), AnswerReader(folder)
        every = self.manifests.values()
        self.runs = united_runs(latest_runs(every) if latest else every, self._is_answered)
        self.judgements = united_judgements(every)

    def spot(self, key: str, server: str) -> tuple[str, int] | None:
        """Where the answer to a question stands."""
        return self._known.spot(key, None if server == ANY_SERVER else server)

    def _is_answered(self, key: str, server: str) -> bool:
        return self._known.has_reply(key, None if server == ANY_SERVER else server)

    def outlined(
        self, shards: Mapping[tuple[str, str], int]
    ) -> tuple[list[Outline], list[Outline]]:
        """The runs and the judges' work, by shard; what was judged and is not asked is left out."""
        made: tuple[list[Outline], list[Outline]] = ([], [])
        for found, manifests in zip(made, (self.runs, self.judgements), strict=True):
            for one in manifests:
                rows: dict[int, _Rows] = {}
                for row in one.rows:
                    if (shard := shards.get((one.benchmark, row.item))) is not None:
                        rows.setdefault(shard, []).append(row)
                found.append(Outline(one, rows))
        return made

    def with_questions(self, run: Manifest) -> Manifest:
        """Rows of an outline with their questions."""
        places = sorted(row.place for row in run.rows if row.place is not None)
        texts: dict[tuple[str, int], str] = {}
        for file, own in groupby(places, key=lambda place: place[0]):
            found = read_rows([row for _, row in own], partial(_questions, file))
            texts |= {(file, row): fields["question"] for row, fields in found}
        rows = tuple(replace(row, question=texts[row.place]) for row in run.rows if row.place)
        return replace(run, rows=rows)

    def answers(self, manifests: Iterable[Manifest]) -> Known:
        """The answers to all rows, and to every attempt at them."""
        spots: dict[tuple[str, str], tuple[str, int]] = {}
        for one in manifests:
            for row in one.rows:
                attempt = 1
                while spot := self.spot(key := attempt_key(row.key, attempt), one.server):
                    spots[key, one.server] = spot
                    if one.kind == ANSWERS:
                        break
                    attempt += 1
        found: dict[tuple[str, int], Answer] = {}
        for file, own in groupby(sorted(set(spots.values())), key=lambda spot: spot[0]):
            read = self._reader.read_all(file, [row for _, row in own])
            found |= {(file, row): answer for row, answer in read.items()}
        return {place: found[spot] for place, spot in spots.items()}
