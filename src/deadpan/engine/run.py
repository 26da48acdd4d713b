"""Benchmarks' questions put to a model: all tasks share its connections, and what was answered
before is not asked again."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deadpan.benchmark import Benchmark
from deadpan.benchmarks import find
from deadpan.dataset import Dataset
from deadpan.demonstrations.specification import ZERO_SHOT
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES
from deadpan.engine.asker import Asker, AskerEvents, CallOptions
from deadpan.engine.demonstrations import Demonstrator, demonstrator
from deadpan.engine.inspect_model import InspectModel, find_model
from deadpan.engine.local import pictured, weights_of
from deadpan.engine.manifests import ANSWERS, ANY_SERVER, Asked, Manifest, write_manifest
from deadpan.engine.probe import probe
from deadpan.engine.question_parts import question_turns
from deadpan.engine.requests import Request, Sampling
from deadpan.engine.store import AnswerStore
from deadpan.errors import DeadpanError, InputError
from deadpan.files import folder_name
from deadpan.media.clips import require_readable
from deadpan.prompts import Prompts
from deadpan.questions import Question, Showing
from deadpan.signature import WEIGHTS
from deadpan.task_spec import TaskSpec

_logger = logging.getLogger("deadpan")


@dataclass(frozen=True)
class RunSettings:
    """What part of which data to ask, how, and where answers are kept."""

    store: Path
    data: Path | None = None
    prompts: Path | None = None
    limit: int | None = None
    epochs: int = 1
    max_connections: int = 10
    max_retries: int = MAX_RETRIES
    timeout: int = ATTEMPT_SECONDS
    give_up: int = GIVE_UP_SECONDS
    any_server: bool = False
    showing: Showing = field(default_factory=Showing)
    demos: str | None = None
    """Which worked examples go before each question, as `--demos` has it."""
    sampling: Sampling = field(default_factory=Sampling)
    """Settings that take the place of each task's own."""
    again: str = ""
    """A label under which everything is asked anew."""

    @property
    def calls(self) -> CallOptions:
        """How calls are made."""
        return CallOptions(
            self.max_connections, self.max_retries, self.timeout, self.give_up, self.any_server
        )


@dataclass(frozen=True, eq=False)
class TaskQuestions:
    """One task's questions as they are to be asked."""

    benchmark: Benchmark[Any]
    spec: TaskSpec
    questions: Sequence[Question]
    showing: Showing
    data: str
    origin: str
    wording: Prompts
    settings: Mapping[str, str]
    demos: Demonstrator | None

    @property
    def name(self) -> str:
        """Benchmark and task."""
        return f"{self.benchmark.name}/{self.spec.name}"


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
) -> list[Path]:
    """The manifests of the tasks, one each, once every question was asked. Answers that the store
    has are not asked for again; failed ones are. `also` is tried before the first question."""
    model = pictured(model, shown=not settings.showing.text_only)
    native = settings.showing.native and _takes_video(model)
    showing = settings.showing.model_copy(update={"native": native})
    asked = []
    for name, tasks in chosen.items():
        dataset = find(name).read(settings.data)
        asked += [task_questions(find(name), task, settings, showing, dataset) for task in tasks]
    return asyncio.run(_run(asked, model, settings, events, also))


async def _run(
    asked: Sequence[TaskQuestions],
    model: str,
    settings: RunSettings,
    events: AskerEvents | None,
    also: OtherEndpoint | None,
) -> list[Path]:
    calls = settings.calls
    engine = InspectModel(model, settings.sampling, calls.max_connections, calls.timeout)
    store = AnswerStore(settings.store)
    async with Asker(engine, store, calls, events) as asker:
        made = [(task, task_requests(task, model, settings)) for task in asked]
        ordered = _by_item(made)
        unknown = [request for request in ordered if asker.known(request) is None]
        if unknown:
            await _probe(asker, unknown, also)
            _tell_other_servers(asker, unknown)
            asker.lock(request.label for request in unknown)
        asker.lock_unfinished(requests[0].label for _, requests in made)
        paths = [
            write_manifest(store, requests[0].label, _manifest(task, requests, asker))
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


def task_questions(
    benchmark: Benchmark[Any],
    task: str,
    settings: RunSettings,
    showing: Showing,
    dataset: Dataset[Any] | None = None,
) -> TaskQuestions:
    """One task's questions about a data set, which is read where it is not given; what would fail
    for all of them raises."""
    spec = benchmark.task(task)
    dataset = dataset or benchmark.read(settings.data)
    wording = benchmark.prompts(task, settings.prompts)
    worded = benchmark.text_only_questions if showing.text_only else benchmark.questions
    questions = worded(dataset, task, wording)[: settings.limit]
    if not questions:
        raise InputError(
            dataset.origin,
            f"has no question for {benchmark.name}/{task}",
            "Name other tasks, or other --data.",
        )
    clips = [question.clip for question in questions if question.clip is not None]
    if not showing.text_only:
        _require_media(questions, dataset.origin, benchmark.name)
        require_readable(clips, showing)
    told = dict(showing.settings) if clips or showing.text_only else {}
    demos = _demonstrator(benchmark, task, settings, wording, showing)
    if demos is not None:
        demos.require_enough(questions)
        told |= {"demos": demos.name, "schema": "none"}
    return TaskQuestions(
        benchmark,
        spec,
        questions,
        showing,
        dataset.checksum,
        dataset.origin,
        wording,
        told,
        demos,
    )


def task_requests(task: TaskQuestions, model: str, settings: RunSettings) -> list[Request]:
    """A request for each question and epoch, in the order of the questions."""
    spec, demos = task.spec, task.demos
    label = f"{task.benchmark.name}-{spec.name}.{folder_name(model)}"
    sampling = settings.sampling.over(spec.temperature, spec.top_p, spec.max_tokens)
    made = []
    for question in task.questions:
        turns = (
            demos.turns(question, task.showing) if demos else question_turns(question, task.showing)
        )
        card = question.card(task.benchmark.name, spec.name).model_dump(mode="json")
        made += [
            Request(
                label,
                turns,
                sampling,
                # Examples show the form, and what is compared with them is asked as they are.
                schema=spec.reply if demos is None else None,
                item=question.item,
                epoch=epoch,
                again=settings.again,
                card=card,
            )
            for epoch in range(1, settings.epochs + 1)
        ]
    return made


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
    from deadpan.engine.inspect_model import takes_video

    whole = takes_video(find_model(model))
    if not whole:
        _logger.warning("%s takes no video through Inspect: it is shown frames", model)
    return whole


def _demonstrator(
    benchmark: Benchmark[Any],
    task: str,
    settings: RunSettings,
    wording: Prompts,
    showing: Showing,
) -> Demonstrator | None:
    """Who chooses what is shown before each question; None where `--demos` is left out."""
    if settings.demos is None:
        return None
    if showing.text_only and settings.demos != ZERO_SHOT:
        raise DeadpanError("--demos shows pictures: leave it out, or --variant text-only")
    return demonstrator(benchmark, task, settings.data, wording, settings.demos)


def _require_media(questions: Sequence[Question], origin: str, name: str) -> None:
    """Raises when not one picture or video is there: every question would fail."""
    paths = [picture.path for question in questions for picture in question.pictures]
    clips = [question.clip for question in questions if question.clip is not None]
    paths += [path for clip in clips for path in (clip.path, *clip.frames)]
    if paths and not any(Path(path).is_file() for path in paths):
        what = "has none of the videos" if clips else "has none of the pictures"
        fix = f"Fetch them first: deadpan data fetch {name} --data {origin}."
        raise InputError(origin, what, fix)
