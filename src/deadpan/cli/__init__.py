"""The `deadpan` command: one thin file per command, imported when it is called."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from deadpan.base.version import __version__

INTERRUPTED = 130
"""What Typer makes of Ctrl-C."""
COMMANDS = {
    "demo": "Run every benchmark's mini-set with the embedded baselines and write a report.",
    "list": "Benchmarks, tasks, versions, languages, and the data and extras present or missing.",
    "run": "Ask a model a benchmark's questions; the same command again continues where it "
    "stopped.",
    "score": "Score answers, edited pictures or judgements, or a store anew, without asking the "
    "model.",
    "runs": "List the runs of answer stores: `deadpan report FILE` takes any of them by itself.",
    "report": "Write a report of results, with published scores beside them.",
    "reappraise": "Turn memes from a bitter feeling to a kind one: OUT/edited, OUT/side_by_side, "
    "OUT/plans.",
    "generate": "Draw sarcastic pictures from gold: OUT/images, OUT/records and a sheet for people "
    "to rate.",
    "agreement": "Agreement per question (exact, overlap, Krippendorff's alpha), and gold from the "
    "votes.",
    "ratings": "Agreement per metric, and the mean rating (1 to 100) of each model and language.",
    "irc": "How IRC and its parts move under paraphrases, and under contradictions, of one side.",
    "data": "Media and annotations: get, verify, describe, anonymise.",
    "export": "Answers in the forms of other tools.",
    "failures": "Why models fail: people label a sample, a model the rest, people audit it.",
    "fewshot": "Which worked examples a prompt shows: train, try, compare.",
    "finetune": "LoRA: `deadpan finetune BENCHMARK --base MODEL --out ADAPTER` trains an adapter, "
    "`deadpan run BENCHMARK --model local/ADAPTER` asks the model that it makes.",
    "resources": "Lexicons and models: list, get.",
}
"""What each command does, in the order of the help."""
_FUNCTIONS = {"list": ("listing", "list_benchmarks")}
"""Commands whose function is not called like them."""
GONE = {"demos": "fewshot"}
"""Commands that are called otherwise now."""


class Commands(TyperGroup):
    """The commands by name; only the one that is called is imported."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """What the help lists."""
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(name=cmd_name, help=COMMANDS[cmd_name])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name in GONE:
            ctx.fail(f"`deadpan {name}` is `deadpan {GONE[name]}` now")
        if name in COMMANDS:
            return name, load_command(name), args[1:]
        return super().resolve_command(ctx, args)


def load_command(name: str) -> Any:
    """The command of that name, with all its options."""
    module, function = _FUNCTIONS.get(name, (name, name))
    found = import_module(f"deadpan.cli.{module}")
    own = getattr(found, "app", None)
    if own is None:
        own = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        own.command(name)(getattr(found, function))
    command = typer.main.get_command(own)
    command.name = name
    return command


app = typer.Typer(
    name="deadpan",
    cls=Commands,
    help="Does a multimodal model get it? Humour, sarcasm, self-mockery and subtext.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _about(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    from deadpan.cli.output import reset_output

    reset_output()
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Runs a command; an error is printed without a trace, unless DEADPAN_DEBUG is set and it is
    none that the user can act on.

    Ends with 0 where all is done, 1 where something failed and remains, 2 for a command that cannot
    be run, 130 after Ctrl-C.
    """
    _listen_to_logs()
    try:
        app()
    except SystemExit as left:
        if left.code == INTERRUPTED:
            _say_stopped()
        raise
    except Exception as error:
        from deadpan.cli.ending import end_with

        end_with(error)


def _say_stopped() -> None:
    from deadpan.cli.output import errors, was_told_of_stop

    if not was_told_of_stop():
        errors.print("stopped", style="yellow")


class _Warnings(logging.Handler):
    """Prints what is logged as a line on stderr, control characters spelled out."""

    def emit(self, record: logging.LogRecord) -> None:
        from deadpan.base.printable import visible
        from deadpan.cli.output import errors, is_quiet

        if not is_quiet() or record.levelno >= logging.ERROR:
            text = visible(f"{record.levelname.lower()}: {record.getMessage()}")
            errors.print(text, style="yellow", markup=False, highlight=False)


def _listen_to_logs() -> None:
    """Our own warnings are printed; those of libraries about single calls stand in the answers."""
    ours = logging.getLogger("deadpan")
    ours.handlers[:] = [_Warnings()]
    ours.propagate = False
    for name in ("inspect_ai", "httpx", "httpx2", "openai", "anthropic"):
        logging.getLogger(name).setLevel(logging.ERROR)
