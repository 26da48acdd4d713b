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
    from deadpan.api import agreement as agreement
    from deadpan.api import audit_judge as audit_judge
    from deadpan.api import audit_published as audit_published
    from deadpan.api import compare as compare
    from deadpan.api import evaluate as evaluate
    from deadpan.api import ratings as ratings
    from deadpan.api import run_suite as run_suite
    from deadpan.api import score as score
    from deadpan.base.errors import DeadpanError as DeadpanError
    from deadpan.core.sampling import Sample as Sample
    from deadpan.core.score import ScoringOptions as ScoringOptions
    from deadpan.engine.calls import CallOptions as CallOptions
    from deadpan.engine.requests import Sampling as Sampling
    from deadpan.pipeline.loading import Item as Item
    from deadpan.pipeline.loading import LoadedBenchmark as LoadedBenchmark
    from deadpan.pipeline.loading import load as load
    from deadpan.pipeline.reading import read_results as read_results
    from deadpan.pipeline.results import Results as Results

_PLACES = {
    "DeadpanError": "deadpan.base.errors",
    "CallOptions": "deadpan.engine.calls",
    "Sample": "deadpan.core.sampling",
    "Sampling": "deadpan.engine.requests",
    "ScoringOptions": "deadpan.core.score",
    **dict.fromkeys(("Item", "LoadedBenchmark", "load"), "deadpan.pipeline.loading"),
    "Results": "deadpan.pipeline.results",
    "read_results": "deadpan.pipeline.reading",
    **dict.fromkeys(
        (
            *("agreement", "audit_judge", "audit_published", "compare", "evaluate", "ratings"),
            *("run_suite", "score"),
        ),
        "deadpan.api",
    ),
}
__all__ = ["__version__", *_PLACES]


def __getattr__(name: str) -> Any:
    """What the package offers, imported when it is first asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module 'deadpan' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
