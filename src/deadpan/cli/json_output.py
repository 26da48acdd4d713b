"""What a command writes as JSON: to a file, or to the standard output for itself alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from deadpan.base.files import write_text
from deadpan.benchmarks import find
from deadpan.cli.output import console, say
from deadpan.cli.streams import standard_output
from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.core.score_documents import scores_json

STANDARD_OUTPUT = Path("-")


def _to_stderr(context: typer.Context, path: Path | None) -> Path | None:
    """`--json -` has the standard output to itself: everything else of the command goes to
    stderr."""
    if path == STANDARD_OUTPUT:
        console.stderr = True
        context.call_on_close(partial(setattr, console, "stderr", False))
    return path


JsonOption = Annotated[Path | None, typer.Option(callback=_to_stderr)]


def write_json(
    path: Path | None,
    scores: Mapping[str, Sequence[Score]],
    about: Callable[[str], Metric] | None = None,
    as_list: bool = False,
) -> None:
    """Writes the scores of each benchmark where `--json` says, if it does."""
    if path is not None:
        text = scores_json(scores, lambda name: about or find(name).metric, as_list=as_list)
        _write(path, text)


def write_document(path: Path | None, document: object) -> None:
    """Writes what are no scores where `--json` says, if it does."""
    if path is not None:
        _write(path, json_text(document))


def _write(path: Path, text: str) -> None:
    """Writes a file and says so, or to the standard output where the path is `-`."""
    if path == STANDARD_OUTPUT:
        with standard_output():
            sys.stdout.write(text)
            sys.stdout.flush()
    else:
        write_text(path, text)
        say(f"wrote {path}")


def json_text(document: object) -> str:
    """A document as we write it to files that people read too."""
    return dumps(document, ensure_ascii=False, indent=1) + "\n"
