"""`deadpan list`: what there is to run, and what is present or missing on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from deadpan import editing as editors
from deadpan.base.errors import DeadpanError
from deadpan.base.files import write_text
from deadpan.benchmarks import BUILT_IN, find, names
from deadpan.cli.flags import DataOption
from deadpan.cli.output import console, say
from deadpan.core.task import TaskSpec
from deadpan.editing import EDITOR
from deadpan.engine import baselines
from deadpan.metrics import lexical
from deadpan.pipeline.reporter import counted

_EXTRAS = {
    "ocr": ("rapidocr", "onnxruntime"),
    "text": ("jieba", "sacrebleu", "textblob"),
    "video": ("av", "faster_whisper"),
    "neural": ("torch", "transformers", "sentence_transformers"),
    "curate": ("daft", "ray"),
    "studies": ("fastapi", "sqlalchemy", "uvicorn"),
    "learn": ("torch", "transformers", "peft", "accelerate"),
    "diffusion": ("torch", "diffusers"),
}


@dataclass(frozen=True)
class Entry:
    """A benchmark as listed; `data` says per data set how many items it holds or what is wrong."""

    name: str
    title: str
    languages: tuple[str, ...]
    tasks: tuple[TaskSpec, ...]
    data: dict[str, str]


def list_benchmarks(
    data: DataOption = None,
    json: Annotated[Path | None, typer.Option("--json", help="Also write it as JSON.")] = None,
) -> None:
    """Benchmarks, tasks, versions, languages, and the data and extras present or missing."""
    entries = [_entry(name, data) for name in names()]
    models = [f"baseline/{name}" for name in baselines.NAMES]
    drawing = [f"{EDITOR}{name}" for name in editors.NAMES]
    missing = {extra: _missing(extra) for extra in _EXTRAS}
    for entry in entries:
        _print_entry(entry)
    say(f"models: {', '.join(models)}, local/FOLDER, and any Inspect model name")
    say(f"editors, which answer in a model's place where pictures are edited: {', '.join(drawing)}")
    say(f"judges: any Inspect model name, and {lexical.MODEL}, which compares words only")
    for extra, modules in missing.items():
        state = f"missing {', '.join(modules)}" if modules else "present"
        say(f"extra [{extra}]: {state}")
    if json is not None:
        document = {
            "benchmarks": [_told(entry) for entry in entries],
            "models": models,
            "editors": drawing,
            "judges": [lexical.MODEL],
            "missing": missing,
        }
        write_text(json, dumps(document, ensure_ascii=False, indent=1) + "\n")


def _entry(name: str, data: Path | None) -> Entry:
    benchmark = find(name)
    described: dict[str, str] = {}
    for label, folder in {"mini-set": None, **({"data": data} if data else {})}.items():
        try:
            dataset = benchmark.read(folder)
        except DeadpanError as error:
            described[label] = f"missing: {error}"
        except Exception as error:
            if name in BUILT_IN:
                raise
            # Another's code: its fault is told, and the others are listed.
            described[label] = f"cannot be read: {type(error).__name__}: {error}"
        else:
            described[label] = (
                f"{counted(len(dataset.records), 'item')}, checksum {dataset.checksum}"
            )
    return Entry(name, benchmark.title, benchmark.languages, benchmark.tasks, described)


def _told(entry: Entry) -> dict[str, object]:
    """The entry as JSON says it."""
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
        for spec in entry.tasks
    ]
    return {
        "name": entry.name,
        "title": entry.title,
        "languages": entry.languages,
        "tasks": tasks,
        "data": entry.data,
    }


def _print_entry(entry: Entry) -> None:
    heading = f"{entry.name} – {entry.title} ({', '.join(entry.languages)})"
    say(heading, "bold")
    for label, state in entry.data.items():
        say(f"  {label}: {state}")
    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="dim")
    for column in ("  task", "version", "asks for", "graded by", "metrics"):
        table.add_column(column)
    for spec in entry.tasks:
        graded = "a judge" if spec.judge else "rule"
        row = (
            f"  {spec.name}",
            str(spec.version),
            spec.title,
            graded,
            ", ".join(dict.fromkeys(m.name for m in spec.metrics)),
        )
        table.add_row(*row)
    console.print(table)


def _missing(extra: str) -> list[str]:
    return [module for module in _EXTRAS[extra] if find_spec(module) is None]
