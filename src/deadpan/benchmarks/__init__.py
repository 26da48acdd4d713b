"""The benchmarks there are. Adding one here takes its folder and one line in BUILT_IN.

Packages of their own bring more through entry points; one that is broken is named and passed over.
"""

from __future__ import annotations

import sys
import traceback
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError, WrongReturn, meant
from deadpan.base.printable import visible
from deadpan.base.rows import first_repeated
from deadpan.core.benchmark import Benchmark, Task

BUILT_IN: dict[str, str] = {
    "pixelhumor": "deadpan.benchmarks.pixelhumor:PIXELHUMOR",
    "janusmm": "deadpan.benchmarks.janusmm:JANUSMM",
    "merbench": "deadpan.benchmarks.merbench:MERBENCH",
    "cfms": "deadpan.benchmarks.cfms:CFMS",
    "vimu": "deadpan.benchmarks.vimu:VIMU",
}

ENTRY_POINTS = "deadpan.benchmarks"
"""The entry-point group by which a package of its own brings a benchmark."""

_LONGEST_REASON = 200
_DEADPAN = Path(__file__).parents[1]


def names() -> list[str]:
    """Every known benchmark: built in, or in a package installed beside Deadpan and sound."""
    return [*BUILT_IN, *_outside()[0]]


def find(name: str) -> Benchmark[Any]:
    """The benchmark of that name; an unknown one raises with the names there are, and a broken one
    with what is wrong with it."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        built_in: Benchmark[Any] = getattr(import_module(module), attribute)
        return built_in
    found, broken = _outside()
    if name in found:
        return found[name]
    if name in broken:
        raise DeadpanError(broken[name])
    hint = meant(name, names()) or "; where a package of its own brings it, install that"
    raise DeadpanError(f"{name}: no such benchmark; expected one of {', '.join(names())}{hint}")


def leave_out(name: str, error: Exception) -> None:
    """Says on standard error that a benchmark from outside cannot be used, and why."""
    points = [point for point in entry_points(group=ENTRY_POINTS) if point.name == name]
    _warn(_complaint(points[0], reason(error)) if points else f"{name}: {reason(error)}")


def place_outside(error: BaseException) -> str | None:
    """The benchmark from outside whose code an error came through, and the innermost line of it, or
    the function of it that gave something wrong; None where there is none."""
    points = entry_points(group=ENTRY_POINTS)
    places = [(point.name, place) for point in points for place in _places(point)]
    frames = traceback.extract_tb(error.__traceback__)
    lines = [(frame.filename, frame.lineno) for frame in reversed(frames)]
    code = getattr(getattr(error, "function", None), "__code__", None)
    if isinstance(error, WrongReturn) and code is not None:
        lines.insert(0, (code.co_filename, code.co_firstlineno))
    for filename, line in lines:
        file = Path(filename)
        for name, place in places:
            if file.is_relative_to(place) and not file.is_relative_to(_DEADPAN):
                return f"{name} ({file.relative_to(place.parent)}:{line})"
    return None


def _places(point: EntryPoint) -> list[Path]:
    """Where the package of an entry point lies, once it was imported: its folders, or its file."""
    top = sys.modules.get(point.module.partition(".")[0])
    return [Path(one) for one in getattr(top, "__path__", [getattr(top, "__file__", None)]) if one]


@cache
def _outside() -> tuple[dict[str, Benchmark[Any]], dict[str, str]]:
    """What packages beside Deadpan bring, each loaded once: benchmarks that work, and why the
    others do not, with a line on standard error for each."""
    by_name: dict[str, list[EntryPoint]] = {}
    for point in dict.fromkeys(entry_points(group=ENTRY_POINTS)):
        by_name.setdefault(point.name, []).append(point)
    found: dict[str, Benchmark[Any]] = {}
    broken: dict[str, str] = {}
    for name, points in by_name.items():
        try:
            if name in BUILT_IN:
                problem = "a benchmark of Deadpan has this name"
            elif len(points) > 1:
                others = ", ".join(map(_distribution, points))
                problem = (
                    f"several packages bring a benchmark of this name ({others}); "
                    "uninstall all but one"
                )
            else:
                found[name] = _load(points[0])
                continue
        # Another's code runs here: whatever it raises, it must not take the others with it.
        except (Exception, SystemExit) as error:
            problem = reason(error)
        broken[name] = _complaint(points[0], problem)
        _warn(broken[name])
    return found, broken


def _load(point: EntryPoint) -> Benchmark[Any]:
    """What an entry point names, once it is known to be a whole benchmark."""
    benchmark = point.load()
    if not isinstance(benchmark, Benchmark):
        what = f"the class {benchmark.__name__}" if isinstance(benchmark, type) else "an object"
        raise TypeError(f"it is {what}, not an instance of deadpan.core.benchmark.Benchmark")
    if benchmark.name != point.name:
        raise ValueError(f"the benchmark calls itself {benchmark.name!r}")
    if not isinstance(benchmark.title, str) or not isinstance(benchmark.folder, Path):
        raise TypeError("title must be text and folder a Path")
    tasks: object = benchmark.tasks
    if not isinstance(tasks, tuple) or not all(isinstance(one, Task) for one in tasks):
        raise TypeError("tasks must be a tuple of Task")
    if (twice := first_repeated(spec.name for spec in benchmark.tasks)) is not None:
        raise ValueError(f"the task {twice} is there twice")
    if not benchmark.languages or not set(benchmark.languages) <= {"en", "zh"}:
        raise ValueError("languages must be some of en, zh")
    for spec in benchmark.tasks:
        if spec.judge is not None and benchmark.judging is None:
            raise ValueError(f"the task {spec.name} has a judge, and the benchmark no judging")
        if spec.judge is not None:
            spec.judge.require_prompts(benchmark.languages)
    return benchmark


def _complaint(point: EntryPoint, problem: str) -> str:
    where = f"{_distribution(point)} (entry point {point.value})"
    return f"benchmark {point.name} of {where} cannot be used: {problem}"


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown package"


def reason(error: BaseException) -> str:
    """An error on one line."""
    said = " ".join(str(error).split())
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return text if len(text) <= _LONGEST_REASON else text[: _LONGEST_REASON - 3] + "..."


def _warn(line: str) -> None:
    print(f"warning: {visible(line)}", file=sys.stderr)
