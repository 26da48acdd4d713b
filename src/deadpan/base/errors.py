"""Errors a user can act on: where, what was found, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

_LONGEST_VALUE = 40


class DeadpanError(Exception):
    """An error whose message is meant for the user; the command line prints it without a trace and
    ends with `exit_code`."""

    exit_code = 2
    """2: a command that cannot be run so; 1: work that is not finished."""


class InputError(DeadpanError):
    """Something the user gave cannot be used."""

    def __init__(self, where: str | Path, what: str, fix: str) -> None:
        super().__init__(f"{where}: {what}{'' if what.endswith('?') else '.'} {fix}")
        self.where, self.what, self.fix = str(where), what, fix


class NotWritten(InputError):
    """A file cannot be written: the disk is full, or it is not allowed."""


class MissingExtra(DeadpanError):
    """A command needs an optional dependency that is not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f'{purpose} needs the [{extra}] extra: pip install "deadpan[{extra}]"')


class MixedSignatures(DeadpanError):
    """Results that were not produced in the same way were put into one table."""


class WrongReturn(TypeError):
    """A function of a benchmark gave something else than it has to: a bug of whoever wrote it."""

    def __init__(self, function: Callable[..., Any], came: str, expected: str) -> None:
        while isinstance(function, partial):
            function = function.func
        self.function = function
        name = getattr(function, "__qualname__", type(function).__qualname__)
        super().__init__(f"{name} gave {came}; expected {expected}")


def told_value(value: object) -> str:
    """A value in few letters, with its type."""
    text = repr(value)
    short = text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."
    return short if value is None else f"{short} ({type(value).__name__})"


def meant(given: str, known: Iterable[str]) -> str:
    """`; did you mean NAME?` where a known name begins with the one given or is close to it, in
    whatever case, else nothing."""
    names, wanted = {name.casefold(): name for name in known}, given.casefold()
    begun = [name for name in names if wanted and name.startswith(wanted)]
    close = begun or get_close_matches(wanted, names, 1)
    return f"; did you mean {names[close[0]]}?" if close else ""
