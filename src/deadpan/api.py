"""What Python can do with one call: everything that the command line does with one command."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.campaigns.choosing import choose_all, with_folders
from deadpan.campaigns.running import run_all
from deadpan.campaigns.suite.outputs import write_outputs
from deadpan.campaigns.suite.reading import read_suite
from deadpan.campaigns.suite.running import run_suite as run_campaign
from deadpan.campaigns.suite.running import writing_alone
from deadpan.core.measurement import ALL
from deadpan.core.questions import MediaOptions
from deadpan.core.sampling import Sample
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.selection import exclusions
from deadpan.core.variants import Variant
from deadpan.engine.calls import CallOptions
from deadpan.engine.requests import Sampling
from deadpan.engine.task_questions import RunSettings
from deadpan.metrics.arithmetic.auditing import Finding
from deadpan.pipeline.agreement import find_agreement
from deadpan.pipeline.comparing import Wanted, compare_models, join_sources
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.judge_audit import AuditOptions, JudgeAudit, audit_judges
from deadpan.pipeline.judged_tables import tables_by_judge
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.loading import LoadedBenchmark, load
from deadpan.pipeline.progress import ConsoleReporter
from deadpan.pipeline.published_audit import audit_paper
from deadpan.pipeline.rating import rate_answers, read_study
from deadpan.pipeline.replies import ReplyReading
from deadpan.pipeline.reporter import Reporter
from deadpan.pipeline.results import Results
from deadpan.pipeline.stopping import Until
from deadpan.pipeline.table import read_tables


def evaluate(
    benchmark: str | LoadedBenchmark,
    *,
    model: str | Sequence[str],
    judge: str | None = None,
    reader: str | None = None,
    tasks: str | Sequence[str] = (),
    data: str | Path | None = None,
    store: str | Path = "answers",
    limit: int | None = None,
    sample: int | Sample | None = None,
    exclude: str | Sequence[str] = (),
    epochs: int = 1,
    fewshot: str | None = None,
    variant: str = Variant.FULL,
    sampling: Sampling | None = None,
    calls: CallOptions | None = None,
    options: ScoringOptions | None = None,
    self_judge: bool = False,
    judge_sees: Sequence[str] = (),
    until: float | Until | None = None,
    progress: bool = True,
) -> Results:
    """Asks a model, or several, a benchmark's questions and scores what they answer.

    `benchmark` may be `all`: of every benchmark what each model can be asked; `data` then holds a
    folder for each. `model` and `judge` are Inspect model names, `baseline/NAME`, `local/FOLDER`
    or, for what edits pictures, `editor/NAME`; of several models one that gives up stops no other,
    and warns. Answers are kept in `store`: the same call again asks only what is missing. `tasks`
    are all that the data has where none is named; `sample` is how many random items of each
    benchmark are asked, in proportion to its groups; `exclude="harmful"` leaves out what is marked
    so; `variant` asks with less, such as `blank`. `reader` is a model that reads replies which the
    rules cannot. A model may judge or read itself only with `self_judge`; `judge_sees` is what a
    judge is shown that its paper's is not. With `until` items are asked in random order, until the
    95 % interval of what all of them would give is no wider than twice that, in the metric's own
    unit.
    """
    if isinstance(benchmark, LoadedBenchmark):
        exclude = exclude or benchmark.exclude
        data, benchmark = benchmark.data, benchmark.name
    settings = RunSettings(
        store=Path(store),
        data=None if data is None else Path(data),
        limit=limit,
        sample=Sample(sample) if isinstance(sample, int) else sample,
        exclude=exclusions(exclude),
        epochs=epochs,
        calls=calls or CallOptions(),
        fewshot=fewshot,
        showing=MediaOptions(variant=_variant(variant)),
        sampling=sampling or Sampling(),
    )
    model_name = settings.calls.model_name
    reporter = ConsoleReporter() if progress else Reporter()
    named = tasks if isinstance(tasks, str) else ",".join(tasks)
    selection = f"{benchmark}/{named}" if named else benchmark
    settings = with_folders([selection], settings)
    sees = tuple(judge_sees)
    judging = (
        Judging(model_name(judge), settings, allow_self=self_judge, sees=sees) if judge else None
    )
    reading = ReplyReading(model_name(reader), settings, self_judge) if reader else None
    how = options or ScoringOptions()
    models = [model_name(one) for one in ([model] if isinstance(model, str) else model)]
    evaluations = [
        Evaluation(
            one.chosen, one.model, settings, judging, how, answerer=one.answerer, reading=reading
        )
        for one in choose_all([selection], models, settings, judging, reporter)
    ]
    wanted = Until(until) if isinstance(until, float | int) else until
    asked = run_all(evaluations, reporter, wanted)
    results = asked.results
    for line in asked.lines:
        reporter.note(line)
    for name, why in asked.gave_up.items():
        warnings.warn(f"{name} is given up: {why}", stacklevel=2)
    failed = results.table.filter(pl.col("outcome") == "failed")
    if not (progress or failed.is_empty()):
        what = f"{len(failed)} of {len(results)} questions failed"
        warnings.warn(f"{what}: {failed['reason'][0]}", stacklevel=2)
    return results


def run_suite(file: str | Path, *, max_cost: float | None = None, progress: bool = True) -> Results:
    """Runs a campaign's file to its end, writes its report, tables and plots, and gives the
    results, models under their titles; the same call again continues where it stopped. Models that
    gave up are warned of."""
    # A quiet console of a notebook would still show an empty display.
    notebook = None if progress else False
    console = Console(stderr=True, soft_wrap=True, quiet=not progress, force_jupyter=notebook)
    campaign = read_suite(Path(file))
    with writing_alone(campaign):
        done = run_campaign(campaign, ConsoleReporter(console), max_cost)
        write_outputs(done)
    for title, why in done.gave_up.items():
        warnings.warn(f"{title} was given up: {why}", stacklevel=2)
    return done.results


def _variant(name: str) -> Variant:
    if name not in list(Variant):
        raise DeadpanError(f"variant {name}: expected one of {', '.join(Variant)}")
    return Variant(name)


def score(
    benchmark: str,
    answers: Any,
    *,
    data: str | Path | None = None,
    exclude: str | Sequence[str] = (),
    **how: Any,
) -> Results:
    """The results of answers from anywhere: `load(benchmark, data).score(answers, …)`."""
    return load(benchmark, data, exclude=exclude).score(answers, **how)


def ratings(
    benchmark: str,
    *files: str | Path,
    results: Results | None = None,
    model: str = "",
    raters: Sequence[str] = (),
    data: str | Path | None = None,
) -> pl.DataFrame:
    """What people's ratings say of each model and how far raters agree, a score a row, from files
    as `deadpan ratings` reads them. `results` are the rated answers, `model` whose they are where
    files do not say, `raters` columns of a sheet; `data` tells the groups of rated items without
    `results`."""
    table = None if results is None else results.tables.get(benchmark)
    options = ScoringOptions() if results is None else results.options
    paths = [Path(file) for file in files]
    folder = None if data is None else Path(data)
    named: dict[str, Any] = {"model": model, "raters": raters, "data": folder}
    found = rate_answers(find(benchmark), paths, table, options, **named)
    return _scores_frame(benchmark, found.scores)


def agreement(
    benchmark: str,
    *files: str | Path,
    data: str | Path | None = None,
    free_text: Sequence[str] = (),
    ranked: Mapping[str, Sequence[str]] | None = None,
    options: ScoringOptions | None = None,
    kinds: Mapping[str, str] | None = None,
) -> pl.DataFrame:
    """How far annotators agree, a score a row: by files of annotations as `deadpan agreement` reads
    them, or without any by the votes in the data. `ranked` are questions whose labels have an
    order, from the lowest, `kinds` what kind some questions are, such as `{"where": "boxes"}`;
    words are compared by the options' encoder (`models={"encoder": …}`)."""
    folder = None if data is None else Path(data)
    paths = [Path(file) for file in files]
    found = find_agreement(find(benchmark), paths, folder, free_text, ranked, options, kinds)
    return _scores_frame(benchmark, found.scores)


