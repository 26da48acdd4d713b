"""A model that is asked while a study is served: in a loop of its own, so that no page waits for
it. What it says is on the disk before it counts."""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from deadpan.base.errors import DeadpanError
from deadpan.base.files import folder_name
from deadpan.base.printable import without_controls
from deadpan.core.judge import BrokenReply
from deadpan.engine.calls import CallOptions
from deadpan.engine.conversation import Conversation, converse
from deadpan.engine.requests import Request, Sampling
from deadpan.parsing.replies import is_refusal, split_reasoning

if TYPE_CHECKING:
    from deadpan.engine.asker import Asker

FOLDER = "opinions"
"""Where in a study's folder replies are kept."""
WAIT_SECONDS = 50.0
"""How long somebody waits; proxies give up after a minute."""
_CALLS = CallOptions(max_connections=8, max_retries=1, timeout=45, give_up=0)
_CLOSING_SECONDS = 10
_ANSWER_TOKENS = 600
_LONGEST = 3_000
Problem = Literal["late", "refused", "failed"]


class NoOpinion(DeadpanError):
    """Why a model said nothing: not in time, or it would not, or it could not be asked. The message
    names the model, and is for the operator."""

    def __init__(self, problem: Problem, message: str) -> None:
        super().__init__(message)
        self.problem: Problem = problem


class Adviser:
    """`with Adviser(model, folder) as adviser:` can be asked for second opinions until the block
    ends. A model that cannot be had raises at once."""

    def __init__(
        self,
        model: str,
        folder: Path,
        sampling: Sampling | None = None,
        calls: CallOptions = _CALLS,
        seconds: float = WAIT_SECONDS,
    ) -> None:
        from deadpan.engine.run import require_model

        given = sampling or Sampling()
        require_model(model, given)
        self.model, self.sampling = model, given.over(0.0, None, _ANSWER_TOKENS)
        # Several processes may serve one study: each writes under a label of its own.
        self.label = f"opinions.{folder_name(model)}.{os.getpid()}"
        self._folder, self._calls, self._seconds = folder, calls, seconds
        self._asker: Asker | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        ending = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        with suppress(TimeoutError):  # the store is whole without it
            ending.result(_CLOSING_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSING_SECONDS)

    async def ask(self, request: Request, again: str) -> str:
        """What the model says. Where it says nothing of use raises NoOpinion; what comes too late
        is kept all the same, and is there when the same is asked once more."""
        work = asyncio.run_coroutine_threadsafe(self._converse(request, again), self._loop)
        asked = asyncio.wrap_future(work)
        asked.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            found = await asyncio.wait_for(asyncio.shield(asked), self._seconds)
        except TimeoutError:
            what = f"{self.model} has not answered in {self._seconds:g} s"
            raise NoOpinion("late", what) from None
        except DeadpanError as error:
            raise NoOpinion("failed", str(error)) from error
        return self._opinion(found)

    def _opinion(self, found: Conversation[str]) -> str:
        last = found.answers[-1]
        if last.error is not None:
            raise NoOpinion("failed", f"{self.model} could not be asked ({last.error})")
        if last.stop == "content_filter" or (found.found and is_refusal(found.found)):
            raise NoOpinion("refused", f"{self.model} refused")
        if found.found is None:
            raise NoOpinion("failed", f"{self.model} gave no usable reply ({found.problem})")
        return found.found

    async def _converse(self, request: Request, again: str) -> Conversation[str]:
        from deadpan.engine.run import open_asker
        from deadpan.engine.task_questions import RunSettings

        if self._asker is None:
            settings = RunSettings(self._folder / FOLDER, calls=self._calls, sampling=self.sampling)
            self._asker = open_asker(self.model, settings)
        return await converse(self._asker, request, _read, again)

    async def _end(self) -> None:
        """Ends what is still under way; the store keeps what was answered."""
        current = asyncio.current_task()
        left = [task for task in asyncio.all_tasks() if task is not current]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        if self._asker is not None:
            await self._asker.close(complete=True)


def _read(text: str) -> str:
    """The words of a reply, without reasoning; an empty one raises BrokenReply."""
    said = without_controls(split_reasoning(text).answer).strip()
    if not said:
        raise BrokenReply("it is empty")
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} …"
