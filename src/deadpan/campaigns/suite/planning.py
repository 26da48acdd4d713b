"""What a campaign asks: one evaluation for each model, benchmark and way of asking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.problems import Problem
from deadpan.benchmarks import find
from deadpan.campaigns.spending import within
from deadpan.campaigns.suite.checks import answers, entry_tasks, judge_of
from deadpan.campaigns.suite.measuring import options_of
from deadpan.campaigns.suite.reading import SuiteFile
from deadpan.campaigns.suite.schema import ALL, BenchmarkEntry, JudgeEntry, ModelEntry, Suite
from deadpan.core.questions import MediaOptions
from deadpan.core.sampling import Sample
from deadpan.core.usage import Price, Prices, read_prices
from deadpan.core.variants import Variant
from deadpan.editing.answering import choose_answerer, is_editor
from deadpan.engine.budget import Budget
from deadpan.engine.local.provider import resolve_provider
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.asking_otherwise import Way, asked_ways
from deadpan.pipeline.contamination import has_learnt
from deadpan.pipeline.contamination.asking import require_enough
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.replies import ReplyReading
from deadpan.pipeline.reporter import Reporter

IN_FULL = Way()


@dataclass(frozen=True)
class Job:
    """One model's questions of one benchmark, in one way of asking."""

    model: ModelEntry
    benchmark: str
    evaluation: Evaluation
    way: Way = IN_FULL
    recites: bool = False
    """Whether it is the benchmark's texts that are asked for, and none of its tasks."""

    @property
    def is_audit(self) -> bool:
        """Whether it is asked for an audit alone."""
        return self.recites or self.way != IN_FULL

    @property
    def asked(self) -> str:
        """The way in words."""
        return "recited" if self.recites else self.way.title

    @property
    def title(self) -> str:
        """Benchmark and way, in words."""
        return f"{self.benchmark}, {self.asked}" if self.is_audit else self.benchmark


@dataclass(frozen=True)
class Plan:
    """All that is asked, in order, what is left out and why, and what tokens cost."""

    file: SuiteFile
    jobs: tuple[Job, ...]
    left_out: tuple[str, ...]
    prices: Prices

    @property
    def benchmarks(self) -> list[str]:
        """The benchmarks that are asked, in the order of the file."""
        return list(dict.fromkeys(job.benchmark for job in self.jobs))

    def within(self, budget: Budget) -> Plan:
        """The same, with no more to spend than that."""
        jobs = [replace(job, evaluation=within(job.evaluation, budget)) for job in self.jobs]
        return replace(self, jobs=tuple(jobs))


class _Notes(Reporter):
    """Keeps what is said about tasks that are left out, and of which models."""

    def __init__(self) -> None:
        self.model = ""
        self._models: dict[str, list[str]] = {}

    def note(self, text: str, style: str | None = None) -> None:
        models = self._models.setdefault(text, [])
        if self.model not in models:
            models.append(self.model)

    @property
    def lines(self) -> tuple[str, ...]:
        """Each thing once, after the models that it is said of."""
        return tuple(f"{', '.join(models)}: {text}" for text, models in self._models.items())


def plan_suite(file: SuiteFile) -> Plan:
    """What the campaign asks; the model first that stands first. Data that cannot be read, and
    models that can be asked nothing, raise with their lines; other things that a model cannot do
    are left out."""
    suite, prices = file.suite, suite_prices(file.suite)
    jobs: list[Job] = []
    notes = _Notes()
    problems: list[Problem] = []
    for at, model in enumerate(suite.models):
        before, notes.model = len(jobs), model.shown
        for place, entry in enumerate(suite.benchmarks):
            for name, tasks in entry_tasks(entry).items():
                selection = f"{name}/{','.join(tasks)}" if tasks else name
                try:
                    jobs += _jobs(suite, model, entry, selection, prices, notes)
                except InputError as error:
                    problems.append(Problem(("benchmarks", place), str(error)))
                except DeadpanError as error:
                    notes.note(f"{name} is left out: {_reason(error, model)}")
        if len(jobs) == before and not problems:
            what = "nothing here can be asked of it"
            problems.append(Problem(("models", at), what))
    if problems:
        raise file.wrong(list(dict.fromkeys(problems)))
    return Plan(file, tuple(jobs), notes.lines, prices)


