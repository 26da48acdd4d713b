"""The `deadpan` command: one thin file per command, imported when it is called."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import threading
import tomllib
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from deadpan.base.errors import DeadpanError, meant
from deadpan.base.garbage import no_collection
from deadpan.base.printable import visible
from deadpan.base.version import __version__
from deadpan.cli import completing, streams

WRONG_INPUT = 2
BUG = 70
"""EX_SOFTWARE of sysexits.h."""
INTERRUPTED, TERMINATED = 130, 143
"""What Typer makes of Ctrl-C."""
DEBUG = "DEADPAN_DEBUG"
"""The variable that, when set, lets an unexpected error through with its trace."""
WORDS = tomllib.loads((Path(__file__).parent / "help.toml").read_text("utf-8"))
"""What the help says of commands, in its order, and of their options and arguments."""
COMMANDS: Mapping[str, str] = WORDS["commands"]
_PLACES = {
    **{name: f"people:{name}" for name in ("agreement", "ratings", "choices", "irc")},
    **{
        name: f"{name}:app"
        for name in (
            "audit",
            "curate",
            "data",
            "export",
            "failures",
            "fewshot",
            "finetune",
            "resources",
            "study",
        )
    },
    **{"list": "listing:list_benchmarks", "runs": "listing:runs"},
}
"""Where commands are that are no function of their name in a module of their name."""
GONE = {"demos": "fewshot"}
"""Commands that are called otherwise now."""


class Commands(TyperGroup):
    """The commands by name; only the one that is called is imported."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """What the help lists."""
        known = cmd_name in COMMANDS
        return TyperCommand(name=cmd_name, help=COMMANDS[cmd_name]) if known else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name in GONE:
            ctx.fail(f"`deadpan {name}` is `deadpan {GONE[name]}` now")
        if name not in COMMANDS:
            ctx.fail(f"no such command: {name}{meant(name, COMMANDS)}")
        return name, load_command(name), args[1:]

    def get_params(self, ctx: Any) -> list[Any]:
        return untyped_flags(super().get_params(ctx))


def untyped_flags(parameters: list[Any]) -> list[Any]:
    """The parameters of a command, where the help shows no type of those that take no value."""
    for one in parameters:
        if getattr(one, "is_flag", False):
            one.metavar = ""
    return parameters


def load_command(name: str) -> Any:
    """The command of that name, with all its options and what is said of them."""
    module, _, place = _PLACES.get(name, f"{name}:{name}").partition(":")
    with no_collection():
        own = getattr(import_module(f"deadpan.cli.{module}"), place)
    if not isinstance(own, typer.Typer):
        function, own = own, typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        own.command(name)(function)
    command: Any = typer.main.get_command(own)
    command.name, command.help = name, command.help or COMMANDS[name]
    below = getattr(command, "commands", {})
    for path, one in {name: command, **{f"{name} {sub}": below[sub] for sub in below}}.items():
        one.help = _BREAK.sub(" ", one.help or "")  # help breaks lines where the terminal ends
        said = WORDS["shared"] | WORDS.get(path, {})
        for parameter in untyped_flags(one.get_params(typer.Context(one))):
            if parameter.name in said and not parameter.help:
                text = said[parameter.name]
                *placeholder, parameter.help = [text] if isinstance(text, str) else text
                parameter.metavar = placeholder[0] if placeholder else parameter.metavar
    return command


_BREAK = re.compile(r"(?<!\n)\n(?!\s|- )")
"""A line's end within a paragraph, and not one before an entry of a list."""


app = typer.Typer(
    name="deadpan",
    cls=Commands,
    help="Does a multimodal model get it? Humour, sarcasm, self-mockery and subtext.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _about(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version."),
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit
    if context.invoked_subcommand == "doctor":
        return  # which works where packages of the core are broken
    from deadpan.cli.output import state

    state.quiet = state.stop_was_said = False


