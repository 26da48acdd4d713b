"""PixelHumor's released CSV files → validated comics."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_there, is_within
from deadpan.base.rows import read_csv
from deadpan.core.contamination import RecitableText, recitable_texts
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.questions import Language, PanelBox
from deadpan.core.signature import checksum
from deadpan.parsing.panel_text import says_no_text

Presence = Literal["Yes", "No"]
SoundEffect = Literal["Absent", "Present, contribute", "Present, do not contribute"]
Modality = Literal["Text", "Visual", "Both"]
PRESENCE: tuple[str, ...] = get_args(Presence)
SOUND_EFFECTS: tuple[str, ...] = get_args(SoundEffect)
MODALITIES: tuple[str, ...] = get_args(Modality)
STYLES: tuple[str, ...] = (
    *("Comparison", "Personification", "Exaggeration", "Pun"),
    *("Sarcasm", "Silliness", "Surprise", "Dark"),
)
NA = "NA"
QUESTIONS = ("Q1", "Q2", "Q3", "Q4", "Q5")
FULL_LABEL_COLUMNS = (
    *("comic_id", "comic_url", *QUESTIONS, "panel_sequence", "text"),
    *("number_of_panels", "potentially_harmful"),
)
MINI_SET = Path(__file__).parent / "data"
GOLD_ITEM = re.compile(r"^\s*(\d{1,3})\s*:", re.M)
_FETCH = "Give --data a folder with the released files, or leave it out for the mini-set."
_MOST_DIGITS = 3
_BOXES = TypeAdapter(tuple[PanelBox, ...])


class Comic(BaseModel):
    """One comic with its gold; panel, modality and styles hold NA where there is no humour."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    comic_id: str
    source: str
    url: str
    language: Language
    presence: Presence
    sound_effect: SoundEffect
    panel: tuple[str, ...]
    modality: Modality | Literal["NA"]
    styles: tuple[str, ...]
    panel_sequence: tuple[int, ...]
    text: str
    number_of_panels: int
    harmful: bool
    boxes: tuple[PanelBox, ...]
    explanation: str | None = None
    image: str | None = None

    @property
    def harm(self) -> str:
        """The label of harm, as released."""
        return "harm" if self.harmful else "non-harm"


def numbered_items(text: str, marker: re.Pattern[str]) -> list[tuple[int, str]]:
    """The text after each marker up to the next, with the marker's number."""
    matches = list(marker.finditer(text))
    ends = [*(match.start() for match in matches[1:]), len(text)]
    return [
        (int(match[1]), text[match.end() : end]) for match, end in zip(matches, ends, strict=False)
    ]


def gold_items(text: str) -> list[tuple[int, str]]:
    """The `N: text` items of a gold cell; lines before the first item belong to no panel. One that
    says there is none ("[Blank]", in three comics) has no text, as in answers."""
    items = numbered_items(text, GOLD_ITEM)
    return [(number, "" if _is_blank(said) else said) for number, said in items]


def _is_blank(said: str) -> bool:
    return said.strip().startswith(("(", "[")) and says_no_text(said)


@dataclass(frozen=True)
class Row:
    """A CSV row with the place it came from, so that errors can say where."""

    file: str
    line: int
    cells: Mapping[str, str]

    def fail(self, column: str, expected: str, got: str | None = None) -> InputError:
        """The error for a cell, naming file, line, column, value and what was expected."""
        shown = self.cells.get(column, "") if got is None else got
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        what = f'got "{shown}"; expected {expected}'
        return InputError(f"{self.file}:{self.line} {column}", what, "Correct the cell.")


def read_comics(data: Path | None) -> Dataset[Comic]:
    """The comics of a released folder (or the mini-set); rows that cannot be used are anomalies."""
    folder = data or MINI_SET
    if not is_folder(folder):
        raise InputError(folder, "no such folder", _FETCH)
    boxes, anomalies = panel_boxes(folder)
    explanations = {}
    if is_there(folder / "human_explanation.csv"):
        for row in rows(folder / "human_explanation.csv", ("comic_id", "explanation"), []):
            explanations[row.cells["comic_id"]] = row.cells["explanation"]
    images = _images(folder)
    comics: dict[str, Comic] = {}
    for row in rows(folder / "full_label.csv", FULL_LABEL_COLUMNS, anomalies):
        try:
            comic = _comic(row, boxes, explanations, images)
        except InputError as error:
            anomalies.append(Anomaly(error.where, "unusable row", error.what))
            continue
        if comics.setdefault(comic.comic_id, comic) is not comic:
            where = f"{row.file}:{row.line} comic_id"
            anomalies.append(Anomaly(where, "repeated id", f"{comic.comic_id} is there twice"))
    if not comics:
        bad = next((one for one in anomalies if one.kind == "unusable row"), None)
        why = f" (the first row that cannot be used: {bad.where}: {bad.what})" if bad else ""
        raise InputError(folder / "full_label.csv", f"holds no usable comic{why}", _FETCH)
    identity = [comic.model_dump(exclude={"image"}) for comic in comics.values()]
    origin = "mini-set" if data is None else str(data)
    media = tuple(comic.image or str(folder / "images" / name) for name, comic in comics.items())
    return Dataset(tuple(comics.values()), origin, checksum(identity), tuple(anomalies), media)


def rows(
    path: Path, columns: Sequence[str], anomalies: list[Anomaly] | None = None
) -> Iterator[Row]:
    """The rows of a CSV file with at least the given columns; ragged rows become anomalies."""
    table = read_csv(path, columns)
    for line, cells in table.rows:
        if len(cells) == len(table.header):
            yield Row(path.name, line, dict(zip(table.header, cells, strict=True)))
            continue
        what = f"{len(cells)} cells; expected {len(table.header)}"
        if anomalies is None:
            raise InputError(f"{path}:{line}", what, "Correct the row.")
        anomalies.append(Anomaly(f"{path.name}:{line}", "unusable row", what))


