"""`deadpan run`: ask a model, resume what was begun, print the scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deadpan.benchmarks import find
from deadpan.cli.fewshot_option import FewshotOption, GoneDemosOption
from deadpan.cli.flags import (
    CallFlags,
    DataOption,
    JudgeFlags,
    LimitOption,
    MediaFlags,
    PromptsOption,
    QuietOption,
    SamplingFlags,
    Variant,
)
from deadpan.cli.grouping import grouped
from deadpan.cli.judging import tell_unjudged
from deadpan.cli.output import JsonOption, hush, say
from deadpan.cli.printing import (
    GroupsOption,
    PricesOption,
    print_coverage,
    print_scores,
    print_usage,
    reporter,
    write_json,
)
from deadpan.cli.run_problems import (
    has_failures,
    say_what_failed,
    say_what_is_odd,
    say_what_was_cut,
)
from deadpan.cli.score_flags import ScoreFlags
from deadpan.cli.typed import refuse, typed
from deadpan.core.usage import read_prices
from deadpan.editing.answering import choose_answerer, is_editor
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.options import check_table, scoring_options
from deadpan.pipeline.selecting import Chosen, shows_videos

_OF_VIDEOS = ("frames", "longest_side", "transcriber")
_OF_SAMPLING = (
    *("temperature", "top_p", "max_tokens", "seed", "reasoning_effort", "reasoning_tokens"),
    *("model_arg", "extra_body", "again", "any_server"),
)
_OF_QUESTIONS = ("epochs", "prompts", "variant", *_OF_VIDEOS, "fewshot", *_OF_SAMPLING)
"""What an editor, which is asked nothing, has no use for."""


@grouped
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
    judging: JudgeFlags,
    media: MediaFlags,
    sampling: SamplingFlags,
    calls: CallFlags,
    scoring: ScoreFlags,
    data: DataOption = None,
    limit: LimitOption = None,
    epochs: Annotated[int, typer.Option(min=1, help="Ask each question K times.")] = 1,
    prompts: PromptsOption = None,
    fewshot: FewshotOption = None,
    demos: GoneDemosOption = None,
    groups: GroupsOption = False,
    prices: PricesOption = None,
    table: Annotated[
        Path | None, typer.Option(help="Also write the results table (.parquet or .jsonl).")
    ] = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> None:
    """Ask a model a benchmark's questions; the same command again continues where it stopped.

    Ends with 0 where everything was answered, 1 where failed questions remain, 2 for a command
    that cannot be run, 130 after Ctrl-C.
    """
    hush(quiet)
    settings = calls.settings(
        data=data,
        prompts=prompts,
        limit=limit,
        epochs=epochs,
        showing=media.showing,
        fewshot=fewshot,
        sampling=sampling.sampling,
        again=sampling.again,
    )
    chosen, answerer = choose_answerer(selection, model, settings, reporter())
    _refuse_useless(context, chosen, model, media.variant, data, prompts)
    tasks = ((name, task) for name in chosen for task in chosen[name])
    tell_unjudged(context, tasks, judging.judge)
    options = scoring_options(chosen, scoring.gate, scoring.metric_model)
    check_table(table)
    known = read_prices(prices)
    judge = judging.judging(settings)
    evaluation = Evaluation(chosen, model, settings, judge, options, known, answerer)
    evaluation.check()
    results = evaluation.run(reporter())
    scores = results.by_benchmark
    if table is not None:
        results.write(table)
    write_json(json, scores)
    for name, rows in results.tables.items():
        print_scores(scores[name], groups, find(name).metric)
        print_coverage(rows)
        say_what_failed(rows)
        say_what_was_cut(rows)
        say_what_is_odd(rows)
        print_usage(rows, known)
    say(f"answers: {calls.store} (deadpan report {calls.store})")
    if has_failures(results.table):
        raise typer.Exit(1)


def _refuse_useless(
    context: typer.Context,
    chosen: Chosen,
    model: str,
    variant: Variant,
    data: Path | None,
    prompts: Path | None,
) -> None:
    """Raises for options that would do nothing with what is asked."""
    if is_editor(model):
        refuse(context, f"with an editor ({model})", _OF_QUESTIONS)
    if variant is Variant.TEXT_ONLY:
        refuse(context, "with --variant text-only", _OF_VIDEOS)
    useless = {*_OF_VIDEOS, *(["variant"] if variant is Variant.NATIVE_VIDEO else [])}
    if useless & typed(context).keys() and not shows_videos(chosen, data, prompts):
        refuse(context, "where no video is shown", useless)
