"""pairs.jsonl → validated image–text pairs with their gold, split by split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from deadpan.benchmark import Anomaly, Dataset
from deadpan.errors import InputError
from deadpan.files import read_text
from deadpan.json_lines import json_object, shown
from deadpan.questions import Language
from deadpan.record_files import FIX, image_path, line_problem
from deadpan.signature import checksum

MINI_SET = Path(__file__).parent / "miniset" / "data"
FILE = "pairs.jsonl"
Split = Literal["train", "validation", "test", "metaphor"]
SPLITS: tuple[Split, ...] = get_args(Split)
EVALUATED: frozenset[Split] = frozenset({"test", "metaphor"})
TargetType = Literal[
    "social_phenomena",
    "individual_behaviour",
    "interpersonal_relations",
    "institutional_rules",
    "others",
]
TARGET_TYPES: tuple[TargetType, ...] = get_args(TargetType)
_DATA_HINT = f"Give --data a folder with {FILE} and its images, or leave it out for the mini-set."
_LONGEST_NAME = 200
_OF_SARCASM = ("target", "target_type", "explanation")

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Words = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"[\p{L}\p{N}]")]


class PairRow(BaseModel):
    """A line of pairs.jsonl. Strict: no field of another type is converted; unknown fields are kept
    to be told of."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    id: _Text
    image: _Text
    text: str
    ocr_text: str
    language: Language
    split: Split
    sarcastic: bool
    target: _Words | None
    target_type: TargetType | None
    explanation: _Words | None
    metaphor: bool | None
    description: _Words | None = None
    """What the picture shows, for the generation study; may be left out."""


class Pair(BaseModel):
    """One pair. `path` is where its image should be, `where` the line it stands in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    row: PairRow
    path: str
    where: str

    @property
    def name(self) -> str:
        return self.row.id


@dataclass(frozen=True)
class Pairs(Dataset[Pair]):
    """The pairs that are evaluated, as `records`; `learnt` are those of the other splits."""

    learnt: tuple[Pair, ...] = ()

    @property
    def everything(self) -> tuple[Pair, ...]:
        """The pairs of all splits."""
        return (*self.learnt, *self.records)

    def of(self, *splits: Split) -> list[Pair]:
        """The pairs of some splits."""
        return [pair for pair in self.everything if pair.row.split in splits]


def read_pairs(data: Path | None) -> Pairs:
    """The pairs of a folder (or the mini-set) in file order; what is odd and not fatal is told."""
    folder = data or MINI_SET
    if not (folder / FILE).is_file():
        raise InputError(folder / FILE, "no such file", _DATA_HINT)
    pairs: dict[str, Pair] = {}
    for number, line in enumerate(read_text(folder / FILE).split("\n"), start=1):
        if not line.strip():
            continue
        pair = _pair(line, f"{FILE}:{number}", folder)
        if first := pairs.get(pair.name):
            what = f"got {shown(pair.name)} a second time (first in {first.where})"
            raise InputError(f"{pair.where} id", what, "Keep one line for each pair.")
        pairs[pair.name] = pair
    return Pairs(
        records=tuple(pair for pair in pairs.values() if pair.row.split in EVALUATED),
        origin="mini-set" if data is None else str(data),
        checksum=checksum_of([p for p in pairs.values() if p.row.split in EVALUATED]),
        anomalies=tuple(odd for pair in pairs.values() for odd in _unknown_fields(pair)),
        learnt=tuple(pair for pair in pairs.values() if pair.row.split not in EVALUATED),
    )


def checksum_of(pairs: Sequence[Pair]) -> str:
    """The checksum of what the pairs say, whatever splits they are of."""
    return checksum([pair.row.model_dump() for pair in pairs])


def _pair(line: str, where: str, folder: Path) -> Pair:
    json_object(line, where)
    try:
        row = PairRow.model_validate_json(line)
    except ValidationError as error:
        raise line_problem(where, error) from None
    if len(row.id) > _LONGEST_NAME or not row.id.isprintable():
        what = f"got {shown(row.id)}; expected at most {_LONGEST_NAME} printable characters"
        raise InputError(f"{where} id", what, FIX)
    _require_fitting(row, where)
    return Pair(row=row, path=str(image_path(folder, row.image, where)), where=where)


def _require_fitting(row: PairRow, where: str) -> None:
    """Raises where the label and what depends on it contradict each other."""
    for field in _OF_SARCASM:
        value = getattr(row, field)
        if row.sarcastic and value is None:
            what = "got null; expected a value, as the pair is sarcastic"
            raise InputError(f"{where} {field}", what, FIX)
        if not row.sarcastic and value is not None:
            what = f"got {shown(value)}; expected null, as the pair is not sarcastic"
            raise InputError(f"{where} {field}", what, FIX)
    if row.split == "metaphor" and row.metaphor is None:
        what = "got null; expected true or false, as the pair is of the metaphor subset"
        raise InputError(f"{where} metaphor", what, FIX)


def _unknown_fields(pair: Pair) -> list[Anomaly]:
    names = tuple(pair.row.model_extra or ())
    return [Anomaly(f"{pair.where} {name}", "unknown field", "not used") for name in names]
