"""Runs tasks through Inspect so that a killed run continues where it stopped."""

from __future__ import annotations

import logging
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from inspect_ai import Task, eval_set
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model, get_model
from platformdirs import user_data_path
from rich.text import Text

from deadpan.benchmarks import find
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES, registry
from deadpan.engine.local import LOCAL, pictured, weights_of
from deadpan.engine.logs import DAMAGED
from deadpan.engine.messages import takes_video
from deadpan.errors import DeadpanError, InputError
from deadpan.questions import Showing
from deadpan.signature import WEIGHTS

_logger = logging.getLogger("deadpan")

_LOG_BUFFER = 100
"""Samples between two writes of the log file; until then they are safe in the realtime buffer."""

Display = Literal["full", "rich", "plain", "none"]


@dataclass(frozen=True)
class RunSettings:
    """What part of which data to ask, how, and where to log."""

    log_dir: Path
    data: Path | None = None
    prompts: Path | None = None
    limit: int | None = None
    epochs: int = 1
    max_connections: int = 10
    max_retries: int = MAX_RETRIES
    timeout: int = ATTEMPT_SECONDS
    showing: Showing = field(default_factory=Showing)
    demos: str | None = None
    """Which demonstrations go before each question, as `--demos` has it."""
    display: Display = "plain"


def run(benchmark: str, tasks: Sequence[str], model: str, settings: RunSettings) -> list[Path]:
    """The logs of the tasks, one each. Finished samples of an earlier run are reused; failed
    ones are asked again."""
    model = pictured(model, shown=not settings.showing.text_only)
    given = _task_args(settings, native=settings.showing.native and _native(model))
    factories = [_factory(benchmark, task) for task in tasks]
    return evaluated([factory(**given) for factory in factories], model, settings)


def _task_args(settings: RunSettings, native: bool) -> dict[str, Any]:
    """The task arguments that differ from their defaults."""
    showing = settings.showing.model_copy(update={"native": native})
    args = {
        "data": str(settings.data.resolve()) if settings.data else None,
        "prompts": str(settings.prompts.resolve()) if settings.prompts else None,
        "showing": showing.model_dump() if showing != Showing() else None,
        "demos": settings.demos,
    }
    return {key: value for key, value in args.items() if value is not None}


def _native(model: str) -> bool:
    """Whether the model gets videos whole; told where it does not."""
    whole = takes_video(_model(model))
    if not whole:
        _logger.warning("%s takes no video through Inspect: it is shown frames", model)
    return whole


def evaluated(tasks: Sequence[Task], model: str, settings: RunSettings) -> list[Path]:
    """The logs of Inspect tasks put to a model. Finished samples of an earlier call are reused."""
    _name_weights(tasks, model)
    with _quiet():
        try:
            settings.log_dir.mkdir(parents=True, exist_ok=True)
            earlier = _earlier(settings.log_dir)
            _, logs = eval_set(
                list(tasks),
                log_dir=str(settings.log_dir),
                model=_model(model),
                retry_attempts=0,
                log_dir_allow_dirty=True,
                limit=settings.limit,
                epochs=_epochs(earlier, tasks, settings),
                log_images=False,
                log_realtime=True,
                log_buffer=_LOG_BUFFER,
                log_samples=True,
                log_model_api=False,
                display=settings.display,
                score_display=False,
                max_connections=1 if model.startswith(LOCAL) else settings.max_connections,
                max_tasks=1,
                retry_on_error=0,
                max_retries=settings.max_retries,
                attempt_timeout=settings.timeout,
            )
        except PrerequisiteError as error:
            raise DeadpanError(_plain(error.message)) from error
        except OSError as error:
            what = f"the log cannot be written ({error.strerror or error})"
            raise InputError(settings.log_dir, what, _what_to_do()) from error
        except sqlite3.Error as error:
            what = f"answers under way cannot be kept ({error})"
            raise InputError(_buffer_folder(), what, _what_to_do()) from error
    if len(logs) < len(tasks):  # Inspect swallows Ctrl-C and leaves out what it stopped
        raise KeyboardInterrupt
    for log in logs:
        _check_finished(log)
    return [Path(log.location.removeprefix("file://")) for log in logs]


