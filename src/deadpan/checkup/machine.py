"""Fonts, disks and programs of this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from deadpan.checkup.findings import Finding, one_line, reason

_ROOM = 2_000_000_000
"""Bytes below which a disk is said to be nearly full."""


def program_findings() -> Iterator[Finding]:
    """What other tools want and this one does not; LaTeX, which only typesets tables."""
    said = "Chromium, ffmpeg, Node and a database server: films are read by PyAV"
    yield Finding("machine", "not needed", "ok", said)


def font_findings() -> Iterator[Finding]:
    """Whether the two faces of the package draw a word each."""
    from deadpan.media.fonts import CHINESE, LATIN, face_at, has_glyph

    for path, letter in ((LATIN, "a"), (CHINESE, "笑")):
        try:
            face_at(path, 20).getmask(letter)
            said = "" if has_glyph(path, letter) else f"draws no {letter}"
        except Exception as error:
            said = reason(error)
        if said:
            fix = ('pip install --force-reinstall --no-deps "deadpan"',)
            yield Finding("core", "fonts", "broken", f"{path.name}: {said}", fix)
            return
    said = "Comic Neue and Noto Sans SC, of the package; none of the system is needed"
    yield Finding("machine", "fonts", "ok", said)


def disk_findings() -> Iterator[Finding]:
    """How much room there is where answers and what was fetched lie, and whether it can be used."""
    from deadpan.base.files import cache_folder

    store = Path(os.environ.get("DEADPAN_STORE") or "answers")
    yield _room("store", store, "DEADPAN_STORE")
    yield _room("cache", cache_folder("resources").parent, "DEADPAN_CACHE")


def _room(name: str, folder: Path, setting: str) -> Finding:
    from deadpan.base.files import fits_file_system

    where = f"{name} {folder}"
    fix = (f"export {setting}=FOLDER",)
    try:
        there = _existing(folder)
        free = shutil.disk_usage(there).free
    except (OSError, ValueError) as error:
        return Finding("machine", name, "broken", f"{where}: {reason(error)}", fix)
    if not fits_file_system(folder):
        return Finding("machine", name, "broken", f"{name} {one_line(str(folder))}: too long", fix)
    if not there.is_dir():
        return Finding("machine", name, "broken", f"{where}: {there} is no folder", fix)
    if not os.access(there, os.W_OK | os.X_OK):
        return Finding("machine", name, "broken", f"{where}: {there} cannot be written to", fix)
    said = f"{where}: {free / 1e9:.1f} GB free"
    if free < _ROOM:
        return Finding("machine", name, "note", f"{said}: nearly full", fix)
    return Finding("machine", name, "ok", said)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that there is."""
    place = folder.absolute()
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    return place
