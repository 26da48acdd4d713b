"""`deadpan list` and `deadpan runs`: what there is to run, and what was run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.cells import cell_len, set_cell_size

from deadpan import editing as editors
from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.extras import EXTRAS
from deadpan.base.printable import visible
from deadpan.benchmarks import BUILT_IN, find, names
from deadpan.cli.json_output import JsonOption, write_document
from deadpan.cli.output import console, say
from deadpan.cli.tables import plain_table, print_table
from deadpan.core.benchmark import Benchmark
from deadpan.engine import baselines
from deadpan.media.media_files import is_media
from deadpan.metrics import lexical

_RUN_COLUMNS = ("answered", "task", "model", "judge", "reader")
"""The columns of a run's first line; its file and its settings follow."""


def list_benchmarks(
    data: Path | None = None,
    json: JsonOption = None,
) -> None:
    """Benchmarks, tasks, versions, languages, and the data and extras present or missing."""
    models = [f"baseline/{name}" for name in baselines.NAMES]
    drawing = [f"{editors.EDITOR}{name}" for name in editors.NAMES]
    missing = {
        extra: [module for module in modules if find_spec(module) is None]
        for extra, modules in EXTRAS.items()
    }
    found = {name: _data_states(name, data) for name in names()}
    for name, states in found.items():
        _print_benchmark(name, states)
    say(f"models: {', '.join(models)}, local/FOLDER, and any Inspect model name")
    say(f"editors, which answer in a model's place where pictures are edited: {', '.join(drawing)}")
    say(f"judges: any Inspect model name, and {lexical.MODEL}, which compares words only")
    for extra, modules in missing.items():
        state = f"missing {', '.join(modules)}" if modules else "present"
        say(f"extra [{extra}]: {state}")
    document = {
        "benchmarks": [_description(name, states) for name, states in found.items()],
        "models": models,
        "editors": drawing,
        "judges": [lexical.MODEL],
        "missing": missing,
    }
    write_document(json, document)


def _data_states(name: str, data: Path | None) -> dict[str, str]:
    """Per data set how many items it holds, or what is wrong with it."""
    states: dict[str, str] = {}
    for label, folder in {"mini-set": None, **({"data": data} if data else {})}.items():
        try:
            dataset = find(name).read(folder)
        except DeadpanError as error:
            states[label] = f"missing: {error}"
        except Exception as error:
            if name in BUILT_IN:
                raise
            # Another's code: its fault is told, and the others are listed.
            states[label] = f"cannot be read: {type(error).__name__}: {error}"
        else:
            items = count_noun(len(dataset.records), "item")
            there = sum(is_media(Path(path)) for path in dataset.media)
            media = f", {there:,} of {len(dataset.media):,} pictures and videos"
            states[label] = f"{items}, checksum {dataset.checksum}{media if dataset.media else ''}"
    return states


def _description(name: str, states: Mapping[str, str]) -> dict[str, object]:
    """The benchmark as JSON says it."""
    benchmark = find(name)
    tasks = [
        {
            "name": spec.name,
            "title": spec.title,
            "version": spec.version,
            "metrics": [metric.name for metric in spec.metrics],
            "temperature": spec.temperature,
            "max_tokens": spec.max_tokens,
            "judge": spec.judge.name if spec.judge else None,
        }
        for spec in benchmark.tasks
    ]
    head = {"name": name, "title": benchmark.title, "languages": benchmark.languages}
    return {**head, "tasks": tasks, "data": states, "release": _release(benchmark)}


def _release(benchmark: Benchmark[Any]) -> dict[str, str]:
    """What data is released, under which licence, and what was tried on it."""
    release = benchmark.release
    if release is None:
        return {}
    known = f", {benchmark.released_items:,} items" if release.source else ""
    return {
        "released": f"{release.place}{known}",
        "licence": release.licence + (f"; {release.note}" if release.note else ""),
        "tried": release.tried,
    }


def _print_benchmark(name: str, states: Mapping[str, str]) -> None:
    benchmark = find(name)
    say(f"{name} – {benchmark.title} ({', '.join(benchmark.languages)})", "bold")
    for label, state in states.items():
        say(f"  {label}: {state}")
    for label, text in _release(benchmark).items():
        say(f"  {label}: {text}")
    headings = ("  task", "version", "asks for", "graded by", "metrics")
    table = plain_table(*headings, padding=(0, 2), header_style="dim")
    for spec in benchmark.tasks:
        metrics = ", ".join(dict.fromkeys(metric.name for metric in spec.metrics))
        graded = "rule"
        if spec.judge:
            graded = "a judge, if named" if spec.judge_optional else "a judge"
        table.add_row(f"  {spec.name}", str(spec.version), spec.title, graded, metrics)
    print_table(table)


def runs(
    stores: list[Path],
    json: JsonOption = None,
) -> None:
    """List the runs of answer stores: `deadpan report FILE` takes any of them by itself."""
    from deadpan.engine.reading import listed_runs

    for store in stores:
        if not store.exists():
            raise InputError(store, "no such store", "Check the path.")
    found = [asdict(run) for run in listed_runs(stores)]
    if not found:
        where = " ".join(map(str, stores))
        raise InputError(where, "holds no run", "Run `deadpan run` first.")
    if json is not None:
        write_document(json, found)
        return
    common = _common([run["settings"] for run in found if run["settings"]] or [{}])
    for number, line in enumerate(_align([{name: name for name in _RUN_COLUMNS}, *found])):
        _print_whole(line, None if number else "bold")
        if number:
            own = {k: v for k, v in found[number - 1]["settings"].items() if k not in common}
            _print_whole(f"  {found[number - 1]['file']}")
            if own:
                _print_whole(f"  {_spelled(own)}", "dim")
    if common:
        _print_whole(f"{'in all of them' if len(found) > 1 else 'with'}: {_spelled(common)}", "dim")


def _common(settings: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What holds for every run."""
    first, *others = settings
    return {k: v for k, v in first.items() if all(other.get(k) == v for other in others)}


def _spelled(settings: Mapping[str, str]) -> str:
    return " ".join(f"{name}:{value}" for name, value in settings.items())


def _print_whole(line: str, style: str | None = None) -> None:
    """A line however long: what is folded can be neither copied nor searched for."""
    console.print(visible(line), style=style, soft_wrap=True, markup=False, highlight=False)


def _align(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """A line for each row, without the columns that are empty."""
    names = [name for name in _RUN_COLUMNS if any(row[name] for row in rows[1:])]
    cells = [[visible(row[name]) for name in names] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()
