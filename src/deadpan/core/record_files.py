"""Files of records with images: each line read and checked, and what is wrong with one told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import fits_file_system, is_within, require_file
from deadpan.base.rows import json_object, quote, text_lines
from deadpan.core.dataset import Anomaly

FIX = "Correct the line."
_PATH_FIX = "Give a path inside the data folder, such as images/0001.png."
_LONGEST_NAME = 200

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"[\p{L}\p{N}]")]


class Row(BaseModel):
    """A line. Strict: no field of another type is converted; unknown fields are kept to be told
    of."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    @property
    def unknown(self) -> tuple[str, ...]:
        """The fields beyond the known ones."""
        return tuple(self.model_extra or ())


class ImageRow(Row):
    """A line that names an image."""

    image: Text


RowT = TypeVar("RowT", bound=ImageRow)


class ImageRecord(BaseModel, Generic[RowT]):
    """One record. `path` is where its image should be, `where` the line it stands in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    row: RowT
    path: str
    where: str

    @property
    def unknown_fields(self) -> list[Anomaly]:
        """What the line says that is not used."""
        names = self.row.unknown
        return [Anomaly(f"{self.where} {name}", "unknown field", "not used") for name in names]


RecordT = TypeVar("RecordT", bound=ImageRecord[Any])


def image_records(
    folder: Path, file: str, record: type[RecordT], form: type[ImageRow], key: str
) -> Iterator[RecordT]:
    """The records of a folder in file order. No file, a line that is not of the form, a `key` that
    is there twice or is no name, and an image outside the folder, raise."""
    fix = f"Give --data a folder with {file} and its images, or leave it out for the mini-set."
    require_file(folder / file, fix)
    places: dict[str, str] = {}
    within: dict[Path, bool] = {}
    for number, line in text_lines(folder / file):
        where = f"{file}:{number}"
        json_object(line, where)
        try:
            row = form.model_validate_json(line)
        except ValidationError as error:
            raise line_problem(where, error) from None
        name = str(getattr(row, key))
        if len(name) > _LONGEST_NAME or not name.isprintable():
            what = f"got {quote(name)}; expected at most {_LONGEST_NAME} printable characters"
            raise InputError(f"{where} {key}", what, FIX)
        if name in places:
            what = f"got {quote(name)} a second time (first in {places[name]})"
            fix = f"Keep one line for each {record.__name__.lower()}."
            raise InputError(f"{where} {key}", what, fix)
        places[name] = where
        path = str(image_path(folder, row.image, where, within))
        yield record(row=row, path=path, where=where)


def image_path(
    folder: Path, given: str, where: str, within: dict[Path, bool] | None = None
) -> Path:
    """The image's file, there or not; a path that is absolute or leaves the folder raises. Which
    folders lie `within` the data folder is looked up once where it is kept."""
    place = f"{where} image"
    if PurePosixPath(given).is_absolute() or PureWindowsPath(given).drive or given[0] == "\\":
        raise InputError(place, f"got the absolute path {quote(given)}", _PATH_FIX)
    path = folder / PurePosixPath(given.replace("\\", "/"))
    try:
        inside = _stays_within(path, folder, {} if within is None else within)
    except (OSError, RuntimeError, ValueError):  # links in circles, names no file system takes
        raise InputError(place, f"got {quote(given)}, which is no file name", _PATH_FIX) from None
    if not fits_file_system(path):
        raise InputError(place, f"got {quote(given)}, which is too long a name", _PATH_FIX)
    if not inside:
        raise InputError(place, f"{quote(given)} leads out of the data folder", _PATH_FIX)
    return path


def _stays_within(path: Path, folder: Path, within: dict[Path, bool]) -> bool:
    """Whether a path stays in a folder once links are followed."""
    if path.name == ".." or path.is_symlink():
        return is_within(path, folder)
    if path.parent not in within:
        within[path.parent] = is_within(path.parent, folder)
    return within[path.parent]


def line_problem(where: str, error: ValidationError) -> InputError:
    """The first thing wrong with a line, with its field, what was found and what was expected."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "line"
    if first["type"] == "missing":
        return InputError(f"{where} {field}", "is missing; expected it in every line", FIX)
    if first["type"] in ("string_too_short", "string_pattern_mismatch"):
        return InputError(f"{where} {field}", "has no words; expected text", FIX)
    expected = first["msg"].replace("Input should be", "expected", 1)
    return InputError(f"{where} {field}", f"got {quote(first['input'])}; {expected}", FIX)
