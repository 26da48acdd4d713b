"""The benchmarks there are. Adding one here takes its folder and one line in BUILT_IN."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from deadpan.benchmark import Benchmark
from deadpan.errors import DeadpanError

BUILT_IN: dict[str, str] = {
    "pixelhumor": "deadpan.benchmarks.pixelhumor:PIXELHUMOR",
}

ENTRY_POINTS = "deadpan.benchmarks"

_added: dict[str, Benchmark[Any]] = {}


def register(benchmark: Benchmark[Any]) -> None:
    """Adds a benchmark for this process; packages use the `deadpan.benchmarks` entry point."""
    _added[benchmark.name] = benchmark


def names() -> list[str]:
    """Every known benchmark: built in, installed beside Deadpan, or registered."""
    outside = [point.name for point in entry_points(group=ENTRY_POINTS)]
    return [*BUILT_IN, *(name for name in [*outside, *_added] if name not in BUILT_IN)]


def find(name: str) -> Benchmark[Any]:
    """The benchmark of that name; an unknown one raises with the names there are."""
    if name in _added:
        return _added[name]
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found: Benchmark[Any] = getattr(import_module(module), attribute)
        return found
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            loaded: Benchmark[Any] = point.load()
            return loaded
    raise DeadpanError(f"{name}: no such benchmark; expected one of {', '.join(names())}")
