"""Rows of the results table as answers: what was asked, what came back, how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
import polars as pl

from deadpan.base.errors import InputError, WrongReturn, told_value
from deadpan.core.judge import Judgement, judgements_in
from deadpan.core.metric import Statistics
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, Outcome
from deadpan.core.questions import Language

T = TypeVar("T")
AnswerKey = tuple[str, int]
"""Item and epoch."""
ATTRIBUTE = "attr."
RATER = f"{ATTRIBUTE}rater"
"""The column that names who answered, where people did: each of them is an epoch."""
_FIXED = (
    *("item", "epoch", "language", "outcome", "reason", "answer", "parsed", "gold"),
    *("judgements", "read_as"),
)
_LATER = ("judgements", "read_as")
"""Columns that a table may lack."""
_NUMBERS = (int, float, np.number, np.bool_)


@dataclass(frozen=True, slots=True)
class Answer:
    """One question's result. `parsed` is None where there is no answer."""

    item: str
    epoch: int
    language: Language
    outcome: Outcome
    reason: str | None
    text: str
    parsed: Any
    gold: Any
    attributes: Mapping[str, Any] = field(default_factory=dict)
    judgements: str | None = None
    is_read: bool = False
    """Whether a model had to read it."""

    @property
    def key(self) -> AnswerKey:
        """Item and epoch."""
        return self.item, self.epoch

    @property
    def is_answered(self) -> bool:
        return self.outcome == "answered"

    @property
    def is_wrong(self) -> bool:
        """Invalid, truncated or refused: wrong whatever it said."""
        return self.outcome in COUNTED_AS_WRONG

    @property
    def is_scored(self) -> bool:
        return self.outcome not in LEFT_OUT

    def judged(self, read: Callable[[Judgement], T]) -> tuple[T, ...]:
        """What `read` makes of each judgement; none where the answer was not judged."""
        row = {"item": self.item, "outcome": self.outcome, "judgements": self.judgements}
        return tuple(judgements_in(row, read))

    def ending(self, outcome: Outcome, parsed: Any = None) -> Answer:
        """The answer with another ending, and with what then counts as said."""
        return replace(self, outcome=outcome, parsed=parsed)


@dataclass(frozen=True)
class TaskAnswers(Sequence[Answer]):
    """One model's answers to one task, and the signature of their run."""

    task: str
    answers: tuple[Answer, ...]
    signature: str

    def __len__(self) -> int:
        return len(self.answers)

    def __getitem__(self, at: Any) -> Any:
        return self.answers[at]

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    @cached_property
    def _added(self) -> dict[Any, list[Statistics | None]]:
        return {}

    def statistics_of(
        self, statistics: Callable[[Answer], Statistics | None]
    ) -> list[Statistics | None]:
        """What each answer adds by these statistics, None where it is left out; metrics that share
        them share the list."""
        if statistics not in self._added:
            self._added[statistics] = [
                None if answer.outcome in LEFT_OUT else _added_by(statistics, answer)
                for answer in self
            ]
        return self._added[statistics]

    @cached_property
    def by_key(self) -> dict[AnswerKey, Answer]:
        """The answers by item and epoch."""
        return {answer.key: answer for answer in self.answers}


def _added_by(
    statistics: Callable[[Answer], Statistics | None], answer: Answer
) -> Statistics | None:
    added = statistics(answer)
    if added is not None and not (
        isinstance(added, Mapping) and all(isinstance(one, _NUMBERS) for one in added.values())
    ):
        expected = "a dict of numbers, as scored(1.0) makes one, or None"
        raise WrongReturn(statistics, told_value(added), expected)
    return added


ByTask = Mapping[str, TaskAnswers]


@dataclass(frozen=True)
class Answers:
    """The results of several models, read model by model. Where they are a shard of a larger
    table, `spoken` are the languages of the whole; `tasks` are the benchmark's, in its order."""

    table: pl.DataFrame
    spoken: tuple[Language, ...] = ()
    tasks: tuple[str, ...] = ()

    @cached_property
    def models(self) -> list[str]:
        """The models, in order of appearance."""
        return self.table["model"].unique(maintain_order=True).to_list()

    @cached_property
    def languages(self) -> list[Language]:
        """The languages of the questions."""
        return list(self.spoken) or sorted(self.table["language"].unique().to_list())

    def of(self, model: str) -> ByTask:
        """A model's answers by task: in the benchmark's order, others as they appear."""
        rows = self.table.filter(pl.col("model") == model)
        parts = {str(task): part for (task,), part in rows.group_by("task", maintain_order=True)}
        ordered = dict.fromkeys([*(name for name in self.tasks if name in parts), *parts])
        return {
            task: TaskAnswers(task, tuple(_answers(parts[task])), parts[task]["signature"][0])
            for task in ordered
        }

    def require(self, columns: Sequence[str], tasks: Sequence[str]) -> None:
        """Raises where the table lacks a column or holds a task that is not known."""
        if missing := [name for name in columns if name not in self.table.columns]:
            fix = "Give a store or a table that deadpan wrote."
            raise InputError("results table", f"no column {missing[0]}", fix)
        if unknown := sorted(set(self.table["task"].unique()) - set(tasks)):
            known = f"Expected one of {', '.join(tasks)}."
            raise InputError("results table", f'unknown task "{unknown[0]}"', known)


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One row of the results table as an answer."""
    names = [name for name in row if name.startswith(ATTRIBUTE)]
    cells = [row.get(name) if name in _LATER else row[name] for name in (*_FIXED, *names)]
    return _answer(cells, _plain(names))


def _answers(rows: pl.DataFrame) -> Iterator[Answer]:
    lacking = [name for name in _LATER if name not in rows.columns]
    rows = rows.with_columns(pl.lit(None, pl.String).alias(name) for name in lacking)
    names = [name for name in rows.columns if name.startswith(ATTRIBUTE)]
    plain = _plain(names)
    for cells in rows.select(*_FIXED, *names).iter_rows():
        yield _answer(cells, plain)


def _plain(names: Sequence[str]) -> list[str]:
    return [name.removeprefix(ATTRIBUTE) for name in names]


def _answer(cells: Sequence[Any], attributes: Sequence[str]) -> Answer:
    item, epoch, language, outcome, reason, text, parsed, gold, judgements, read, *values = cells
    return Answer(
        item,
        epoch,
        language,
        outcome,
        reason,
        text or "",
        None if parsed is None else _value(parsed),
        _value(gold),
        dict(zip(attributes, values, strict=True)),
        judgements,
        read is not None,
    )


@lru_cache(maxsize=65536)
def _value(text: str) -> Any:
    """The value of a JSON cell; equal cells share one."""
    return json.loads(text)
