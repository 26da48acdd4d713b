"""Parquet files of others, read without harm."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.files import require_file

_TRY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
import polars
polars.read_parquet(sys.argv[1])
"""


def read_parquet(path: Path, what: str = "results table") -> pl.DataFrame:
    """The table of a Parquet file. A damaged one can end the process that reads it, so that another
    process tries first; what that cannot read raises, and so does what is no plain file."""
    require_file(path)
    tried = subprocess.run(
        # -P: modules are not looked for in the working directory, where strangers' files may lie.
        [sys.executable, "-P", "-c", _TRY, str(path)],
        capture_output=True,
        text=True,
        errors="replace",
    )
    if tried.returncode:
        said = tried.stderr.strip().splitlines() or [f"status {tried.returncode}"]
        raise InputError(path, f"is not a {what} ({said[-1][:200]})", "Write it again.")
    return pl.read_parquet(path)
