"""`deadpan run`: ask a model, resume what was begun, print the scores."""

from __future__ import annotations

import json as json_
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.campaigns.choosing import choose_all, tasks_of, with_folders
from deadpan.campaigns.running import run_all
from deadpan.campaigns.spending import budget_of, within
from deadpan.cli import flags, output
from deadpan.cli.json_output import JsonOption, write_json
from deadpan.cli.score_tables import print_scores
from deadpan.core.questions import MediaOptions
from deadpan.core.selection import exclusions
from deadpan.core.usage import read_prices
from deadpan.core.variants import Variant
from deadpan.editing.answering import is_editor
from deadpan.engine.requests import Sampling
from deadpan.engine.run import Chosen
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.evaluating import Evaluation, shows_videos
from deadpan.pipeline.scoring_choices import scoring_options
from deadpan.pipeline.stopping import Until
from deadpan.pipeline.table_files import check_table

_sampling = partial(typer.Option, rich_help_panel="Sampling")
_stopping = partial(typer.Option, rich_help_panel="Stopping")
_SENT = ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort", "reasoning_tokens")
"""Options that providers are sent as they are."""
_OF_VIDEOS = ("frames", "longest_side", "transcriber")
_OF_QUESTIONS = (
    *("epochs", "prompts", "paraphrase", "variant", "variant_seed", *_OF_VIDEOS, "fewshot", *_SENT),
    *("model_arg", "extra_body", "again", "any_server", "reader", "batch"),
)
"""What an editor, which is asked nothing, has no use for."""


