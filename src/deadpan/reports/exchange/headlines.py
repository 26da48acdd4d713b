"""The scores that stand for a model: one for each task of each benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deadpan.core.measurement import ALL
from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.reports.section import Section


@dataclass(frozen=True)
class Headline:
    """A task's first score of a model, and what is known of its metric."""

    task: str
    title: str
    metric: Metric
    score: Score


def headlines(section: Section, model: str) -> Iterator[Headline]:
    """The headline of each task that a model has a number in; how many were answered is none."""
    found = {
        (one.task, one.metric): one
        for one in section.scores
        if one.model == model and one.group == ALL and one.value is not None
    }
    for task in section.tasks:
        for metric in section.headline_metrics(task):
            score = found.get((task, metric.name))
            if score is not None:
                yield Headline(task, section.task_title(task), metric, score)
                break
