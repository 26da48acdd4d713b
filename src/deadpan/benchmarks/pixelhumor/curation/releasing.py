"""Settled comics as rows, and the released CSV files with them; addresses go along with pictures,
and can stand for them."""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from pydantic import JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.printable import in_cell
from deadpan.benchmarks.pixelhumor.curation.candidates import (
    UNDRAFTED,
    address_of,
    comic_id,
    panel_text,
)
from deadpan.benchmarks.pixelhumor.curation.known import ATTRIBUTE, Panels
from deadpan.benchmarks.pixelhumor.records import FULL_LABEL_COLUMNS, QUESTIONS, gold_items
from deadpan.core.curation import Post, ReleasedFiles, split_folder
from deadpan.core.drafting import picture_of

SOURCE = "media_file"
"""Where a row tells the name of its picture in the work folder."""
_COLUMNS: Mapping[str, Sequence[str]] = {
    "full_label.csv": (*FULL_LABEL_COLUMNS, "language"),
    "subjective_label.csv": ("comic_id", *QUESTIONS),
    "metadata.csv": ("comic_id", "metadata"),
    "objective_label.csv": ("comic_id", "panel_sequence", "text", "number_of_panels"),
    "harm_annotation.csv": ("comic_id", "potentially_harmful"),
    "comic_url.csv": ("comic_id", "comic_url"),
    "panels.csv": ("id", "image", "url", "language", ATTRIBUTE),
}
_OF_HUMOUR = ("full_label.csv", "subjective_label.csv")
_PANELS_ALONE = ("panels.csv",)
_FIX = "Draft the post again, or have people settle it."
Row = dict[str, JsonValue]


def row_of(post: Post, settled: Mapping[str, JsonValue]) -> Row:
    """The post's row: panels as they were settled, else as they were drafted, and the answers to
    Q1 to Q5 where annotators gave them. Panels that contradict each other raise."""
    picture = picture_of(post)
    panels = _panels(post, settled)
    name = comic_id(post)
    answers = {one: _list(settled[one]) for one in QUESTIONS if settled.get(one)}
    if answers and len(answers) < len(QUESTIONS):
        lacking = ", ".join(one for one in QUESTIONS if one not in answers)
        raise InputError(post.where, f"no answer to {lacking} is settled", _FIX)
    suffix = PurePosixPath(picture.file).suffix
    return {
        "id": post.id,
        "comic_id": name,
        "comic_url": address_of(post),
        "language": post.written_in,
        "source": name.rpartition("_")[0],
        **answers,
        "panel_sequence": ", ".join(map(str, panels.panel_sequence)),
        "text": panel_text(panels.text),
        "number_of_panels": len(panels.metadata),
        "potentially_harmful": panels.potentially_harmful,
        "metadata": _boxes(panels),
        "image": f"images/{name}{suffix}",
        "url": address_of(post),
        ATTRIBUTE: panels.model_dump_json(),
        SOURCE: picture.file,
    }


def _boxes(panels: Panels) -> str:
    """The boxes as metadata.csv has them: numbers of panels are text there."""
    boxes = (box.model_dump() for box in panels.metadata)
    return str([{**box, "panel_number": str(box["panel_number"])} for box in boxes])


def _panels(post: Post, settled: Mapping[str, JsonValue]) -> Panels:
    """Settled panels are all of one study, whose numbers they have; where it settled no boxes, the
    draft's panels are those that people were shown."""
    known: Mapping[str, object] = post.draft
    if settled.get("metadata"):
        known = {
            name: _value(name, settled[name]) for name in Panels.model_fields if name in settled
        }
    try:
        return Panels.model_validate(known)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        what = (
            f"{UNDRAFTED} that can be used ({'.'.join(map(str, problem['loc']))}: {problem['msg']})"
        )
        raise InputError(post.where, what, _FIX) from None


def _value(name: str, given: JsonValue) -> object:
    """What a field of a settled line holds, be it a cell of a released file or not."""
    if not isinstance(given, str) or name == "potentially_harmful":
        return given
    if name == "text":
        return {number: said.strip() for number, said in gold_items(given)}
    if name == "panel_sequence":
        return [int(one) for one in given.split(",") if one.strip().isdecimal()]
    try:
        return ast.literal_eval(given)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return given


def _list(value: JsonValue) -> str:
    """Labels as the files have them: a list in the words of Python."""
    if isinstance(value, list):
        return str([str(one) for one in value])
    text = str(value)
    return text if text.startswith("[") else str([text])


def files(rows: Sequence[Mapping[str, JsonValue]]) -> ReleasedFiles:
    """The CSV files of the released layout, pictures and their addresses. Comics of which only the
    panels are settled are in `panels.csv` in place of the files of labels: another curation
    collects it. A split that is not the test split lies in a folder of its own."""
    by_split: dict[str, list[Mapping[str, JsonValue]]] = {}
    for row in rows:
        by_split.setdefault(str(row["split"]), []).append(row)
    texts: dict[str, str] = {}
    media: dict[str, str] = {}
    for split, own in by_split.items():
        folder = PurePosixPath(split_folder(split))
        labelled = [row for row in own if QUESTIONS[0] in row]
        for name, columns in _COLUMNS.items():
            listed = labelled if name in _OF_HUMOUR else own
            if name in _PANELS_ALONE:
                listed = [row for row in own if row not in labelled]
            if listed:
                texts[str(folder / name)] = _table(columns, listed)
        media |= {str(folder / str(row["image"])): str(row[SOURCE]) for row in own}
    return ReleasedFiles(texts, media)


def _table(columns: Sequence[str], rows: Iterable[Mapping[str, JsonValue]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([in_cell(str(row[name])) for name in columns] for row in rows)
    return stream.getvalue()
