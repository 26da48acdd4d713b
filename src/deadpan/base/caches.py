"""Where Deadpan keeps what can be made again: prepared pictures, OCR readings."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_dir


def cache_folder(purpose: str) -> Path:
    """The folder for one purpose: under $DEADPAN_CACHE, else under the user's cache."""
    root = os.environ.get("DEADPAN_CACHE") or user_cache_dir("deadpan")
    return Path(root) / purpose
