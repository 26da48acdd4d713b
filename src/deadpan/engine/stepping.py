"""A run whose items are asked some at a time, for as long as it takes to be sure."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from deadpan.engine.asker import AskerEvents
from deadpan.engine.run import (
    Chosen,
    Made,
    OtherEndpoint,
    ask_all,
    by_item,
    kept_questions,
    make_ready,
    prepare_run,
    write_manifests,
)
from deadpan.engine.segments import place_of
from deadpan.engine.store import RUNS
from deadpan.engine.task_questions import Answerer, RunSettings


@contextmanager
def stepped_run(
    chosen: Chosen,
    model: str,
    settings: RunSettings,
    events: AskerEvents | None = None,
    also: OtherEndpoint | None = None,
    answerer: Answerer | None = None,
) -> Iterator[SteppedRun]:
    """One model's run, asked in steps until the block ends; not for within an event loop."""
    with asyncio.Runner() as runner:
        stepped = SteppedRun(runner, chosen, model, settings, events, also, answerer)
        try:
            with kept_questions():
                yield stepped
        except BaseException:
            stepped.close(complete=False)
            raise
        stepped.close(complete=True)


class SteppedRun:
    """One model and its tasks. After each step manifests name all that was asked so far: a run that
    is killed is one that was broken off. Those of the steps before it are taken away."""

    def __init__(
        self,
        runner: asyncio.Runner,
        chosen: Chosen,
        model: str,
        settings: RunSettings,
        events: AskerEvents | None,
        also: OtherEndpoint | None,
        answerer: Answerer | None,
    ) -> None:
        self._runner, self._also = runner, also
        self._asker, self._made = prepare_run(chosen, model, settings, events, answerer)
        self._written: set[Path] = set()
        self.asked = 0
        """How many requests the store had no answer to."""
        for task, requests in self._made:
            self._asker.events.planned(requests[0].label, len(requests), task.questions)

    @property
    def items(self) -> dict[str, list[str]]:
        """The items of each task, as they stand in the data."""
        return {task.spec.name: [one.item for one in task.questions] for task, _ in self._made}

    @property
    def calls(self) -> dict[str, int]:
        """How many requests each task has in all."""
        return {task.spec.name: len(requests) for task, requests in self._made}

    @property
    def totals(self) -> dict[str, int]:
        """How many items the data has for each task, whether or not they are to be asked."""
        return {task.spec.name: task.total for task, _ in self._made}

    def unanswered(self, items: Collection[str]) -> int:
        """How many requests about others than these items the store has no answer to."""
        told = set(items)
        others = [one for _, requests in self._made for one in requests if one.item not in told]
        return len(self._asker.unknown(others))

    def ask(self, items: Collection[str], before: Collection[str] = ()) -> list[Path]:
        """The manifests of what was asked about these items, and about those `before`, once all of
        it was asked."""
        return self._runner.run(self._ask(self._about(items), self._about({*before, *items})))

    async def _ask(self, new: list[Made], made: list[Made]) -> list[Path]:
        requests = by_item(new)
        if unknown := await make_ready(self._asker, requests, self._also):
            self._also = None
            self.asked += len(unknown)
        self._asker.lock_unfinished(own[0].label for _, own in new)
        paths = self._write(made)
        await ask_all(self._asker, requests)
        return paths

    def stop(self, items: Collection[str], until: Mapping[str, str]) -> list[Path]:
        """The manifests of a run that stopped after these items; `until` says by what, for those of
        its tasks of which items are left."""
        made = self._about(items)
        whole = {task.spec.name for task, own in made if len(own) == self.calls[task.spec.name]}
        return self._write(made, {task: how for task, how in until.items() if task not in whole})

    def _about(self, items: Collection[str]) -> list[Made]:
        """The tasks with their questions and requests about these items."""
        wanted = set(items)
        found: list[Made] = []
        for task, requests in self._made:
            questions = [one for one in task.questions if one.item in wanted]
            own = [request for request in requests if request.item in wanted]
            if questions:
                found.append((replace(task, questions=questions), own))
        return found

    def _write(self, made: list[Made], until: Mapping[str, str] | None = None) -> list[Path]:
        """Where the manifests lie; those of the step before are gone, be it of this run or of one
        that was killed in it."""
        known = set((self._asker.store.folder / RUNS).glob("*.parquet"))
        paths = write_manifests(self._asker, made, until)
        for path in self._written.difference(paths):
            path.unlink(missing_ok=True)
        new = set(paths) - known
        same = {(one.label, one.tag) for path in new if (one := place_of(path.name))}
        left = {p for p in known if (one := place_of(p.name)) and (one.label, one.tag) in same}
        self._written = new | left | self._written.intersection(paths)
        return paths

    def close(self, complete: bool) -> None:
        """Ends asking; what was asked to the end is compacted."""
        self._runner.run(self._asker.close(complete))
