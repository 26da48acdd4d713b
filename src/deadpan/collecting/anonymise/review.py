"""The review sheet: places that the rules cannot judge, for a person to decide about, as CSV or
JSON lines. The next call takes the decisions; what is not decided follows the suggestion."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import InputError
from deadpan.base.files import is_there, write_text
from deadpan.base.printable import in_cell, out_of_cell, visible
from deadpan.base.rows import Placed, checked_row, json_lines, read_csv
from deadpan.collecting.anonymise.patterns import Kind
from deadpan.collecting.anonymise.screens import Shown
from deadpan.collecting.anonymise.text import Decide, Named

KEEP: Final = "keep"
LEAVE_OUT: Final = "leave out"
PICTURE: Final = "picture"
_MARKS = "⟪", "⟫"
_CONTEXT = 80  # characters on either side
_WITH = re.compile(
    r"(?:replace with|替换为|改为)\s*[:：]?\s*(?P<text>.+)", re.IGNORECASE | re.DOTALL
)
_WORDS = {
    "accept": "accept", "接受": "accept", "keep": KEEP, "保留": KEEP,
    "replace": "replace", "替换": "replace", "leave out": LEAVE_OUT, "删除": LEAVE_OUT,
}  # fmt: skip
_EXPECTED = "expected accept, keep, replace, replace with TEXT, or for pictures leave out"
_DECIDE = "Fill in one of them, or leave it empty."


class Row(BaseModel):
    """A place, the text there with the part in question marked, what it may be, what is suggested,
    and what a person decided."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)

    file: str
    place: str
    text: str
    found: str
    may_be: str
    suggestion: str
    decision: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.file, self.place, self.found, self.may_be


class ReviewSheet:
    """The decisions of a sheet, and the rows that a run asks about."""

    def __init__(self, path: Path) -> None:
        if path.suffix.lower() not in (".csv", ".jsonl"):
            raise InputError(path, "is neither .csv nor .jsonl", "Name the sheet so.")
        self.path = path
        self._given: dict[tuple[str, str, str, str], Placed[Row]] = {}
        for placed in _read(path) if is_there(path) else ():
            if first := self._given.get(placed.row.key):
                what = f"says the same place again (first in {first.where})"
                raise InputError(placed.where, what, "Keep one of them.")
            _decision(placed)
            self._given[placed.row.key] = placed
        self._names: dict[tuple[str, str], dict[str, str]] = {}
        for key, placed in self._given.items():
            if key[3] == "name" and (decision := _decision(placed)):
                self._names.setdefault(key[:2], {})[key[2]] = decision
        self.rows: dict[tuple[str, str, str, str], Row] = {}
        self._texts: dict[tuple[str, str], str] = {}

    def at(self, file: str, place: str, text: str) -> Decide:
        """What was decided about a text at a place of a file."""
        listed = visible(file), place
        self._texts[listed] = text

        def decide(kind: Kind, found: str, shown: str, likely: bool = True) -> str | None:
            row = Row(file=listed[0], place=place, text=_marked(text, found), found=visible(found),
                      may_be=kind, suggestion=shown if likely else KEEP)  # fmt: skip
            decision = self._enter(row)
            if decision == KEEP or not (decision or likely):
                return None
            with_text = _WITH.fullmatch(decision)
            return with_text["text"].strip() if with_text else shown

        return decide

    def named(self, file: str, place: str) -> Named:
        """What was decided about known names at a place; a row there suggests what is done."""
        listed = visible(file), place
        given = self._names.get(listed, {})
        kept = [found for found, decision in given.items() if decision == KEEP]

        def named(found: str, shown: str) -> str | None:
            text = visible(found)
            row = self.rows.get((*listed, text, "name"))
            if row and row.suggestion == KEEP:
                suggestion = re.sub(r" ?(?:\d+|[A-Z])\]$", "]", shown)
                self.rows[row.key] = row.model_copy(update={"suggestion": suggestion})
            if any(text in one for one in kept):
                return None
            with_text = _WITH.fullmatch(given.get(text, ""))
            return with_text["text"].strip() if with_text else shown

        return named

    def picture(self, file: str, shown: Shown) -> bool:
        """Whether a picture that something was seen in stays; undecided, it does where nothing
        in it leads to a person plainly."""
        text = f"{shown.what}: {shown.quoted}" if shown.quoted else shown.what
        self._texts[visible(file), PICTURE] = text
        row = Row(file=visible(file), place=PICTURE, text=visible(text), found="",
                  may_be=shown.may_be, suggestion=LEAVE_OUT if shown.plain else KEEP)  # fmt: skip
        return (self._enter(row) or row.suggestion) != LEAVE_OUT

    def _enter(self, row: Row) -> str:
        """Lists a row; what was decided about it: a word, or what replaces it; '' for nothing."""
        given = self._given.get(row.key)
        if given and row.place != PICTURE and _plain(given.row.text) != _plain(row.text):
            what = "was changed; only decision is to be filled in"
            raise InputError(f"{given.where} text", what, "Put the old text back.")
        decision = given.row.decision if given else ""
        self.rows.setdefault(row.key, row.model_copy(update={"decision": decision}))
        return _decision(given) if given else ""

    def check(self) -> None:
        """Raises where a decision is about a place that this input does not have."""
        for key, placed in self._given.items():
            if key in self.rows or not placed.row.decision.strip():
                continue
            text = self._texts.get((placed.row.file, placed.row.place))
            if text is None:
                what = f"got {placed.row.file}, {placed.row.place}; this input has no such place"
                fix = "Use the sheet that was made for this input, or delete the line."
                raise InputError(placed.where, what, fix)
            if placed.row.found not in visible(text):
                what = "the text at this place is another one"
                raise InputError(f"{placed.where} text", what, "Delete the line.")

    @property
    def undecided(self) -> int:
        """How many places wait for a decision."""
        return sum(not row.decision.strip() for row in self.rows.values())

    def write(self) -> None:
        """Writes the rows of this run, with the decisions there are, in one step."""
        rows = sorted(self.rows.values(), key=lambda row: (row.file, _natural(row.place)))
        if self.path.suffix.lower() == ".jsonl":
            write_text(self.path, "".join(row.model_dump_json() + "\n" for row in rows))
            return
        stream = io.StringIO(newline="")
        writer = csv.writer(stream)
        writer.writerow(Row.model_fields)
        writer.writerows([in_cell(cell) for cell in row.model_dump().values()] for row in rows)
        write_text(self.path, "\ufeff" + stream.getvalue())


