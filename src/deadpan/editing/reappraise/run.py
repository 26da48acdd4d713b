"""Memes reappraised, several at once: a killed run continues, a bad picture stops no other."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import anyio

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import sha256_of
from deadpan.core.editor import Editor
from deadpan.editing.reappraise.meme import Meme, Wish, begin
from deadpan.editing.reappraise.plan import Plan, Proposed, Status
from deadpan.editing.reappraise.planning import describe, picture_for_model, propose
from deadpan.editing.reappraise.sources import Places
from deadpan.editing.received import Refused
from deadpan.editing.remote import HOPELESS
from deadpan.engine.asker import Asker

Ending = Literal[
    "edited", "described", "planned", "unreadable", "not_planned", "refused", "not_edited"
]
FAILED: frozenset[Ending] = frozenset({"unreadable", "not_planned", "refused", "not_edited"})
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Done:
    """How one picture ended; `reused` where an earlier run had edited it."""

    source: Path
    ending: Ending
    reason: str = ""
    notes: tuple[str, ...] = ()
    reused: bool = False


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

    def run(self, report: Callable[[Done], None] = lambda done: None) -> list[Done]:
        """How each picture ended, in the order of `results`; what would fail for all raises.
        `report` hears of every picture as it ends."""
        done: dict[Path, Done] = {}
        queue = deque(self.results)

        async def work() -> None:
            while queue:
                source = queue.popleft()
                done[source] = await self._one(source)
                report(done[source])

        async def everything() -> None:
            async with self.asker or nullcontext(), asyncio.TaskGroup() as group:
                for _ in range(min(self.at_once, len(queue))):
                    group.create_task(work())

        try:
            asyncio.run(everything())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        return [done[source] for source in self.results]

    async def _one(self, source: Path) -> Done:
        given = (self.plans or {}).get(source)
        try:
            meme = await _in_thread(begin, source, self.results[source], given, self.wish)
        except InputError as error:
            return Done(source, "unreadable", str(error))
        ending: Ending = "not_planned"
        try:
            await self._plan(meme)
            if self.editor is None or self.wish.stop != "edited":
                return Done(source, self.wish.stop)
            ending = "not_edited"
            reused = await _in_thread(meme.edit, self.editor)
        except HOPELESS:
            raise
        except DeadpanError as error:
            refused = isinstance(error, Refused) or getattr(error, "refused", False)
            meme.fail(str(error))
            return Done(source, "refused" if refused else ending, str(error))
        notes = meme.plan.edited.notes if meme.plan.edited else ()
        return Done(source, "edited", notes=notes, reused=reused)

    async def _plan(self, meme: Meme) -> None:
        """Has the stages made that are not there, up to where a person asked to stop."""
        wish, seen = self.wish, meme.plan.described
        if meme.plan.source.sha256 != sha256_of(meme.source):
            what = f"the plan was made for another {meme.source.name}"
            fix = "Have the plan made again, or put the picture back that it was made for."
            raise InputError(meme.source, what, fix)
        if self.plans is not None:
            stage: Status = "described" if seen else "new"
            meme.store("planned" if meme.plan.proposed else stage)
        if meme.plan.proposed is not None:
            return
        if self.asker is None:
            if self.plans is not None:
                what = "it has no plan, or one without its second stage (proposed)"
                raise InputError(meme.source, what, "Fill it in, or name a --model to make it.")
            proposed = Proposed(target=wish.target, captions=wish.captions).sealed()
            meme.store("planned", proposed=proposed)
            return
        picture = await _in_thread(picture_for_model, meme.source)
        if seen is None:
            seen, language = await describe(self.asker, picture, wish.language)
            meme.store("described", described=seen, language=language)
        if wish.stop != "described":
            language = meme.plan.language
            proposed = await propose(self.asker, picture, seen, language, wish.target)
            meme.store("planned", proposed=proposed)


async def _in_thread(work: Callable[..., ResultT], *args: object) -> ResultT:
    # Given up on Ctrl-C: what it writes is written whole or not at all.
    return await anyio.to_thread.run_sync(work, *args, abandon_on_cancel=True)
