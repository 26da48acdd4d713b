"""One question type of a benchmark: how it is asked, and who grades it."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel

from deadpan.core.judge import Judge
from deadpan.core.metric import Metric


@dataclass(frozen=True)
class TaskSpec:
    """One question type. `version` is raised whenever a change moves its numbers."""

    name: str
    title: str
    version: int
    metrics: tuple[Metric, ...]
    temperature: float = 0.0
    top_p: float | None = None
    max_tokens: int = 512
    reply: type[BaseModel] | None = None
    """The form of a structured reply, for providers that can be held to one."""
    judge: Judge | None = None
    """Who grades the answers where no rule can; such a task needs `--judge`."""
    worded_as: str | None = None
    """The task whose prompt this one shares, where only the grading differs."""

    def __post_init__(self) -> None:
        names = [(metric.name, metric.each) for metric in self.metrics]
        if twice := [name for name, each in names if names.count((name, each)) > 1]:
            raise ValueError(f"task {self.name} has the metric {twice[0]} twice")
