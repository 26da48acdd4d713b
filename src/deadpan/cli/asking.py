"""How models are asked, as options that several commands share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError

if TYPE_CHECKING:
    from deadpan.engine.requests import Sampling

STORE = Path("answers")


def _moved(name: str, instead: str) -> Any:
    """An option that is gone: whoever types it is told what took its place."""

    def tell(value: object) -> None:
        if value:
            raise typer.BadParameter(f"is gone; {instead}")

    return typer.Option(name, hidden=True, callback=tell)


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
GoneLogsOption = Annotated[str | None, _moved("--logs", "answers are kept in a store: --store DIR")]
GoneFreshOption = Annotated[
    bool, _moved("--fresh", "--again LABEL asks anew and keeps both answers apart")
]
AgainOption = Annotated[
    str,
    typer.Option(
        "--again",
        metavar="LABEL",
        rich_help_panel="Answers",
        help="Ask everything anew under this label; the label is in the signature.",
    ),
]
ConnectionsOption = Annotated[
    int,
    typer.Option(
        "--max-connections", min=1, rich_help_panel="Calls", help="Calls in flight at once."
    ),
]
RetriesOption = Annotated[
    int,
    typer.Option(
        "--max-retries", min=0, rich_help_panel="Calls", help="Times a failing call is tried again."
    ),
]
TimeoutOption = Annotated[
    int,
    typer.Option(
        "--timeout", min=1, rich_help_panel="Calls", help="Seconds one attempt at a call may take."
    ),
]
GiveUpOption = Annotated[
    int,
    typer.Option(
        "--give-up",
        min=0,
        metavar="SECONDS",
        rich_help_panel="Calls",
        help="Stop when nothing succeeded for so long; 0 never stops.",
    ),
]
AnyServerOption = Annotated[
    bool,
    typer.Option(
        "--any-server",
        rich_help_panel="Answers",
        help="Take answers that the same model gave behind another address.",
    ),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress, no notes: scores and errors only.")
]
TemperatureOption = Annotated[
    float | None,
    typer.Option(
        "--temperature", min=0.0, rich_help_panel="Sampling", help="In place of the paper's."
    ),
]
TopPOption = Annotated[
    float | None,
    typer.Option(
        "--top-p", min=0.0, max=1.0, rich_help_panel="Sampling", help="In place of the paper's."
    ),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        min=1,
        rich_help_panel="Sampling",
        help="How long a reply may be, reasoning included; by default what the answer needs and "
        "8,192 for reasoning.",
    ),
]
SamplingSeedOption = Annotated[
    int | None,
    typer.Option("--seed", rich_help_panel="Sampling", help="Sent to providers that take one."),
]
EffortOption = Annotated[
    str | None,
    typer.Option(
        "--reasoning-effort",
        rich_help_panel="Sampling",
        help="none, minimal, low, medium, high, xhigh or max; if it reasons.",
    ),
]
ReasoningTokensOption = Annotated[
    int | None,
    typer.Option(
        "--reasoning-tokens",
        min=1,
        rich_help_panel="Sampling",
        help="Tokens for reasoning, where that can be set.",
    ),
]
ModelArgsOption = Annotated[
    list[str] | None,
    typer.Option(
        "-M",
        metavar="KEY=VALUE",
        rich_help_panel="Sampling",
        help="An argument for Inspect's provider (repeatable).",
    ),
]
ExtraBodyOption = Annotated[
    str | None,
    typer.Option(
        "--extra-body",
        metavar="JSON",
        rich_help_panel="Sampling",
        help="Fields added to each request's body.",
    ),
]


def sampling_of(
    temperature: float | None = None,
    top_p: float | None = None,
    max_tokens: int | None = None,
    seed: int | None = None,
    effort: str | None = None,
    reasoning_tokens: int | None = None,
    model_args: Sequence[str] | None = None,
    extra_body: str | None = None,
) -> Sampling:
    """The settings that were typed; what cannot be read raises."""
    from pydantic import ValidationError

    from deadpan.engine.requests import Sampling

    try:
        return Sampling.model_validate(
            {
                "temperature": temperature,
                "top_p": top_p,
                "max_tokens": max_tokens,
                "seed": seed,
                "reasoning_effort": effort,
                "reasoning_tokens": reasoning_tokens,
                "extra_body": _json_object(extra_body, "--extra-body") if extra_body else {},
                "model_args": dict(_argument(one) for one in model_args or ()),
            }
        )
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        option = "--" + str(problem["loc"][0]).replace("_", "-")
        raise DeadpanError(f"{option}: {problem['msg']}; got {problem['input']!r}") from None


def _argument(text: str) -> tuple[str, JsonValue]:
    """KEY=VALUE; the value as JSON where it is some, else as it stands."""
    name, found, value = text.partition("=")
    if not found or not name:
        raise DeadpanError(f"-M {text}: expected KEY=VALUE")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def _json_object(text: str, option: str) -> dict[str, JsonValue]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DeadpanError(f"{option}: is not JSON ({error}); expected an object") from None
    if not isinstance(value, dict):
        raise DeadpanError(f"{option}: got a {type(value).__name__}; expected an object")
    return value