def suite_prices(suite: Suite) -> Prices:
    """The prices that the file names, before the package's."""
    judges = [suite.judge, *(entry.judge for entry in suite.benchmarks)]
    named = {
        one.name: Price(input=one.price.input, output=one.price.output)
        for one in (*suite.models, *judges, suite.reader)
        if one is not None and one.price is not None
    }
    return Prices((named, *read_prices().tables))


def _reason(error: DeadpanError, model: ModelEntry) -> str:
    return str(error).removeprefix(f"--model {model.name}: ")


def _jobs(
    suite: Suite,
    model: ModelEntry,
    entry: BenchmarkEntry,
    selection: str,
    prices: Prices,
    notes: _Notes,
) -> Iterator[Job]:
    """A benchmark in full, or in the model's own variant, and then in those of audits."""
    name = selection.partition("/")[0]
    if not answers(model, name):
        what = "answered by editors only" if find(name).edits else "it has no pictures to be edited"
        raise DeadpanError(what)
    settings = _settings(suite, model, entry)
    chosen, answerer = choose_answerer([selection], model.name, settings, notes)
    judge = judge_of(suite, entry)
    evaluation = Evaluation(
        chosen,
        model.name,
        settings,
        _judging(judge, settings) if judge else None,
        options_of(suite, [name]),
        prices,
        answerer,
        _reading(suite, settings),
    )
    job = Job(model, name, evaluation)
    yield job
    if suite.audits.shortcuts and not is_editor(model.name) and model.variant is Variant.FULL:
        yield from _otherwise(suite, job)
    if suite.audits.contamination and has_learnt(model.name):
        yield from _reciting(job, notes)


def _otherwise(suite: Suite, job: Job) -> Iterator[Job]:
    """The same in each variant that was named and applies; none where none does."""
    wanted = suite.audits.shortcuts
    try:
        ways = asked_ways(job.evaluation.chosen, (), paraphrases=False)
    except DeadpanError:
        return
    for way, chosen in ways.items():
        if way == IN_FULL or (ALL not in wanted and way.variant not in wanted):
            continue
        own = job.evaluation
        settings = replace(own.settings, showing=MediaOptions(variant=way.variant))
        judging = own.judging and replace(own.judging, settings=_showing(own.judging, settings))
        asked = replace(own, chosen={**chosen}, settings=settings, judging=judging)
        yield replace(job, evaluation=asked, way=way)


def _reciting(job: Job, notes: _Notes) -> Iterator[Job]:
    """The benchmark's texts to be recited; where they are too few, or there are none, that is
    said. No task is asked, so that nobody judges or reads."""
    own = job.evaluation
    try:
        require_enough(job.benchmark, own.settings)
    except DeadpanError as error:
        why = str(error).removeprefix(f"{job.benchmark}: ")
        notes.note(f"{job.benchmark}, recited, is left out: {why}")
        return
    yield replace(job, evaluation=replace(own, chosen={}, judging=None, reading=None), recites=True)


def _showing(judging: Judging, settings: RunSettings) -> RunSettings:
    return replace(settings, calls=judging.settings.calls)


def _settings(suite: Suite, model: ModelEntry, entry: BenchmarkEntry) -> RunSettings:
    calls = replace(
        model.calls, engine=model.engine, ray_address=model.ray_address, batch=model.batch
    )
    return RunSettings(
        store=suite.store,
        data=entry.data,
        limit=entry.limit,
        sample=Sample(entry.sample, entry.sample_seed) if entry.sample else None,
        epochs=entry.epochs,
        calls=calls,
        showing=MediaOptions(variant=model.variant),
        fewshot=model.fewshot,
        sampling=model.sampling,
        exclude=entry.exclude,
        languages=suite.languages,
        again=model.again,
    )


def _judging(judge: JudgeEntry, settings: RunSettings) -> Judging:
    own = replace(settings, calls=judge.calls)
    name = resolve_provider(judge.name, shown=False)
    return Judging(name, own, judge.epochs, judge.allow_self, judge.sees)


def _reading(suite: Suite, settings: RunSettings) -> ReplyReading | None:
    reader = suite.reader
    if reader is None:
        return None
    own = replace(settings, calls=reader.calls, epochs=1)
    return ReplyReading(resolve_provider(reader.name, shown=False), own, reader.allow_self)
