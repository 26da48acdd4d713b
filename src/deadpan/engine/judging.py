"""Answers put to a judge, or to a reader: all tasks share its connections, and nothing is paid for
twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from deadpan.base.files import folder_name
from deadpan.core.judge import Brief, BrokenReply, Judge, Judgement
from deadpan.core.questions import Language
from deadpan.core.signature import checksum
from deadpan.engine.asker import Asker, AskerEvents
from deadpan.engine.conversation import Conversation, converse
from deadpan.engine.local.provider import judge_identity
from deadpan.engine.loops import run_async
from deadpan.engine.manifests import (
    ANY_SERVER,
    JUDGEMENTS,
    READINGS,
    Asked,
    Kind,
    Manifest,
    write_manifest,
)
from deadpan.engine.opening import open_engine
from deadpan.engine.question_parts import PicturePart
from deadpan.engine.requests import Part, Request, Sampling, Text, Turn
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import RunSettings
from deadpan.parsing.judge_reasons import reason_in
from deadpan.parsing.judgements import read_judgement


@dataclass(frozen=True)
class JudgeRequest:
    """One answer to be judged."""

    item: str
    epoch: int
    brief: Brief
    identity: str = ""
    """What the answer is known by, where that is not its text."""

    @property
    def answer(self) -> str:
        """The checksum of the answer: a judgement holds for this answer only."""
        return checksum(self.identity or self.brief.answer)


@dataclass(frozen=True)
class JudgeJob:
    """Whose answers to which task a judge grades."""

    benchmark: str
    task: str
    model: str
    judge: Judge
    requests: Sequence[JudgeRequest]
    kind: Kind = JUDGEMENTS

    def label(self, judge: str) -> str:
        """What the store calls it."""
        task, role = f"{self.benchmark}-{self.task}", "reader" if self.kind == READINGS else "judge"
        return f"{task}.{folder_name(self.model)[:60]}.{role}-{folder_name(judge)[:60]}"


_Wanted = tuple[JudgeJob, JudgeRequest, Request]


def judge_sampling(judge: Judge) -> Sampling:
    """A judge's own settings, with room for reasoning."""
    return Sampling().over(judge.temperature, None, judge.max_tokens)


def judge_answers(
    jobs: Sequence[JudgeJob],
    model: str,
    settings: RunSettings,
    events: AskerEvents | None = None,
    option: str = "--judge",
) -> list[Path]:
    """The manifests of the judgements, once each answer was judged `settings.epochs` times; a
    judgement that broke the judge's schema in an earlier run is asked for again. `option` is what
    named the model, for messages."""
    jobs = [job for job in jobs if job.requests]
    return run_async(_judge(jobs, model, settings, events, option)) if jobs else []


async def _judge(
    jobs: Sequence[JudgeJob],
    model: str,
    settings: RunSettings,
    events: AskerEvents | None,
    option: str,
) -> list[Path]:
    calls = settings.calls
    engine = open_engine(model, Sampling(), calls, option)
    store = AnswerStore(settings.store)
    async with Asker(engine, store, calls, events, option) as asker:
        made = [
            (job, one, _request(job, one, epoch, model))
            for job in jobs
            for one in job.requests
            for epoch in range(1, settings.epochs + 1)
        ]
        unknown = asker.unknown(request for _, _, request in made)
        await asker.probe(unknown)
        asker.lock(request.label for request in unknown)
        manifests = [(job.label(model), _manifest(job, asker, made)) for job in jobs]
        paths = [write_manifest(store, label, manifest) for label, manifest in manifests]
        for label, manifest in manifests:
            asker.events.planned(label, len(manifest.rows))

        async def judge(wanted: _Wanted) -> Conversation[Judgement]:
            job, one, request = wanted
            read = partial(_read, job.judge, one.brief.language)
            return await converse(asker, request, read, job.judge.again[one.brief.language])

        await asker.ask_ahead([request for _, _, request in made])
        async for _ in asker.each(made, judge):
            pass
    return paths


def _read(judge: Judge, language: Language, text: str) -> Judgement:
    """The judgement of a reply; raises BrokenReply in the words that the judge is told."""
    try:
        return read_judgement(judge, text)
    except BrokenReply as error:
        raise BrokenReply(reason_in(language, str(error))) from None


def _request(job: JudgeJob, one: JudgeRequest, epoch: int, model: str) -> Request:
    judge, brief = job.judge, one.brief
    pictures: list[Part] = [PicturePart(picture) for picture in brief.pictures]
    text: list[Part] = [Text(judge.question(brief))]
    parts = pictures + text if judge.pictures_first else text + pictures
    system = Turn("system", (Text(judge.system[brief.language]),))
    return Request(
        job.label(model),
        (system, Turn("user", tuple(parts))),
        judge_sampling(judge),
        schema=judge.reply,
        item=one.item,
        epoch=epoch,
        card=[judge.identity, {**brief.fields}],  # all that a stand-in goes by
        stand_in=partial(judge.stand_in, brief),
    )


def _manifest(job: JudgeJob, asker: Asker, made: Sequence[_Wanted]) -> Manifest:
    rows = tuple(
        Asked(one.item, one.epoch, asker.key(request), None, one.answer, request.epoch)
        for other, one, request in made
        if other is job
    )
    return Manifest(
        kind=job.kind,
        benchmark=job.benchmark,
        task=job.task,
        model=job.model,
        server=ANY_SERVER if asker.options.any_server else asker.engine.server,
        rows=rows,
        judge=asker.engine.name,
        identity=judge_identity(job.judge, asker.engine.name),
    )
