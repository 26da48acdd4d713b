"""Deadpan: whether a multimodal model gets it.

import deadpan

cfms = deadpan.load("cfms")                      # items, prompts, gold
cfms.score({item.id: "Yes" for item in cfms}, task="identification").scores()
deadpan.evaluate("cfms", model="openai/gpt-4o", judge="openai/gpt-4o-mini").report("cfms.html")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deadpan.base.version import __version__

if TYPE_CHECKING:
    from deadpan.api import evaluate, score
    from deadpan.base.errors import DeadpanError
    from deadpan.pipeline.loading import Item, LoadedBenchmark, load
    from deadpan.pipeline.results import Results, read_results

__all__ = [
    "DeadpanError",
    "Item",
    "LoadedBenchmark",
    "Results",
    "__version__",
    "evaluate",
    "load",
    "read_results",
    "score",
]

_PLACES = {
    "DeadpanError": "deadpan.base.errors",
    "Item": "deadpan.pipeline.loading",
    "LoadedBenchmark": "deadpan.pipeline.loading",
    "Results": "deadpan.pipeline.results",
    "evaluate": "deadpan.api",
    "load": "deadpan.pipeline.loading",
    "read_results": "deadpan.pipeline.results",
    "score": "deadpan.api",
}


def __getattr__(name: str) -> Any:
    """What the package offers, imported when it is first asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module 'deadpan' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
