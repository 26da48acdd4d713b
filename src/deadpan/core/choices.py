"""People's choices between two: of two judges' assessments, or of two models' answers, which is
better. A file has a row a choice: item, left, right, rater, choice, and question and note where
there are some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deadpan.base.errors import InputError, meant
from deadpan.base.rows import quote
from deadpan.core.signature import Signature, checksum
from deadpan.core.study_rows import FIX, Cells, require_text, study_rows, text_of

COLUMNS = ("item", "left", "right", "rater", "choice", "question", "note")
_REQUIRED = COLUMNS[:5]
_WORDS = {
    **dict.fromkeys(("left", "l", "左"), "left"),
    **dict.fromkeys(("right", "r", "右"), "right"),
    **dict.fromkeys(("tie", "both", "neither", "equal", "平", "平局", "一样", "不分上下"), "tie"),
}


@dataclass(frozen=True)
class Choice:
    """Whom of `left` and `right` a rater chose about an item; None for a tie. `question` says by
    what, where more than one thing was asked."""

    item: str
    left: str
    right: str
    rater: str
    chosen: str | None
    question: str = ""
    where: str = field(default="", compare=False, repr=False)

    @property
    def pair(self) -> tuple[str, str]:
        """The two in an order of their own, whoever stood left."""
        first, second = sorted((self.left, self.right))
        return first, second

    @property
    def key(self) -> tuple[str, ...]:
        """What may be chosen once."""
        return (self.item, *self.pair, self.rater, self.question)


def read_choices(paths: Sequence[Path]) -> list[Choice]:
    """The choices of all files together; a wrong row raises with its place, a choice made twice
    with both, and a file without any."""
    seen: dict[tuple[str, ...], str] = {}
    choices: list[Choice] = []
    for path in paths:
        before = len(choices)
        for one in _choices(path):
            if (first := seen.setdefault(one.key, one.where)) != one.where:
                named = " ".join(part for part in one.key if part)
                raise InputError(
                    one.where, f"{named} is there twice (first in {first})", "Keep one of them."
                )
            choices.append(one)
        if len(choices) == before:
            expected = f"Expected the columns {', '.join(_REQUIRED)}."
            raise InputError(path, "holds no choice", expected)
    return choices


def _choices(path: Path) -> Iterator[Choice]:
    for where, cells in study_rows(path):
        if stray := [name for name in cells if name not in COLUMNS]:
            what = f"got the column {quote(stray[0])}{meant(stray[0], COLUMNS)}"
            fix = f"Expected the columns {', '.join(_REQUIRED)}."
            raise InputError(f"{where} {stray[0]}", what, fix)
        yield _choice(where, cells)


def _choice(where: str, cells: Cells) -> Choice:
    item, left, right, rater, given = (require_text(cells, name, where) for name in _REQUIRED)
    if left == right:
        raise InputError(f"{where} right", f"got {quote(right)}, as left; expected another", FIX)
    word = _WORDS.get(given.casefold())
    named = {left: left, right: right, "tie": None}
    if given not in named and word is None:
        expected = f"left, right or tie, or {left} or {right}"
        raise InputError(f"{where} choice", f"got {quote(given)}; expected {expected}", FIX)
    sides = {"left": left, "right": right, "tie": None}
    chosen = named[given] if given in named else sides[str(word)]
    return Choice(item, left, right, rater, chosen, text_of(cells, "question"), where)


def choices_signature(benchmark: str, choices: Sequence[Choice]) -> Signature:
    """What the scores of choices are made from."""
    rows = sorted([*one.key, one.chosen or "", one.left] for one in choices)
    return Signature(benchmark, "choices", "1", len(choices), checksum(rows), "none")
