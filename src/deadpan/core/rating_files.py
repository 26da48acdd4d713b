"""Files of ratings. Long form: a row a rating, with the columns item, model, metric, rater, rating,
and language, note, run and scale where there are some. Sheet: a row an answer, with a column
`rater:NAME` for each rater's ratings, and `note:NAME` for what they wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deadpan.base.errors import InputError, meant
from deadpan.base.files import write_text
from deadpan.base.rows import quote
from deadpan.core.ratings import Rating, Scale
from deadpan.core.study_rows import FIX, Cells, read_language, require_text, study_rows, text_of

RATER, NOTE = "rater:", "note:"
_ANSWER = ("item", "model", "metric")
SCALE = "scale"
"""The column that tells on which scale it was rated."""
_OPTIONAL = ("language", "note", "run")
LONG = (*_ANSWER, "rater", "rating", *_OPTIONAL)
_EXPECTED = ", ".join(LONG[:5])


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
    unnamed: str = ""
    """The scale of rows that name none, where there are several."""

    def column(self, name: str, cells: Cells) -> str:
        """What a row calls a column: its name, or an older one."""
        older = (old for old, new in self.aliases.items() if new == name and old in cells)
        return next(older, name)

    def scale(self, name: str, where: str) -> Scale:
        """The scale of that name; an unknown one raises with those there are."""
        known = {scale.name: scale for scale in self.scales}
        if name not in known:
            what = f"got {quote(name)}; expected one of {', '.join(known)}{meant(name, known)}"
            raise InputError(where, what, FIX)
        return known[name]


def with_scales(form: RatingForm, scales: Sequence[Scale]) -> RatingForm:
    """The same form with further scales; rows that name none stay on the one there was."""
    unnamed = form.scales[0].name if len(form.scales) == 1 else form.unnamed
    return replace(form, scales=(*form.scales, *scales), unnamed=unnamed)


def read_ratings(paths: Sequence[Path], form: RatingForm) -> list[Rating]:
    """The ratings of all files together; a wrong row raises with its place, a rating given twice
    with both, and a file without any."""
    seen: dict[tuple[str, ...], str] = {}
    ratings: list[Rating] = []
    for path in paths:
        before = len(ratings)
        for where, cells in study_rows(path, ragged=form.other_columns):
            for one in _ratings_of_row(where, cells, form):
                if (first := seen.setdefault(one.key, one.where)) != one.where:
                    what = f"{' '.join(one.key)} is there twice (first in {first})"
                    raise InputError(one.where, what, "Keep one of them.")
                ratings.append(one)
        if len(ratings) == before:
            raise InputError(path, "holds no rating", f"Expected the columns {_EXPECTED}.")
    return ratings


def write_ratings(path: Path, ratings: Sequence[Rating]) -> None:
    """Writes ratings as JSON lines in the long form, what is not there left out."""
    rows = (
        {name: value for name in LONG if (value := getattr(one, name)) is not None}
        | {"rating": one.rating}
        for one in ratings
    )
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _ratings_of_row(where: str, cells: Cells, form: RatingForm) -> Iterator[Rating]:
    """The rating of a long row, none where it is not filled in; those of a row of a sheet."""
    columns = dict(_rater_columns(cells, form))
    for rater, column in columns.items():
        if not rater:
            raise InputError(f"{where} {column}", "names no rater", f"Write {RATER}NAME.")
        yield _rating(where, cells, form, rater, column, text_of(cells, NOTE + rater))
    if columns:
        return
    known = (*LONG, SCALE, *form.aliases)
    stray = [name for name in cells if name not in known]
    if stray and not form.other_columns:
        what = f"got the column {quote(stray[0])}{meant(stray[0], LONG)}"
        fix = f"Expected the columns {_EXPECTED}; in a sheet {RATER}NAME for each rater."
        raise InputError(f"{where} {stray[0]}", what, fix)
    rater, rating = (form.column(name, cells) for name in ("rater", "rating"))
    if text_of(cells, rater) or cells.get(rating) not in (None, ""):
        named = require_text(cells, rater, where)
        yield _rating(where, cells, form, named, rating, text_of(cells, "note"))


def _rater_columns(cells: Cells, form: RatingForm) -> Iterator[tuple[str, str]]:
    """Each rater of a sheet with the column of theirs."""
    for name in cells:
        head, colon, rater = name.partition(":")
        if colon and form.aliases.get(head, head) + colon == RATER:
            yield rater.strip(), name
        elif name in form.raters:
            yield name, name


def _rating(
    where: str, cells: Cells, form: RatingForm, rater: str, column: str, note: str
) -> Rating:
    if column not in cells:
        raise InputError(f"{where} {column}", "is missing; expected it in every line", FIX)

    def named(name: str, otherwise: str = "") -> str:
        own = form.column(name, cells)
        return text_of(cells, own) or otherwise or require_text(cells, own, where)

    only = form.scales[0].name if len(form.scales) == 1 else form.unnamed
    if not only and form.column("metric", cells) not in cells:
        names = ", ".join(scale.name for scale in form.scales)
        fix = f"Add a column metric that says in every line what was rated: one of {names}."
        raise InputError(where, "the column metric is missing", fix)
    item, model, metric = named("item"), named("model", form.model), named("metric", only)
    scale, value = form.scale(metric, f"{where} {form.column('metric', cells)}"), cells[column]
    try:
        rating = scale.read(value)
    except ValueError as error:
        got = value if isinstance(value, str) and value.lstrip("-").isdecimal() else quote(value)
        raise InputError(f"{where} {column}", f"got {got}; {error}", FIX) from None
    # In a sheet every column of a row is a place of its own.
    place = where if column == form.column("rating", cells) else f"{where} {column}"
    language = read_language(text_of(cells, "language"), where)
    run = text_of(cells, "run") or None
    return Rating(item, model, metric, rater, rating, language, note or None, run, place)
