"""Inspect logs: read as answers from elsewhere, and written from a store for Inspect's viewer."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from zipfile import BadZipFile

from inspect_ai import log as inspect_log
from inspect_ai import model as chat
from inspect_ai.scorer import Score
from zstandard import ZstdError

from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.base.files import folder_name
from deadpan.base.version import __version__
from deadpan.benchmarks import find
from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.questions import Grade, Question, Reply
from deadpan.core.signature import checksum
from deadpan.engine.endpoints import Redactor
from deadpan.engine.inspect_model import QUESTION, SHOWN
from deadpan.engine.question_parts import notes_of
from deadpan.engine.reading import AskedQuestion, AskedTask, read_stores
from deadpan.engine.requests import Sampling

_logger = logging.getLogger("deadpan")

_RAISED = re.compile(r"^(?:\w+\.)*(\w+): (.+)$", re.M)
_LONGEST = 500
_DAMAGED = (OSError, ValueError, LookupError, EOFError, BadZipFile, ZstdError)
"""What Inspect raises for a log file that is cut off or overwritten."""
_OUR_ERRORS = ("DeadpanError", "InputError", "MissingExtra")
_STOPS = frozenset({"stop", "max_tokens", "model_length", "content_filter"})


def read_inspect_logs(paths: Iterable[Path]) -> list[AskedTask]:
    """The tasks of logs and of folders of logs."""
    files: list[Path] = []
    for path in paths:
        if path.is_file():
            files.append(path)
        else:
            found = inspect_log.list_eval_logs(str(path), descending=False)
            files += [Path(info.name.removeprefix("file://")) for info in found]
    return [task for file in files if (task := _task(file)) is not None]


def _task(path: Path) -> AskedTask | None:
    """The task of a log; None for a judge's log of an earlier version, which is told."""
    try:
        log = inspect_log.read_eval_log(str(path))
    except _DAMAGED as error:
        what = f"cannot be read as an Inspect log ({str(error)[:200]})"
        raise InputError(path, what, "Make it again, or leave it out.") from error
    about = (log.eval.metadata or {}).get("deadpan")
    if not isinstance(about, dict):
        fix = "Give an answer store, or a log of a task deadpan/…."
        raise InputError(path, "is not a log of a Deadpan task", fix)
    if about.get("kind") == "judgements":
        _logger.warning("%s holds judgements of an earlier version: they are not read", path)
        return None
    epochs = log.eval.config.epochs or 1
    items = [str(name) for name in log.eval.dataset.sample_ids or ()]
    try:
        total = int(about.get("total", 0))
        return AskedTask(
            benchmark=about["benchmark"],
            task=about["task"],
            model=str(log.eval.model),
            data=about["data"],
            prompts=about["prompts"],
            asked=len(items) * epochs,
            settings={**about.get("settings", {}), **_settings(log)},
            questions=tuple(_questions(log)),
            total=total * epochs,
        )
    except (KeyError, TypeError, ValueError) as error:
        what = f"is a log of another Deadpan ({str(error)[:200]})"
        raise InputError(path, what, "Score it with the version that made it.") from error


def _settings(log: inspect_log.EvalLog) -> dict[str, str]:
    config = log.plan.config.merge(log.eval.model_generate_config)
    told = config.model_dump(include={"temperature", "top_p", "max_tokens", "seed"})
    epochs = log.eval.config.epochs or 1
    return Sampling(**told).signature | ({"epochs": str(epochs)} if epochs > 1 else {})


def _questions(log: inspect_log.EvalLog) -> Iterator[AskedQuestion]:
    for sample in log.samples or ():
        if QUESTION not in sample.metadata:
            continue
        shown = sample.metadata.get(SHOWN) or [{}]
        asked = [message for message in sample.messages if message.role == "user"]
        yield AskedQuestion(
            question=Question.model_validate(sample.metadata[QUESTION]),
            epoch=sample.epoch,
            reply=_reply(sample),
            picture=shown[0].get("path"),
            notes=notes_of(shown),
            text=asked[-1].text if asked else None,
        )


def _reply(sample: inspect_log.EvalSample) -> Reply:
    if sample.error is not None:
        return Reply(error=_what_failed(sample.error))
    if sample.limit is not None:
        return Reply(error=f"stopped by the {sample.limit.type} limit")
    output, usage = sample.output, sample.output.usage
    if not output.choices:  # a failed call, as `export inspect` writes it
        return Reply(error=output.error or "there is no reply in the log")
    content = output.message.content
    parts = content if isinstance(content, list) else []
    thoughts = [part.reasoning for part in parts if isinstance(part, chat.ContentReasoning)]
    return Reply(
        text=output.completion,
        reasoning="\n".join(thoughts) or None,
        stop=output.stop_reason,
        error=output.error,
        input_tokens=usage.input_tokens if usage else None,
        output_tokens=usage.output_tokens if usage else None,
        seconds=output.time,
    )


def _what_failed(error: inspect_log.EvalError) -> str:
    """The exception behind a failed sample: the one that retries gave up on, not the giving up."""
    raised = [found for found in _RAISED.findall(error.traceback) if found[0] != "RetryError"]
    text = error.message
    if raised:
        name, message = raised[-1]
        text = f"{NOT_ASKED if name in _OUR_ERRORS else name}: {message}"
    return Redactor()(" ".join(text.split()))[:_LONGEST]


