"""A store's answers as Inspect logs, for its viewer and for tools that read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalResults,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import ChatCompletionChoice as Choice
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score

from deadpan.base.errors import InputError
from deadpan.base.files import folder_name
from deadpan.base.version import __version__
from deadpan.benchmarks import find
from deadpan.core.questions import Grade
from deadpan.core.signature import checksum
from deadpan.engine.inspect_task import QUESTION
from deadpan.engine.reading import AskedQuestion, AskedTask, read_stores

_STOPS = frozenset({"stop", "max_tokens", "model_length", "content_filter"})


def export_logs(paths: Sequence[Path], out: Path) -> list[Path]:
    """One log for each task and model, without pictures: these are named by their paths. The same
    answers make the same file names."""
    asked, _ = read_stores(paths)
    if not asked:
        raise InputError(" ".join(map(str, paths)), "holds no run", "Run `deadpan run` first.")
    written = []
    for task in asked:
        name = f"{task.benchmark}_{task.task}_{folder_name(task.model)[:100]}"
        way = checksum([task.data, task.prompts, dict(task.settings)])
        path = out / f"{name}_{way}.eval"
        try:
            out.mkdir(parents=True, exist_ok=True)
            write_eval_log(_log(task), str(path))
        except OSError as error:
            what = f"cannot be written ({error.strerror or error})"
            raise InputError(path, what, "Free some space or choose another --out.") from error
        written.append(path)
    return written


def _log(task: AskedTask) -> EvalLog:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    items = list(dict.fromkeys(one.question.item for one in task.questions))
    epochs = max((one.epoch for one in task.questions), default=1)
    return EvalLog(
        status="success" if len(task.questions) == task.asked else "cancelled",
        eval=EvalSpec(
            created=now,
            task=f"deadpan/{task.benchmark}_{task.task}",
            task_id=checksum([task.benchmark, task.task, task.model, dict(task.settings)]),
            dataset=EvalDataset(
                name=f"{task.benchmark}/{task.task}",
                samples=task.asked // epochs,
                sample_ids=list[str | int](items),
            ),
            model=task.model,
            config=EvalConfig(epochs=epochs),
            packages={"deadpan": __version__},
            metadata={
                "deadpan": {
                    "benchmark": task.benchmark,
                    "task": task.task,
                    "data": task.data,
                    "prompts": task.prompts,
                    "settings": dict(task.settings),
                }
            },
        ),
        results=EvalResults(total_samples=task.asked, completed_samples=len(task.questions)),
        samples=[_sample(task, one) for one in task.questions],
    )


def _sample(task: AskedTask, one: AskedQuestion) -> EvalSample:
    question, reply = one.question, one.reply
    grade: Grade = find(task.benchmark).parse(task.task, reply, question.language)
    text = one.text or question.text
    output = _output(task.model, one)
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=question.system),
        ChatMessageUser(content=text),
        *(choice.message for choice in output.choices),
    ]
    return EvalSample(
        id=question.item,
        epoch=one.epoch,
        input=text,
        target=json.dumps(question.gold, ensure_ascii=False),
        messages=messages,
        output=output,
        scores={
            "outcome": Score(
                value=grade.outcome,
                answer=json.dumps(grade.parsed, ensure_ascii=False),
                explanation=grade.reason,
            )
        },
        metadata={
            QUESTION: question.model_dump(mode="json"),
            "shown": [{"path": one.picture, "notes": list(one.notes)}],
        },
    )


def _output(model: str, one: AskedQuestion) -> ModelOutput:
    reply = one.reply
    if reply.error is not None:
        return ModelOutput(model=model, choices=[], error=reply.error)
    content: list[Content] = (
        [ContentReasoning(reasoning=reply.reasoning)] if reply.reasoning else []
    )
    content.append(ContentText(text=reply.text or ""))
    stop = reply.stop if reply.stop in _STOPS else "unknown"
    read, written = reply.input_tokens or 0, reply.output_tokens or 0
    return ModelOutput(
        model=model,
        choices=[
            Choice(
                message=ChatMessageAssistant(content=content, model=model, source="generate"),
                stop_reason=stop,  # type: ignore[arg-type]
            )
        ],
        usage=ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written),
        time=reply.seconds,
    )
