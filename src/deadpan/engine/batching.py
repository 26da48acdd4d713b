"""Providers' batch APIs, by Inspect's batch mode: answers within a day, for less."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache
from typing import Any

from inspect_ai import model as chat
from inspect_ai.model._providers._openai_batch import OpenAIBatcher
from inspect_ai.model._providers.util import batch_log
from pydantic import BaseModel, JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.engine.calls import CallError, CallOptions, GaveUp, Generated
from deadpan.engine.inspect_model import InspectModel, generate_config
from deadpan.engine.requests import Message, Sampling

_logger = logging.getLogger("deadpan")

PROVIDERS = frozenset({"anthropic", "google", "grok", "openai", "together"})
"""Inspect's providers that ask through a batch API."""
_SERVICES = frozenset({"azure", "bedrock", "vertex"})
"""Others' services behind a provider's name, which Inspect asks one by one."""
AT_ONCE = 5000
"""Questions that wait at the same time: the larger the batches, the fewer there are."""
CONFIG = chat.BatchConfig(size=1000, send_delay=30)
"""A batch is sent once it holds so many questions, or so many seconds after the last."""
_MADE = re.compile(r"Created batch (\S+) with")
_LOST = (
    (re.compile(r"Error creating batch.*?Error: (.*)", re.S), "a batch could not be made"),
    (re.compile(r"Batch (\S+ failed \(.*?\))"), "the answers of a batch could not be had"),
)
"""After which Inspect would submit the questions again, or wait for ever."""
_asking: ContextVar[BatchModel] = ContextVar("asking")
"""Whose batches the worker that Inspect starts works on: it takes over who asked first."""


def has_batch_api(name: str) -> bool:
    """Whether Inspect asks a model through a batch API."""
    provider, _, own = name.partition("/")
    return provider in PROVIDERS and own.partition("/")[0] not in _SERVICES


def asks_in_batches(name: str, option: str) -> bool:
    """Whether a model is asked in batches. A tested model without a batch API raises; of a judge or
    reader without one that is said, and it is asked as usual."""
    if has_batch_api(name):
        return True
    if option == "--model":
        raise DeadpanError(f"--batch: {name} has no batch API; leave it out")
    _report_usual(name)
    return False


@cache
def _report_usual(name: str) -> None:
    _logger.warning("--batch: %s has no batch API: it is asked as usual", name)


class BatchModel(InspectModel):
    """One model that Inspect asks in batches. Neither a call nor silence has a time limit, and
    Inspect alone tries again: a question that is still in a batch is never sent twice."""

    def __init__(self, name: str, sampling: Sampling, calls: CallOptions, option: str) -> None:
        at_once, retries = calls.at_once(AT_ONCE), calls.max_retries
        super().__init__(name, sampling, at_once, None, option, max_retries=retries)
        _read_lines_one_by_one()
        self._lost: asyncio.Future[Generated] | None = None
        batch_log.set_batch_status_callback(_report_status)
        batch_log.set_batch_log_callback(_read_log)

    def report(self, text: str) -> None:
        """Is told how far the batches are; whoever asks puts a function of their own here."""

    def made(self, batch: str) -> None:
        """Is told the id of each batch; whoever asks puts a function of their own here."""

    async def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue = None,
    ) -> Generated:
        """One reply out of a batch. Once one is lost, everybody who waits is told: Inspect would
        look after none any more, or ask all of it again."""
        if self._lost is None:
            self._lost = asyncio.get_running_loop().create_future()
        _asking.set(self)
        config = generate_config(sampling, schema).merge(chat.GenerateConfig(batch=CONFIG))
        asked = asyncio.ensure_future(self._ask(messages, card, config))
        try:
            await asyncio.wait({asked, self._lost}, return_when=asyncio.FIRST_COMPLETED)
            return self._lost.result() if self._lost.done() else await asked
        finally:
            asked.cancel()

    async def generate_now(self, messages: Sequence[Message], sampling: Sampling) -> Generated:
        """One reply without a batch, before the first of them."""
        return await self._ask(messages, None, generate_config(sampling, None))

    def describe(self, error: Exception) -> CallError:
        """What an error of a call comes to; a batch that is lost ends the run."""
        if isinstance(error, GaveUp):
            raise error
        return super().describe(error)

    def fail(self, reason: str) -> None:
        """Ends everybody's waiting: a batch is lost."""
        if self._lost is not None and not self._lost.done():
            again = "What was answered is kept: mend that, and run the same command again"
            said = self.redact(" ".join(reason.split()))[:500]
            self._lost.set_exception(GaveUp(f"{self.name}: {said}. {again}."))
            self._lost.exception()  # where nobody waits, nothing is missed
            self._lost.get_loop().set_exception_handler(_pass_over_worker)


def _pass_over_worker(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Says nothing of the worker that ends with what was told already."""
    if "escaped from background task" not in str(context.get("exception")):
        loop.default_exception_handler(context)


@cache
def _read_lines_one_by_one() -> None:
    """Makes what OpenAI says of one question that question's failure. Inspect 0.3.285 takes such a
    line for a reply, cannot read it, and drops all answers of the batch, which are paid for."""
    read = OpenAIBatcher._parse_jsonl_line

    def parse(self: Any, line: dict[str, Any]) -> tuple[str, Any]:
        response = line.get("response") or {}
        status = response.get("status_code") or 200
        said = line.get("error") or (response.get("body") or {}).get("error")
        if said or status >= 400:
            told = said.get("message") if isinstance(said, dict) else said
            return line["custom_id"], DeadpanError(f"no answer in the batch ({status}): {told}")
        try:
            return read(self, line)
        except (ValueError, LookupError, TypeError) as error:
            return line["custom_id"], DeadpanError(f"the answer cannot be read ({error})")

    OpenAIBatcher._parse_jsonl_line = parse  # type: ignore[method-assign,assignment]


def _read_log(line: str) -> None:
    """What Inspect would print about batches: ids, and that one could not be made."""
    model = _asking.get(None)
    if model is None:
        return
    if made := _MADE.search(line):
        model.made(made[1])
    for pattern, what in _LOST:
        if lost := pattern.search(line):
            model.fail(f"{what}: {lost[1]}")
    _logger.debug("%s", line)


def _report_status(status: batch_log.BatchStatus) -> None:
    model = _asking.get(None)
    if model is None:
        return
    if not status.batch_count:
        return model.report("gathering a batch")
    batches = "1 batch" if status.batch_count == 1 else f"{status.batch_count:,} batches"
    answered = status.completed_requests
    counts = f"{answered:,} of {answered + status.pending_requests:,} answered there"
    model.report(f"{batches} under way, {counts}")