def labels(row: Row, column: str, vocabulary: Sequence[str]) -> tuple[str, ...]:
    """The labels of a list-literal cell such as `['Pun', 'Surprise']`."""
    value = _list_literal(row.cells[column])
    if not value:
        raise row.fail(column, "a list of " + ", ".join(vocabulary))
    for label in value:
        if label not in vocabulary:
            got = label if isinstance(label, str) else None
            raise row.fail(column, f"one of {', '.join(vocabulary)}", got)
    return tuple(value)


def panel_labels(row: Row, column: str) -> tuple[str, ...]:
    """The panel numbers of a list-literal cell, or NA."""
    value = _list_literal(row.cells[column])
    if not value or not all(
        isinstance(label, str) and (label == NA or _is_number(label)) for label in value
    ):
        raise row.fail(column, "a list of panel numbers, or ['NA']")
    return tuple(value)


def _list_literal(cell: str) -> list[Any] | None:
    """The list a cell spells out; None for anything else. Nothing in the cell is executed."""
    try:
        value = ast.literal_eval(cell)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _is_number(text: str) -> bool:
    """Whether a text is a whole number of a size that panels come in."""
    return text.isdecimal() and len(text) <= _MOST_DIGITS


def _one_label(row: Row, column: str, vocabulary: Sequence[str]) -> Any:
    """The single label of a list-literal cell."""
    found = labels(row, column, vocabulary)
    if len(found) != 1:
        raise row.fail(column, f"exactly one of {', '.join(vocabulary)}")
    return found[0]


def _comic(
    row: Row,
    boxes: Mapping[str, tuple[PanelBox, ...]],
    explanations: Mapping[str, str],
    images: Mapping[str, str],
) -> Comic:
    name = row.cells["comic_id"]
    source, _, number = name.rpartition("_")
    if not source or not number or "/" in name or "\\" in name:  # ids are names of files
        raise row.fail("comic_id", "source_number, such as xkcd_209")
    language = row.cells.get("language") or "en"
    if language not in get_args(Language):
        raise row.fail("language", "en or zh")
    if row.cells["potentially_harmful"] not in ("harm", "non-harm"):
        raise row.fail("potentially_harmful", "harm or non-harm")
    return Comic(
        comic_id=name,
        source=source,
        url=row.cells["comic_url"],
        language=cast(Language, language),
        presence=_one_label(row, "Q1", PRESENCE),
        sound_effect=_one_label(row, "Q2", SOUND_EFFECTS),
        panel=panel_labels(row, "Q3"),
        modality=_one_label(row, "Q4", (*MODALITIES, NA)),
        styles=labels(row, "Q5", (*STYLES, NA)),
        panel_sequence=_sequence(row),
        text=row.cells["text"],
        number_of_panels=_count(row),
        harmful=row.cells["potentially_harmful"] == "harm",
        boxes=boxes.get(name, ()),
        explanation=explanations.get(name),
        image=images.get(name),
    )


def _sequence(row: Row) -> tuple[int, ...]:
    parts = [part.strip() for part in row.cells["panel_sequence"].split(",")]
    if not all(_is_number(part) for part in parts):
        raise row.fail("panel_sequence", "panel numbers such as 2, 1, 3")
    return tuple(int(part) for part in parts)


def _count(row: Row) -> int:
    cell = row.cells["number_of_panels"].strip()
    if not _is_number(cell) or int(cell) < 1:
        raise row.fail("number_of_panels", f"a whole number from 1 to {'9' * _MOST_DIGITS}")
    return int(cell)


def panel_boxes(folder: Path) -> tuple[dict[str, tuple[PanelBox, ...]], list[Anomaly]]:
    """The panel boxes of each comic in metadata.csv, and the rows that hold none."""
    path, found = folder / "metadata.csv", dict[str, tuple[PanelBox, ...]]()
    if not is_there(path):
        what = "no panel boxes: panel numbers cannot be drawn"
        return found, [Anomaly(path.name, "missing file", what)]
    anomalies: list[Anomaly] = []
    expected = "a list of boxes {'x1', 'y1', 'x2', 'y2', 'panel_number'} in whole numbers"
    for row in rows(path, ("comic_id", "metadata"), anomalies):
        try:
            boxes = _BOXES.validate_python(_list_literal(row.cells["metadata"]))
            found[row.cells["comic_id"]] = boxes
        except ValidationError:
            error = row.fail("metadata", expected)
            anomalies.append(Anomaly(error.where, "unusable boxes", error.what))
    return found, anomalies


def _images(folder: Path) -> dict[str, str]:
    """The image files of a data folder by comic id; a link out of the folder raises."""
    found = sorted((folder / "images").glob("*")) if is_folder(folder / "images") else []
    for path in found:
        if not is_within(path, folder):
            fix = "Put the picture itself there; links are followed inside the data folder only."
            raise InputError(path, "leads out of the data folder", fix)
    return {path.stem: str(path) for path in found if path.suffix not in {".part", ".jsonl"}}


def recitable(dataset: Dataset[Comic]) -> Iterator[RecitableText]:
    """What is written in the panels, and the explanation of people."""
    for comic in dataset.records:
        texts = {"panel text": comic.text, "explanation": comic.explanation}
        yield from recitable_texts(comic.comic_id, comic.language, texts)
