"""Ask, judge, score: what is chosen, checked before anything is paid for, and run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN, find, names
from deadpan.core.capabilities import require
from deadpan.core.question_variants import require_variant, worded_questions
from deadpan.core.questions import Question
from deadpan.core.sampling import draw, strata_of
from deadpan.core.score import ScoringOptions
from deadpan.core.usage import Prices, read_prices
from deadpan.core.variants import Variant
from deadpan.engine.fewshot.demonstration import taught_tasks
from deadpan.pipeline.judging import Judging, judge_endpoint, judge_results
from deadpan.pipeline.replies import ReplyReading, read_replies
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.results import Results
from deadpan.pipeline.streaming import streamed_runs
from deadpan.pipeline.table import results_of_runs, tasks_with_judge

if TYPE_CHECKING:
    from deadpan.engine.run import Chosen
    from deadpan.engine.task_questions import Answerer, RunSettings

MAJORITY = "baseline/majority"


@dataclass(frozen=True)
class Evaluation:
    """Which model is asked what, how, who judges and how it is scored."""

    chosen: Chosen
    model: str
    settings: RunSettings
    judging: Judging | None = None
    options: ScoringOptions = field(default_factory=ScoringOptions)
    prices: Prices = field(default_factory=read_prices)
    answerer: Answerer | None = None
    """Who is asked in the model's place: an editor."""
    reading: ReplyReading | None = None
    """Who reads the replies that the rules cannot."""

    def run(self, reporter: Reporter = SILENT, texts: bool = True) -> Results:
        """Every question asked that the store has no answer to, and judged where it needs it; a
        judge that is needed and cannot be had raises first. Without `texts`, very many answers that
        nobody judges are scored in shards."""
        from deadpan.engine.run import run

        self.check()
        with reporter.asking(self.model, self.prices) as events:
            judge = judge_endpoint(self.chosen, self.judging) if self.judging else None
            manifests = run(self.chosen, self.model, self.settings, events, judge, self.answerer)
        if not (texts or self.judging or self.reading):
            streamed = streamed_runs(manifests, self.options.reading)
            if streamed is not None:
                return streamed.results(self.options)
        return Results(self.graded(manifests, reporter), self.options)

    def try_model(self) -> None:
        """Raises where the model takes no question, if any is left to be asked."""
        from deadpan.engine.run import try_model

        try_model(self.chosen, self.model, self.settings, self.answerer)

    def check(self) -> None:
        """Raises where who judges or reads cannot be had, or cannot be told what is needed."""
        check_judge(self.chosen, self.model, self.judging)
        if self.judging is not None:
            check_weights(self.judging.model, self.judging.settings, "--judge")
        if self.reading is not None:
            self.reading.check(self.model)
            check_weights(self.reading.model, self.reading.settings, "--reader")
        check_briefs(self.chosen, self.settings)

    def graded(self, manifests: Sequence[Path], reporter: Reporter = SILENT) -> pl.DataFrame:
        """The table of what was asked, read and judged by whom it takes."""
        table = results_of_runs(manifests, reading=self.options.reading)
        if self.reading is not None:
            table = read_replies(table, self.reading, self.prices, reporter)
        if self.judging is not None:
            table = judge_results(table, self.judging, self.options, self.prices, reporter)
        return table


def check_judge(chosen: Chosen, model: str, judging: Judging | None) -> None:
    """Raises where a judge is needed, cannot be had, or is the model itself."""
    if judging is not None:
        return judging.check(model)
    for name, tasks in chosen.items():
        own = [(name, task) for task in tasks]
        if graded := [task for _, task in tasks_with_judge(own, optional=False)]:
            others = ",".join(task for task in tasks if task not in graded)
            rest = f", or ask only {name}/{others}" if others else ""
            raise DeadpanError(
                f"{name}/{','.join(graded)} is graded by a judge: name one with --judge MODEL{rest}"
            )


def check_weights(model: str, settings: RunSettings, option: str) -> None:
    """Raises where a model of this machine could not be loaded once it is needed, as far as its
    files tell; what vLLM takes, or nodes of a cluster hold, is theirs to say."""
    from deadpan.engine.local.kinds import check_model
    from deadpan.engine.local.provider import LOCAL

    name = settings.calls.model_name(model)
    if name.startswith(LOCAL) and settings.calls.engine == "auto":
        try:
            check_model(name.removeprefix(LOCAL))
        except DeadpanError as error:
            raise DeadpanError(f"{option} {model}: {error}") from error


def check_briefs(chosen: Chosen, settings: RunSettings) -> None:
    """Raises where the prompt of a judge from outside has a slot that its brief does not fill, as
    the first question of each language shows, with gold in the answer's place."""
    judged = tasks_with_judge((name, task) for name in chosen for task in chosen[name])
    for name, task in (one for one in judged if one[0] not in BUILT_IN):
        benchmark = find(name)
        brief = require(benchmark.judging, f"{name}/{task} has no judge").brief
        questions = _questions(name, task, settings.data_of(name), settings.prompts)
        for one in {question.language: question for question in reversed(questions)}.values():
            answer = benchmark.report.gold_text(task, one.gold)
            try:
                made = brief(task, one.gold, answer, one.language)
            except Exception:  # another's code, which may take no answer but a model's
                continue
            benchmark.judge(task).question(made)


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


def chosen_benchmark(selection: str) -> tuple[str, list[str]]:
    """The benchmark and the tasks of BENCHMARK[/TASK,…]; no tasks where none is named."""
    ((name, tasks),) = chosen_tasks([selection], every=False).items()
    return name, tasks


