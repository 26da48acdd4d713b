"""Files of ratings. Long form: a row a rating, with the columns item, model, metric, rater, rating,
and language, note and run where there are some. Sheet: a row an answer, with a column `rater:NAME`
for each rater's ratings, and `note:NAME` for what they wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from deadpan.base.errors import InputError, meant
from deadpan.base.files import write_text
from deadpan.base.rows import quote
from deadpan.core.questions import Language
from deadpan.core.ratings import Rating, Scale
from deadpan.core.study_rows import FIX, Cells, require_text, study_rows, text_of

RATER, NOTE = "rater:", "note:"
_ANSWER = ("item", "model", "metric")
_OPTIONAL = ("language", "note", "run")
LONG = (*_ANSWER, "rater", "rating", *_OPTIONAL)


@dataclass(frozen=True)
class RatingForm:
    """How a benchmark's ratings are read: its scales, and what older files of it call columns.
    With one scale the metric may be left out; with a `model`, the model. `raters` are columns of a
    sheet that hold ratings under a name of their own."""

    scales: Sequence[Scale]
    aliases: Mapping[str, str] = field(default_factory=dict)
    other_columns: bool = False
    """Whether long files may have columns of other names, as those have that raters look at."""
    model: str = ""
    raters: Sequence[str] = ()

    def scale(self, name: str, where: str) -> Scale:
        """The scale of that name; an unknown one raises with those there are."""
        known = {scale.name: scale for scale in self.scales}
        if name not in known:
            what = f"got {quote(name)}; expected one of {', '.join(known)}{meant(name, known)}"
            raise InputError(f"{where} metric", what, FIX)
        return known[name]


def read_ratings(paths: Sequence[Path], form: RatingForm) -> list[Rating]:
    """The ratings of all files together; a wrong row raises with its place, a rating given twice
    with both, and a file without any."""
    seen: dict[tuple[str, ...], str] = {}
    ratings: list[Rating] = []
    for path in paths:
        before = len(ratings)
        for where, cells in study_rows(path, ragged=form.other_columns):
            for one in _ratings_of_row(where, _renamed(cells, form), form):
                if (first := seen.setdefault(one.key, one.where)) != one.where:
                    what = f"{' '.join(one.key)} is there twice (first in {first})"
                    raise InputError(one.where, what, "Keep one of them.")
                ratings.append(one)
        if len(ratings) == before:
            raise InputError(path, "holds no rating", f"Expected the columns {_expected(form)}.")
    return ratings


def write_ratings(path: Path, ratings: Sequence[Rating]) -> None:
    """Writes ratings as JSON lines in the long form, what is not there left out."""
    rows = (
        {name: value for name in LONG if (value := getattr(one, name)) is not None}
        | {"rating": one.rating}
        for one in ratings
    )
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _renamed(cells: Cells, form: RatingForm) -> Cells:
    return {form.aliases.get(name, name): value for name, value in cells.items()}


def _expected(form: RatingForm) -> str:
    older = {new: old for old, new in form.aliases.items()}
    return ", ".join(older.get(name, name) for name in LONG[:5])


def _ratings_of_row(where: str, cells: Cells, form: RatingForm) -> Iterator[Rating]:
    columns = {name.removeprefix(RATER): name for name in cells if name.startswith(RATER)}
    columns |= {name: name for name in form.raters if name in cells}
    if not columns:
        stray = [name for name in cells if name not in LONG]
        if stray and not form.other_columns:
            what = f"got the column {quote(stray[0])}{meant(stray[0], LONG)}"
            fix = f"Expected the columns {_expected(form)}; in a sheet {RATER}NAME for each rater."
            raise InputError(f"{where} {stray[0]}", what, fix)
        if text_of(cells, "rater") or cells.get("rating") not in (None, ""):
            rater = require_text(cells, "rater", where)
            yield _rating(where, cells, form, rater, "rating", text_of(cells, "note"))
        return
    for rater, column in columns.items():
        if not rater:
            raise InputError(f"{where} {column}", "names no rater", f"Write {RATER}NAME.")
        yield _rating(where, cells, form, rater, column, text_of(cells, NOTE + rater))


def _rating(
    where: str, cells: Cells, form: RatingForm, rater: str, column: str, note: str
) -> Rating:
    if column not in cells:
        raise InputError(f"{where} {column}", "is missing; expected it in every line", FIX)
    item = require_text(cells, "item", where)
    model = text_of(cells, "model") or form.model or require_text(cells, "model", where)
    only = form.scales[0].name if len(form.scales) == 1 else ""
    metric = text_of(cells, "metric") or only or require_text(cells, "metric", where)
    scale, value = form.scale(metric, where), cells[column]
    try:
        rating = scale.read(value)
    except ValueError as error:
        got = value if isinstance(value, str) and value.lstrip("-").isdecimal() else quote(value)
        raise InputError(f"{where} {column}", f"got {got}; {error}", FIX) from None
    # In a sheet every column of a row is a place of its own.
    place = where if column == "rating" else f"{where} {column}"
    language = _language(text_of(cells, "language"), where)
    run = text_of(cells, "run") or None
    return Rating(item, model, metric, rater, rating, language, note or None, run, place)


def _language(given: str, where: str) -> Language | None:
    for name in get_args(Language):
        if given == name:
            return name  # type: ignore[no-any-return]
    if given:
        what = f"got {quote(given)}; expected {' or '.join(get_args(Language))}"
        raise InputError(f"{where} language", what, FIX)
    return None
