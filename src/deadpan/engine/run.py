"""Benchmarks' questions put to a model; what was answered before is not asked again."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deadpan.benchmarks import find
from deadpan.core.questions import MediaOptions
from deadpan.core.signature import UNTIL, WEIGHTS
from deadpan.engine.asker import Asker, AskerEvents
from deadpan.engine.calls import CallOptions
from deadpan.engine.endpoints import probe
from deadpan.engine.inspect_model import find_model, takes_video
from deadpan.engine.local.provider import resolve_provider, weights_of
from deadpan.engine.loops import run_async
from deadpan.engine.manifests import ANSWERS, ANY_SERVER, Asked, Manifest, write_manifest
from deadpan.engine.opening import open_engine
from deadpan.engine.requests import Request, Sampling
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import (
    Answerer,
    RunSettings,
    TaskQuestions,
    benchmark_questions,
    task_requests,
)

_logger = logging.getLogger("deadpan")

_MOST_NAMED = 3
Chosen = Mapping[str, Sequence[str]]
"""Tasks per benchmark."""
Made = tuple[TaskQuestions, Sequence[Request]]
"""A task and its requests: each question's epochs follow each other."""


@dataclass(frozen=True)
class OtherEndpoint:
    """A model that is asked later, and is tried before anything is paid for."""

    model: str
    sampling: Sampling
    option: str = "--judge"


def require_model(model: str, sampling: Sampling) -> None:
    """Raises where no model of that name can be had: no provider, no key, no folder."""
    find_model(resolve_provider(model), "--model", sampling)


def takes_videos(model: str) -> bool:
    """Whether a model is shown whole videos where that is wanted."""
    return takes_video(find_model(resolve_provider(model)))


def open_asker(
    model: str,
    settings: RunSettings,
    events: AskerEvents | None = None,
    answerer: Answerer | None = None,
) -> Asker:
    """An asker of the model over the settings' store; a model that cannot be had raises."""
    calls, engine = settings.calls, answerer.engine if answerer else None
    if engine is None:
        name = calls.model_name(model)
        name = resolve_provider(name, shown=not settings.showing.text_only)
        engine = open_engine(name, settings.sampling, calls)
    return Asker(engine, AnswerStore(settings.store), calls, events)


def simple_asker(model: str, store: Path, calls: CallOptions | None = None) -> Asker:
    """An asker with the usual settings, for whoever asks outside of a run."""
    return open_asker(model, RunSettings(store, calls=calls or CallOptions()))


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
    asker, made = prepare_run(chosen, model, settings, events, answerer)
    return run_async(_ask(asker, made, also))


def prepare_run(
    chosen: Chosen,
    model: str,
    settings: RunSettings,
    events: AskerEvents | None = None,
    answerer: Answerer | None = None,
) -> tuple[Asker, list[Made]]:
    """Who asks, and the requests of each task; what is left out is said."""
    if answerer is None:
        model = settings.calls.model_name(model)
        model = resolve_provider(model, shown=not settings.showing.text_only)
    showing = settings.showing
    if showing.native and not takes_video(find_model(model)):
        _logger.warning("%s takes no video through Inspect: it is shown frames", model)
        showing = showing.model_copy(update={"native": False})
    made = _made(chosen, model, settings, showing, answerer)
    for name in chosen:
        asked = [task for task, _ in made if task.benchmark.name == name]
        _report_left_out(name, asked, settings.exclude)
    if settings.exclude and not any(task.selection.excluded for task, _ in made):
        _logger.warning("--exclude %s: no item here is marked so", ",".join(settings.exclude))
    return open_asker(model, settings, events, answerer), made


def _made(
    chosen: Chosen,
    model: str,
    settings: RunSettings,
    showing: MediaOptions,
    answerer: Answerer | None,
) -> list[Made]:
    """Each task with its requests."""
    requests_of = answerer.requests if answerer else task_requests
    return [
        (task, requests_of(task, model, settings))
        for name, tasks in chosen.items()
        for task in benchmark_questions(find(name), tasks, settings, showing)
    ]


def try_model(
    chosen: Chosen, model: str, settings: RunSettings, answerer: Answerer | None = None
) -> None:
    """Raises where a model's server takes no question, if the store lacks an answer to any."""

    async def try_first() -> None:
        async with open_asker(model, settings, answerer=answerer) as asker:
            if asker.engine.is_local:
                return
            made = _made(chosen, asker.engine.name, settings, settings.showing, answerer)
            await asker.probe(asker.unknown(by_item(made)))

    run_async(try_first())