def export_logs(
    paths: Sequence[Path],
    out: Path,
    benchmarks: Collection[str] = (),
    tasks: Collection[str] = (),
    latest: bool = False,
) -> list[Path]:
    """One log for each task and model, without pictures: these are named by their paths. The same
    answers make the same file names. Of some benchmarks and tasks where they are named, and of
    several runs of a model and a task all or the `latest`."""
    asked, _ = read_stores(paths, latest)
    if not asked:
        raise InputError(" ".join(map(str, paths)), "holds no run", "Run `deadpan run` first.")
    chosen = _of_names("--benchmark", [(one.benchmark, one) for one in asked], benchmarks)
    chosen = _of_names("--task", [(one.task, one) for one in chosen], tasks)
    written = []
    for task in chosen:
        name = f"{task.benchmark}_{task.task}_{folder_name(task.model)[:100]}"
        way = checksum([task.data, task.prompts, dict(task.settings)])
        path = out / f"{name}_{way}.eval"
        try:
            out.mkdir(parents=True, exist_ok=True)
            inspect_log.write_eval_log(_log(task), str(path))
        except OSError as error:
            what = f"cannot be written ({error.strerror or error})"
            raise InputError(path, what, "Free some space or choose another --out.") from error
        written.append(path)
    return written


def _of_names(
    option: str, tasks: Sequence[tuple[str, AskedTask]], wanted: Collection[str]
) -> list[AskedTask]:
    """The tasks of some names, of all where none is wanted; a name that is not there raises."""
    known = dict.fromkeys(name for name, _ in tasks)
    for name in wanted:
        if name not in known:
            held = f"there are runs of {', '.join(known)}"
            raise DeadpanError(f"{option} {name}: {held}{meant(name, known)}")
    return [task for name, task in tasks if not wanted or name in wanted]


def _log(task: AskedTask) -> inspect_log.EvalLog:
    items = list(dict.fromkeys(one.question.item for one in task.questions))
    epochs = max((one.epoch for one in task.questions), default=1)
    settings = dict(task.settings)
    about = {name: getattr(task, name) for name in ("benchmark", "task", "data", "prompts")}
    about["settings"] = settings
    about["total"] = task.total // epochs
    return inspect_log.EvalLog(
        status="success" if len(task.questions) == task.asked else "cancelled",
        eval=inspect_log.EvalSpec(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            task=f"deadpan/{task.benchmark}_{task.task}",
            task_id=checksum([task.benchmark, task.task, task.model, settings]),
            dataset=inspect_log.EvalDataset(
                name=f"{task.benchmark}/{task.task}",
                samples=task.asked // epochs,
                sample_ids=list[str | int](items),
            ),
            model=task.model,
            config=inspect_log.EvalConfig(epochs=epochs),
            packages={"deadpan": __version__},
            metadata={"deadpan": about},
        ),
        results=inspect_log.EvalResults(
            total_samples=task.asked, completed_samples=len(task.questions)
        ),
        samples=[_sample(task, one) for one in task.questions],
    )


def _sample(task: AskedTask, one: AskedQuestion) -> inspect_log.EvalSample:
    question, reply = one.question, one.reply
    grade = find(task.benchmark).grade(task.task, reply, question)
    text = one.text or question.text
    output = _output(task.model, one)
    return inspect_log.EvalSample(
        id=question.item,
        epoch=one.epoch,
        input=text,
        target=json.dumps(question.gold, ensure_ascii=False),
        messages=[
            chat.ChatMessageSystem(content=question.system),
            chat.ChatMessageUser(content=text),
            *(choice.message for choice in output.choices),
        ],
        output=output,
        scores={"outcome": outcome_score(grade)},
        metadata={
            QUESTION: question.model_dump(mode="json"),
            SHOWN: [{"path": one.picture, "notes": list(one.notes)}],
        },
    )


def outcome_score(grade: Grade) -> Score:
    """The outcome and what was understood, for Inspect's own viewer; scores come from results."""
    answer = json.dumps(grade.parsed, ensure_ascii=False)
    return Score(value=grade.outcome, answer=answer, explanation=grade.reason)


def _output(model: str, one: AskedQuestion) -> chat.ModelOutput:
    reply = one.reply
    if reply.error is not None:
        return chat.ModelOutput(model=model, choices=[], error=reply.error)
    content: list[chat.Content] = [chat.ContentText(text=reply.text or "")]
    if reply.reasoning:
        content.insert(0, chat.ContentReasoning(reasoning=reply.reasoning))
    stop = reply.stop if reply.stop in _STOPS else "unknown"
    read, written = reply.input_tokens or 0, reply.output_tokens or 0
    message = chat.ChatMessageAssistant(content=content, model=model, source="generate")
    choice = chat.ChatCompletionChoice(message=message, stop_reason=stop)  # type: ignore[arg-type]
    return chat.ModelOutput(
        model=model,
        choices=[choice],
        usage=chat.ModelUsage(
            input_tokens=read, output_tokens=written, total_tokens=read + written
        ),
        time=reply.seconds,
    )
