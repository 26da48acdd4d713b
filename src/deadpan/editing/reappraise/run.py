"""Memes reappraised, several at once: a killed run continues, a bad picture stops no other."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

import anyio

from deadpan.base.errors import DeadpanError, InputError, MissingExtra
from deadpan.base.resources import Unavailable
from deadpan.core.editor import Editor
from deadpan.editing.reappraise.meme import Meme, Wish, begun, require_same, wished
from deadpan.editing.reappraise.plan import Described, Plan
from deadpan.editing.reappraise.planning import description, proposal, sent
from deadpan.editing.reappraise.sources import Places
from deadpan.editing.received import Refused
from deadpan.editing.remote import Unusable
from deadpan.engine.asker import Asker
from deadpan.engine.requests import Image

Ending = Literal[
    "edited", "described", "planned", "unreadable", "not_planned", "refused", "not_edited"
]
FAILED: frozenset[Ending] = frozenset({"unreadable", "not_planned", "refused", "not_edited"})
ResultT = TypeVar("ResultT")

_HOPELESS = (MissingExtra, Unavailable, Unusable)
"""What would fail for every picture."""


@dataclass(frozen=True)
class Done:
    """How one picture ended; `reused` where an earlier run had edited it."""

    source: Path
    ending: Ending
    reason: str = ""
    notes: tuple[str, ...] = ()
    reused: bool = False


Report = Callable[[Done], None]
"""Told of every picture as it ends."""


@dataclass(frozen=True)
class Reappraisal:
    """Who edits and who plans, what was asked for, the plans given, and where results go.

    No editor is needed where the wish is to stop before the edit."""

    editor: Editor | None
    wish: Wish
    results: Mapping[Path, Places]
    asker: Asker | None = None
    plans: Mapping[Path, Plan] | None = None
    at_once: int = 4

    def run(self, report: Report = lambda done: None) -> list[Done]:
        """How each picture ended, in the order of `results`; what would fail for all raises."""
        done: dict[Path, Done] = {}
        asyncio.run(self._everything(done, report))
        return [done[source] for source in self.results]

    async def _everything(self, done: dict[Path, Done], report: Report) -> None:
        queue = deque(self.results)
        try:
            async with self.asker or nullcontext(), asyncio.TaskGroup() as group:
                for _ in range(min(self.at_once, len(queue))):
                    group.create_task(self._work(queue, done, report))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors

    async def _work(self, queue: deque[Path], done: dict[Path, Done], report: Report) -> None:
        while queue:
            source = queue.popleft()
            done[source] = await self._one(source)
            report(done[source])

    async def _one(self, source: Path) -> Done:
        given = (self.plans or {}).get(source)
        try:
            meme = await _in_thread(partial(begun, source, self.results[source], given, self.wish))
        except InputError as error:
            return Done(source, "unreadable", str(error))
        ending: Ending = "not_planned"
        try:
            await self._plan(meme)
            if self.editor is None or self.wish.stop != "edited":
                return Done(source, self.wish.stop)
            ending = "not_edited"
            reused = await _in_thread(partial(meme.edited, self.editor))
        except _HOPELESS:
            raise
        except DeadpanError as error:
            refused = isinstance(error, Refused) or getattr(error, "refused", False)
            meme.failed(str(error))
            return Done(source, "refused" if refused else ending, str(error))
        notes = meme.plan.edited.notes if meme.plan.edited else ()
        return Done(source, "edited", notes=notes, reused=reused)

    async def _plan(self, meme: Meme) -> None:
        """Has the stages made that are not there, up to where a person asked to stop."""
        require_same(meme)
        if self.plans is not None:
            meme.taken()
        if meme.plan.proposed is not None:
            return
        if self.asker is None:
            if self.plans is not None:
                what = "it has no plan, or one without its second stage (proposed)"
                raise InputError(meme.source, what, "Fill it in, or name a --model to make it.")
            meme.proposed(wished(self.wish))
            return
        picture = await _in_thread(partial(sent, meme.source))
        seen = meme.plan.described or await self._described(self.asker, meme, picture)
        if self.wish.stop != "described":
            language, target = meme.plan.language, self.wish.target
            meme.proposed(await proposal(self.asker, picture, seen, language, target))

    async def _described(self, asker: Asker, meme: Meme, picture: Image) -> Described:
        stage, language = await description(asker, picture, self.wish.language)
        meme.described(stage, language)
        return stage


async def _in_thread(work: Callable[[], ResultT]) -> ResultT:
    # Given up on Ctrl-C: what it writes is written whole or not at all.
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
