"""Arrays in .npz files that end with their own SHA-256, so that damage is seen before any of it is
read; numpy reads such files too, and passes over the end."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.files import write_bytes

_DIGEST = hashlib.sha256().digest_size


def write_arrays(path: Path, **arrays: npt.NDArray[Any]) -> None:
    """Writes the arrays, all of them or nothing."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    content = stream.getvalue()
    write_bytes(path, content + hashlib.sha256(content).digest())


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays by name; a file that is not as it was written raises ValueError."""
    content = path.read_bytes()
    content, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise ValueError("it is not as it was written")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)
