"""Embedded mini-sets as folders in the released layout, to look at and to take from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_folder, is_there, read_bytes, sha256_of, write_bytes
from deadpan.core.benchmark import Benchmark


def copy_mini_set(benchmark: Benchmark[Any], folder: Path) -> int:
    """Copies a benchmark's mini-set into a folder, and gives how many files it has. Files that are
    there already stay; one that is another raises before anything is written."""
    source = benchmark.mini_set
    if not is_folder(source):
        raise DeadpanError(f"{benchmark.name} has no mini-set in a folder {source.name}")
    files = sorted(path for path in source.rglob("*") if path.is_file())
    places = {path: folder / path.relative_to(source) for path in files}
    missing = [path for path, place in places.items() if not is_there(place)]
    for path in places.keys() - set(missing):
        if sha256_of(places[path]) != sha256_of(path):
            what = f"is there, and is not the mini-set of {benchmark.name}"
            raise InputError(places[path], what, "Name another folder.")
    for path in missing:
        write_bytes(places[path], read_bytes(path))
    return len(files)
