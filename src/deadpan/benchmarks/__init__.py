"""The benchmarks there are. Adding one here takes its folder and one line in BUILT_IN."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from deadpan.benchmark import Benchmark
from deadpan.errors import DeadpanError

BUILT_IN: dict[str, str] = {
    "pixelhumor": "deadpan.benchmarks.pixelhumor:PIXELHUMOR",
    "janusmm": "deadpan.benchmarks.janusmm:JANUSMM",
    "merbench": "deadpan.benchmarks.merbench:MERBENCH",
    "cfms": "deadpan.benchmarks.cfms:CFMS",
    "vimu": "deadpan.benchmarks.vimu:VIMU",
}

ENTRY_POINTS = "deadpan.benchmarks"
"""The entry-point group by which a package of its own brings a benchmark."""


def names() -> list[str]:
    """Every known benchmark: built in, or in a package installed beside Deadpan."""
    outside = [point.name for point in entry_points(group=ENTRY_POINTS)]
    return [*BUILT_IN, *(name for name in outside if name not in BUILT_IN)]


def find(name: str) -> Benchmark[Any]:
    """The benchmark of that name; an unknown one raises with the names there are."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found: Benchmark[Any] = getattr(import_module(module), attribute)
        return found
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            loaded: Benchmark[Any] = point.load()
            return loaded
    raise DeadpanError(f"{name}: no such benchmark; expected one of {', '.join(names())}")