def select_tasks(
    selection: Sequence[str], model: str, settings: RunSettings, reporter: Reporter = SILENT
) -> Chosen:
    """The tasks to ask: those named, less what the data lacks, or this model or these
    demonstrations cannot do; what is left out is said, and a task that was named raises."""
    chosen = chosen_tasks(selection)
    named = chosen_tasks(selection, every=False)
    if settings.fewshot is not None:
        whole = {one for one in selection if "/" not in one}
        chosen |= {name: _with_examples(name, chosen, named, settings, reporter) for name in whole}
    chosen = {
        name: _with_data(name, tasks, named[name], settings.data_of(name), reporter)
        for name, tasks in chosen.items()
    }
    if settings.sample is not None:
        chosen = {
            name: _with_sample(name, tasks, named[name], settings, reporter)
            for name, tasks in chosen.items()
        }
    variant = settings.showing.variant
    chosen = {
        name: _with_variant(name, tasks, named[name], variant, reporter)
        for name, tasks in chosen.items()
    }
    return _with_reference(chosen, settings, reporter) if model == MAJORITY else chosen


def _with_variant(
    name: str, tasks: Sequence[str], named: Sequence[str], variant: Variant, reporter: Reporter
) -> list[str]:
    """The tasks that can be asked in the variant; others are said, and raise where they were named
    or nothing is left."""
    benchmark = find(name)
    able = [
        task
        for task in tasks
        if variant in (Variant.FULL, Variant.TEXT_ONLY, *benchmark.variants.of(task))
    ]
    for task in (one for one in tasks if one not in able):
        if task in named or not able:
            require_variant(benchmark, task, variant)
        reporter.warn(f"{name}/{task} is left out: --variant {variant} does not apply")
    return able


def _with_examples(
    name: str, chosen: Chosen, named: Chosen, settings: RunSettings, reporter: Reporter
) -> list[str]:
    """The tasks without those that have no examples to show, which are said; named ones stay."""
    data = settings.data_of(name)
    able = {*taught_tasks(find(name), data, settings.prompts), *named[name]}
    if left_out := [task for task in chosen[name] if task not in able]:
        reporter.warn(f"{name}: left out, without examples for --fewshot: {', '.join(left_out)}")
    return [task for task in chosen[name] if task in able]


def _with_data(
    name: str, tasks: Sequence[str], named: Sequence[str], data: Path | None, reporter: Reporter
) -> list[str]:
    """The tasks without those that the data has nothing for, which are said; where such a task was
    named, or nothing is left, raises."""
    benchmark = find(name)
    missing = benchmark.missing_tasks(benchmark.read(data))
    kept = [task for task in tasks if task not in missing]
    for task in (one for one in tasks if one in missing):
        if task in named or not kept:
            raise DeadpanError(f"{name}/{task}: {missing[task]}")
        reporter.warn(f"{name}/{task} is left out: {missing[task]}")
    return kept


def _with_sample(
    name: str,
    tasks: Sequence[str],
    named: Sequence[str],
    settings: RunSettings,
    reporter: Reporter,
) -> list[str]:
    """The tasks that ask about any of the items drawn; others are said, and raise where they were
    named or nothing is left."""
    benchmark, sample = find(name), settings.sample
    how = (settings.exclude, settings.languages)
    strata = strata_of(benchmark, benchmark.read(settings.data_of(name)), *how)
    if sample is None or sample.size >= len(strata):
        return list(tasks)
    drawn = draw(strata, sample)
    asked = {task for item in drawn for task in strata[item].tasks}
    kept = [task for task in tasks if task in asked]
    for task in (one for one in tasks if one not in asked):
        what = f"none of the {len(drawn)} items drawn is asked about; --sample more"
        if task in named or not kept:
            raise DeadpanError(f"{name}/{task}: {what}")
        reporter.warn(f"{name}/{task} is left out: {what}")
    return kept


def _with_reference(
    chosen: Mapping[str, list[str]], settings: RunSettings, reporter: Reporter
) -> dict[str, list[str]]:
    """The tasks of which the most frequent answer is known, as baseline/majority gives no other;
    those left out are said, and none left raises."""
    pairs = [(name, task) for name, tasks in chosen.items() for task in tasks]
    able = [
        (name, task)
        for name, task in pairs
        if has_reference(name, task, settings.data_of(name), settings.prompts)
    ]
    lacking = ", ".join("/".join(one) for one in pairs if one not in able)
    if not able:
        what = f"no reference split tells the most frequent answer to {lacking}"
        raise DeadpanError(f"--model {MAJORITY}: {what}; use baseline/random or baseline/ocr")
    if lacking:
        reporter.warn(f"left out, without a reference for {MAJORITY}: {lacking}")
    return {name: [task for own, task in able if own == name] for name, _ in able}


def has_reference(
    name: str, task: str, data: Path | None = None, prompts: Path | None = None
) -> bool:
    """Whether the most frequent answers of a reference split are known."""
    questions = _questions(name, task, data, prompts)
    return any(question.reference is not None for question in questions)


def shows_videos(chosen: Chosen, settings: RunSettings) -> bool:
    """Whether any question of the tasks is about a video."""
    return any(
        question.clip is not None
        for name, tasks in chosen.items()
        for task in tasks
        for question in _questions(name, task, settings.data_of(name), settings.prompts)
    )


def _questions(name: str, task: str, data: Path | None, prompts: Path | None) -> list[Question]:
    benchmark = find(name)
    wording = benchmark.prompts(task, prompts)
    return worded_questions(benchmark, benchmark.read(data), task, wording)
