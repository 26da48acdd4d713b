"""What was sent in batches and has not come back: kept in the store, so that an interrupted run's
next start can tell what is paid for again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.files import folder_name
from deadpan.engine import segments
from deadpan.engine.calls import now
from deadpan.engine.store import AnswerStore

FOLDER = "batches"
"""Where in a store it is kept, away from the answers."""


class BatchRecord:
    """One process's questions in batches: each is on the disk before it is asked. The file goes
    once all of them are answered, or where no batch was made."""

    def __init__(self, store: AnswerStore, model: str) -> None:
        self._store, self._model = store, model
        self._writer: segments.SegmentWriter | None = None
        self._open: set[str] = set()
        self._writing: set[asyncio.Task[None]] = set()
        self._was_sent = False

    async def sent(self, key: str) -> None:
        """A question is about to be asked."""
        self._open.add(key)
        await self._append({"key": key, "sent": now()})

    def answered(self, key: str) -> None:
        """The answer is in the store, or that it failed is."""
        self._open.discard(key)

    def made(self, batch: str) -> None:
        """The provider has a batch under this id."""
        self._was_sent = True
        task = asyncio.get_running_loop().create_task(self._append({"batch": batch}))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def close(self) -> None:
        """Ends writing; what earlier processes left goes too where it was answered since."""
        await asyncio.gather(*self._writing)
        if self._writer is None:
            return
        await self._writer.close()
        if not self._open or not self._was_sent:
            self._writer.path.unlink(missing_ok=True)
            for path, sent, _ in _records(self._store):
                if not _unanswered(self._store, sent):
                    path.unlink(missing_ok=True)
        with suppress(OSError):  # others' records are in it
            (self._store.folder / FOLDER).rmdir()

    async def _append(self, fact: dict[str, str]) -> None:
        if self._writer is None:
            self._store.create()
            folder = self._store.folder / FOLDER
            folder.mkdir(parents=True, exist_ok=True)
            label = segments.short_label(folder_name(self._model))
            known = filter(None, (segments.place_of(path.name) for path in folder.iterdir()))
            self._writer = segments.SegmentWriter(folder, segments.next_place(label, known))
        await self._writer.append(json.dumps(fact).encode() + b"\n")


@dataclass(frozen=True)
class LeftInBatches:
    """Questions that were under way when a process ended, the batches that it had made, and the
    tokens that as many answers of the model take; None where it has answered nothing yet."""

    questions: int
    batches: tuple[str, ...]
    tokens: tuple[int, int] | None

    def warning(self, cost: float | None) -> str:
        """That they are asked again, for Inspect keeps no batch, and what that costs."""
        price = "cost unknown" if cost is None else f"about ${cost:,.2f} at list prices"
        named = f" ({', '.join(self.batches)})" if self.batches else ""
        return (
            f"up to {self.questions:,} of these questions were in batches{named} when an earlier "
            "run ended. Their answers cannot be picked up: they are asked, and paid for, again "
            f"({price}). Cancel at the provider what still runs there."
        )


def left_in_batches(store: AnswerStore, model: str, keys: Iterable[str]) -> LeftInBatches | None:
    """What of these questions to a model was in batches that nobody waits for any more; None where
    nothing was."""
    wanted: set[str] | None = None
    left: dict[str, str] = {}
    batches: list[str] = []
    for _, sent, made in _records(store):
        wanted = set(keys) if wanted is None else wanted
        own = {key: when for key, when in sent.items() if key in wanted}
        left |= own
        batches += made if own else []
    questions = len(_unanswered(store, left)) if left else 0
    if not questions:
        return None
    used = store.rows().filter((pl.col("model") == model) & pl.col("error").is_null())
    means = used.select(pl.mean("input_tokens"), pl.mean("output_tokens")).row(0)
    known = None not in means
    tokens = (round(means[0] * questions), round(means[1] * questions)) if known else None
    return LeftInBatches(questions, tuple(dict.fromkeys(batches)), tokens)


def _records(store: AnswerStore) -> Iterator[tuple[Path, dict[str, str], list[str]]]:
    """Each process's file, the questions with when they were sent, and the batches. A line that a
    kill cut off was not sent."""
    for path in sorted((store.folder / FOLDER).glob(f"*{segments.SUFFIX}")):
        sent: dict[str, str] = {}
        made: list[str] = []
        for line in path.read_bytes().splitlines():
            fact: dict[str, Any] = {}
            with suppress(ValueError):
                fact = json.loads(line)
            if "key" in fact:
                sent[fact["key"]] = fact["sent"]
            elif "batch" in fact:
                made.append(fact["batch"])
        yield path, sent, made


def _unanswered(store: AnswerStore, sent: dict[str, str]) -> set[str]:
    """The questions to which nothing came back after they were sent, not even a failure."""
    rows = store.rows().filter(pl.col("key").is_in(list(sent))).select("key", "finished")
    back = {key for key, finished in rows.iter_rows() if (finished or "") >= sent[key]}
    return sent.keys() - back
