"""Inspect logs of Deadpan's tasks, read as answers from elsewhere."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from inspect_ai.log import EvalError, EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.model import ContentReasoning
from pydantic import ValidationError
from zstandard import ZstdError

from deadpan.base.errors import InputError
from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.questions import Question, Reply
from deadpan.engine.endpoints import Redactor
from deadpan.engine.inspect_task import QUESTION, SHOWN
from deadpan.engine.question_parts import notes_of
from deadpan.engine.reading import AskedQuestion, AskedTask

_logger = logging.getLogger("deadpan")

SUFFIXES = (".eval", ".json")
_RAISED = re.compile(r"^(?:\w+\.)*(\w+): (.+)$", re.M)
_LONGEST = 500
_DAMAGED = (OSError, ValueError, LookupError, EOFError, BadZipFile, ZstdError)
"""What Inspect raises for a log file that is cut off or overwritten."""
_OUR_ERRORS = ("DeadpanError", "InputError", "MissingExtra")


def is_inspect_log(path: Path) -> bool:
    """Whether a path is a log of Inspect, or a folder that holds some and no store."""
    if path.is_file():
        return path.suffix in SUFFIXES
    return path.is_dir() and not any(path.rglob("store.json")) and any(path.rglob("*.eval"))


def read_inspect_logs(paths: Iterable[Path]) -> list[AskedTask]:
    """The tasks of logs and of folders of logs."""
    read = [_task(file) for path in paths for file in _files(path)]
    return [task for task in read if task is not None]


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    found = list_eval_logs(str(path), descending=False)
    return [Path(info.name.removeprefix("file://")) for info in found]


def _task(path: Path) -> AskedTask | None:
    """The task of a log; None for a judge's log of an earlier version, which is told."""
    try:
        log = read_eval_log(str(path))
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
    try:
        questions = tuple(_questions(log))
        return AskedTask(
            benchmark=about["benchmark"],
            task=about["task"],
            model=str(log.eval.model),
            data=about["data"],
            prompts=about["prompts"],
            asked=len(log.eval.dataset.sample_ids or ()) * (log.eval.config.epochs or 1),
            settings={**about.get("settings", {}), **_settings(log)},
            questions=questions,
        )
    except (KeyError, ValidationError) as error:
        what = f"is a log of another Deadpan ({str(error)[:200]})"
        raise InputError(path, what, "Score it with the version that made it.") from error


def _settings(log: EvalLog) -> dict[str, str]:
    config = log.plan.config.merge(log.eval.model_generate_config)
    chosen: dict[str, Any] = {
        "temperature": config.temperature,
        "top_p": config.top_p,
        "max_tokens": config.max_tokens,
        "seed": config.seed,
        "epochs": log.eval.config.epochs if (log.eval.config.epochs or 1) > 1 else None,
    }
    return {name: f"{value:.12g}" for name, value in chosen.items() if value is not None}


def _questions(log: EvalLog) -> Iterator[AskedQuestion]:
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


def _reply(sample: EvalSample) -> Reply:
    if sample.error is not None:
        return Reply(error=_what_failed(sample.error))
    if sample.limit is not None:
        return Reply(error=f"stopped by the {sample.limit.type} limit")
    output, usage = sample.output, sample.output.usage
    if not output.choices:  # a failed call, as `export inspect` writes it
        return Reply(error=output.error or "there is no reply in the log")
    content = output.message.content
    parts = content if isinstance(content, list) else []
    thoughts = [part.reasoning for part in parts if isinstance(part, ContentReasoning)]
    return Reply(
        text=output.completion,
        reasoning="\n".join(thoughts) or None,
        stop=output.stop_reason,
        error=output.error,
        input_tokens=usage.input_tokens if usage else None,
        output_tokens=usage.output_tokens if usage else None,
        seconds=output.time,
    )


def _what_failed(error: EvalError) -> str:
    """The exception behind a failed sample: the one that retries gave up on, not the giving up."""
    raised = [found for found in _RAISED.findall(error.traceback) if found[0] != "RetryError"]
    name, message = raised[-1] if raised else ("", error.message)
    known = f"{NOT_ASKED}: {message}" if name in _OUR_ERRORS else f"{name}: {message}"
    text = known if name else message
    return Redactor()(" ".join(text.split()))[:_LONGEST]