def _name_weights(tasks: Sequence[Task], model: str) -> None:
    """Puts the weights of a `local/…` model into the tasks' versions and settings: a folder's name
    stays when its model is trained anew, and its old answers are not the new one's."""
    weights = weights_of(model)
    if weights is None:
        return
    for task in tasks:
        task.version = f"{task.version}-{weights}"
        about = (task.metadata or {}).get("deadpan", {})
        if "settings" in about:
            about["settings"] = {**about["settings"], WEIGHTS: weights}


def _earlier(folder: Path) -> list[EvalLog]:
    """The headers of a folder's logs. One that cannot be read is renamed, so that it does not
    stop the run; its questions are asked again."""
    headers = []
    for path in folder.glob("*.eval"):
        try:
            headers.append(read_eval_log(str(path), header_only=True))
        except DAMAGED as error:
            aside = path.rename(f"{path}.damaged")
            _logger.warning("%s cannot be read (%s): kept as %s", path, error, aside.name)
    return headers


def _epochs(earlier: Sequence[EvalLog], tasks: Sequence[Task], settings: RunSettings) -> int:
    """How often to ask: as asked for, or as often as was asked before, as Inspect would throw the
    answers of further epochs away."""
    versions = {str(task.version) for task in tasks}
    there = [
        log.eval.config.epochs or 1 for log in earlier if str(log.eval.task_version) in versions
    ]
    most = max([settings.epochs, *there])
    if most > settings.epochs:
        _logger.warning("%s holds %d epochs: all of them are kept", settings.log_dir, most)
    return most


def _check_finished(log: EvalLog) -> None:
    """Raises for a task that was broken off: its log holds a part of the answers. A task whose
    samples failed one by one has no error of its own."""
    if log.error is not None:
        cause = log.error.traceback.strip().rpartition("\n")[2] or log.error.message
        where = log.location.removeprefix("file://")
        raise InputError(where, f"the task was broken off ({cause})", _what_to_do())


def _what_to_do() -> str:
    return (
        "Where a disk is full, free some space (answers under way are also kept in "
        f"{tempfile.gettempdir()} and {_buffer_folder()}), and run the same command again: "
        "finished samples are kept."
    )


def _buffer_folder() -> Path:
    """Where Inspect keeps answers until they are in the log."""
    return user_data_path("inspect_ai") / "samplebuffer"


def require_model(name: str, option: str) -> None:
    """Raises, naming the option, where no model of that name can be had."""
    _model(name, option)


def _model(name: str, option: str = "--model") -> Model:
    """The model of an Inspect name; an unknown provider, a missing package or key is told."""
    try:
        return get_model(name, memoize=False)
    except PrerequisiteError as error:
        raise DeadpanError(f"{option} {name}: {_plain(error.message)}") from error
    except ValueError as error:
        hint = "Expected an Inspect model name such as openai/gpt-4o, or baseline/majority."
        raise DeadpanError(f"{option} {name}: {error} {hint}") from error


def _plain(message: object) -> str:
    """An Inspect message without its markup, on one line."""
    return " ".join(Text.from_markup(str(message)).plain.removeprefix("ERROR: ").split())


def _factory(benchmark: str, task: str) -> registry.TaskFactory:
    find(benchmark).task(task)
    name = f"{benchmark}_{task}"
    if name not in registry.TASKS:
        registry.register_tasks(find(benchmark))
    return registry.TASKS[name]


class _quiet:
    """Keeps Inspect's per-sample warnings off the terminal; they are in the log and the table."""

    def __enter__(self) -> None:
        self._level = logging.getLogger("inspect_ai").level
        logging.getLogger("inspect_ai").setLevel(logging.ERROR)

    def __exit__(self, *_: object) -> None:
        logging.getLogger("inspect_ai").setLevel(self._level)
