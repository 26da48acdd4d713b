"""Options that several commands share, in groups: a command takes a group as one parameter."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import partial, wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from deadpan.base.errors import DeadpanError
from deadpan.cli.output import say
from deadpan.core.sampling import Sample
from deadpan.core.score import Draws
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES
from deadpan.engine.calls import CallOptions, EngineKind
from deadpan.engine.fewshot.specification import fewshot_of
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.replies import ReplyReading
from deadpan.pipeline.table import tasks_with_judge

if TYPE_CHECKING:
    from deadpan.engine.task_questions import RunSettings


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters may be groups of options: each field is an option of its own."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    spread: list[Parameter] = []
    for one in signature(command).parameters.values():
        if one.name not in groups:
            spread.append(_parameter(one.name, one.default, hints))
            continue
        types = get_type_hints(groups[one.name], include_extras=True)
        for option in fields(groups[one.name]):
            spread.append(_parameter(option.name, option.default, types))

    @wraps(command)
    def run(**given: Any) -> None:
        made = {
            name: group(**{one.name: given.pop(one.name) for one in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    run.__signature__ = signature(command).replace(parameters=spread)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in spread}
    return run


def _parameter(name: str, default: object, types: dict[str, Any]) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=types[name])


def gone(name: str, instead: str) -> Any:
    """An option that is gone: whoever types it is told what took its place."""

    def refuse_it(value: object) -> None:
        if value:
            raise typer.BadParameter(f"is gone; {instead}")

    return typer.Option(name, hidden=True, callback=refuse_it)


def typed_options(context: typer.Context) -> dict[str, str]:
    """How the options on the command line are spelled, by parameter; neither defaults nor what the
    environment says, which holds for other commands too."""
    found: dict[str, str] = {}
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.param_type_name == "option" and source and source.name == "COMMANDLINE":
            found[parameter.name or ""] = parameter.opts[0]
    return found


def pasted_command(
    context: typer.Context,
    name: str,
    *arguments: object,
    keep: Collection[str] = (),
    **more: object,
) -> str:
    """A command to paste: its arguments, the options that were typed and that it takes too (all of
    them where none is named), and `more`, which go before typed ones."""
    words = ["deadpan", *name.split(), *map(str, arguments)]
    for option, value in more.items():
        words += [f"--{option.replace('_', '-')}", str(value)]
    for parameter in context.command.params:
        own = parameter.name or ""
        if own in typed_options(context) and own not in more and (not keep or own in keep):
            words += _spelled(parameter, context.params[own])
    return shlex.join(words)


def _spelled(parameter: Any, value: Any) -> list[str]:
    """An option as it is typed; a flag has no value."""
    if isinstance(value, bool):
        spelled = parameter.opts if value else parameter.secondary_opts
        return list(spelled[:1])
    values = value if isinstance(value, list | tuple) else [value]
    found = []
    for one in values:
        found += [parameter.opts[0], str(one.value if isinstance(one, Enum) else one)]
    return found


def refuse(context: typer.Context, when: str, useless: Collection[str]) -> None:
    """Raises for parameters that were typed and are of no use `when` ("without --judge")."""
    if named := [option for name, option in typed_options(context).items() if name in useless]:
        it = "it" if len(named) == 1 else "them"
        raise DeadpanError(f"{', '.join(named)}: no use {when}; leave {it} out")


ASKING = (
    *("model", "data", "prompts", "store", "max_retries", "timeout", "give_up"),
    *("max_connections", "any_server", "prices"),
)
"""The parameters of whatever asks a model about data."""
answers_option = partial(typer.Option, rich_help_panel="Answers")
_calls = partial(typer.Option, rich_help_panel="Calls")
_results = partial(typer.Option, rich_help_panel="Which results")


def _checked_fewshot(text: str | None) -> str | None:
    """The option as given; one that cannot be read raises before anything is asked."""
    if text is not None:
        fewshot_of(text)
    return text


ExcludeOption = Annotated[list[str] | None, typer.Option()]
LimitOption = Annotated[int | None, typer.Option(min=1)]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q")]
SelfJudgeOption = Annotated[bool, typer.Option("--self-judge")]
PricesOption = Annotated[Path | None, typer.Option(envvar="DEADPAN_PRICES")]
MaxCostOption = Annotated[float | None, typer.Option(min=0.0)]
GroupsOption = Annotated[bool, typer.Option("--groups")]
MixOption = Annotated[bool, typer.Option("--mix")]
FewshotOption = Annotated[str | None, typer.Option(callback=_checked_fewshot)]
GoneDemosOption = Annotated[str | None, gone("--demos", "it is --fewshot now")]


@dataclass(frozen=True)
class SampleFlags:
    """Which random part of the items is asked."""

    sample: Annotated[int | None, typer.Option(min=1)] = None
    sample_seed: Annotated[int, typer.Option(min=0)] = 0

    def drawn(self, context: typer.Context, limit: int | None) -> Sample | None:
        """The same as a run takes it; with --limit, or a seed alone, raises."""
        if self.sample is None:
            refuse(context, "without --sample", ("sample_seed",))
            return None
        if limit is not None:
            raise DeadpanError("--limit takes the first items, --sample random ones: name one")
        return Sample(self.sample, self.sample_seed)


@dataclass(frozen=True)
class RetryFlags:
    """Where answers are kept, and how often and how long a call is tried."""

    store: Annotated[Path, answers_option(envvar="DEADPAN_STORE")] = Path("answers")
    max_retries: Annotated[int, _calls(min=0)] = MAX_RETRIES
    timeout: Annotated[int, _calls(min=1)] = ATTEMPT_SECONDS
    give_up: Annotated[int, _calls(min=0)] = GIVE_UP_SECONDS

    def at_once(self, connections: int, any_server: bool = False) -> CallOptions:
        """How calls are made, so many at once."""
        return CallOptions(connections, self.max_retries, self.timeout, self.give_up, any_server)


@dataclass(frozen=True)
class CallFlags(RetryFlags):
    """Where answers are kept, and how calls are made."""

    max_connections: Annotated[int, _calls(min=1)] = 10
    any_server: Annotated[bool, answers_option("--any-server")] = False
    engine: Annotated[EngineKind, _calls()] = "auto"
    ray_address: Annotated[str | None, _calls()] = None
    logs: Annotated[str | None, gone("--logs", "answers are kept in a store: --store DIR")] = None

    def settings(self, **more: Any) -> RunSettings:
        """The settings of a run with this store and these calls."""
        from deadpan.engine.task_questions import RunSettings

        if self.ray_address is not None and self.engine != "ray":
            raise DeadpanError("--ray-address: no use without --engine ray; leave it out")
        calls = replace(
            self.at_once(self.max_connections, self.any_server),
            engine=self.engine,
            ray_address=self.ray_address,
        )
        return RunSettings(store=self.store, calls=calls, **more)


@dataclass(frozen=True)
class BatchCallFlags(CallFlags):
    """Where answers are kept, and how calls are made, in batches too."""

    batch: Annotated[bool, _calls("--batch")] = False

    def settings(self, **more: Any) -> RunSettings:
        """The settings of a run with this store and these calls."""
        if self.batch and self.engine != "auto":
            raise DeadpanError(f"--batch: no use with --engine {self.engine}; leave it out")
        settings = super().settings(**more)
        return replace(settings, calls=replace(settings.calls, batch=self.batch))


def _judge_name(judge: str | None) -> str | None:
    """The judge's name; a folder's model that can see is asked by our own provider."""
    if judge is None or not judge.startswith("hf/"):
        return judge
    from deadpan.engine.local.provider import resolve_provider

    return resolve_provider(judge, shown=False)


@dataclass(frozen=True)
class JudgeFlags:
    """Who judges, and how often."""

    judge: Annotated[str | None, typer.Option(callback=_judge_name)] = None
    judge_epochs: Annotated[int, typer.Option(min=1)] = 1
    judge_sees: str = ""
    self_judge: SelfJudgeOption = False

    def judging(self, settings: RunSettings) -> Judging | None:
        """The judge, if one was named."""
        if self.judge is None:
            return None
        sees = tuple(one.strip() for one in self.judge_sees.split(",") if one.strip())
        judge = settings.calls.model_name(self.judge)
        return Judging(judge, settings, self.judge_epochs, self.self_judge, sees)

    def check_use(self, context: typer.Context, tasks: Iterable[tuple[Any, ...]]) -> None:
        """Where a judge grades none of the tasks: says that the one who was named has nothing to
        do, and raises for options that say how."""
        if not tasks_with_judge(tasks):
            refuse(context, "where nothing is judged", ("judge_epochs", "judge_sees", "self_judge"))
            if self.judge is not None:
                say(f"nothing here is judged: {self.judge} is not asked", "yellow")


@dataclass(frozen=True)
class ReaderFlags:
    """Who reads what the rules cannot."""

    reader: Annotated[str | None, typer.Option(callback=_judge_name)] = None

    def reading(self, settings: RunSettings, judging: JudgeFlags) -> ReplyReading | None:
        """The reader, if one was named."""
        if self.reader is None:
            return None
        reader = settings.calls.model_name(self.reader)
        return ReplyReading(reader, settings, judging.self_judge)


@dataclass(frozen=True)
class FilterFlags:
    """Which of the results of a store or table."""

    benchmark: Annotated[list[str] | None, _results()] = None
    task: Annotated[list[str] | None, _results()] = None
    latest: Annotated[bool, _results("--latest")] = False

    @property
    def wanted(self) -> Filter:
        """The same as reading takes it."""
        return Filter(tuple(self.benchmark or ()), tuple(self.task or ()), self.latest)


@dataclass(frozen=True)
class ScoreFlags:
    """How answers are scored."""

    gate: str | None = None
    metric_model: list[str] | None = None
    lexicon: list[str] | None = None
    reading: str | None = None


@dataclass(frozen=True)
class DrawFlags(ScoreFlags):
    """How answers are scored, and on which samples of the items, where a benchmark scores
    samples; the last three are what the options of samples were called before."""

    draw_seed: Annotated[int | None, typer.Option(min=0)] = None
    draws: Annotated[int | None, typer.Option(min=1)] = None
    draw_size: Annotated[int | None, typer.Option(min=1)] = None
    seed: Annotated[int | None, gone("--seed", "samples are drawn with --draw-seed")] = None
    runs: Annotated[int | None, gone("--runs", "how many samples are drawn is --draws")] = None
    sample: Annotated[int | None, gone("--sample", "the items of a sample are --draw-size")] = None

    @property
    def drawn(self) -> Draws:
        """The same as scoring takes it."""
        return Draws(self.draw_seed, self.draws, self.draw_size)
