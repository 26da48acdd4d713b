"""`deadpan data anonymise`: contributed chats without what leads to their people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.cli.output import say
from deadpan.cli.printing import counted_progress
from deadpan.collecting.anonymise import Report, anonymised

_SHOWN = 20


def anonymise(
    source: Annotated[
        Path, typer.Argument(metavar="FOLDER|FILE", help="Chats as JSONL, with their media.")
    ],
    out: Annotated[Path, typer.Option(help="New folder for the anonymous copy.")],
    report: Annotated[
        Path | None,
        typer.Option(help="JSON of what was replaced where; OUT-report.json when left out."),
    ] = None,
) -> None:
    """Copy chats without metadata, names, handles, numbers, links and times, under random names.

    Ends with status 1 where something was left out; the report says what and why.
    """
    written = report or out.with_name(f"{out.name}-report.json")
    if _lies_in(written, out):
        raise InputError(
            written, "the report would lie in the output", "It tells of the input: keep it apart."
        )
    with counted_progress() as progress:
        bar = progress.add_task("anonymising", total=None)
        found = anonymised(
            source, out, progress=lambda done, of: progress.update(bar, completed=done, total=of)
        )
    write_text(written, found.model_dump_json(indent=2) + "\n")
    _say(found, out, written)
    if found.problems:
        raise typer.Exit(1)


def _lies_in(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except RuntimeError:
        what = "is a link that leads in circles"
        raise InputError(folder, what, "Name a new folder.") from None


def _say(found: Report, out: Path, written: Path) -> None:
    for what, counts in (
        ("replaced in texts", found.replaced_by_kind),
        ("metadata left behind", found.removed_by_kind),
    ):
        listed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        say(f"{what}: {listed or 'nothing'}")
    for note in found.notes[:_SHOWN]:
        say(f"{note.where}: {note.what}", "yellow")
    for problem in found.problems[:_SHOWN]:
        say(f"left out: {problem}", "yellow")
    if len(found.problems) > _SHOWN:
        say(f"… and {len(found.problems) - _SHOWN} more, all in the report", "yellow")
    say(
        f"{found.records_written} of {found.records_read} records, "
        f"{found.media_written} of {found.media_read} pictures and films"
    )
    if found.records_written or found.media_written:
        say(f"wrote {out}")
    say(f"wrote {written}; keep it with the input, it is not for sharing")
