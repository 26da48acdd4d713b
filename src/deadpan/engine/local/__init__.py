"""Models on this machine, by the optional libraries of the [learn] extra."""

from __future__ import annotations

import importlib
from typing import Any

from deadpan.base.errors import MissingExtra


def library(name: str) -> Any:
    """A module of the [learn] extra; `MissingExtra` where it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise MissingExtra("Training or running a model on this machine", "learn") from None
