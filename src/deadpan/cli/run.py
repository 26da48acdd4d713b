"""`deadpan run`: ask a model, resume what was begun, print the figures."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from deadpan.benchmarks import find
from deadpan.cli.demonstrated import DemosOption, checked_demos
from deadpan.cli.editing import EDITOR, edited_results, tasks_for
from deadpan.cli.judging import (
    JudgeEpochsOption,
    JudgeOption,
    Judging,
    SelfJudgeOption,
    judge_folder,
    judged,
    require_judge,
)
from deadpan.cli.printing import (
    DataOption,
    GroupsOption,
    JsonOption,
    PricesOption,
    chosen_tasks,
    console,
    print_coverage,
    print_figures,
    print_usage,
    say,
    write_json,
)
from deadpan.cli.scoring import GateOption, MetricModelOption, check_table, scoring_options
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES
from deadpan.figures import Figure
from deadpan.judgements import require_other
from deadpan.outcomes import LEFT_OUT
from deadpan.questions import Showing
from deadpan.results import EDITS, results_of_logs, write_results
from deadpan.usage import read_prices


class Variant(StrEnum):
    """How items are shown: videos as frames, or whole where Inspect's provider passes them on; or
    nothing but text, without pictures and videos."""

    FRAMES = "frames"
    NATIVE_VIDEO = "native-video"
    TEXT_ONLY = "text-only"


def run(
    selection: Annotated[
        list[str], typer.Argument(metavar="BENCHMARK[/TASK,…]", help="What to ask.")
    ],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="An Inspect model name, baseline/majority|random|ocr, or editor/NAME.",
        ),
    ],
    judge: JudgeOption = None,
    data: DataOption = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask the first N items only.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Ask each question K times.")] = 1,
    prompts: Annotated[
        Path | None, typer.Option(help="Folder of prompts that replace ours.")
    ] = None,
    variant: Annotated[
        Variant, typer.Option(help="How videos are shown; text-only leaves out all pictures.")
    ] = Variant.FRAMES,
    frames: Annotated[int, typer.Option(min=1, max=256, help="Frames shown of a video.")] = 8,
    longest_side: Annotated[
        int, typer.Option(min=64, max=4096, help="Longest side of a frame, in pixels.")
    ] = 768,
    transcriber: Annotated[
        str | None,
        typer.Option(help="faster-whisper model or folder, for videos without a transcript."),
    ] = None,
    demos: DemosOption = None,
    judge_epochs: JudgeEpochsOption = 1,
    self_judge: SelfJudgeOption = False,
    logs: Annotated[Path, typer.Option(help="Where logs are kept.")] = Path("logs"),
    resume: Annotated[
        bool, typer.Option("--resume/--fresh", help="Continue an earlier run, or start anew.")
    ] = True,
    max_connections: Annotated[int, typer.Option(min=1, help="Calls in flight at once.")] = 10,
    max_retries: Annotated[
        int, typer.Option(min=0, help="Times a failing call is tried again.")
    ] = MAX_RETRIES,
    timeout: Annotated[
        int, typer.Option(min=1, help="Seconds one attempt at a call may take.")
    ] = ATTEMPT_SECONDS,
    gate: GateOption = None,
    metric_model: MetricModelOption = None,
    groups: GroupsOption = False,
    prices: PricesOption = None,
    table: Annotated[
        Path | None, typer.Option(help="Also write the results table (.parquet or .jsonl).")
    ] = None,
    json: JsonOption = None,
) -> None:
    """Ask a model a benchmark's questions; the same command again continues where it stopped."""
    from deadpan.engine.run import RunSettings, require_model
    from deadpan.engine.run import run as run_tasks

    chosen = tasks_for(model, selection)
    if checked_demos(demos) is not None and not model.startswith(EDITOR):
        chosen = _with_examples(chosen, selection, data, prompts)
    options = scoring_options(chosen, gate, metric_model)
    check_table(table)
    require_judge(chosen, judge)
    if judge is not None:
        require_other([model], judge, self_judge)
        require_model(judge, "--judge")
    known = read_prices(prices)
    figures: dict[str, list[Figure]] = {}
    tables = []
    folders = {name: log_folder(logs, name, model, resume) for name in chosen}
    for name, tasks in chosen.items():
        settings = RunSettings(
            log_dir=folders[name],
            data=data,
            prompts=prompts,
            limit=limit,
            epochs=epochs,
            max_connections=max_connections,
            max_retries=max_retries,
            timeout=timeout,
            showing=Showing(
                frames=frames,
                longest=longest_side,
                native=variant is Variant.NATIVE_VIDEO,
                text_only=variant is Variant.TEXT_ONLY,
                transcriber=transcriber,
            ),
            demos=demos,
            display="rich" if console.is_terminal else "plain",
        )
        if model.startswith(EDITOR):
            results = edited_results(name, tasks, model, settings)
        else:
            results = results_of_logs(run_tasks(name, tasks, model, settings))
        if judge is not None:
            folder = judge_folder(folders[name], judge)
            sitting = Judging(
                judge, folder, judge_epochs, self_judge, max_connections, max_retries, timeout
            )
            results = judged(results, sitting, options)
        if model.startswith(EDITOR):
            write_results(results, folders[name] / EDITS)
        tables.append(results)
        figures[name] = find(name).figures(results, options)
    if table is not None:
        write_results(pl.concat(tables, how="diagonal_relaxed"), table)
    write_json(json, figures)
    for name, results in zip(chosen, tables, strict=True):
        print_figures(figures[name], groups)
        print_coverage(results)
        _say_what_failed(results)
        _say_what_is_odd(results)
        print_usage(results, known)
        say(f"logs: {folders[name]}")


def _with_examples(
    chosen: Mapping[str, list[str]],
    selection: Sequence[str],
    data: Path | None,
    prompts: Path | None,
) -> dict[str, list[str]]:
    """The tasks without those that have no examples to show, which are said; named ones stay."""
    from deadpan.finetune.examples import taught_tasks

    named = chosen_tasks(selection, every=False)
    kept = dict(chosen)
    for name in {one for one in selection if "/" not in one}:
        able = {*taught_tasks(find(name), data, prompts), *named[name]}
        kept[name] = [task for task in chosen[name] if task in able]
        if left_out := [task for task in chosen[name] if task not in able]:
            say(f"{name}: left out, without examples for --demos: {', '.join(left_out)}", "yellow")
    return kept


def log_folder(logs: Path, benchmark: str, model: str, resume: bool = True) -> Path:
    """Where a benchmark's logs of a model lie; a fresh run gets a folder of its own."""
    folder = logs / benchmark / re.sub(r"[^\w.-]+", "-", model)
    return folder if resume else folder / time.strftime("%Y%m%dT%H%M%S")


def _say_what_failed(results: pl.DataFrame) -> None:
    failed = results.filter(pl.col("outcome").is_in(list(LEFT_OUT)))
    if failed.is_empty():
        return
    example: dict[str, Any] = failed.row(0, named=True)
    say(
        f"{len(failed)} questions failed or were not judged, for example {example['item']} "
        f"({example['task']}): {example['reason']}\nRun the same command again to ask them again.",
        "yellow",
    )


def _say_what_is_odd(results: pl.DataFrame) -> None:
    odd = results.filter(pl.col("notes").is_not_null()).unique("item", maintain_order=True)
    if not odd.is_empty():
        example: dict[str, Any] = odd.row(0, named=True)
        said = f"{len(odd)} items were shown with something off, for example"
        say(f"{said} {example['item']}: {example['notes']}", "yellow")
