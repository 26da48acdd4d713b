"""A benchmark with its data: items to look at, and answers to score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import polars as pl
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN, find
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import Predictions, require
from deadpan.core.dataset import Anomaly, Dataset, Split
from deadpan.core.question_variants import worded_questions
from deadpan.core.questions import Language, Prompts, Question, Reply
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.selection import exclusions, select_questions
from deadpan.core.signature import Signature
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.displays import benchmark_page, item_page
from deadpan.pipeline.given_answers import replies_by_model
from deadpan.pipeline.judging import Judging, judge_results
from deadpan.pipeline.replies import ReplyReading, read_replies
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.results import Results
from deadpan.pipeline.table import results_of_predictions


@dataclass(frozen=True, repr=False)
class Item:
    """One item of a benchmark, with the question of each task about it."""

    id: str
    language: Language
    questions: Mapping[str, Question]
    benchmark: Benchmark[Any] = field(compare=False)

    def __repr__(self) -> str:
        return f"<Item {self.id} ({self.language}): {', '.join(self.questions)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: pictures, what is known, prompts and gold."""
        return item_page(self.benchmark, self.id, self.language, self.questions)

    @property
    def media(self) -> tuple[Path, ...]:
        """The pictures and videos that are shown, each once."""
        paths: dict[Path, None] = {}
        for question in self.questions.values():
            clip = [question.clip.path] if question.clip else []
            paths |= dict.fromkeys(map(Path, [*(p.path for p in question.pictures), *clip]))
        return tuple(paths)

    @property
    def gold(self) -> dict[str, JsonValue]:
        """What is right, by task."""
        return {task: question.gold for task, question in self.questions.items()}

    @property
    def prompts(self) -> dict[str, str]:
        """What is asked, by task, with what the data say is spoken in a video."""
        return {
            task: question.prompt_text(question.clip.transcript if question.clip else None)
            for task, question in self.questions.items()
        }

    @property
    def attributes(self) -> dict[str, Any]:
        """What is known of the item: what scores can be grouped by."""
        first = next(iter(self.questions.values()))
        return dict(first.attributes)


