"""Review sheets: what a person decides on each meme after a stage, in a CSV file that spreadsheets
open, and how it enters the plans."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, write_text
from deadpan.base.printable import visible
from deadpan.base.rows import quote, read_csv
from deadpan.editing.reappraise.plan import Decision, Plan, Review, Stage

SHEETS = "review"
_NEEDED = ("file", "decision", "reason", "made")
_SHOWN: dict[Stage, tuple[str, ...]] = {
    "describe": (
        "emotion", "visual_type", "sentiment_polarity", "layout_type", "description", "captions",
    ),
    "plan": ("target", "old_captions", "captions", "specification"),
    "edit": ("target", "captions", "editor", "notes"),
}  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t")
_MOST_REASON = 1000


@dataclass(frozen=True)
class Row:
    """What a person decided on one meme, where it stands, and on what it was decided."""

    where: str
    decision: Decision | None
    reason: str
    made: str


def sheet_path(out: Path, stage: Stage) -> Path:
    """Where a stage's sheet lies."""
    return out / SHEETS / f"{stage}.csv"


def read_sheet(path: Path, sources: Iterable[Path]) -> dict[str, Row]:
    """The rows of a sheet by file name; none where there is no sheet. A decision that is none, a
    revision or removal without reason, an unknown file or one given twice raises with its place."""
    if not is_file(path):
        return {}
    names = {_cell(source.name): source.name for source in sources}
    table = read_csv(path, _NEEDED)
    places = {name: table.header.index(name) for name in _NEEDED}
    rows: dict[str, Row] = {}
    for line, cells in table.rows:
        where = f"{path}:{line}"
        if len(cells) != len(table.header):
            what = f"has {len(cells)} cells; expected {len(table.header)}"
            raise InputError(where, what, "Quote cells that hold commas.")
        file, decision, reason, made = (cells[places[name]].strip() for name in _NEEDED)
        if file not in names:
            fix = "Put its name back, or name the folder it is in."
            raise InputError(f"{where} file", f"{quote(file)} is not among the memes", fix)
        if names[file] in rows:
            first = rows[names[file]].where
            raise InputError(f"{where} file", f"is there twice (first in {first})", "Keep one.")
        rows[names[file]] = Row(where, _decision(decision, reason, where), reason, made)
    return rows


def _decision(text: str, reason: str, where: str) -> Decision | None:
    plain = text.casefold()
    if not plain:
        return None
    if plain not in get_args(Decision):
        known = "accept, revise, remove, or nothing"
        raise InputError(f"{where} decision", f"got {quote(text)}; expected {known}", "Correct it.")
    if plain != "accept" and not reason:
        raise InputError(f"{where} reason", f"is empty; expected why to {plain}", "Fill it in.")
    if len(reason) > _MOST_REASON or visible(reason.replace("\n", " ")) != reason.replace(
        "\n", " "
    ):
        what = f"expected at most {_MOST_REASON} characters, all of which can be seen"
        raise InputError(f"{where} reason", what, "Shorten or retype it.")
    return cast("Decision", plain)


def write_sheet(
    path: Path, stage: Stage, plans: Mapping[Path, Plan], old: Mapping[str, Row]
) -> None:
    """Writes a stage's sheet: a row for each meme that has the stage, or that was removed after it.
    What was decided stands there while it is about what is there now."""
    rows = [["file", "decision", "reason", *_SHOWN[stage], "made"]]
    for source, plan in plans.items():
        made, last = plan.made(stage), plan.last_review(stage)
        row = old.get(source.name)
        if not made and not (last and last.decision == "remove"):
            continue
        decided: tuple[str, str] = ("", "")
        if row is not None and row.decision and row.made == made:
            decided = (row.decision, row.reason)
        elif last is not None and last.decision != "revise" and last.content == made:
            decided = (last.decision, last.reason)
        rows.append([source.name, *decided, *_shown(stage, plan), made])
    sheet = io.StringIO(newline="")
    csv.writer(sheet, lineterminator="\n").writerows([_cell(cell) for cell in row] for row in rows)
    write_text(path, "\ufeff" + sheet.getvalue())  # the mark tells spreadsheets that it is UTF-8


def _shown(stage: Stage, plan: Plan) -> Sequence[str]:
    """What a sheet shows of a plan, to decide on; what is to be changed is changed in the plan."""
    seen, wanted, result = plan.described, plan.proposed, plan.edited
    values: dict[str, object] = {}
    if seen is not None:
        values |= seen.model_dump(mode="json") | {"old_captions": seen.captions}
    if wanted is not None and stage != "describe":
        values |= wanted.model_dump(mode="json")
    if result is not None:
        values |= {"editor": result.editor, "notes": result.notes}
    return [_text(values.get(name)) for name in _SHOWN[stage]]


def _text(value: object) -> str:
    if isinstance(value, tuple | list):
        return "\n".join(map(str, value))
    return "" if value is None else str(value)


def _cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def decide(plan: Plan, stage: Stage, row: Row | None) -> Plan:
    """The plan with what a person decided on a stage; as it is where that was about something else.
    What is to be revised, and all that was made of it, is taken out."""
    made = plan.made(stage)
    if row is None or row.decision is None or not made or plan.removed or row.made != made:
        return plan
    last = plan.last_review(stage)
    if last and (last.decision, last.reason, last.content) == (row.decision, row.reason, made):
        return plan
    # What was changed by hand is accepted as changed.
    plan = plan.with_seal()
    content = plan.made(stage)
    review = Review(stage=stage, decision=row.decision, reason=row.reason, content=content)
    update: dict[str, object] = {"reviews": (*plan.reviews, review)}
    if row.decision == "remove":
        update |= {"status": "removed", "problem": None}
    if row.decision == "revise":
        fields = ("described", "proposed", "edited")
        gone = fields[("describe", "plan", "edit").index(stage) :]
        update |= dict.fromkeys(gone) | {"status": "new"}
    return plan.model_copy(update=update)