def main() -> None:
    """Runs a command; an error is printed without a trace, unless DEADPAN_DEBUG is set and it is
    none that the user can act on.

    Ends with 0 where all is done, 1 where something failed and remains, 2 for a command that cannot
    be run, 70 for a bug, 130 after Ctrl-C, 143 where it was told to end (SIGTERM).
    """
    streams.open_streams()
    if completing.VARIABLE in os.environ:
        told = completing.answer(os.environ[completing.VARIABLE], WORDS)
        if told is not None:
            typer.echo(told)
            return
    _listen_to_logs()
    told_to_end: list[int] = []
    with _ending_as_by_ctrl_c(told_to_end):
        try:
            streams.require_text(sys.argv[1:])
            app(prog_name="deadpan")
        except SystemExit as left:
            if left.code == INTERRUPTED:
                from deadpan.cli.output import say_stopped

                say_stopped()
                if told_to_end:
                    left.code = TERMINATED
            raise
        except Exception as error:
            _end_with(error)


@contextmanager
def _ending_as_by_ctrl_c(came: list[int]) -> Iterator[None]:
    """SIGTERM, by which a cluster takes its machine back, stops a command as Ctrl-C does."""

    def stop(number: int, frame: object) -> None:
        came.append(number)
        if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):  # as in the background
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end_with(error: Exception) -> NoReturn:
    """Prints an error as one line and leaves: what the user can mend with status 2; anything else
    is a bug, and said to be one, with status 70: of Deadpan, or of a benchmark from outside."""
    if os.environ.get(DEBUG) and not isinstance(error, DeadpanError):
        raise error
    try:
        from deadpan.cli.output import warn
        from deadpan.cli.study_files import in_studies
    except Exception as broken:  # a package that every command needs
        typer.echo(visible(_broken_package(broken)), err=True)
        sys.exit(WRONG_INPUT)

    if isinstance(error, DeadpanError):
        line, status = f"error: {in_studies(str(error))}", error.exit_code
    elif isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        line, status = f"error: {where}{error.strerror}", WRONG_INPUT
    elif _lacks_package(error):
        line, status = _broken_package(error), WRONG_INPUT
    else:
        line, status = _bug(error), BUG
    warn(line, "red")
    sys.exit(status)


def _lacks_package(error: Exception) -> bool:
    """Whether a package of others could not be imported, and not for a benchmark from outside."""
    from deadpan.benchmarks import place_outside

    is_of_others = isinstance(error, ImportError) and not (error.name or "").startswith("deadpan")
    return is_of_others and place_outside(error) is None


def _broken_package(error: Exception) -> str:
    said = f"{type(error).__name__}: {error}"
    return f"error: a package is missing or broken ({said}). `deadpan doctor` says how to mend it."


def _bug(error: Exception) -> str:
    from deadpan.benchmarks import place_outside, reason

    if outside := place_outside(error):
        return f"error in benchmark {outside}: {reason(error)} ({DEBUG}=1 shows its trace)"
    return (
        f"internal error: {reason(error)} ({_place(error)}). This is a bug in Deadpan "
        f"{__version__}, not in what you did: please report it to its authors, with the command "
        f"and what it prints when {DEBUG}=1 is set."
    )


def _place(error: Exception) -> str:
    """The last line of ours that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if Path(one.filename).is_relative_to(Path(__file__).parents[1])]
    last = (ours or frames)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


class _Warnings(logging.Handler):
    """Prints what is logged as a line on stderr, control characters spelled out."""

    def emit(self, record: logging.LogRecord) -> None:
        from deadpan.cli.output import state, warn

        if not state.quiet or record.levelno >= logging.ERROR:
            warn(f"{record.levelname.lower()}: {record.getMessage()}")


def _listen_to_logs() -> None:
    """Our own warnings are printed; those of libraries about single calls stand in the answers."""
    ours = logging.getLogger("deadpan")
    ours.handlers[:] = [_Warnings()]
    ours.propagate = False
    for name in ("inspect_ai", "httpx", "httpx2", "openai", "anthropic"):
        logging.getLogger(name).setLevel(logging.ERROR)
