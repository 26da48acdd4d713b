"""The optional libraries of the [learn] extra."""

from __future__ import annotations

import importlib
from typing import Any


def library(name: str) -> Any:
    """A module of the [learn] extra; `MissingExtra` where it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        from deadpan.base.errors import MissingExtra

        raise MissingExtra("Training or running a model on this machine", "learn") from None
