"""Judges as Inspect tasks: answers in, judgements in a log of their own.

A judgement that was made once is kept and never paid for again; one that breaks the judge's schema
is asked for again with what was wrong, and after that counts as failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentText,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES
from deadpan.engine.local import identity_of, judge_identity
from deadpan.engine.logs import (
    KIND,
    SITTING,
    JudgeLog,
    LoggedSitting,
    log_files,
    read_log,
)
from deadpan.engine.messages import image
from deadpan.engine.outputs import sitting_of
from deadpan.engine.refusals import Limits
from deadpan.engine.run import RunSettings, evaluated
from deadpan.engine.schema import schema_config
from deadpan.judges import lexical
from deadpan.judges.judge import ATTEMPTS, Brief, BrokenReply, Judge
from deadpan.judges.sittings import keep, kept, place_of
from deadpan.media.shown import shown
from deadpan.signature import checksum

BRIEF = "brief"


@dataclass(frozen=True)
class Request:
    """One answer to be judged."""

    item: str
    epoch: int
    brief: Brief

    @property
    def answer(self) -> str:
        """The checksum of the answer: a judgement holds for this answer only."""
        return checksum(self.brief.answer)


@dataclass(frozen=True)
class Bench:
    """Whose answers to which task a judge grades."""

    benchmark: str
    task: str
    model: str
    judge: Judge


def judge_answers(
    bench: Bench, requests: Sequence[Request], model: str, settings: RunSettings
) -> None:
    """Leaves a log of the judgements. Finished ones of an earlier call are reused, those that
    broke the judge's schema are asked for again, and no repeat that was made before is lost."""
    identity = judge_identity(bench.judge, model)
    earlier = [log for log in judge_logs(settings.log_dir) if _is_of(log, bench, identity)]
    epochs = max([settings.epochs, *(log.epochs for log in earlier)])
    broken = sum(any(_is_broken(bench, entry) for entry in log.sittings) for log in earlier)
    evaluated([_task(bench, identity, requests, broken)], model, replace(settings, epochs=epochs))


def judge_logs(folder: Path) -> list[JudgeLog]:
    """The judge's logs in a folder; none where there is no folder yet."""
    files = log_files(folder) if folder.is_dir() else []
    return [log for file in files if isinstance(log := read_log(file), JudgeLog)]


def _is_of(log: JudgeLog, bench: Bench, identity: str) -> bool:
    same = (log.benchmark, log.task, log.model) == (bench.benchmark, bench.task, bench.model)
    return same and log.identity == identity


def _is_broken(bench: Bench, entry: LoggedSitting) -> bool:
    if entry.sitting is None:
        return False
    try:
        bench.judge.read(entry.sitting.replies[-1])
    except BrokenReply:
        return True
    return False


def _task(bench: Bench, identity: str, requests: Sequence[Request], broken: int) -> Task:
    """The Inspect task. Its version changes with what is to be judged, and with how many earlier
    logs hold broken replies, so that these are asked for again and all else is resumed."""
    judge = bench.judge
    about = {
        "kind": KIND,
        "benchmark": bench.benchmark,
        "task": bench.task,
        "model": bench.model,
        "identity": identity,
    }
    asked = checksum(
        [
            about,
            *(f"{r.item} {r.epoch} {checksum(r.brief.model_dump(mode='json'))}" for r in requests),
        ]
    )
    return Task(
        name=f"{bench.benchmark}_{bench.task}_judged",
        dataset=MemoryDataset([_sample(judge, request) for request in requests]),
        solver=sit(judge),
        scorer=judged(judge),
        config=GenerateConfig(
            temperature=judge.temperature,
            max_tokens=judge.max_tokens,
            max_retries=MAX_RETRIES,
            attempt_timeout=ATTEMPT_SECONDS,
        ),
        version=f"{identity}-{asked}-{broken}",
        fail_on_error=True,
        continue_on_fail=True,
        metadata={"deadpan": about},
    )


def _sample(judge: Judge, request: Request) -> Sample:
    return Sample(
        id=f"{request.item}#{request.epoch}#{request.answer}",
        input=judge.question(request.brief),
        metadata={
            BRIEF: request.brief.model_dump(mode="json"),
            "item": request.item,
            "epoch": request.epoch,
            "answer": request.answer,
        },
    )


@solver
def sit(judge: Judge) -> Solver:
    """Asks for a judgement until one keeps the schema, at most ATTEMPTS times."""
    limits = Limits()
    known: dict[str, str] = {}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        brief = Brief.model_validate(state.metadata[BRIEF])
        model = str(get_model())
        if model not in known:
            known[model] = await anyio.to_thread.run_sync(identity_of, model)
        place = place_of(judge, brief, known[model], state.epoch)
        sitting = kept(place, judge)
        if sitting is not None:
            state.output = ModelOutput.from_content(str(get_model()), sitting.replies[-1])
            state.metadata[SITTING] = sitting.model_dump(mode="json")
            return state
        stand_in = await anyio.to_thread.run_sync(judge.stand_in, brief) if _is_lexical() else None
        state.messages = [
            ChatMessageSystem(content=judge.system[brief.language]),
            ChatMessageUser(
                content=await _content(judge, brief),
                metadata={lexical.REPLY: stand_in} if stand_in else None,
            ),
        ]
        outputs: list[ModelOutput] = []
        for _ in range(ATTEMPTS):
            state = await _asked(state, generate, judge, limits)
            outputs.append(state.output)
            try:
                judge.read(state.output.completion)
            except BrokenReply as error:
                again = judge.again[brief.language].replace("{why}", str(error))
                state.messages.append(ChatMessageUser(content=again))
                continue
            keep(place, sitting_of(outputs))
            break
        state.metadata[SITTING] = sitting_of(outputs).model_dump(mode="json")
        return state

    return solve


async def _content(judge: Judge, brief: Brief) -> list[Content]:
    """The brief's pictures and the question, in the judge's order."""
    prepared = [await anyio.to_thread.run_sync(shown, picture) for picture in brief.pictures]
    pictures: list[Content] = [image(item) for item in prepared]
    text: list[Content] = [ContentText(text=judge.question(brief))]
    return pictures + text if judge.pictures_first else text + pictures


def _is_lexical() -> bool:
    return str(get_model()) == lexical.MODEL


async def _asked(state: TaskState, generate: Generate, judge: Judge, limits: Limits) -> TaskState:
    """The state after one reply; a provider that takes no schema is asked without."""
    while True:
        schema = judge.reply if limits.schema else None
        with limits.during(images=0, schema=schema is not None):
            return await generate(state, **schema_config(schema))


@scorer(metrics=[])
def judged(judge: Judge) -> Scorer:
    """Whether the reply can be used, for Inspect's own viewer; figures come from results."""

    async def score(state: TaskState, target: Target) -> Score:
        try:
            judgement = judge.read(state.output.completion)
        except BrokenReply as error:
            return Score(value="judge_failed", explanation=str(error))
        return Score(value="judged", answer=judgement.model_dump_json())

    return score
