"""What a benchmark is: its tasks, and the four methods read, questions, parse and score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import count, takewhile
from pathlib import Path
from typing import Any, Generic

import polars as pl
from pydantic import BaseModel

from deadpan.base.errors import DeadpanError, WrongReturn, meant, told_value
from deadpan.core.answers import Answers
from deadpan.core.capabilities import (
    Analyses,
    Edits,
    Judging,
    Media,
    Ratings,
    ReleasedPredictions,
    Report,
    Training,
    Votes,
)
from deadpan.core.curation import Building
from deadpan.core.dataset import Anomaly, Dataset, RecordT, missing_media
from deadpan.core.judge import Judge
from deadpan.core.measurement import GAIN, SPREAD, Measurement, measure_metric, scores_of
from deadpan.core.metric import Metric
from deadpan.core.question_variants import Variants, worded_questions
from deadpan.core.questions import Attribute, Grade, Language, Prompts, Question, Reply, RowForm
from deadpan.core.release import Release
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.study.templates import StudyTemplate
from deadpan.core.units import GroupBy, Units

PARAPHRASES = "paraphrases"
"""The folder beside those of the languages that holds the same prompts in other words."""
ReadReply = Callable[[str, Reply, Language], Grade]
"""How a reply to a question of a task reads, of task, reply and language."""


@dataclass(frozen=True)
class Task:
    """One question type. `version` is raised whenever a change moves its numbers."""

    name: str
    """What stands behind the slash: `deadpan run BENCHMARK/NAME`."""
    title: str
    """What is asked, in a few words, as tables and reports head it."""
    version: int
    metrics: tuple[Metric, ...]
    """What is measured; the first one leads."""
    temperature: float = 0.0
    top_p: float | None = None
    max_tokens: int = 512
    """How long a reply may be, thinking aside."""
    reply: type[BaseModel] | None = None
    """The form of a structured reply, for providers that can be held to one."""
    judge: Judge | None = None
    """Who grades the answers where no rule can; such a task needs `--judge`."""
    judged: tuple[str, ...] = ()
    """The metrics that rest on the judge, where not all do."""
    judge_optional: bool = False
    """Whether it is asked and scored without its judge too, who then grades only where named."""
    worded_as: str | None = None
    """The task whose prompt this one shares, where only the grading differs."""
    graded_by: tuple[str, ...] = ()
    """The metrics that say whether one answer is right: the first that has a value for it does. One
    end of its range is right, the other wrong. None where no rule can tell."""

    uses_models: bool = True
    """Whether any of its scores takes a model or lexicon that the user names, where the benchmark
    does: `--metric-model`, `--lexicon`."""

    def is_judged(self, metric: str) -> bool:
        """Whether a metric rests on the judge, where there is one, and not on a rule."""
        return not self.judged or metric in self.judged

    @property
    def headlines(self) -> tuple[Metric, ...]:
        """The metrics that may stand for the task, first choice first: those that say whether an
        answer is right, else those that its paper defines, else all."""
        own = [one for one in self.metrics if one.better != "neither" and not one.each]
        graded = [one for name in self.graded_by for one in own if one.name == name]
        return tuple(graded or [one for one in own if one.source] or own)

    def __post_init__(self) -> None:
        names = [(metric.name, metric.each) for metric in self.metrics]
        if twice := [name for name, each in names if names.count((name, each)) > 1]:
            raise ValueError(f"task {self.name} has the metric {twice[0]} twice")
        ranged = [metric.name for metric in self.metrics if metric.range and not metric.each]
        if unknown := [name for name in self.graded_by if name not in ranged]:
            raise ValueError(
                f"task {self.name} is graded by {unknown[0]}, which has no range there"
            )


class Benchmark(ABC, Generic[RecordT]):
    """One benchmark, whole. A new one is a folder with a subclass and one line of registration.

    It reads, asks, parses and measures; whatever else it can do is a capability that it has or
    has not (`if benchmark.edits: …`).
    """

    name: str
    """What it is called in commands and files: the entry point's name."""
    title: str
    citation: str
    languages: tuple[Language, ...]
    tasks: tuple[Task, ...]
    folder: Path
    """Where its `prompts/` lie, its mini-set as `data/`, and published results."""
    release: Release | None = None
    """Where its data is released, and what was tried on it."""
    released: str = ""
    """The checksum of the released data: what published values were measured on."""
    released_items: int = 0
    """How many items that data has."""
    gates: tuple[str, ...] = ()
    """What scores may be gated by (`--gate`)."""
    readings: Mapping[str, Mapping[str, ReadReply]] = {}
    """Other ways of reading replies than `parse`, by name (`--reading`) and by the tasks whose
    replies they read otherwise."""
    metric_models: tuple[str, ...] = ()
    """The metrics that measure with a model the user names (`--metric-model NAME=MODEL`)."""
    lexicons: Mapping[Language, tuple[str, ...]] = {}
    """The lexicons that scores may be measured with in a language, the usual one first
    (`--lexicon LANGUAGE=NAME`)."""
    resources: tuple[str, ...] = ()
    """The lexicons and models that its metrics measure with where none is named."""
    paper_models: Mapping[str, str] = {}
    """By metric and language (`bertscore:zh`) the resources that stand for the paper's models where
    a campaign says `metrics: paper`."""
    row_forms: Mapping[str, RowForm] = {}
    """By task, what its rows hold in a results table; a table from a file is held against it."""
    draws_samples: bool = False
    """Whether scores are means over samples that `--draws` and its like decide."""
    groups: tuple[GroupBy, ...] = (GroupBy("language"),)
    """What scores are also given for."""
    metrics: tuple[Metric, ...] = ()
    """What else its scores may be of: metrics of the data, of ratings, of checks."""
    columns: tuple[str, ...] = ()
    """The columns of attributes that its scores need."""
    harmful: tuple[str, Attribute] = ("harmful", True)
    """The attribute, and its value, that mark an item as potentially harmful: such items are
    blurred in pages until asked for, and `--exclude harmful` leaves them out."""
    judging: Judging | None = None
    """Answers that a judge grades; there where a task has a judge."""
    training: Training | None = None
    """Splits to show examples from, or to learn from."""
    edits: Edits | None = None
    """Where it is there, what answers is an editor of pictures (`--model editor/NAME`)."""
    votes: Votes | None = None
    """The raw votes of its annotators."""
    ratings: Ratings | None = None
    """What people rate, on which scales."""
    media: Media | None = None
    """Where pictures and videos are fetched from."""
    predictions: ReleasedPredictions | None = None
    """Answers that its authors released."""
    variants: Variants = Variants()
    """How its questions can be asked with less, or otherwise (`--variant`)."""
    analyses: Analyses = Analyses()
    """What else can be said of answers and data."""
    studies: tuple[StudyTemplate, ...] = ()
    """The studies of people that its paper describes (`deadpan study create NAME/STUDY`)."""
    report: Report = Report()
    """What reports lead with, and show besides."""
    building: Building | None = None
    """How one of its kind is built from posts (`deadpan curate`)."""

    @property
    def mini_set(self) -> Path:
        """The folder of the embedded mini-set, in the released layout."""
        return self.folder / "data"

    @abstractmethod
    def read(self, data: Path | None) -> Dataset[RecordT]:
        """The records of a data folder in the released layout, or of the embedded mini-set."""

    @abstractmethod
    def questions(self, dataset: Dataset[RecordT], task: str, prompts: Prompts) -> list[Question]:
        """The questions of one task, no two about one item."""

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

    def parse_answer(self, task: str, reply: Reply, question: Question) -> Grade:
        """How a reply to this very question reads: by default as any of its task and language."""
        return self.parse(task, reply, question.language)

    def grade(self, task: str, reply: Reply, question: Question, reading: str = "") -> Grade:
        """How a reply to this very question reads, in the usual way or by the name of another;
        what is no grade raises."""
        read = self.readings.get(reading, {}).get(task)
        if read is not None:
            found: object = read(task, reply, question.language)
        else:
            found = self.parse_answer(task, reply, question)
        if not isinstance(found, Grade):
            own = type(self).parse_answer is Benchmark.parse_answer
            function = read or (self.parse if own else self.parse_answer)
            expected = "a Grade, as grade_reply makes one"
            raise WrongReturn(function, told_value(found), expected)
        return found

    def named_values(self, task: str, text: str) -> Set[str] | None:
        """The labels, letters, numbers, True or False that a text has any form of, for a model that
        reads replies (`--reader`); None for a task whose answers are words."""
        return None

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement | Score]:
        """Every metric of every model: by default those of its tasks, on each task by itself. What
        does not add up over items comes as finished scores."""
        for model in answers.models:
            for name, own in answers.of(model).items():
                units = Units.of(own, self.groups)
                for metric in self.task(name).metrics:
                    yield measure_metric(model, own, metric, units)

    @property
    def adds_up(self) -> bool:
        """Whether `measure` looks at each item by itself, so that what it gives of shards of items
        adds up to what it gives of all: by default where it is not its own."""
        return type(self).measure is Benchmark.measure

    def measurements(
        self, table: pl.DataFrame, options: ScoringOptions, spoken: Sequence[Language] = ()
    ) -> Iterator[Measurement | Score]:
        """What every metric measures on the tidy results table; one that is not the benchmark's
        raises. Of a shard of a table, `spoken` are the languages of the whole."""
        answers = Answers(table, tuple(spoken), tuple(spec.name for spec in self.tasks))
        answers.require(self.columns, answers.tasks)
        return self.measure(answers, options)

    def score(self, table: pl.DataFrame, options: ScoringOptions) -> list[Score]:
        """Every score of the benchmark from the tidy results table."""
        return scores_of(self.measurements(table, options))

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        """Everything odd in a data folder: by default what was found as it was read, and files of
        media that are not there. Data that cannot be asked about raise."""
        dataset = self.read(data)
        missing = self.missing_tasks(dataset)
        for name in (spec.name for spec in self.tasks if spec.name not in missing):
            worded_questions(self, dataset, name, self.prompts(name))
        return [*dataset.anomalies, *missing_media(dataset)]

    @property
    def licence(self) -> str:
        """Of the released data, as far as it is known."""
        return self.release.licence if self.release else "not stated"

    def metric(self, name: str) -> Metric:
        """The metric of that name as it is declared; an unknown one has its name alone."""
        declared = [metric for spec in self.tasks for metric in spec.metrics]
        known = {metric.name: metric for metric in (*self.metrics, *reversed(declared))}
        if name not in known and name.removesuffix(SPREAD) in known:
            return replace(known[name.removesuffix(SPREAD)], name=name, better="neither")
        if name not in known and (less := known.get(name.removesuffix(GAIN))):
            title = f"{less.title}, full minus text only"
            return replace(less, name=name, title=title, better="neither", range=None)
        return known.get(name, Metric(name))

    @property
    def headline(self) -> tuple[str, str] | None:
        """Task and metric of the one score to lead with: its own choice, else the first metric of
        the first task that has one."""
        firsts = ((spec.name, spec.metrics[0].name) for spec in self.tasks if spec.metrics)
        return self.report.headline or next(firsts, None)

    def is_harmful(self, attributes: Mapping[str, Any]) -> bool:
        """Whether an item of these attributes is marked as potentially harmful."""
        name, value = self.harmful
        return attributes.get(name) == value

    def task(self, name: str) -> Task:
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

    def paraphrases(self, task: str) -> tuple[Path, ...]:
        """The folders of prompts that ask a task in other words, in the order of their numbers,
        which begin with 1."""
        name = self.task(task).worded_as or task
        folder = self.folder / "prompts" / PARAPHRASES
        numbered = (folder / str(number) for number in count(1))
        return tuple(
            takewhile(
                lambda one: all((one / code / f"{name}.txt").is_file() for code in self.languages),
                numbered,
            )
        )