def _read(path: Path) -> list[Placed[Row]]:
    if path.suffix.lower() == ".jsonl":
        found = [(where, value) for where, value in json_lines(path)]
    else:
        table = read_csv(path, tuple(Row.model_fields), ",;\t")
        found = []
        for line, cells in table.rows:
            where = f"{path}:{line}"
            if len(cells) != len(table.header):
                what = f"has {len(cells)} cells; expected {len(table.header)}"
                raise InputError(where, what, "Correct the line.")
            named = zip(table.header, map(out_of_cell, cells), strict=True)
            found.append((where, {name: cell for name, cell in named if name in Row.model_fields}))
    return [Placed(where, checked_row(value, Row, where)) for where, value in found]


def _decision(placed: Placed[Row]) -> str:
    """The decision as one of the known words, or `replace with TEXT`; another one raises."""
    row, text = placed.row, placed.row.decision.strip()
    where = f"{placed.where} decision"
    if not text:
        return ""
    if found := _WITH.fullmatch(text):
        if row.place == PICTURE or row.found.casefold() in found["text"].casefold():
            what = f'got "{text}", which would leave what is to be replaced'
            raise InputError(where, what, _DECIDE)
        return text
    word = _WORDS.get(text.casefold())
    if word is None or (word == LEAVE_OUT) > (row.place == PICTURE):
        raise InputError(where, f'got "{text[:60]}"; {_EXPECTED}', _DECIDE)
    return row.suggestion if word == "accept" and row.suggestion in (KEEP, LEAVE_OUT) else word


def _marked(text: str, found: str) -> str:
    """The text around what was found, which is marked; on one line."""
    place = text.find(found)
    if place < 0:
        return f"{visible(text[: 2 * _CONTEXT])} {_MARKS[0]}{visible(found)}{_MARKS[1]}"
    end = place + len(found)
    before, after = text[max(0, place - _CONTEXT) : place], text[end : end + _CONTEXT]
    shown = f"{before}{_MARKS[0]}{found}{_MARKS[1]}{after}"
    return visible(shown).replace("\n", " ⏎ ")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _natural(place: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", place)]