def _report_left_out(name: str, asked: Sequence[TaskQuestions], exclude: Sequence[str]) -> None:
    """Says how many items are not asked about, why, and names some that cannot be shown."""
    excluded = {item for task in asked for item in task.selection.excluded}
    unshown = {item: why for task in asked for item, why in task.selection.unshown.items()}
    if excluded:
        what = f"items are left out (--exclude {','.join(exclude)})"
        _logger.warning("%s: %d %s", name, len(excluded), what)
    if unshown:
        named = "; ".join(f"{item}: {why}" for item, why in list(unshown.items())[:_MOST_NAMED])
        more = f"; and {len(unshown) - _MOST_NAMED} more" if len(unshown) > _MOST_NAMED else ""
        what = "items are left out, for they cannot be shown as they should"
        check = f"`deadpan data verify {name}` names all"
        _logger.warning("%s: %d %s: %s%s (%s)", name, len(unshown), what, named, more, check)


async def _ask(asker: Asker, made: Sequence[Made], also: OtherEndpoint | None) -> list[Path]:
    async with asker:
        ordered = by_item(made)
        await make_ready(asker, ordered, also)
        asker.lock_unfinished(requests[0].label for _, requests in made)
        paths = write_manifests(asker, made)
        for task, requests in made:
            asker.events.planned(requests[0].label, len(requests), task.questions)
        with kept_questions():
            await ask_all(asker, ordered)
    return paths


async def make_ready(
    asker: Asker, requests: Sequence[Request], also: OtherEndpoint | None = None
) -> list[Request]:
    """The requests that have to be asked, once the endpoints were tried and their tasks locked."""
    if unknown := asker.unknown(requests):
        await _probe(asker, unknown, also)
        _report_other_servers(asker, unknown)
        asker.lock(request.label for request in unknown)
    return unknown


@contextmanager
def kept_questions() -> Iterator[None]:
    """No question is garbage before the last was asked: none is looked at for it."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def ask_all(asker: Asker, requests: Sequence[Request]) -> None:
    """Asks what the store has no answer to."""
    async for _ in asker.ask(requests):
        pass


def write_manifests(
    asker: Asker, made: Sequence[Made], until: Mapping[str, str] | None = None
) -> list[Path]:
    """Where the manifests of the tasks lie, one each; `until` tells by what asking was stopped, by
    task."""
    paths = []
    for task, requests in made:
        stopped = (until or {}).get(task.spec.name)
        manifest = _manifest(task, requests, asker, {UNTIL: stopped} if stopped else {})
        paths.append(write_manifest(asker.store, requests[0].label, manifest))
    return paths


async def _probe(asker: Asker, unknown: Sequence[Request], also: OtherEndpoint | None) -> None:
    """Tries the endpoints at the same time, the model with a picture where it will be shown one."""

    async def probe_other() -> None:
        if also is None:
            return
        engine = open_engine(also.model, also.sampling, asker.options, also.option)
        try:
            if warning := await probe(engine, also.sampling, "text", also.option):
                _logger.warning("%s", warning)
        finally:
            await engine.close()

    tries = (asker.probe(unknown), probe_other())
    for one in await asyncio.gather(*tries, return_exceptions=True):
        if isinstance(one, BaseException):
            raise one


def _report_other_servers(asker: Asker, unknown: Sequence[Request]) -> None:
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


def by_item(made: Sequence[Made]) -> list[Request]:
    """All requests, those about one item together: its picture is made ready once, and providers
    find the beginning of the prompt in their caches."""
    items: dict[tuple[str, str], list[Request]] = {}
    for task, requests in made:
        for request in requests:
            items.setdefault((task.benchmark.name, request.item), []).append(request)
    return [request for requests in items.values() for request in requests]


def _manifest(
    task: TaskQuestions, requests: Sequence[Request], asker: Asker, more: Mapping[str, str]
) -> Manifest:
    epochs = len(requests) // len(task.questions)
    questions = [question.model_dump_json() for question in task.questions]
    settings = {**task.settings, **requests[0].sampling.signature, **more}
    if weights := weights_of(asker.engine.name):
        settings[WEIGHTS] = weights
    if again := requests[0].again:
        settings["again"] = again
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
        total=str(task.total),
    )
