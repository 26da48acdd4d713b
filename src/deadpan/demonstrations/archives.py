"""Arrays in .npz files: read whole, or told to be damaged."""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_DAMAGED = (
    OSError,
    EOFError,
    LookupError,
    TypeError,
    OverflowError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    SyntaxError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What numpy and zipfile raise for files that are not what they say, beside ValueError."""


def read_arrays(path: Path, *names: str) -> dict[str, npt.NDArray[Any]]:
    """The arrays of these names; a file that does not hold them all, whole, raises ValueError."""
    try:
        with path.open("rb") as file:
            if not zipfile.is_zipfile(file):
                raise ValueError("it is no archive of arrays")
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in names}
    except _DAMAGED as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
