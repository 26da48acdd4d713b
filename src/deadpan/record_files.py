"""Records with images: where an image lies, and what is wrong with a line of a record file."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

from pydantic import ValidationError

from deadpan.errors import InputError
from deadpan.json_lines import shown

FIX = "Correct the line."
_PATH_FIX = "Give a path inside the data folder, such as images/0001.png."


def image_path(folder: Path, given: str, where: str) -> Path:
    """The image's file, there or not; a path that is absolute or leaves the folder raises."""
    place = f"{where} image"
    if PurePosixPath(given).is_absolute() or PureWindowsPath(given).drive or given[0] == "\\":
        raise InputError(place, f"got the absolute path {shown(given)}", _PATH_FIX)
    path = folder / PurePosixPath(given.replace("\\", "/"))
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # links in circles, names no file system takes
        raise InputError(place, f"got {shown(given)}, which is no file name", _PATH_FIX) from None
    if not inside:
        raise InputError(place, f"{shown(given)} leads out of the data folder", _PATH_FIX)
    return path


def line_problem(where: str, error: ValidationError) -> InputError:
    """The first thing wrong with a line, with its field, what was found and what was expected."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "line"
    if first["type"] == "missing":
        return InputError(f"{where} {field}", "is missing; expected it in every line", FIX)
    if first["type"] in ("string_too_short", "string_pattern_mismatch"):
        return InputError(f"{where} {field}", "has no words; expected text", FIX)
    expected = first["msg"].replace("Input should be", "expected", 1)
    return InputError(f"{where} {field}", f"got {shown(first['input'])}; {expected}", FIX)
