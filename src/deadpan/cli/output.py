"""Where a command's words go: notes to the standard output, problems to stderr."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from deadpan.base.files import write_text
from deadpan.base.printable import visible

_WIDE = 160
console = Console(width=None if sys.stdout.isatty() else _WIDE)
errors = Console(stderr=True, soft_wrap=True)


def _to_stderr(context: typer.Context, path: Path | None) -> Path | None:
    """`--json -` has the standard output to itself: everything else of the command goes to
    stderr."""
    if path == STANDARD_OUTPUT:
        console.stderr = True
        context.call_on_close(partial(setattr, console, "stderr", False))
    return path


STANDARD_OUTPUT = Path("-")
JsonOption = Annotated[
    Path | None,
    typer.Option(
        "--json", callback=_to_stderr, help="Also write the scores as JSON; - is standard output."
    ),
]


def warn(text: str) -> None:
    """Prints what is wrong on stderr, with `--quiet` too."""
    errors.print(visible(text), style="yellow", markup=False, highlight=False)


def hush(quiet: bool) -> None:
    """Leaves out notes and progress where `--quiet` says so; scores and errors are printed."""
    _quiet[0] = quiet


def reset_output() -> None:
    """As a command begins: everything is said."""
    hush(False)
    _stop_told[0] = False


def is_quiet() -> bool:
    """Whether `--quiet` was given."""
    return _quiet[0]


_quiet = [False]
_stop_told = [False]


def tell_of_stop(text: str) -> None:
    """Says once what is true after Ctrl-C."""
    _stop_told[0] = True
    errors.print(text, style="yellow", markup=False, highlight=False)


def was_told_of_stop() -> bool:
    """Whether that was said."""
    return _stop_told[0]


def say(text: str, style: str | None = None) -> None:
    """Prints a line as it is: no markup, no wrapping, control characters spelled out."""
    if is_quiet():
        return
    console.print(visible(text), style=style, markup=False, highlight=False, soft_wrap=True)


def write_text_to(path: Path, text: str) -> None:
    """Writes a file, or to the standard output where the path is `-`."""
    if path == STANDARD_OUTPUT:
        sys.stdout.write(f"{text}\n")
    else:
        write_text(path, text)
