"""What a benchmark is to the rest of Deadpan: its data, questions, grading, scores and tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

import polars as pl
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.answers import Answers
from deadpan.core.dataset import Anomaly, Comparison, Dataset, MediaSource, RecordT, Split
from deadpan.core.judge import Brief, Judge
from deadpan.core.measurement import SPREAD, GroupBy, Measurement, Units, measured, scores_of
from deadpan.core.metric import Metric
from deadpan.core.plots import AnyPlot
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Grade, Language, Question, Reply
from deadpan.core.row_form import RowForm
from deadpan.core.score import Score
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.task import TaskSpec

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Predictions:
    """Answers from elsewhere: replies per task and item, and ids the data set does not know."""

    replies: Mapping[str, Mapping[str, Reply]]
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableLayout:
    """How a report lays out one published table: its rows are models, its columns scores; or,
    where `rows` names them, groups of the scores of `model`."""

    title: str
    published: str
    columns: tuple[tuple[str, str, str, str], ...] = field(default=())
    """(heading, task, metric, group)"""
    spread: str = ""
    """What is put behind a metric's name for the score of its deviation, printed after ±."""
    rows: tuple[tuple[str, str], ...] = ()
    """(group, heading) of each row; the columns' own group does not matter then."""
    model: str = ""


@dataclass(frozen=True)
class Edits:
    """Edited pictures as answers, by model, and the scores of what each folder holds."""

    answers: Mapping[str, Predictions]
    scores: Sequence[Score]


@dataclass(frozen=True)
class EditRun:
    """Where edited pictures go, how many are made at once, and who is told of each."""

    folder: Path
    at_once: int = 4
    made: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Rated:
    """The scores of people's ratings, and what is to be told of them."""

    scores: Sequence[Score]
    notes: Sequence[str] = ()


