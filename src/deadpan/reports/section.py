"""What a report is made from: one benchmark's results, scores and published scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import polars as pl

from deadpan.core.answers import RATER
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Addition, TableLayout
from deadpan.core.metric import Metric
from deadpan.core.outcomes import missing_questions
from deadpan.core.parts import Parts
from deadpan.core.published import Published
from deadpan.core.readings import COLUMN, unread_counts
from deadpan.core.score import Score, unavailable
from deadpan.core.signature import (
    EXTERNAL,
    PEOPLE,
    Signature,
    parse_signature,
)
from deadpan.core.usage import Prices, read_prices
from deadpan.metrics.statistics.comparing import Comparisons
from deadpan.metrics.statistics.intervals import best_apart
from deadpan.reports.caveats import STAND_IN_NOTE, by_stand_in, deviations, other_data
from deadpan.reports.text import one_line

_NOT_COMPARABLE = "Not comparable with the published values"
Intervals = Literal["brackets", "pm", "none"]
"""`[low, high]`, `±` and half of its width, or not at all."""


@dataclass(frozen=True)
class Section:
    """One benchmark of a report."""

    benchmark: Benchmark[Any]
    table: pl.DataFrame
    scores: Sequence[Score]
    published: Published | None = None
    prices: Prices = field(default_factory=read_prices)
    only: tuple[str, ...] = ()
    """The numbers of the published tables to show; all tables where none is named."""
    columns: tuple[str, ...] = ()
    """The columns to show, by heading or as TASK/METRIC[/GROUP]; all where none is named."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """The headings that columns are given, by the same names."""
    intervals: Intervals = "brackets"
    """How tables print the interval of a score."""
    picture_folders: tuple[Path, ...] = ()
    """Folders of which pictures may be embedded, besides those that Deadpan itself made."""
    parts: Parts = field(default_factory=dict)
    """The models, by their marked names, whose answers are to a part of the data, and the parts."""
    people_row: str = ""
    """What stands in the place of people who answered beside models."""
    additions: tuple[Addition, ...] = ()
    """What is shown besides; their scores are among `scores`."""
    comparisons: Comparisons | None = None
    """Its models, by the names they were measured under, to be compared item by item."""
    measured_as: Mapping[str, str] = field(default_factory=dict)
    """The names that models were measured under, where they are shown under others."""

    def leader(self, key: tuple[str, str, str], rivals: Mapping[str, Score]) -> str | None:
        """The model that is surely better in a score than every other: item by item where that was
        measured, else where its interval lies apart from theirs. None where it is too close to
        call, or one alone."""
        metric = self.metric(key[1])
        if len(rivals) < 2 or metric.better == "neither":
            return None
        names = {self.measured_as.get(model, model): model for model in rivals}
        if self.comparisons is not None and self.comparisons.has(key, names):
            found = self.comparisons.leader(key, list(names))
            return None if found is None else names[found]
        return best_apart(rivals, metric)

    def shown_as(self, names: Mapping[str, str]) -> dict[str, str]:
        """The names that models were measured under, once they are shown under these."""
        known = {names.get(model, model): own for model, own in self.measured_as.items()}
        renamed = set(self.measured_as)
        return known | {new: old for old, new in names.items() if old not in renamed}

    @property
    def is_chosen(self) -> bool:
        """Whether not all tables are shown, or not all of their columns."""
        return bool(self.only or self.columns)

    @property
    def models(self) -> list[str]:
        """The models of the results, in order of appearance."""
        others = (f.model for f in self.scores if f.model not in self.pooled)
        return distinct([*self.table["model"].to_list(), *others])

    @property
    def counted(self) -> str:
        """What the rows are: questions that were asked, or that were answered elsewhere, or
        judgements that were made there."""
        if not all(signature.prompts == EXTERNAL for signature in self._parsed):
            return "questions asked"
        judged = all(signature.judge == EXTERNAL for signature in self._parsed)
        return "judgements" if judged else "questions"

    @property
    def people(self) -> int:
        """How many people answered beside models; 0 where none did under that name."""
        if RATER not in self.table.columns:
            return 0
        return self.table.filter(pl.col("model") == PEOPLE)[RATER].n_unique()

    @property
    def pooled(self) -> frozenset[str]:
        """The names in a model's place that are none."""
        return frozenset({self.benchmark.report.pooled}).union(
            *(one.pooled for one in self.additions)
        )

    @property
    def layouts(self) -> tuple[TableLayout, ...]:
        """The benchmark's tables, and those that come with what is shown besides."""
        return (
            *self.benchmark.report.tables,
            *(table for one in self.additions for table in one.tables),
        )

    @property
    def tasks(self) -> list[str]:
        """The tasks of the results, in the benchmark's order."""
        present = self.table["task"].unique().to_list()
        known = [spec.name for spec in self.benchmark.tasks]
        return sorted(present, key=lambda name: (known.index(name) if name in known else 99, name))

    @property
    def signatures(self) -> list[str]:
        """Every signature of the scores, or of the table where the scores carry none."""
        of_scores = distinct(score.signature for score in self.scores if score.signature)
        return of_scores or distinct(self.table["signature"].drop_nulls().to_list())

    @property
    def unfinished(self) -> list[str]:
        """Which questions of a run that was broken off are missing."""
        with suppress(ValueError):
            return missing_questions(self.table)
        return []

    @property
    def caveat(self) -> str:
        """Why the published values do not compare with these results; empty where they do."""
        return self.caveat_of(self.signatures)

    def caveat_of(self, signatures: Iterable[str]) -> str:
        """The same of some of the scores, by their signatures."""
        reasons = [reason for _, reason in self._caveats(signatures)]
        return f"{_NOT_COMPARABLE}: {'; '.join(reasons)}." if reasons else ""

    def brief_caveat_of(self, signatures: Iterable[str]) -> str:
        """The same in a few words for a caption."""
        reasons = [brief for brief, _ in self._caveats(signatures)]
        return f"{_NOT_COMPARABLE} ({', '.join(reasons)})." if reasons else ""

    def _caveats(self, signatures: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Each reason in a few words, and in full: what is true of all results, then what is of the
        scores."""
        if self.published is None:
            return
        yield from other_data(self._parsed, self.benchmark)
        texts = [text for text in signatures if text in {*self._of_answers}]
        parsed, usual = self._parse(texts), self.benchmark.gates[:1]
        gates = distinct(item.settings["gate"] for item in parsed if "gate" in item.settings)
        if gates and gates != list(usual):
            yield "another gate", f"gate {', '.join(gates)}, not {', '.join(usual)}"
        if any(item.settings.get("order") == "listed" for item in parsed):
            listed = "texts in the order listed, not in the order answered"
            yield "texts in the order listed", listed
        if any(by_stand_in(text) for text in texts):
            yield "graded by a stand-in", STAND_IN_NOTE
        if self.deviations_of(texts):
            settings = "settings that are not the paper's"
            yield settings, f"{settings}, see Deviations"
        if self.unfinished:
            yield "unfinished", "the run is not finished"

    @property
    def is_comparable(self) -> bool:
        """Whether these results are of the data that the published values were measured on."""
        return self.published is not None and not any(other_data(self._parsed, self.benchmark))

    @property
    def read_by(self) -> list[str]:
        """How many answers a model had to read, and how many it could not, by who was asked."""
        if "read_as" not in self.table.columns:
            return []
        asked = self.table.filter(pl.col("reader").is_not_null())
        lines = []
        for (reader,), rows in asked.group_by(["reader"], maintain_order=True):
            read = len(rows) - rows["read_as"].null_count()
            what = f"{read:,} of {len(rows):,} answers that no rule could read"
            others = unread_counts(rows) if COLUMN in rows.columns else ""
            how = f"; {one_line(others)}" if others else ""
            lines.append(f"{what} were read by {one_line(str(reader))}{how}.")
        return lines

    @property
    def not_given(self) -> list[str]:
        """What questions that nobody answered make of the scores, where there are some."""
        if (self.table["outcome"] == "not_given").any():
            return ["Questions that nobody answered (not given) make them scores of a part."]
        return []

    @property
    def _of_answers(self) -> list[str]:
        """The signatures but those of what is shown besides."""
        besides = {one.signature for more in self.additions for one in more.scores}
        return [text for text in self.signatures if text not in besides]

    @property
    def _parsed(self) -> list[Signature]:
        return self._parse(self._of_answers)

    @staticmethod
    def _parse(texts: Iterable[str]) -> list[Signature]:
        """The signatures that can be read."""
        parsed = []
        for text in texts:
            with suppress(ValueError):
                parsed.append(parse_signature(text))
        return parsed

    @property
    def deviations(self) -> list[str]:
        """Which settings are not the paper's, and of whom where not of all."""
        return self.deviations_of(self._of_answers)

    def deviations_of(self, signatures: Iterable[str]) -> list[str]:
        """The same of some of the scores of answers, by their signatures."""
        models = self._models
        made = (
            (model, signature)
            for text in signatures
            for signature in self._parse([text])
            for model in models.get(text, ("",))
        )
        return deviations(made, self.benchmark)

    @property
    def _models(self) -> dict[str, dict[str, None]]:
        """Who has scores, or answers, of each signature; all models together are nobody."""
        found: dict[str, dict[str, None]] = {}
        pooled = dict.fromkeys(self.pooled, "")
        for score in self.scores:
            found.setdefault(score.signature, {})[pooled.get(score.model, score.model)] = None
        for text, model in self.table.select("signature", "model").unique().sort("model").rows():
            found.setdefault(text, {})[model] = None
        return found

    @property
    def unavailable(self) -> list[str]:
        """Which metrics have no number, and how to get what they lack."""
        with suppress(ValueError):
            return unavailable(self.scores)
        return []

    def metric(self, name: str) -> Metric:
        """What is known of a metric: its title, direction and decimals."""
        besides = (one.metrics[name] for one in self.additions if name in one.metrics)
        return next(besides, None) or self.benchmark.metric(name)

    def task_metrics(self, name: str) -> tuple[Metric, ...]:
        """The metrics of a task; none of one that the benchmark does not know."""
        return next((one.metrics for one in self.benchmark.tasks if one.name == name), ())

    def headline_metrics(self, name: str) -> tuple[Metric, ...]:
        """The metrics that may stand for a task, first choice first."""
        return next((one.headlines for one in self.benchmark.tasks if one.name == name), ())

    def graded_by(self, name: str) -> list[Metric]:
        """The metrics that say whether an answer to a task is right; none where no rule can."""
        graded = next((one.graded_by for one in self.benchmark.tasks if one.name == name), ())
        known = {metric.name: metric for metric in self.task_metrics(name) if not metric.each}
        return [known[one] for one in graded]

    def is_judged(self, task: str, metric: str) -> bool:
        """Whether a score of a task rests on a judge; also where the task is of several."""
        spec = next((one for one in self.benchmark.tasks if one.name == task), None)
        return spec.is_judged(metric) if spec is not None else True

    def answer_picture(self, answer: str) -> str | None:
        """Where the picture lies that an answer is; None where answers are words."""
        edits = self.benchmark.edits
        return edits.picture(answer) if edits else None

    def task_title(self, name: str) -> str:
        """The title of a task; its name, in words, where the benchmark does not know it."""
        titles = {spec.name: spec.title for spec in self.benchmark.tasks}
        return titles.get(name, name.replace("_", " ").capitalize())


def distinct(values: Iterable[str]) -> list[str]:
    """The values without repeats, in order of appearance."""
    return list(dict.fromkeys(values))
