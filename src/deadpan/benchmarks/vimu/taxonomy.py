"""ViMU's vocabulary: its tasks by every name, and its label sets with their meanings, in our own
words: rhetoric, social value, evidence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import TypeAdapter

TaskName = Literal["oe", "eg", "rm", "sv", "rm_guided", "sv_guided"]
TASKS: tuple[TaskName, ...] = get_args(TaskName)
CHOICES = TASKS[1:]
GUIDED: dict[TaskName, TaskName] = {"rm": "rm_guided", "sv": "sv_guided"}
"""Which task asks the same with guidance."""
Letter = Literal["A", "B", "C", "D", "E"]
LETTERS: tuple[Letter, ...] = get_args(Letter)

SUMMARY = "summary"
"""The task of scores over several tasks."""

_NAMES = TypeAdapter(dict[str, dict[str, frozenset[str]]]).validate_json(
    Path(__file__).with_name("task_names.json").read_bytes()
)
"""The words of names: what stands for a task, what may stand beside it, and others."""
_KEYS = {key: task for task in TASKS for key in _NAMES["keys"].get(task, ())}
_WITH, _WITHOUT, _NOISE = (_NAMES["other"][kind] for kind in ("with", "without", "noise"))


def task_named(name: str) -> TaskName | None:
    """The task that a name spells out, with its guidance if it says so; None for any other name."""
    task = task_in_file_name(name)
    if task is None:
        return None
    companions = _NAMES["companions"][task.removesuffix("_guided")]
    known = _KEYS.keys() | companions | _NOISE | _WITH | _WITHOUT
    return task if _name_words(name) <= known else None


def task_in_file_name(stem: str) -> TaskName | None:
    """The one task that a file's name mentions among other words, the guided one where guidance is
    spoken of and not denied; None for none or several."""
    words = _name_words(stem)
    found = {_KEYS[word] for word in words if word in _KEYS}
    if len(found) != 1:
        return None
    (task,) = found
    return GUIDED.get(task) if words & _WITH and not words & _WITHOUT else task


def _name_words(name: str) -> set[str]:
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
    return {part.casefold() for part in parts}


@dataclass(frozen=True)
class Member:
    """A fine label: its name in the data, its Chinese name, and what it means."""

    name: str
    name_zh: str
    meaning: str
    meaning_zh: str


@dataclass(frozen=True)
class Category:
    """One of five options: its standard letter, its label, what it gathers and its members."""

    letter: Letter
    label: str
    label_zh: str
    meaning: str
    meaning_zh: str
    members: tuple[Member, ...]

    @property
    def names(self) -> frozenset[str]:
        """Every spelling an option may carry for this category, folded."""
        written = {self.label, self.label_zh}
        if len(self.members) == 1:
            written |= {self.members[0].name, self.members[0].name_zh}
        return frozenset(map(fold_label, written))


Taxonomy = tuple[Category, ...]

_READ = TypeAdapter(dict[Literal["rhetoric", "social", "evidence"], Taxonomy]).validate_json(
    Path(__file__).with_name("taxonomy.json").read_bytes()
)
RHETORIC, SOCIAL, EVIDENCE = _READ["rhetoric"], _READ["social"], _READ["evidence"]
TAXONOMIES: dict[str, Taxonomy] = {"eg": EVIDENCE, "rm": RHETORIC, "sv": SOCIAL}
"""The categories of each closed task."""


def fold_label(text: str) -> str:
    """A label for comparing: width, case, spaces and punctuation do not count."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def category_of(taxonomy: Taxonomy, label: str) -> Category | None:
    """The category that an option's label names; None where it names none."""
    wanted = fold_label(label)
    return next((category for category in taxonomy if wanted in category.names), None)


def macro_letters(taxonomy: Taxonomy, fine_labels: Iterable[str]) -> tuple[Letter, ...]:
    """The letters of the categories that fine labels belong to; an unknown label raises."""
    homes = {member.name: category.letter for category in taxonomy for member in category.members}
    letters = set()
    for label in fine_labels:
        if label not in homes:
            raise ValueError(f"unknown label {label!r}; expected one of {', '.join(homes)}")
        letters.add(homes[label])
    return tuple(sorted(letters))
