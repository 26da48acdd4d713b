"""Which lexicons and models, and which benchmarks' released data, are on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deadpan.checkup.findings import Finding, reason


def resource_findings() -> Iterator[Finding]:
    """A line of what is present and one of what is missing."""
    from deadpan.base.resources import catalogue, is_present

    states = {one.name: is_present(one) for one in catalogue()}
    if here := [name for name, there in states.items() if there]:
        yield Finding("resources", "here", "ok", ", ".join(here))
    if gone := [name for name, there in states.items() if not there]:
        fix = ("deadpan resources list", "deadpan resources get NAME")
        yield Finding("resources", "not here", "missing", ", ".join(gone), fix)


def data_findings(root: Path) -> Iterator[Finding]:
    """For each benchmark whether `deadpan data get` has laid its data here."""
    from deadpan.benchmarks import find, names

    for name in names():
        folder = root / name
        try:
            is_here = folder.is_dir() and any(folder.iterdir())
            release = find(name).release
            told = _commit(folder) if is_here else None
        except Exception as error:
            yield Finding("data", name, "broken", f"{folder}: {reason(error)}")
            continue
        if is_here and told is None:
            said = f"{folder} holds none of the files: the same command goes on"
            yield Finding("data", name, "missing", said, (f"deadpan data get {name}",))
        elif is_here:
            yield Finding("data", name, "ok", f"{folder}{told}")
        elif release and release.source:
            said = f"{folder} is not here; the mini-set is used"
            yield Finding("data", name, "missing", said, (f"deadpan data get {name}",))
        else:
            yield Finding("data", name, "note", "no release is known; the mini-set is used")


def _commit(folder: Path) -> str | None:
    """Which commit `deadpan data get` recorded beside the data; None where it got no file."""
    from deadpan.collecting.releases.lock import read_lock

    lock = read_lock(folder)
    if lock and not lock.files:
        return None
    return f", commit {lock.commit[:12]}" if lock else ", not laid there by `deadpan data get`"
