"""Deadpan questions → an Inspect task: dataset, solver, scorer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from deadpan.benchmark import Benchmark
from deadpan.benchmarks import find
from deadpan.demonstrations.specification import ZERO_SHOT
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES
from deadpan.engine.demonstrations import Demonstrator, demonstrator, with_examples
from deadpan.engine.messages import SHOWN, messages, takes_video, told
from deadpan.engine.refusals import Limits
from deadpan.engine.schema import schema_config
from deadpan.errors import DeadpanError, InputError
from deadpan.media.clips import require_readable, shown_clip, spoken
from deadpan.media.shown import shown
from deadpan.prompts import Prompts
from deadpan.questions import Question, Reply, Showing
from deadpan.task_spec import TaskSpec

QUESTION = "question"


def inspect_task(
    benchmark: Benchmark[Any],
    task: str,
    data: str | None = None,
    prompts: str | None = None,
    showing: Showing | None = None,
    demos: str | None = None,
) -> Task:
    """The Inspect task of one question type. Its version changes with data, prompts, the way clips
    are shown and the demonstrations, so that a resumed run never mixes answers to different
    questions."""
    spec = benchmark.task(task)
    showing = showing or Showing()
    dataset = benchmark.read(Path(data) if data else None)
    wording = benchmark.prompts(task, Path(prompts) if prompts else None)
    worded = benchmark.text_only_questions if showing.text_only else benchmark.questions
    questions = worded(dataset, task, wording)
    clips = [question.clip for question in questions if question.clip is not None]
    if not showing.text_only:
        _require_media(questions, dataset.origin, benchmark.name)
        require_readable(clips, showing)
    settings = showing.settings if clips or showing.text_only else {}
    chosen = _demonstrator(benchmark, task, data, wording, showing, demos)
    if chosen is not None:
        chosen.require_enough(questions)
        settings = {**settings, "demos": chosen.name, "schema": "none"}
    identity = "-".join([str(spec.version), dataset.checksum, wording.checksum, *settings.values()])
    return Task(
        dataset=MemoryDataset(
            [_sample(question) for question in questions], name=f"{benchmark.name}/{task}"
        ),
        solver=ask(benchmark.name, task, showing.model_dump(), *([chosen] if chosen else [])),
        scorer=outcome(benchmark.name, task),
        config=_config(spec),
        version=identity,
        fail_on_error=True,
        continue_on_fail=True,
        metadata={
            "deadpan": {
                "benchmark": benchmark.name,
                "task": task,
                "data": dataset.checksum,
                "origin": dataset.origin,
                "prompts": wording.checksum,
                "settings": settings,
            }
        },
    )


def _demonstrator(
    benchmark: Benchmark[Any],
    task: str,
    data: str | None,
    wording: Prompts,
    showing: Showing,
    demos: str | None,
) -> Demonstrator | None:
    """Who chooses what is shown before each question; None where `--demos` is left out."""
    if demos is None:
        return None
    if showing.text_only and demos != ZERO_SHOT:
        raise DeadpanError("--demos shows pictures: leave it out, or --variant text-only")
    return demonstrator(benchmark, task, Path(data) if data else None, wording, demos)


def _require_media(questions: list[Question], origin: str, name: str) -> None:
    """Raises when not one picture or video is there: every sample would fail."""
    paths = [picture.path for question in questions for picture in question.pictures]
    clips = [question.clip for question in questions if question.clip is not None]
    paths += [path for clip in clips for path in (clip.path, *clip.frames)]
    if paths and not any(Path(path).is_file() for path in paths):
        what = "has none of the videos" if clips else "has none of the pictures"
        fix = f"Fetch them first: deadpan data fetch {name} --data {origin}."
        raise InputError(origin, what, fix)


def _config(spec: TaskSpec) -> GenerateConfig:
    return GenerateConfig(
        temperature=spec.temperature,
        top_p=spec.top_p,
        max_tokens=spec.max_tokens,
        max_retries=MAX_RETRIES,
        attempt_timeout=ATTEMPT_SECONDS,
    )


def _sample(question: Question) -> Sample:
    return Sample(
        id=question.item,
        input=question.text,
        target=json.dumps(question.gold, ensure_ascii=False),
        metadata={QUESTION: question.model_dump(mode="json")},
    )


@solver
def ask(
    benchmark: str, task: str, showing: dict[str, Any], demos: Demonstrator | None = None
) -> Solver:
    """Shows what the question is about, after demonstrations where these are wanted, and asks; what
    cannot be shown fails this sample alone.

    A provider that takes fewer images, or no reply schema, is asked again without."""
    way = Showing.model_validate(showing)
    limits = Limits()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = Question.model_validate(state.metadata[QUESTION])
        # Demonstrations show the form, and what is compared with them is asked as they are.
        schema = find(benchmark).task(task).reply if demos is None else None
        if way.native and question.clip and not takes_video(get_model()):
            raise DeadpanError(f"{get_model()} takes no video; leave out --variant native-video")
        wanted = () if way.text_only else question.pictures
        pictures = [await anyio.to_thread.run_sync(shown, picture) for picture in wanted]
        speech = await anyio.to_thread.run_sync(spoken, question, way)
        examples = await anyio.to_thread.run_sync(demos.examples, question, way) if demos else []
        layout = demos.layout if demos else "turns"
        while True:
            clip = await anyio.to_thread.run_sync(shown_clip, question.clip, way, limits.images)
            structured = schema if limits.schema else None
            asked = messages(question, pictures, clip, speech, benchmark, task)
            state.messages = with_examples(asked, question.language, examples, layout)
            before = [kept for one in examples for kept in one.told]
            state.metadata[SHOWN] = [*told(pictures, clip, speech), *before]
            images = len(clip.frames) if clip else 0
            with limits.during(images, schema=structured is not None):
                return await generate(state, **schema_config(structured))

    return solve


@scorer(metrics=[])
def outcome(benchmark: str, task: str) -> Scorer:
    """The outcome and what was understood, for Inspect's own viewer; figures come from results."""

    async def score(state: TaskState, target: Target) -> Score:
        question = Question.model_validate(state.metadata[QUESTION])
        reply = Reply(text=state.output.completion, stop=state.output.stop_reason)
        grade = find(benchmark).grade(task, reply, question.language)
        return Score(
            value=grade.outcome,
            answer=json.dumps(grade.parsed, ensure_ascii=False),
            explanation=grade.reason,
        )

    return score
