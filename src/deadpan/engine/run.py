"""Benchmarks' questions put to a model: all tasks share its connections, and what was answered
before is not asked again."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deadpan.benchmarks import find
from deadpan.core.signature import WEIGHTS
from deadpan.engine.asker import Asker, AskerEvents
from deadpan.engine.inspect_model import InspectModel, find_model, takes_video
from deadpan.engine.local.provider import pictured, weights_of
from deadpan.engine.loop import run_async
from deadpan.engine.manifests import ANSWERS, ANY_SERVER, Asked, Manifest, write_manifest
from deadpan.engine.opening import open_asker
from deadpan.engine.probe import probe
from deadpan.engine.protocol import Answerer
from deadpan.engine.requests import Request, Sampling
from deadpan.engine.task_questions import (
    RunSettings,
    TaskQuestions,
    task_questions,
    task_requests,
)

_logger = logging.getLogger("deadpan")


Chosen = Mapping[str, Sequence[str]]
"""Tasks per benchmark."""


@dataclass(frozen=True)
class OtherEndpoint:
    """A model that is asked later, and is tried before anything is paid for."""

    model: str
    sampling: Sampling
    option: str = "--judge"


def require_model(model: str, sampling: Sampling) -> None:
    """Raises where no model of that name can be had: no provider, no key, no folder."""
    find_model(pictured(model), "--model", sampling)


def run(
    chosen: Chosen,
    model: str,
    settings: RunSettings,
    events: AskerEvents | None = None,
    also: OtherEndpoint | None = None,
    answerer: Answerer | None = None,
) -> list[Path]:
    """The manifests of the tasks, one each, once every question was asked. Answers that the store
    has are not asked for again; failed ones are. `also` is tried before the first question;
    `answerer` is asked in the model's place."""
    if answerer is None:
        model = pictured(model, shown=not settings.showing.text_only)
    native = settings.showing.native and _takes_video(model)
    showing = settings.showing.model_copy(update={"native": native})
    asked = []
    for name, tasks in chosen.items():
        dataset = find(name).read(settings.data)
        asked += [task_questions(find(name), task, settings, showing, dataset) for task in tasks]
    return run_async(_run(asked, model, settings, events, also, answerer))


async def _run(
    asked: Sequence[TaskQuestions],
    model: str,
    settings: RunSettings,
    events: AskerEvents | None,
    also: OtherEndpoint | None,
    answerer: Answerer | None,
) -> list[Path]:
    requests_of = answerer.requests if answerer else task_requests
    async with open_asker(model, settings, events, answerer) as asker:
        made = [(task, requests_of(task, model, settings)) for task in asked]
        ordered = _by_item(made)
        unknown = [request for request in ordered if asker.known(request) is None]
        if unknown:
            await _probe(asker, unknown, also)
            _tell_other_servers(asker, unknown)
            asker.lock(request.label for request in unknown)
        asker.lock_unfinished(requests[0].label for _, requests in made)
        paths = [
            write_manifest(asker.store, requests[0].label, _manifest(task, requests, asker))
            for task, requests in made
        ]
        for task, requests in made:
            asker.events.planned(requests[0].label, len(requests), task.questions)
        with _settled():
            async for _ in asker.ask(ordered):
                pass
    return paths


@contextmanager
def _settled() -> Iterator[None]:
    """Keeps the garbage collector from going through all questions again and again: none of them
    is garbage before the last was asked."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def _probe(asker: Asker, unknown: Sequence[Request], also: OtherEndpoint | None) -> None:
    """Tries the endpoints at the same time, the model with a picture where it will be shown one."""
    shown = next((request for request in unknown if request.shows_media), unknown[0])
    tries = [asker.probe(shown)]
    if also is not None:
        timeout = asker.options.timeout
        other = InspectModel(also.model, also.sampling, 1, timeout, also.option)
        tries.append(_probe_other(other, also))
    for one in await asyncio.gather(*tries, return_exceptions=True):
        if isinstance(one, BaseException):
            raise one


async def _probe_other(other: InspectModel, also: OtherEndpoint) -> None:
    try:
        warning = await probe(other, also.sampling, "text", also.option)
    finally:
        await other.close()
    if warning is not None:
        _logger.warning("%s", warning)


def _tell_other_servers(asker: Asker, unknown: Sequence[Request]) -> None:
    """Says where answers of another server are there and are not used."""
    who = asker.engine.identity
    others = [asker.store.servers(who, asker.key(request)) for request in unknown]
    if known := sum(map(bool, others)):
        named = ", ".join(sorted({one or "the default" for found in others for one in found}))
        _logger.warning(
            "%d of these questions were answered by %s, not by %s: --any-server takes such answers",
            known,
            named,
            asker.engine.server or "the default server",
        )


def _by_item(made: Sequence[tuple[TaskQuestions, Sequence[Request]]]) -> list[Request]:
    """All requests, those about one item together: its picture is made ready once, and providers
    find the beginning of the prompt in their caches."""
    items: dict[tuple[str, str], list[Request]] = {}
    for task, requests in made:
        for request in requests:
            items.setdefault((task.benchmark.name, request.item), []).append(request)
    return [request for requests in items.values() for request in requests]


def _manifest(task: TaskQuestions, requests: Sequence[Request], asker: Asker) -> Manifest:
    epochs = len(requests) // len(task.questions)
    questions = [question.model_dump_json() for question in task.questions]
    weights = weights_of(asker.engine.name)
    again = requests[0].again
    settings = {
        **task.settings,
        **requests[0].sampling.signature,
        **({WEIGHTS: weights} if weights else {}),
        **({"again": again} if again else {}),
    }
    return Manifest(
        kind=ANSWERS,
        benchmark=task.benchmark.name,
        task=task.spec.name,
        model=asker.engine.name,
        server=ANY_SERVER if asker.options.any_server else asker.engine.server,
        rows=tuple(
            Asked(request.item, request.epoch, asker.key(request), questions[place // epochs])
            for place, request in enumerate(requests)
        ),
        data=task.data,
        origin=task.origin,
        prompts=task.wording.checksum,
        settings=settings,
    )


def _takes_video(model: str) -> bool:
    """Whether the model gets videos whole; told where it does not."""
    whole = takes_video(find_model(model))
    if not whole:
        _logger.warning("%s takes no video through Inspect: it is shown frames", model)
    return whole
