"""Which of the tasks that were named can be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find, names
from deadpan.core.questions import Question
from deadpan.engine.fewshot.demonstration import taught_tasks
from deadpan.pipeline.reporter import SILENT, Reporter

Chosen = Mapping[str, Sequence[str]]
"""Tasks per benchmark."""
MAJORITY = "baseline/majority"


def chosen_tasks(selections: Sequence[str], every: bool = True) -> dict[str, list[str]]:
    """Tasks per benchmark from arguments such as `pixelhumor` or `pixelhumor/style,panel`; where
    none is named, every one there is or none."""
    chosen: dict[str, list[str]] = {}
    for selection in selections:
        name, _, tasks = selection.partition("/")
        benchmark = find(name)
        wanted = (
            [benchmark.task(task).name for task in tasks.split(",")]
            if tasks
            else [spec.name for spec in benchmark.tasks if every]
        )
        known = chosen.setdefault(name, [])
        known += [task for task in wanted if task not in known]
    if not chosen:
        raise DeadpanError(f"name a benchmark: {', '.join(names())}")
    return chosen


def shows_videos(chosen: Chosen, data: Path | None, prompts: Path | None) -> bool:
    """Whether any question of the tasks is about a video."""
    return any(
        question.clip is not None
        for name, tasks in chosen.items()
        for task in tasks
        for question in _questions(name, task, data, prompts)
    )


def without_missing(
    chosen: Chosen, selection: Sequence[str], data: Path | None, reporter: Reporter = SILENT
) -> dict[str, Sequence[str]]:
    """The tasks without those that the data has nothing for, which are said; where such a task was
    named, or nothing is left, raises."""
    named = chosen_tasks(selection, every=False)
    kept: dict[str, Sequence[str]] = {}
    for name, tasks in chosen.items():
        benchmark = find(name)
        missing = benchmark.missing_tasks(benchmark.read(data))
        lacking = {task: missing[task] for task in tasks if task in missing}
        kept[name] = [task for task in tasks if task not in lacking]
        for task, why in lacking.items():
            if task in named[name] or not kept[name]:
                raise DeadpanError(f"{name}/{task}: {why}")
            reporter.warn(f"{name}/{task} is left out: {why}")
    return kept


def with_reference(
    chosen: Chosen, data: Path | None, prompts: Path | None, reporter: Reporter = SILENT
) -> dict[str, Sequence[str]]:
    """The tasks of which the most frequent answer is known, as baseline/majority gives no other;
    those left out are said, and none left raises."""
    kept: dict[str, Sequence[str]] = {}
    lacking: list[str] = []
    for name, tasks in chosen.items():
        able = [task for task in tasks if has_reference(name, task, data, prompts)]
        lacking += [f"{name}/{task}" for task in tasks if task not in able]
        if able:
            kept[name] = able
    if not kept:
        what = f"no reference split tells the most frequent answer to {', '.join(lacking)}"
        raise DeadpanError(f"--model {MAJORITY}: {what}; use baseline/random or baseline/ocr")
    if lacking:
        reporter.warn(f"left out, without a reference for {MAJORITY}: {', '.join(lacking)}")
    return kept


def with_examples(
    chosen: Chosen,
    selection: Sequence[str],
    data: Path | None,
    prompts: Path | None,
    reporter: Reporter = SILENT,
) -> dict[str, Sequence[str]]:
    """The tasks without those that have no examples to show, which are said; named ones stay."""
    named = chosen_tasks(selection, every=False)
    kept = dict(chosen)
    for name in {one for one in selection if "/" not in one}:
        able = {*taught_tasks(find(name), data, prompts), *named[name]}
        kept[name] = [task for task in chosen[name] if task in able]
        if left_out := [task for task in chosen[name] if task not in able]:
            reporter.warn(
                f"{name}: left out, without examples for --fewshot: {', '.join(left_out)}"
            )
    return kept


def has_reference(
    name: str, task: str, data: Path | None = None, prompts: Path | None = None
) -> bool:
    """Whether the most frequent answers of a reference split are known."""
    questions = _questions(name, task, data, prompts)
    return any(question.reference is not None for question in questions)


def _questions(name: str, task: str, data: Path | None, prompts: Path | None) -> list[Question]:
    benchmark = find(name)
    return benchmark.questions(benchmark.read(data), task, benchmark.prompts(task, prompts))
