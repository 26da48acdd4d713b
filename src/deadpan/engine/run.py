"""Runs tasks through Inspect so that a killed run continues where it stopped."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from inspect_ai import eval_set
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import get_model

from deadpan.benchmarks import find
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES, registry
from deadpan.errors import DeadpanError, InputError

Display = Literal["full", "rich", "plain", "none"]


@dataclass(frozen=True)
class RunSettings:
    """How to ask, where to log; none of it changes what is asked."""

    log_dir: Path
    data: Path | None = None
    prompts: Path | None = None
    limit: int | None = None
    epochs: int = 1
    max_connections: int = 10
    max_retries: int = MAX_RETRIES
    timeout: int = ATTEMPT_SECONDS
    display: Display = "plain"


def run(benchmark: str, tasks: Sequence[str], model: str, settings: RunSettings) -> list[Path]:
    """The logs of the tasks, one each. Finished samples of an earlier run are reused; failed
    ones are asked again."""
    args = {
        "data": str(settings.data.resolve()) if settings.data else None,
        "prompts": str(settings.prompts.resolve()) if settings.prompts else None,
    }
    factories = [_factory(benchmark, task) for task in tasks]
    given = {key: value for key, value in args.items() if value is not None}
    settings.log_dir.mkdir(parents=True, exist_ok=True)
    with _quiet():
        try:
            _, logs = eval_set(
                [factory(**given) for factory in factories],
                log_dir=str(settings.log_dir),
                model=get_model(model, memoize=False),
                retry_attempts=0,
                log_dir_allow_dirty=True,
                limit=settings.limit,
                epochs=settings.epochs,
                log_images=False,
                log_realtime=True,
                log_samples=True,
                log_model_api=False,
                display=settings.display,
                score_display=False,
                max_connections=settings.max_connections,
                max_tasks=1,
                retry_on_error=0,
                max_retries=settings.max_retries,
                attempt_timeout=settings.timeout,
            )
        except PrerequisiteError as error:
            raise DeadpanError(str(error.message)) from error
        except OSError as error:
            raise InputError(
                settings.log_dir,
                f"the log cannot be written ({error.strerror})",
                "Free some space and run the same command again: finished samples are kept.",
            ) from error
    return [Path(log.location.removeprefix("file://")) for log in logs]


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