class Benchmark(ABC, Generic[RecordT]):
    """One benchmark, whole. A new one is a folder with a subclass and one line of registration.

    Beyond the four abstract methods everything is optional: a hook that is left as it is does the
    usual thing or raises with what the benchmark does not have.
    """

    name: str
    title: str
    citation: str
    languages: tuple[Language, ...]
    tasks: tuple[TaskSpec, ...]
    folder: Path
    licence: str = "see the benchmark's README"
    """Of the released data."""
    released: str = ""
    """The checksum of the released data: what published values were measured on."""
    released_items: int = 0
    gates: tuple[str, ...] = ()
    metric_models: tuple[str, ...] = ()
    """The metrics that measure with a model the user names (`--metric-model NAME=MODEL`)."""
    pooled: str = ""
    """The name that scores over all models together bear in a model's place."""
    comparable: str = ""
    """The group of scores over the items that all models have answered, such as `videos=shared`;
    reports compare models by them."""
    comparable_count: str = ""
    """The metric that counts those items."""
    answered_by_editors: bool = False
    """Whether what answers is an editor of pictures (`--model editor/NAME`)."""
    predictions_in_lines: bool = False
    """Whether released predictions may be JSON lines; those are else read as Deadpan's own."""
    row_forms: Mapping[str, RowForm] = {}
    """By task, what its rows hold in a results table; a table from a file is held against it."""
    draws_samples: bool = False
    """Whether scores are means over samples that `--seed`, `--runs` and `--sample` decide."""
    outcome_note: str = (
        "Invalid, truncated and refused answers count as wrong; failed calls and failed judges are "
        "left out of the scores."
    )
    """What reports say of how answers that were not `answered` count."""
    groups: tuple[GroupBy, ...] = (GroupBy("language"),)
    """What scores are also given for."""
    metrics: tuple[Metric, ...] = ()
    """What else its scores may be of: metrics of the data, of ratings, of checks."""
    columns: tuple[str, ...] = ()
    """The columns of attributes that its scores need."""
    tables: tuple[TableLayout, ...] = ()
    plots: tuple[AnyPlot, ...] = ()

    @abstractmethod
    def read(self, data: Path | None) -> Dataset[RecordT]:
        """The records of a data folder in the released layout, or of the embedded mini-set."""

    @abstractmethod
    def questions(self, dataset: Dataset[RecordT], task: str, prompts: Prompts) -> list[Question]:
        """The questions of one task, one per record."""

    def missing_tasks(self, dataset: Dataset[RecordT]) -> Mapping[str, str]:
        """The tasks that these data hold no question for, each with the reason in words; a run of
        the whole benchmark leaves them out. By default there are none."""
        return {}

    def text_only_questions(
        self, dataset: Dataset[RecordT], task: str, prompts: Prompts
    ) -> list[Question]:
        """The questions of one task as they are worded where nothing is shown."""
        return self.questions(dataset, task, prompts)

    @abstractmethod
    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        """How a reply to a question of this task reads."""

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement | Score]:
        """Every metric of every model: by default those of its tasks, on each task by itself. What
        does not add up over items comes as finished scores."""
        for model in answers.models:
            for name, own in answers.of(model).items():
                units = Units.of(own, self.groups)
                for metric in self.task(name).metrics:
                    yield measured(model, own, metric, units)

    def measurements(
        self, table: pl.DataFrame, options: ScoringOptions
    ) -> Iterator[Measurement | Score]:
        """What every metric measures on the tidy results table; one that is not the benchmark's
        raises."""
        answers = Answers(table)
        answers.require(self.columns, [spec.name for spec in self.tasks])
        return self.measure(answers, options)

    def score(self, table: pl.DataFrame, options: ScoringOptions) -> list[Score]:
        """Every score of the benchmark from the tidy results table."""
        return scores_of(self.measurements(table, options))

    def brief(self, task: str, gold: JsonValue, answer: str, language: Language) -> Brief:
        """What the task's judge is told about one answer."""
        raise DeadpanError(f"{self.name}/{task} has no judge")

    def is_judged(self, row: Mapping[str, Any]) -> bool:
        """Whether a judge has to see an answer of a judged task; others keep their outcome."""
        return True

    def to_judge(self, table: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
        """The rows, of all models, whose answers a judge has to see for the scores."""
        return table

    def check(
        self, table: pl.DataFrame, options: ScoringOptions, done: Callable[[], None]
    ) -> pl.DataFrame:
        """The results with what can be measured on the answers without a judge; `done` is told of
        each."""
        raise DeadpanError(f"{self.name} has no checks")

    def is_wrong(self, row: Mapping[str, Any]) -> bool:
        """Whether a scored answer is wrong; False for tasks that have no right and wrong."""
        how = "unequal, a column of true and false, or a .jsonl list of rows"
        raise DeadpanError(
            f"{self.name} has no rule of its own for what is wrong; name one with --wrong: {how}"
        )

    def read_edits(
        self,
        folder: Path | None,
        dataset: Dataset[RecordT],
        models: Sequence[str],
        tasks: Sequence[str],
    ) -> Edits:
        """The edited pictures of a folder, or those that came with the data where it is None; of
        all models where none is named."""
        raise DeadpanError(f"{self.name} has no edited pictures to score")

    def judgement_scores(self, path: Path, dataset: Dataset[RecordT] | None) -> list[Score]:
        """The scores of judgements that were made elsewhere; of groups where the data is known."""
        raise DeadpanError(f"{self.name} scores no file of judgements")

    def examples(
        self, data: Path | None, task: str, prompts: Prompts, split: Split
    ) -> list[Question]:
        """The questions of a split that is never evaluated: to show, or to learn from."""
        raise DeadpanError(f"{self.name} has no training split")

    def worded_gold(self, task: str, question: Question) -> str:
        """The ideal answer in the form that the prompt asks for."""
        raise DeadpanError(f"{self.name}/{task} has no ideal answers to learn from")

    def people_scores(
        self,
        ratings: Path,
        table: pl.DataFrame | None,
        options: ScoringOptions,
        measured: Path | None,
    ) -> Rated:
        """People's ratings of answers, beside what the rated results say of them, or what was
        measured on them elsewhere."""
        raise DeadpanError(f"{self.name} has no ratings by people")

    def gold_text(self, task: str, gold: JsonValue) -> str:
        """Gold as a person would read it, for the report's sample browser."""
        if isinstance(gold, list):
            return ", ".join(str(label) for label in gold)
        return str(gold)

    def answer_picture(self, task: str, answer: str) -> str | None:
        """Where the picture lies that an answer is, None where answers are words."""
        return None

    def read_predictions(
        self, path: Path, dataset: Dataset[RecordT], model: str
    ) -> Mapping[str, Predictions]:
        """Answers per model in the benchmark's released form; what names no model is `model`'s."""
        raise DeadpanError(f"{self.name} has no released predictions form; use JSONL")

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        """Everything odd in a data folder."""
        return self.read(data).anomalies

    def stats(self, dataset: Dataset[RecordT]) -> list[Score]:
        """The scores that describe the data."""
        raise DeadpanError(f"{self.name} has no data statistics")

    def target_words(self, dataset: Dataset[RecordT]) -> Mapping[Language, Mapping[str, int]]:
        """How often each word stands in the targets that gold names, by language."""
        raise DeadpanError(f"{self.name} has no targets to draw the words of")

    def agreement(self, data: Path | None) -> list[Score]:
        """How far the annotators agree, from their raw votes."""
        raise DeadpanError(f"{self.name} has no raw votes")

    def write_gold(self, data: Path | None, path: Path) -> Comparison:
        """Writes the gold that the raw votes give, in the released form."""
        raise DeadpanError(f"{self.name} has no raw votes")

    def media(self, data: Path | None) -> MediaSource:
        """Where the benchmark's pictures or videos are to be fetched from."""
        raise DeadpanError(f"{self.name} has no media to fetch")

    def metric(self, name: str) -> Metric:
        """The metric of that name as it is declared; an unknown one has its name alone."""
        declared = [metric for spec in self.tasks for metric in spec.metrics]
        known = {metric.name: metric for metric in (*self.metrics, *reversed(declared))}
        if name not in known and name.removesuffix(SPREAD) in known:
            return replace(known[name.removesuffix(SPREAD)], name=name, better="neither")
        return known.get(name, Metric(name))

    def task(self, name: str) -> TaskSpec:
        """The task of that name; an unknown one raises with the names there are."""
        for spec in self.tasks:
            if spec.name == name:
                return spec
        names = [spec.name for spec in self.tasks]
        known = f"expected one of {', '.join(names)}{meant(name, names)}"
        raise DeadpanError(f"{self.name}/{name}: no such task; {known}")

    def judge(self, task: str) -> Judge:
        """The judge of a task; raises where the task needs none."""
        judge = self.task(task).judge
        if judge is None:
            raise DeadpanError(f"{self.name}/{task} has no judge")
        return judge

    def prompts(self, task: str, override: Path | None = None) -> Prompts:
        """The prompts of a task in every language it has, with files of `override` on top."""
        name = self.task(task).worded_as or task
        return Prompts.read(self.folder / "prompts", name, self.languages, override)