@dataclass(frozen=True, eq=False)
class LoadedBenchmark(Sequence[Item]):
    """A benchmark and the data it was loaded with: a sequence of items."""

    benchmark: Benchmark[Any]
    dataset: Dataset[Any]
    data: Path | None = None
    exclude: tuple[str, ...] = ()
    """What items are left out for."""

    @property
    def name(self) -> str:
        return self.benchmark.name

    @property
    def title(self) -> str:
        return self.benchmark.title

    @property
    def citation(self) -> str:
        return self.benchmark.citation

    @property
    def licence(self) -> str:
        """The licence of the data."""
        embedded = self.data is None and self.name in BUILT_IN
        return "CC0-1.0 (the embedded mini-set)" if embedded else self.benchmark.licence

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The question types."""
        return self.benchmark.tasks

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Every item that a task asks about."""
        asked: dict[str, dict[str, Question]] = {}
        for spec in self.benchmark.tasks:
            for question in self.questions(spec.name):
                asked.setdefault(question.item, {})[spec.name] = question
        return tuple(
            Item(name, next(iter(own.values())).language, own, self.benchmark)
            for name, own in asked.items()
        )

    def questions(self, task: str) -> list[Question]:
        """The questions of a task, as they are asked."""
        every = worded_questions(self.benchmark, self.dataset, task, self.prompts(task))
        return select_questions(self.benchmark, every, self.exclude).questions

    def prompts(self, task: str) -> Prompts:
        """The wording of a task in every language."""
        return self.benchmark.prompts(task)

    def split(self, name: Split, task: str) -> list[Question]:
        """The questions of a split that is never evaluated: to show, or to learn from."""
        training = require(self.benchmark.training, f"{self.name} has no training split")
        return training.examples(self.data, task, self.prompts(task), name)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, item: object) -> bool:
        """Whether there is such an item, or an item of that id."""
        return any(item in (own, own.id) for own in self.items)

    @overload
    def __getitem__(self, at: int | str) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | str | slice) -> Item | tuple[Item, ...]:
        """The item of that place or id, or a slice of them."""
        if not isinstance(at, str):
            return self.items[at]
        found = {item.id: item for item in self.items}
        if at not in found:
            raise KeyError(f"{self.name} has no item {at!r}")
        return found[at]

    def __repr__(self) -> str:
        return f"<{self.title}: {self._size()}, {len(self.tasks)} tasks>"

    def _size(self) -> str:
        return f"{len(self.items)} items of {self.data or 'the embedded mini-set'}"

    def _repr_html_(self) -> str:
        """What a notebook shows: what it is, some pictures, and the tasks."""
        items = [item.questions for item in self.items]
        return benchmark_page(self.benchmark, self._size(), self.licence, items)

    def to_polars(self) -> pl.DataFrame:
        """The items as a frame, a row each: id, language, and what scores can be grouped by."""
        rows = [{"item": one.id, "language": one.language, **one.attributes} for one in self.items]
        return pl.DataFrame(rows, infer_schema_length=None)

    def score(
        self,
        answers: Any,
        *,
        task: str | None = None,
        model: str = "answers",
        judge: str | None = None,
        reader: str | None = None,
        judge_sees: Sequence[str] = (),
        store: str | Path = "answers",
        options: ScoringOptions | None = None,
        reporter: Reporter | None = None,
    ) -> Results:
        """The results of answers from anywhere: `{item: answer}` of one task, `{task: {item:
        answer}}`, or rows with item, answer and, where there are several, task and model, as a list
        of dicts or a data frame. Items without an answer are counted as not given."""
        chosen = options or ScoringOptions()
        tables = []
        for name, replies in replies_by_model(answers, task, model, self.benchmark).items():
            self._require_items(replies)
            given = Predictions(replies)
            about = (self.benchmark, self.dataset, given, name, None, self.exclude)
            tables.append(results_of_predictions(*about, chosen.reading))
        table = pl.concat(tables, how="diagonal_relaxed")
        if reader is not None:
            reading = ReplyReading(reader, RunSettings(Path(store)))
            table = read_replies(table, reading, reporter=reporter or SILENT)
        if judge is not None:
            judging = Judging(judge, RunSettings(Path(store)), sees=tuple(judge_sees))
            table = judge_results(table, judging, chosen, reporter=reporter or SILENT)
        return Results(table, chosen)

    def _require_items(self, replies: Mapping[str, Mapping[str, Reply]]) -> None:
        """Raises for answers about items that there are not."""
        for task, own in replies.items():
            items = {question.item for question in replace(self, exclude=()).questions(task)}
            if unknown := [item for item in own if item not in items]:
                listed = ", ".join(unknown[:5])
                raise DeadpanError(f"{self.name}/{task} has no item {listed}; check the ids")


def load(
    name: str, data: str | Path | None = None, *, exclude: str | Sequence[str] = ()
) -> LoadedBenchmark:
    """A benchmark by name with the data of a folder in the released layout, or with its embedded
    mini-set; `exclude="harmful"` leaves out the items that are marked so."""
    benchmark, left_out = find(name), exclusions(exclude)
    folder = None if data is None else Path(data)
    return LoadedBenchmark(benchmark, benchmark.read(folder), folder, left_out)


def anomaly_scores(
    benchmark: str, dataset: Dataset[Any], anomalies: Sequence[Anomaly]
) -> list[Score]:
    """How many anomalies the data has, in all and of each kind."""
    kinds = Counter(f"kind={anomaly.kind}" for anomaly in anomalies)
    n = len(dataset.records)
    signature = str(Signature(benchmark, "verify", "1", n, dataset.checksum, "none"))
    known: dict[str, Any] = {"model": "gold", "task": "data", "metric": "anomalies", "n": n}
    return [
        Score(group=group, value=float(count), signature=signature, **known)
        for group, count in {"all": len(anomalies), **kinds}.items()
    ]
