"""Questions spread over the machines of a Ray cluster, by the [ray] extra."""

from __future__ import annotations

import importlib
import os
from importlib.util import find_spec
from typing import Any

from deadpan.base.errors import MissingExtra


def library(name: str = "ray") -> Any:
    """A module of the [ray] extra; `MissingExtra` where it is not installed."""
    # Of what Ray prints of its workers nothing is shown: it would stand among the scores.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise MissingExtra("--engine ray", "ray") from None


def require_ray() -> None:
    """Raises where the [ray] extra is not installed; nothing is imported yet."""
    if find_spec("ray") is None:
        raise MissingExtra("--engine ray", "ray")
