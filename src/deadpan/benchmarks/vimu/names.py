"""The names ViMU's tasks go by in data and prediction files."""

from __future__ import annotations

import re
from typing import Literal, get_args

Task = Literal["oe", "eg", "rm", "sv", "rm_guided", "sv_guided"]
TASKS: tuple[Task, ...] = get_args(Task)
CHOICES: tuple[Task, ...] = ("eg", "rm", "sv", "rm_guided", "sv_guided")
GUIDED: dict[Task, Task] = {"rm": "rm_guided", "sv": "sv_guided"}
"""Which task asks the same with guidance."""

_KEYS: dict[str, Task] = {
    **dict.fromkeys(("oe", "oi", "open", "openended"), "oe"),
    **dict.fromkeys(("eg", "evidence"), "eg"),
    **dict.fromkeys(("rm", "rmi", "rhetoric", "rhetorical"), "rm"),
    **dict.fromkeys(("sv", "svi", "svs", "social"), "sv"),
}
_WITH = {"guided", "guidance"}
_WITHOUT = {"unguided", "without", "no"}
_COMPANIONS: dict[Task, frozenset[str]] = {
    "oe": frozenset({"ended", "interpretation", "question", "answer"}),
    "eg": frozenset({"grounding", "source", "sources"}),
    "rm": frozenset({"mechanism", "mechanisms", "device", "devices"}),
    "sv": frozenset({"value", "values", "signal", "signals"}),
}
_NOISE = frozenset({"vimu", "ss", "macro", "5", "mcq", "task", "identification", "with"})


def task_named(name: str) -> Task | None:
    """The task that a name spells out, with its guidance if it says so; None for any other name."""
    words = _words(name)
    task = _only_task(words)
    if task is None:
        return None
    known = _KEYS.keys() | _COMPANIONS[task] | _NOISE | _WITH | _WITHOUT
    return _guided(task, words) if words <= known else None


def task_in_file_name(stem: str) -> Task | None:
    """The one task that a file's name mentions among other words; None for none or several."""
    words = _words(stem)
    task = _only_task(words)
    return None if task is None else _guided(task, words)


def _words(name: str) -> set[str]:
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
    return {part.casefold() for part in parts}


def _only_task(words: set[str]) -> Task | None:
    found = {_KEYS[word] for word in words if word in _KEYS}
    return found.pop() if len(found) == 1 else None


def _guided(task: Task, words: set[str]) -> Task | None:
    """The guided task where guidance is spoken of and not denied; None where there is none."""
    if words & _WITH and not words & _WITHOUT:
        return GUIDED.get(task)
    return task
