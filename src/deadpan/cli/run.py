"""`deadpan run`: ask a model, resume what was begun, print the scores."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import polars as pl
import typer

from deadpan.benchmarks import find
from deadpan.cli.asking import (
    STORE,
    AgainOption,
    AnyServerOption,
    ConnectionsOption,
    EffortOption,
    ExtraBodyOption,
    GiveUpOption,
    GoneFreshOption,
    GoneLogsOption,
    LimitOption,
    MaxTokensOption,
    ModelArgsOption,
    PromptsOption,
    QuietOption,
    ReasoningTokensOption,
    RetriesOption,
    SamplingSeedOption,
    StoreOption,
    TemperatureOption,
    TimeoutOption,
    TopPOption,
    sampling_of,
)
from deadpan.cli.editing import EDITOR, run_editor, tasks_for
from deadpan.cli.fewshot_option import DemosOption, checked_demos
from deadpan.cli.judging import (
    JudgeEpochsOption,
    JudgeOption,
    Judging,
    SelfJudgeOption,
    check_judge,
    judge_endpoint,
    judged,
    tell_unjudged,
)
from deadpan.cli.printing import (
    DataOption,
    GroupsOption,
    JsonOption,
    PricesOption,
    hush,
    print_coverage,
    print_scores,
    print_usage,
    say,
    write_json,
)
from deadpan.cli.progress import asking_progress
from deadpan.cli.run_problems import (
    has_failures,
    say_what_failed,
    say_what_is_odd,
    say_what_was_cut,
)
from deadpan.cli.scoring import GateOption, MetricModelOption, check_table, scoring_options
from deadpan.cli.selecting import (
    MAJORITY,
    Chosen,
    shows_videos,
    with_examples,
    with_reference,
    without_missing,
)
from deadpan.cli.typed import refuse, typed
from deadpan.core.questions import Showing
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.usage import Prices, read_prices
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES
from deadpan.pipeline.results import results_of_runs, write_results

if TYPE_CHECKING:
    from deadpan.engine.task_questions import RunSettings

_OF_VIDEOS = ("frames", "longest_side", "transcriber")
_OF_SAMPLING = (
    *("temperature", "top_p", "max_tokens", "seed", "reasoning_effort", "reasoning_tokens"),
    *("model_arg", "extra_body", "again", "any_server"),
)
_OF_QUESTIONS = ("epochs", "prompts", "variant", *_OF_VIDEOS, "demos", *_OF_SAMPLING)
"""What an editor, which is asked nothing, has no use for."""


class Variant(StrEnum):
    """How items are shown: videos as frames, or whole where Inspect's provider passes them on; or
    nothing but text, without pictures and videos."""

    FRAMES = "frames"
    NATIVE_VIDEO = "native-video"
    TEXT_ONLY = "text-only"


def run(
    context: typer.Context,
    selection: Annotated[
        list[str], typer.Argument(metavar="BENCHMARK[/TASK,…]", help="What to ask.")
    ],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="An Inspect model name, baseline/NAME, local/FOLDER (a model or adapter on this "
            "machine), or editor/NAME, which edits pictures; `deadpan list` names them.",
        ),
    ],
    judge: JudgeOption = None,
    data: DataOption = None,
    limit: LimitOption = None,
    epochs: Annotated[int, typer.Option(min=1, help="Ask each question K times.")] = 1,
    prompts: PromptsOption = None,
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
    temperature: TemperatureOption = None,
    top_p: TopPOption = None,
    max_tokens: MaxTokensOption = None,
    seed: SamplingSeedOption = None,
    reasoning_effort: EffortOption = None,
    reasoning_tokens: ReasoningTokensOption = None,
    model_arg: ModelArgsOption = None,
    extra_body: ExtraBodyOption = None,
    store: StoreOption = STORE,
    again: AgainOption = "",
    any_server: AnyServerOption = False,
    max_connections: ConnectionsOption = 10,
    max_retries: RetriesOption = MAX_RETRIES,
    timeout: TimeoutOption = ATTEMPT_SECONDS,
    give_up: GiveUpOption = GIVE_UP_SECONDS,
    gate: GateOption = None,
    metric_model: MetricModelOption = None,
    groups: GroupsOption = False,
    prices: PricesOption = None,
    table: Annotated[
        Path | None, typer.Option(help="Also write the results table (.parquet or .jsonl).")
    ] = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
    logs: GoneLogsOption = None,
    fresh: GoneFreshOption = False,
) -> None:
    """Ask a model a benchmark's questions; the same command again continues where it stopped.

    Ends with 0 where everything was answered, 1 where failed questions remain, 2 for a command
    that cannot be run, 130 after Ctrl-C.
    """
    from deadpan.engine.calls import CallOptions
    from deadpan.engine.run import require_model
    from deadpan.engine.task_questions import RunSettings

    hush(quiet)
    sampling = sampling_of(
        temperature,
        top_p,
        max_tokens,
        seed,
        reasoning_effort,
        reasoning_tokens,
        model_arg,
        extra_body,
    )
    if not model.startswith(EDITOR):
        require_model(model, sampling)
    chosen = _chosen(model, selection, data, prompts, checked_demos(demos))
    _refuse_useless(context, chosen, model, variant, data, prompts)
    tell_unjudged(context, ((name, task) for name in chosen for task in chosen[name]), judge)
    options = scoring_options(chosen, gate, metric_model)
    check_table(table)
    check_judge(chosen, model, judge, self_judge)
    known = read_prices(prices)
    settings = RunSettings(
        store=store,
        data=data,
        prompts=prompts,
        limit=limit,
        epochs=epochs,
        calls=CallOptions(max_connections, max_retries, timeout, give_up, any_server),
        showing=_showing(variant, frames, longest_side, transcriber),
        demos=demos,
        sampling=sampling,
        again=again,
    )
    judging = Judging(judge, settings, judge_epochs, self_judge) if judge else None
    tables = _answered(chosen, model, settings, judging, options, known)
    scores = {name: find(name).score(results, options) for name, results in tables.items()}
    if table is not None:
        write_results(pl.concat(tables.values(), how="diagonal_relaxed"), table)
    write_json(json, scores)
    for name, results in tables.items():
        print_scores(scores[name], groups, find(name).metric)
        print_coverage(results)
        say_what_failed(results)
        say_what_was_cut(results)
        say_what_is_odd(results)
        print_usage(results, known)
    say(f"answers: {store} (deadpan report {store})")
    if any(has_failures(results) for results in tables.values()):
        raise typer.Exit(1)


def _chosen(
    model: str,
    selection: Sequence[str],
    data: Path | None,
    prompts: Path | None,
    demos: str | None,
) -> Chosen:
    """The tasks to ask: those named, less what this model or these demonstrations cannot do."""
    chosen: Chosen = tasks_for(model, selection)
    if demos is not None and not model.startswith(EDITOR):
        chosen = with_examples(chosen, selection, data, prompts)
    chosen = without_missing(chosen, selection, data)
    return with_reference(chosen, data, prompts) if model == MAJORITY else chosen


def _refuse_useless(
    context: typer.Context,
    chosen: Chosen,
    model: str,
    variant: Variant,
    data: Path | None,
    prompts: Path | None,
) -> None:
    """Raises for options that would do nothing with what is asked."""
    if model.startswith(EDITOR):
        refuse(context, f"with an editor ({model})", _OF_QUESTIONS)
    if variant is Variant.TEXT_ONLY:
        refuse(context, "with --variant text-only", _OF_VIDEOS)
    useless = {*_OF_VIDEOS, *(["variant"] if variant is Variant.NATIVE_VIDEO else [])}
    if useless & typed(context).keys() and not shows_videos(chosen, data, prompts):
        refuse(context, "where no video is shown", useless)


def _showing(variant: Variant, frames: int, longest: int, transcriber: str | None) -> Showing:
    return Showing(
        frames=frames,
        longest=longest,
        native=variant is Variant.NATIVE_VIDEO,
        text_only=variant is Variant.TEXT_ONLY,
        transcriber=transcriber,
    )


def _answered(
    chosen: Chosen,
    model: str,
    settings: RunSettings,
    judging: Judging | None,
    options: ScoringOptions,
    prices: Prices,
) -> dict[str, pl.DataFrame]:
    """The results of each benchmark, judged where somebody judges. What an editor makes is no text:
    its results go into a table in its folder."""
    from deadpan.engine.run import run as run_tasks

    if model.startswith(EDITOR):
        return {
            name: run_editor(name, tasks, model, settings, judging, options, prices)
            for name, tasks in chosen.items()
        }
    with asking_progress(model, prices) as events:
        manifests = run_tasks(chosen, model, settings, events, judge_endpoint(chosen, judging))
    results = results_of_runs(manifests)
    if judging is not None:
        results = judged(results, judging, options, prices)
    return {str(name): rows for (name,), rows in results.group_by("benchmark", maintain_order=True)}
