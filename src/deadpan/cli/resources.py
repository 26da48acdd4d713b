"""`deadpan resources`: lexicons and models, listed and got."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.resources import catalogue, find, is_present, size_on_disk
from deadpan.cli.json_output import JsonOption, write_document
from deadpan.cli.output import console, say
from deadpan.cli.tables import plain_table, print_table
from deadpan.collecting.resources import get

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.command("list")
def list_resources(
    json: JsonOption = None,
) -> None:
    """Name, purpose, version, licence, whether it is here, and its size."""
    rows = [
        {
            "name": resource.name,
            "purpose": resource.purpose,
            "version": resource.version,
            "licence": resource.licence,
            "origin": resource.origin,
            "source": str(resource.source),
            "sha256": resource.checksum,
            "size": size_on_disk(resource) or resource.size,
            "present": is_present(resource),
        }
        for resource in catalogue()
    ]
    table = plain_table("name", "for", "version", "licence", "state", padding=(0, 2))
    table.add_column("size", justify="right", no_wrap=True)
    for row in rows:
        named = (str(row[name]) for name in ("name", "purpose", "version", "licence"))
        table.add_row(*named, "present" if row["present"] else "missing", _size(row["size"]))
    print_table(table)
    write_document(json, {"resources": rows})


@app.command("get")
def get_resources(
    names: list[str],
    source: Annotated[Path | None, typer.Option("--from")] = None,
) -> None:
    """Get resources; what is here already is not fetched again, and one failure stops no other."""
    if source is not None and len(names) > 1:
        raise InputError(source, "--from is for one resource", "Name one resource.")
    wanted = [find(name) for name in dict.fromkeys(names)]
    failed = []
    for resource in wanted:
        had = is_present(resource)
        try:
            with console.status(f"getting {resource.name}"):
                path = get(resource.name, source)
        except DeadpanError as error:
            say(f"{resource.name}: {error}", "red")
            failed.append(resource.name)
        else:
            say(f"{resource.name} {resource.version}: {'present' if had else 'got'}, {path}")
            say(f"  from {resource.source}")
            say(f"  licence: {resource.licence}")
            say(f"  SHA-256: {resource.checksum or 'not known; the revision pins the content'}")
    if failed:
        named = ", ".join(failed)
        raise DeadpanError(f"{len(failed)} of {len(wanted)} could not be fetched: {named}")


def _size(size: Any) -> str:
    if size is None:
        return "–"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
