"""Scores over several of ViMU's tasks: averages, and the map of models by their errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from deadpan.benchmarks.vimu.analyses.error_signatures import error_signature, model_map
from deadpan.benchmarks.vimu.analyses.selections import Selection
from deadpan.benchmarks.vimu.names import Task
from deadpan.benchmarks.vimu.taxonomy import LETTERS
from deadpan.core.score import Score, largest_counts
from deadpan.core.signature import joined, parse_signature

SUMMARY = "summary"
AVERAGES: Mapping[str, tuple[Task, ...]] = {
    "ssu_avg": ("rm", "sv"),
    "all_avg": ("oe", "eg", "rm", "sv"),
    "ssu_avg_guided": ("rm_guided", "sv_guided"),
    "all_avg_guided": ("oe", "eg", "rm_guided", "sv_guided"),
}
MAPS: Mapping[str, tuple[Task, Task]] = {
    "": ("rm", "sv"),
    "_guided": ("rm_guided", "sv_guided"),
}
"""The tasks of each map, by what its metrics' names end in."""
_FEWEST_MODELS = 3


def averages(scores: Sequence[Score]) -> Iterator[Score]:
    """The averages of one model's `score` scores of one group, where all parts are there."""
    by_task = {score.task: score for score in scores if score.value is not None}
    for metric, tasks in AVERAGES.items():
        parts = [by_task[task] for task in tasks if task in by_task]
        if len(parts) == len(tasks) and _of_one_data_set(parts):
            yield Score(
                model=parts[0].model,
                task=SUMMARY,
                metric=metric,
                group=parts[0].group,
                value=fmean(part.value for part in parts if part.value is not None),
                n=min(part.n for part in parts),
                unscored=max(part.unscored for part in parts),
                signature=joined_signature(metric, [part.signature for part in parts]),
                **largest_counts(parts),
            )


def _of_one_data_set(parts: Sequence[Score]) -> bool:
    return len({parse_signature(part.signature).data for part in parts}) == 1


def joined_signature(name: str, texts: Sequence[str]) -> str:
    """One signature for a score made of several tasks; its task is the score's own name, so that
    scores of unequal parts stay apart."""
    return joined(f"{SUMMARY}_{name}", texts)


def error_map(
    ending: str,
    selections: Mapping[str, Mapping[Task, Sequence[Selection]]],
    signatures: Mapping[str, Mapping[Task, str]],
) -> Iterator[Score]:
    """Every model's place on the map of error signatures of two tasks, and the axes' shares.

    `selections` are of the videos that all models have. None is made for fewer than three models
    with both tasks, and none where all of them err in the same way.
    """
    tasks = MAPS[ending]
    rates = {
        model: {
            f"{task} {name}": rate
            for task in tasks
            for name, rate in error_signature(of_model[task], LETTERS).items()
        }
        for model, of_model in selections.items()
        if all(of_model.get(task) for task in tasks)
    }
    distinct = {tuple(signature.items()) for signature in rates.values()}
    if len(rates) < _FEWEST_MODELS or len(distinct) < 2:
        return
    found = model_map(rates)
    for model, point in found.points.items():
        values = (*point, *found.explained)
        names = ("pc1", "pc2", "pc1_share", "pc2_share")
        for name, value in zip(names, values, strict=True):
            yield Score(
                model=model,
                task=SUMMARY,
                metric=f"{name}{ending}",
                value=value,
                n=min(len(selections[model][task]) for task in tasks),
                signature=joined_signature(
                    f"map{ending}", [signatures[model][task] for task in tasks]
                ),
            )
