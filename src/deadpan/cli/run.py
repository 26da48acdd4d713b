"""`deadpan run`: ask a model, resume what was begun, print the scores."""

from __future__ import annotations

import json as json_
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli.flags import (
    CallFlags,
    DataOption,
    FewshotOption,
    GoneDemosOption,
    GroupsOption,
    JudgeFlags,
    LimitOption,
    PricesOption,
    PromptsOption,
    QuietOption,
    ScoreFlags,
    TableOption,
    answers_option,
    gone,
    grouped,
    refuse,
    typed_options,
)
from deadpan.cli.output import (
    JsonOption,
    hush,
    print_coverage,
    print_scores,
    print_usage,
    reporter,
    say,
    say_failed,
    say_odd,
    write_json,
)
from deadpan.core.questions import Showing
from deadpan.core.usage import read_prices
from deadpan.editing.answering import choose_answerer, is_editor
from deadpan.engine.requests import Sampling
from deadpan.engine.run import Chosen
from deadpan.pipeline.evaluating import Evaluation, check_table, scoring_options, shows_videos

_sampling = partial(typer.Option, rich_help_panel="Sampling")
_SENT = ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort", "reasoning_tokens")
"""Options that providers are sent as they are."""
_OF_VIDEOS = ("frames", "longest_side", "transcriber")
_OF_QUESTIONS = (
    *("epochs", "prompts", "variant", *_OF_VIDEOS, "fewshot", *_SENT),
    *("model_arg", "extra_body", "again", "any_server"),
)
"""What an editor, which is asked nothing, has no use for."""


@dataclass(frozen=True)
class SamplingFlags:
    """How a model answers."""

    temperature: Annotated[float | None, _sampling(min=0.0, help="In place of the paper's.")] = None
    top_p: Annotated[float | None, _sampling(min=0.0, max=1.0, help="In place of the paper's.")] = (
        None
    )
    max_tokens: Annotated[
        int | None,
        _sampling(
            min=1,
            help="How long a reply may be, reasoning included; by default what the answer needs "
            "and 8,192 for reasoning.",
        ),
    ] = None
    seed: Annotated[int | None, _sampling(help="Sent to providers that take one.")] = None
    reasoning_effort: Annotated[
        str | None,
        _sampling(help="none, minimal, low, medium, high, xhigh or max; if it reasons."),
    ] = None
    reasoning_tokens: Annotated[
        int | None, _sampling(min=1, help="Tokens for reasoning, where that can be set.")
    ] = None
    model_arg: Annotated[
        list[str] | None,
        _sampling(
            "-M", metavar="KEY=VALUE", help="An argument for Inspect's provider (repeatable)."
        ),
    ] = None
    extra_body: Annotated[
        str | None, _sampling(metavar="JSON", help="Fields added to each request's body.")
    ] = None
    again: Annotated[
        str,
        answers_option(
            metavar="LABEL",
            help="Ask everything anew under this label; the label is in the signature.",
        ),
    ] = ""
    fresh: Annotated[
        bool, gone("--fresh", "--again LABEL asks anew and keeps both answers apart")
    ] = False

    @property
    def sampling(self) -> Sampling:
        """The settings that were typed; what cannot be read raises."""
        given = {name: value for name, value in asdict(self).items() if name in _SENT}
        given["extra_body"] = _json_object(self.extra_body) if self.extra_body else {}
        given["model_args"] = dict(map(_argument, self.model_arg or ()))
        try:
            return Sampling.model_validate(given)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            option = "--" + str(problem["loc"][0]).replace("_", "-")
            raise DeadpanError(f"{option}: {problem['msg']}; got {problem['input']!r}") from None


def _argument(text: str) -> tuple[str, Any]:
    """KEY=VALUE; the value as JSON where it is some, else as it stands."""
    name, found, value = text.partition("=")
    if not found or not name:
        raise DeadpanError(f"-M {text}: expected KEY=VALUE")
    try:
        return name, json_.loads(value)
    except (ValueError, RecursionError):
        return name, value


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json_.loads(text)
    except (ValueError, RecursionError) as error:
        raise DeadpanError(f"--extra-body: is not JSON ({error}); expected an object") from None
    if not isinstance(value, dict):
        raise DeadpanError(f"--extra-body: got a {type(value).__name__}; expected an object")
    return value


class Variant(StrEnum):
    """How items are shown: videos as frames, or whole where Inspect's provider passes them on; or
    nothing but text, without pictures and videos."""

    FRAMES = "frames"
    NATIVE_VIDEO = "native-video"
    TEXT_ONLY = "text-only"


@dataclass(frozen=True)
class MediaFlags:
    """How pictures and videos are shown."""

    variant: Annotated[
        Variant, typer.Option(help="How videos are shown; text-only leaves out all pictures.")
    ] = Variant.FRAMES
    frames: Annotated[int, typer.Option(min=1, max=256, help="Frames shown of a video.")] = 8
    longest_side: Annotated[
        int, typer.Option(min=64, max=4096, help="Longest side of a frame, in pixels.")
    ] = 768
    transcriber: Annotated[
        str | None,
        typer.Option(help="faster-whisper model or folder, for videos without a transcript."),
    ] = None

    @property
    def showing(self) -> Showing:
        """The same as the engine takes it."""
        return Showing(
            frames=self.frames,
            longest=self.longest_side,
            native=self.variant is Variant.NATIVE_VIDEO,
            text_only=self.variant is Variant.TEXT_ONLY,
            transcriber=self.transcriber,
        )


@grouped
def run(
    context: typer.Context,
    selection: Annotated[
        list[str], typer.Argument(metavar="BENCHMARK[/TASK,…]", help="What to ask.")
    ],
    model: Annotated[
        str,
        typer.Option(
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
    table: TableOption = None,
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
    judging.check_use(context, ((name, task) for name in chosen for task in chosen[name]))
    options = scoring_options(chosen, scoring.gate, scoring.metric_model)
    check_table(table)
    known = read_prices(prices)
    judge = judging.judging(settings)
    evaluation = Evaluation(chosen, model, settings, judge, options, known, answerer)
    evaluation.check()
    results = evaluation.run(reporter())
    if table is not None:
        results.write(table)
    write_json(json, results.by_benchmark)
    failed = False
    for name, rows in results.tables.items():
        print_scores(results.by_benchmark[name], groups, find(name).metric)
        print_coverage(rows)
        failed |= say_failed(rows)
        say_odd(rows)
        print_usage(rows, known)
    say(f"answers: {calls.store} (deadpan report {calls.store})")
    if failed:
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
    if useless & typed_options(context).keys() and not shows_videos(chosen, data, prompts):
        refuse(context, "where no video is shown", useless)
