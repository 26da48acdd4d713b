"""The streams of a command: closed ones lead nowhere, and no encoding stops what is printed."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from deadpan.base.errors import DeadpanError

_STRICT = frozenset({"strict", "surrogateescape"})


def open_streams() -> None:
    """Opens what is closed, so that no file of ours takes its place; in an encoding other than
    UTF-8, characters that it lacks are printed as question marks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8", errors="replace"))
        elif mode == "w" and isinstance(stream, io.TextIOWrapper) and stream.errors in _STRICT:
            stream.reconfigure(errors="replace")


def require_text(words: Iterable[str]) -> None:
    """Raises for an argument that is no text in the encoding of this environment: not every library
    below opens a file of such a name."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            encoding = sys.getfilesystemencoding()
            raise DeadpanError(
                f"argument {word!r} is no text in {encoding}, the encoding of this environment. "
                "Name files in UTF-8, and set PYTHONUTF8=1 or a locale of UTF-8: LC_ALL=C.UTF-8."
            ) from None


@contextmanager
def standard_output() -> Iterator[None]:
    """Names the standard output where it cannot be written."""
    try:
        yield
    except OSError as error:
        error.filename = "standard output"
        raise