@dataclass(frozen=True)
class SamplingFlags:
    """How a model answers."""

    temperature: Annotated[float | None, _sampling(min=0.0)] = None
    top_p: Annotated[float | None, _sampling(min=0.0, max=1.0)] = None
    max_tokens: Annotated[int | None, _sampling(min=1)] = None
    seed: Annotated[int | None, _sampling()] = None
    reasoning_effort: Annotated[str | None, _sampling()] = None
    reasoning_tokens: Annotated[int | None, _sampling(min=1)] = None
    model_arg: Annotated[list[str] | None, _sampling("-M")] = None
    extra_body: Annotated[str | None, _sampling()] = None
    again: Annotated[str, flags.answers_option()] = ""
    fresh: Annotated[
        bool, flags.gone("--fresh", "--again LABEL asks anew and keeps both answers apart")
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


class Showing(StrEnum):
    """How items are shown: videos as frames, or whole where Inspect's provider passes them on; or
    in a variant that leaves out or changes something."""

    FRAMES = "frames"
    NATIVE_VIDEO = "native-video"
    TEXT_ONLY = Variant.TEXT_ONLY
    BLANK = Variant.BLANK
    SWAPPED = Variant.SWAPPED
    PICTURE_ONLY = Variant.PICTURE_ONLY
    QUESTION_ONLY = Variant.QUESTION_ONLY
    SHUFFLED_OPTIONS = Variant.SHUFFLED_OPTIONS
    SHUFFLED_PANELS = Variant.SHUFFLED_PANELS

    @property
    def variant(self) -> Variant:
        """What is left out or changed; full where nothing is."""
        usual = self in (Showing.FRAMES, Showing.NATIVE_VIDEO)
        return Variant.FULL if usual else Variant(self.value)


@dataclass(frozen=True)
class MediaFlags:
    """How pictures and videos are shown."""

    variant: Showing = Showing.FRAMES
    variant_seed: Annotated[int, typer.Option(min=0)] = 0
    frames: Annotated[int, typer.Option(min=1, max=256)] = 8
    longest_side: Annotated[int, typer.Option(min=64, max=4096)] = 768
    transcriber: str | None = None

    @property
    def showing(self) -> MediaOptions:
        """The same as the engine takes it."""
        return MediaOptions(
            frames=self.frames,
            longest=self.longest_side,
            native=self.variant is Showing.NATIVE_VIDEO,
            variant=self.variant.variant,
            variant_seed=self.variant_seed,
            transcriber=self.transcriber,
        )


@dataclass(frozen=True)
class StopFlags:
    """When asking stops before all items are asked."""

    until: Annotated[float | None, _stopping()] = None
    metric: Annotated[str, _stopping()] = ""
    order_seed: Annotated[int, _stopping(min=0)] = 0

    @property
    def stop(self) -> Until | None:
        """The same as a run takes it."""
        return None if self.until is None else Until(self.until, self.metric, self.order_seed)


@flags.grouped
def run(
    context: typer.Context,
    selection: list[str],
    model: Annotated[list[str], typer.Option()],
    judging: flags.JudgeFlags,
    reading: flags.ReaderFlags,
    media: MediaFlags,
    sampling: SamplingFlags,
    calls: flags.BatchCallFlags,
    scoring: flags.ScoreFlags,
    stopping: StopFlags,
    part: flags.SampleFlags,
    data: Path | None = None,
    limit: flags.LimitOption = None,
    exclude: flags.ExcludeOption = None,
    epochs: Annotated[int, typer.Option(min=1)] = 1,
    prompts: Path | None = None,
    paraphrase: Annotated[int, typer.Option(min=0)] = 0,
    fewshot: flags.FewshotOption = None,
    demos: flags.GoneDemosOption = None,
    groups: flags.GroupsOption = False,
    prices: flags.PricesOption = None,
    max_cost: flags.MaxCostOption = None,
    table: Path | None = None,
    json: JsonOption = None,
    quiet: flags.QuietOption = False,
) -> None:
    """Ask models a benchmark's questions; the same command again continues where it stopped.

    Ends with 0 where everything was answered, 1 where failed questions remain or a model gave up, 2
    for a command that cannot be run, 130 after Ctrl-C.
    """
    output.state.quiet = quiet
    if stopping.stop is not None:
        flags.refuse(context, "with --until, which asks in random order", ("sample",))
    settings = calls.settings(
        data=data,
        prompts=prompts,
        paraphrase=paraphrase,
        limit=limit,
        sample=part.drawn(context, limit),
        exclude=exclusions(exclude or ()),
        epochs=epochs,
        showing=media.showing,
        fewshot=fewshot,
        sampling=sampling.sampling,
        again=sampling.again,
    )
    model = [settings.calls.model_name(one) for one in model]
    settings = with_folders(selection, settings)
    judge = judging.judging(settings)
    choices = choose_all(selection, model, settings, judge, output.reporter())
    chosen = tasks_of(choices)
    _refuse_useless(context, chosen, model, media.variant, settings)
    judging.check_use(context, ((name, task) for name in chosen for task in chosen[name]))
    options = scoring_options(
        chosen,
        scoring.gate,
        scoring.metric_model,
        lexicons=scoring.lexicon,
        reading=scoring.reading,
    )
    check_table(table)
    known = read_prices(prices)
    reader = reading.reading(settings, judging)
    evaluations = [
        Evaluation(one.chosen, one.model, settings, judge, options, known, one.answerer, reader)
        for one in choices
    ]
    if max_cost is not None:
        budget = budget_of(evaluations, max_cost, known)
        evaluations = [within(one, budget) for one in evaluations]
    asked = run_all(evaluations, output.reporter(), stopping.stop, texts=table is not None)
    results = asked.results
    if table is not None:
        results.write(table)
    write_json(json, results.by_benchmark)
    failed = bool(asked.gave_up)
    for name, rows in results.tables.items():
        print_scores(results.by_benchmark[name], groups, find(name).metric)
        output.print_coverage(rows)
        failed |= output.say_failed(rows)
        failed |= output.say_broken_reader(rows)
        output.say_invalid(rows)
        output.say_odd(rows)
        output.print_usage(rows, known)
    for line in asked.lines:
        output.say(line)
    for one, why in asked.gave_up.items():
        output.warn(f"{one} was given up: {why}", "red")
    output.say(f"answers: {calls.store} (deadpan report {calls.store})")
    if failed:
        raise typer.Exit(1)


def _refuse_useless(
    context: typer.Context,
    chosen: Chosen,
    models: Sequence[str],
    way: Showing,
    settings: RunSettings,
) -> None:
    """Raises for options that would do nothing with what is asked."""
    if all(is_editor(model) for model in models):
        flags.refuse(context, f"with an editor ({', '.join(models)})", _OF_QUESTIONS)
    if "until" not in flags.typed_options(context):
        flags.refuse(context, "without --until", ("metric", "order_seed"))
    if way.variant.hides_media:
        flags.refuse(context, f"with --variant {way}", _OF_VIDEOS)
    if way is Showing.PICTURE_ONLY:
        flags.refuse(context, f"with --variant {way}", ("transcriber",))
    if not way.variant.is_seeded:
        flags.refuse(context, f"with --variant {way}", ("variant_seed",))
    useless = {*_OF_VIDEOS, *(["variant"] if way is Showing.NATIVE_VIDEO else [])}
    if useless & flags.typed_options(context).keys() and not shows_videos(chosen, settings):
        flags.refuse(context, "where no video is shown", useless)