def audit_published(benchmark: str, *, data: str | Path | None = None) -> pl.DataFrame:
    """What does not add up in the numbers that a benchmark's paper prints, a finding a row; with
    `data`, its released data, also against that."""
    found = audit_paper(find(benchmark), None if data is None else Path(data))
    rows = [{"benchmark": benchmark, **asdict(one)} for one in found.findings]
    schema: dict[str, Any] = dict.fromkeys(("benchmark", *Finding.__annotations__), pl.String)
    return pl.DataFrame(rows, schema={**schema, "off_by": pl.Float64})


def audit_judge(
    benchmark: str,
    *sources: str | Path,
    people: Sequence[str | Path],
    judges: Sequence[str] = (),
    metrics: Sequence[str] = (),
    options: ScoringOptions | None = None,
) -> JudgeAudit:
    """How far the judges of answer stores and tables can be believed, by files of people's ratings:
    agreement, leanings, retest, corrected scores, and the judges as a panel, as `deadpan audit
    judge` prints them. All judges, and the first score of each task, where none is named."""
    tables = tables_by_judge([Path(one) for one in sources], judges)
    own = [table.filter(pl.col("benchmark") == benchmark) for table in tables.values()]
    first = next((table for table in own if len(table)), own[0])
    study = read_study(find(benchmark), [Path(one) for one in people], first)
    how = AuditOptions(with_kept(options or ScoringOptions(), first), tuple(metrics))
    return audit_judges(find(benchmark), study, tables, how)


def compare(
    *sources: Results | str | Path,
    models: Sequence[str] = (),
    metrics: Sequence[str] = (),
    group: str = ALL,
    options: ScoringOptions | None = None,
) -> pl.DataFrame:
    """Every pair of models on the items that both have answered, a row each: the difference with
    its interval, the permutation test's p, adjusted for all pairs too, and what it would take.
    `sources` are results, answer stores or tables; `models` and `metrics` are all models, and the
    metric that stands for each task, where none is named. One model in two sources is two."""
    tables: dict[Path, pl.DataFrame] = {}
    how = options
    for at, one in enumerate(sources):
        if isinstance(one, Results):
            tables[Path(f"results {at + 1}")], how = one.table, how or one.options
        else:
            tables[Path(one)] = read_tables([Path(one)])
    if not tables:
        raise DeadpanError("name results, an answer store or a results table")
    table = join_sources(tables)
    results = Results(table, with_kept(how or ScoringOptions(), table), mix=True)
    found = compare_models(results, Wanted(tuple(models), tuple(metrics), group))
    return pl.DataFrame(found.pairs(), infer_schema_length=None)


def _scores_frame(benchmark: str, scores: Sequence[Score]) -> pl.DataFrame:
    rows = [{"benchmark": benchmark, **one.model_dump()} for one in scores]
    return pl.DataFrame(rows, infer_schema_length=None)
