"""What Inspect finds through Deadpan's entry point: the baselines and every benchmark's tasks.

`inspect eval deadpan/pixelhumor_style --model …` and `deadpan run` ask the same questions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspect_ai import Task, task

from deadpan import benchmarks
from deadpan.core.benchmark import Benchmark
from deadpan.core.questions import Showing
from deadpan.engine.inspect_task import inspect_task
from deadpan.engine.local.provider import local
from deadpan.engine.provider import baseline, judge

__all__ = ["TASKS", "baseline", "judge", "local", "register_tasks"]

TaskFactory = Callable[..., Task]

TASKS: dict[str, TaskFactory] = {}
"""Inspect task factories by name, such as `pixelhumor_style`."""


def register_tasks(benchmark: Benchmark[Any]) -> None:
    """Registers each task of a benchmark with Inspect as `deadpan/<benchmark>_<task>`."""
    for spec in benchmark.tasks:
        name = f"{benchmark.name}_{spec.name}"
        TASKS[name] = _registered(benchmark, spec.name, name)


def _registered(benchmark: Benchmark[Any], question: str, name: str) -> TaskFactory:
    @task(name=name)
    def factory(
        data: str | None = None,
        prompts: str | None = None,
        showing: dict[str, Any] | None = None,
        fewshot: str | None = None,
    ) -> Task:
        way = Showing.model_validate(showing or {})
        return inspect_task(benchmark, question, data, prompts, way, fewshot)

    return factory


for _name in benchmarks.names():
    try:
        register_tasks(benchmarks.find(_name))
    except (AttributeError, TypeError, ValueError) as error:
        if _name in benchmarks.BUILT_IN:
            raise
        benchmarks.leave_out(_name, error)
