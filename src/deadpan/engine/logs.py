"""Inspect logs → replies: everything of a log that results are made from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from inspect_ai.log import EvalError, EvalLog, EvalSample, list_eval_logs, read_eval_log
from zstandard import ZstdError

from deadpan.engine.messages import SHOWN
from deadpan.engine.task import QUESTION
from deadpan.errors import InputError
from deadpan.judges.sittings import Sitting
from deadpan.outcomes import NOT_ASKED
from deadpan.questions import Question, Reply

_RAISED = re.compile(r"^(?:\w+\.)*(\w+): (.+)$", re.M)
_LONGEST = 500
DAMAGED = (OSError, ValueError, LookupError, EOFError, BadZipFile, ZstdError)
"""What Inspect raises for a log file that is cut off or overwritten."""

KIND = "judgements"
"""What marks a judge's log."""

SITTING = "sitting"
"""Where a judge's sample keeps its sitting."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_OUR_ERRORS = ("DeadpanError", "InputError", "MissingExtra")


@dataclass(frozen=True)
class LoggedReply:
    """One sample of a log."""

    question: Question
    epoch: int
    reply: Reply
    picture: str | None
    notes: tuple[str, ...]
    finished: datetime
    text: str | None = None


@dataclass(frozen=True)
class Log:
    """One task's log: which questions were asked how, of which model. A resumed run keeps `run`."""

    path: Path
    run: str
    benchmark: str
    task: str
    model: str
    data: str
    prompts: str
    asked: int
    settings: dict[str, str]
    replies: tuple[LoggedReply, ...]


@dataclass(frozen=True)
class LoggedSitting:
    """One sample of a judge's log: what came of judging an answer, or why nothing did."""

    item: str
    epoch: int
    answer: str
    judge_epoch: int
    sitting: Sitting | None
    error: str | None
    finished: datetime


@dataclass(frozen=True)
class JudgeLog:
    """One judge's log: whose answers to which task it graded."""

    path: Path
    benchmark: str
    task: str
    model: str
    judge: str
    identity: str
    epochs: int
    sittings: tuple[LoggedSitting, ...]


def log_files(path: Path) -> list[Path]:
    """A log file itself, or every log below a folder, oldest first."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(path, "no such log or folder", "Give a .eval file or a folder of them.")
    found = list_eval_logs(str(path), descending=False)
    return [Path(info.name.removeprefix("file://")) for info in found]


def read_log(path: Path) -> Log | JudgeLog:
    """A log with its replies or judgements; a file that is no Deadpan log raises."""
    try:
        log = read_eval_log(str(path))
    except FileNotFoundError:
        raise InputError(path, "no such log", "Check the path.") from None
    except DAMAGED as error:
        what = f"cannot be read as an Inspect log ({error})"
        raise InputError(path, what, "Remove it, or run its command again.") from error
    about = (log.eval.metadata or {}).get("deadpan")
    if not isinstance(about, dict):
        raise InputError(path, "is not a log of a Deadpan task", "Give a log made by deadpan run.")
    return _judge_log(path, log, about) if about.get("kind") == KIND else _log(path, log, about)


def _log(path: Path, log: EvalLog, about: dict[str, Any]) -> Log:
    return Log(
        path=path,
        run=log.eval.task_id,
        benchmark=about["benchmark"],
        task=about["task"],
        model=str(log.eval.model),
        data=about["data"],
        prompts=about["prompts"],
        asked=len(log.eval.dataset.sample_ids or ()) * (log.eval.config.epochs or 1),
        settings={**about.get("settings", {}), **_settings(log)},
        replies=tuple(_replies(log)),
    )


def _judge_log(path: Path, log: EvalLog, about: dict[str, Any]) -> JudgeLog:
    return JudgeLog(
        path=path,
        benchmark=about["benchmark"],
        task=about["task"],
        model=about["model"],
        judge=str(log.eval.model),
        identity=about["identity"],
        epochs=log.eval.config.epochs or 1,
        sittings=tuple(_sittings(log)),
    )


def _sittings(log: EvalLog) -> Iterator[LoggedSitting]:
    for sample in log.samples or ():
        if "answer" not in sample.metadata:
            continue
        kept = sample.metadata.get(SITTING)
        failed = sample.error is not None or kept is None
        yield LoggedSitting(
            item=sample.metadata["item"],
            epoch=sample.metadata["epoch"],
            answer=sample.metadata["answer"],
            judge_epoch=sample.epoch,
            sitting=None if failed else Sitting.model_validate(kept),
            error=_what_failed(sample.error) if sample.error else None,
            finished=_finished(sample),
        )


def _settings(log: EvalLog) -> dict[str, str]:
    config = log.plan.config.merge(log.eval.model_generate_config)
    chosen: dict[str, Any] = {
        "temperature": config.temperature,
        "top_p": config.top_p,
        "seed": config.seed,
        "epochs": log.eval.config.epochs if (log.eval.config.epochs or 1) > 1 else None,
    }
    return {name: f"{value:g}" for name, value in chosen.items() if value is not None}


def _replies(log: EvalLog) -> Iterator[LoggedReply]:
    for sample in log.samples or ():
        if QUESTION not in sample.metadata:
            continue
        shown = sample.metadata.get(SHOWN) or [{}]
        yield LoggedReply(
            question=Question.model_validate(sample.metadata[QUESTION]),
            epoch=sample.epoch,
            reply=_reply(sample),
            picture=shown[0].get("path"),
            notes=tuple(note for picture in shown for note in picture.get("notes", ())),
            finished=_finished(sample),
            text=_text_asked(sample),
        )


def _finished(sample: EvalSample) -> datetime:
    stamp = sample.completed_at or sample.started_at
    return datetime.fromisoformat(stamp) if stamp else _LONG_AGO


def _text_asked(sample: EvalSample) -> str | None:
    """The words of the question as the model got them; demonstrations come before it."""
    asked = [message for message in sample.messages if message.role == "user"]
    return asked[-1].text if asked else None


def _reply(sample: EvalSample) -> Reply:
    if sample.error is not None:
        return Reply(error=_what_failed(sample.error))
    if sample.limit is not None:
        return Reply(error=f"stopped by the {sample.limit.type} limit")
    usage = sample.output.usage
    return Reply(
        text=sample.output.completion,
        stop=sample.output.stop_reason,
        error=sample.output.error,
        input_tokens=usage.input_tokens if usage else None,
        output_tokens=usage.output_tokens if usage else None,
        seconds=sample.output.time,
    )


def _what_failed(error: EvalError) -> str:
    """The exception behind a failed sample: the one that retries gave up on, not the giving up."""
    raised = [found for found in _RAISED.findall(error.traceback) if found[0] != "RetryError"]
    name, message = raised[-1] if raised else ("", error.message)
    known = f"{NOT_ASKED}: {message}" if name in _OUR_ERRORS else f"{name}: {message}"
    text = known if name else message
    return " ".join(text.split())[:_LONGEST]
