"""Arrays in .npz files that end with their own SHA-256, so that damage is seen before any of it is
read; numpy reads such files too, and passes over the end."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.base.files import read_bytes, write_bytes

_DIGEST = hashlib.sha256().digest_size


def write_arrays(path: Path, **arrays: npt.NDArray[Any]) -> None:
    """Writes the arrays, all of them or nothing."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    content = stream.getvalue()
    write_bytes(path, content + hashlib.sha256(content).digest())


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays by name; a file that is not as it was written raises ValueError."""
    content = read_bytes(path)
    content, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise ValueError("it is not as it was written")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return dict(arrays)
    # What else numpy raises for a file that somebody made and signed in our way.
    except (zipfile.BadZipFile, zlib.error, EOFError, TypeError, MemoryError) as error:
        raise ValueError(f"it holds no arrays ({type(error).__name__})") from error
