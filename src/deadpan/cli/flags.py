"""Options that several commands share, in groups: a command takes a group as one parameter."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deadpan.base.errors import DeadpanError
from deadpan.cli.grouping import gone
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES

if TYPE_CHECKING:
    from deadpan.core.questions import Showing
    from deadpan.engine.calls import CallOptions
    from deadpan.engine.requests import Sampling
    from deadpan.engine.task_questions import RunSettings
    from deadpan.pipeline.judging import Judging

STORE = Path("answers")


DataOption = Annotated[
    Path | None,
    typer.Option("--data", help="Folder in the released layout; the mini-set when left out."),
]
PromptsOption = Annotated[
    Path | None, typer.Option("--prompts", help="Folder of prompts that replace ours.")
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", min=1, help="Ask the first N items only.")
]
StoreOption = Annotated[
    Path,
    typer.Option(
        "--store",
        envvar="DEADPAN_STORE",
        metavar="DIR",
        rich_help_panel="Answers",
        help="The answer store: every answer is kept there, and none is asked for twice.",
    ),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress, no notes: scores and errors only.")
]
GoneLogsOption = Annotated[str | None, gone("--logs", "answers are kept in a store: --store DIR")]
MetricModelOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric-model",
        metavar="METRIC[:LANGUAGE]=MODEL",
        help="What a metric measures with, by resource, folder or hub name (repeatable).",
    ),
]
SelfJudgeOption = Annotated[
    bool, typer.Option("--self-judge", help="Allow a model to grade its own answers.")
]


def _answers(*names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel="Answers", **more)


def _calls(*names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel="Calls", **more)


def _sampling(*names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel="Sampling", **more)


@dataclass(frozen=True)
class RetryFlags:
    """Where answers are kept, and how often and how long a call is tried."""

    store: StoreOption = STORE
    max_retries: Annotated[
        int, _calls("--max-retries", min=0, help="Times a failing call is tried again.")
    ] = MAX_RETRIES
    timeout: Annotated[
        int, _calls("--timeout", min=1, help="Seconds one attempt at a call may take.")
    ] = ATTEMPT_SECONDS
    give_up: Annotated[
        int,
        _calls(
            "--give-up",
            min=0,
            metavar="SECONDS",
            help="Stop when nothing succeeded for so long; 0 never stops.",
        ),
    ] = GIVE_UP_SECONDS

    def at_once(self, connections: int, any_server: bool = False) -> CallOptions:
        """How calls are made, so many at once."""
        from deadpan.engine.calls import CallOptions

        return CallOptions(connections, self.max_retries, self.timeout, self.give_up, any_server)


@dataclass(frozen=True)
class CallFlags(RetryFlags):
    """Where answers are kept, and how calls are made."""

    max_connections: Annotated[
        int, _calls("--max-connections", min=1, help="Calls in flight at once.")
    ] = 10
    any_server: Annotated[
        bool,
        _answers(
            "--any-server", help="Take answers that the same model gave behind another address."
        ),
    ] = False
    logs: GoneLogsOption = None

    def settings(self, **more: Any) -> RunSettings:
        """The settings of a run with this store and these calls."""
        from deadpan.engine.task_questions import RunSettings

        calls = self.at_once(self.max_connections, self.any_server)
        return RunSettings(store=self.store, calls=calls, **more)


@dataclass(frozen=True)
class SamplingFlags:
    """How a model answers."""

    temperature: Annotated[
        float | None, _sampling("--temperature", min=0.0, help="In place of the paper's.")
    ] = None
    top_p: Annotated[
        float | None, _sampling("--top-p", min=0.0, max=1.0, help="In place of the paper's.")
    ] = None
    max_tokens: Annotated[
        int | None,
        _sampling(
            "--max-tokens",
            min=1,
            help="How long a reply may be, reasoning included; by default what the answer needs "
            "and 8,192 for reasoning.",
        ),
    ] = None
    seed: Annotated[int | None, _sampling("--seed", help="Sent to providers that take one.")] = None
    reasoning_effort: Annotated[
        str | None,
        _sampling(
            "--reasoning-effort",
            help="none, minimal, low, medium, high, xhigh or max; if it reasons.",
        ),
    ] = None
    reasoning_tokens: Annotated[
        int | None,
        _sampling("--reasoning-tokens", min=1, help="Tokens for reasoning, where that can be set."),
    ] = None
    model_arg: Annotated[
        list[str] | None,
        _sampling(
            "-M", metavar="KEY=VALUE", help="An argument for Inspect's provider (repeatable)."
        ),
    ] = None
    extra_body: Annotated[
        str | None,
        _sampling("--extra-body", metavar="JSON", help="Fields added to each request's body."),
    ] = None
    again: Annotated[
        str,
        _answers(
            "--again",
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
        from pydantic import ValidationError

        from deadpan.engine.requests import Sampling

        named = ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort")
        given = {name: getattr(self, name) for name in (*named, "reasoning_tokens")}
        given["extra_body"] = _json_object(self.extra_body) if self.extra_body else {}
        given["model_args"] = dict(_argument(one) for one in self.model_arg or ())
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
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
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
        from deadpan.core.questions import Showing

        return Showing(
            frames=self.frames,
            longest=self.longest_side,
            native=self.variant is Variant.NATIVE_VIDEO,
            text_only=self.variant is Variant.TEXT_ONLY,
            transcriber=self.transcriber,
        )


def _judge_name(judge: str | None) -> str | None:
    """The judge's name; a folder's model that can see is asked by our own provider."""
    if judge is None or not judge.startswith("hf/"):
        return judge
    from deadpan.engine.local.provider import pictured

    return pictured(judge, shown=False)


@dataclass(frozen=True)
class JudgeFlags:
    """Who judges, and how often."""

    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            callback=_judge_name,
            help="The model that grades open answers (judge/lexical: no model).",
        ),
    ] = None
    judge_epochs: Annotated[
        int, typer.Option("--judge-epochs", min=1, help="Judge each answer K times.")
    ] = 1
    self_judge: SelfJudgeOption = False

    def judging(self, settings: RunSettings) -> Judging | None:
        """The judge, if one was named."""
        from deadpan.pipeline.judging import Judging

        if self.judge is None:
            return None
        return Judging(self.judge, settings, self.judge_epochs, self.self_judge)
