"""Which of the tasks that were named can be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli.printing import chosen_tasks, say
from deadpan.core.questions import Question

Chosen = Mapping[str, Sequence[str]]
"""Tasks per benchmark."""
MAJORITY = "baseline/majority"


def shows_videos(chosen: Chosen, data: Path | None, prompts: Path | None) -> bool:
    """Whether any question of the tasks is about a video."""
    return any(
        question.clip is not None
        for name, tasks in chosen.items()
        for task in tasks
        for question in _questions(name, task, data, prompts)
    )


def without_missing(
    chosen: Chosen, selection: Sequence[str], data: Path | None
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
            say(f"{name}/{task} is left out: {why}", "yellow")
    return kept


def with_reference(
    chosen: Chosen, data: Path | None, prompts: Path | None
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
        say(f"left out, without a reference for {MAJORITY}: {', '.join(lacking)}", "yellow")
    return kept


def with_examples(
    chosen: Chosen, selection: Sequence[str], data: Path | None, prompts: Path | None
) -> dict[str, Sequence[str]]:
    """The tasks without those that have no examples to show, which are said; named ones stay."""
    from deadpan.learning.finetune.examples import taught_tasks

    named = chosen_tasks(selection, every=False)
    kept = dict(chosen)
    for name in {one for one in selection if "/" not in one}:
        able = {*taught_tasks(find(name), data, prompts), *named[name]}
        kept[name] = [task for task in chosen[name] if task in able]
        if left_out := [task for task in chosen[name] if task not in able]:
            say(f"{name}: left out, without examples for --demos: {', '.join(left_out)}", "yellow")
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
