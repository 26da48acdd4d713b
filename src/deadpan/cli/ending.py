"""How a command ends that an error stops: one line for the user, a status for the shell."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import NoReturn

from deadpan.base.errors import DeadpanError
from deadpan.base.printable import visible
from deadpan.base.version import __version__
from deadpan.cli.output import errors

WRONG_INPUT = 2
BUG = 70
"""EX_SOFTWARE of sysexits.h."""
DEBUG = "DEADPAN_DEBUG"
"""The variable that, when set, lets an unexpected error through with its trace."""


def end_with(error: Exception) -> NoReturn:
    """Prints an error and leaves: what the user can mend with status 2; anything else is a bug, and
    said to be one, with status 70."""
    if isinstance(error, DeadpanError):
        _leave(f"error: {visible(str(error))}", error.exit_code)
    if os.environ.get(DEBUG):
        raise error
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        _leave(f"error: {visible(f'{where}{error.strerror}')}", WRONG_INPUT)
    said = " ".join(str(error).split())[:200]
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    _leave(
        f"internal error: {visible(what)} ({_place(error)}). This is a bug in Deadpan "
        f"{__version__}, not in what you did: please report it to its authors, with the command "
        f"and what it prints when {DEBUG}=1 is set.",
        BUG,
    )


def _leave(line: str, status: int) -> NoReturn:
    errors.print(line, style="red", markup=False, highlight=False)
    sys.exit(status)


def _place(error: Exception) -> str:
    """The last line of ours that an error came through."""
    home = Path(__file__).parents[1]
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(home)]
    last = (ours or frames)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"
