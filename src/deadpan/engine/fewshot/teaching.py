"""Which tasks have examples to show or to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find, names
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Training, required
from deadpan.core.dataset import Split


def taught_tasks(
    benchmark: Benchmark[Any], data: Path | None = None, prompts: Path | None = None
) -> list[str]:
    """The tasks that have a training split; where none has, why the first has not is raised."""
    require_training_split(benchmark)
    tasks = [spec.name for spec in benchmark.tasks]
    lacking = lacking_tasks(benchmark, tasks, "train", data, prompts)
    if len(lacking) == len(tasks):
        raise lacking[tasks[0]]
    return [task for task in tasks if task not in lacking]


def lacking_tasks(
    benchmark: Benchmark[Any],
    tasks: Sequence[str],
    split: Split,
    data: Path | None = None,
    prompts: Path | None = None,
) -> dict[str, DeadpanError]:
    """Those of the tasks that have no examples in a split, and why; data that is wrong raises."""
    lacking = {}
    for task in tasks:
        try:
            found = training_of(benchmark).examples(
                data, task, benchmark.prompts(task, prompts), split
            )
        except InputError:
            raise
        except DeadpanError as error:
            lacking[task] = error
        else:
            if not found:
                lacking[task] = DeadpanError(f"{benchmark.name}/{task}, split {split}: is empty")
    return lacking


def require_training_split(benchmark: Benchmark[Any]) -> None:
    """Raises for a benchmark without one, and names those that have one."""
    if not _has_training_split(benchmark):
        others = ", ".join(name for name in names() if _has_training_split(find(name)))
        what = f"{benchmark.name} has no training split"
        raise DeadpanError(f"{what}; benchmarks that have one: {others}")


def _has_training_split(benchmark: Benchmark[Any]) -> bool:
    return benchmark.training is not None


def training_of(benchmark: Benchmark[Any]) -> Training:
    """What the benchmark teaches with; raises where it has nothing."""
    return required(benchmark.training, f"{benchmark.name} has no training split")
