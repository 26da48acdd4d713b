"""pairs.jsonl → validated image–text pairs with their gold, split by split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self, get_args

from deadpan.base.errors import InputError
from deadpan.base.rows import quote
from deadpan.core.contamination import RecitableText, recitable_texts
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Language
from deadpan.core.record_files import FIX, ImageRecord, ImageRow, Text, Words, image_records
from deadpan.core.signature import checksum

FILE = "pairs.jsonl"
Split = Literal["train", "validation", "test", "metaphor"]
SPLITS: tuple[Split, ...] = get_args(Split)
_EVALUATED: frozenset[Split] = frozenset({"test", "metaphor"})
TargetType = Literal[
    "social_phenomena",
    "individual_behaviour",
    "interpersonal_relations",
    "institutional_rules",
    "others",
]
TARGET_TYPES: tuple[TargetType, ...] = get_args(TargetType)


class PairRow(ImageRow):
    """A line of pairs.jsonl."""

    id: Text
    text: str
    ocr_text: str
    language: Language
    split: Split
    sarcastic: bool
    target: Words | None
    target_type: TargetType | None
    explanation: Words | None
    metaphor: bool | None
    description: Words | None = None
    """What the picture shows, for the generation study; may be left out."""


class Pair(ImageRecord[PairRow]):
    """One pair with its image and place."""

    @property
    def name(self) -> str:
        return self.row.id


@dataclass(frozen=True)
class Pairs(Dataset[Pair]):
    """The pairs that are evaluated, as `records`; `learnt` are those of the other splits."""

    learnt: tuple[Pair, ...] = ()

    @classmethod
    def of_dataset(cls, dataset: Dataset[Pair]) -> Self:
        """A data set that may have been cut down to what is evaluated."""
        if isinstance(dataset, cls):
            return dataset
        about = (dataset.origin, dataset.checksum, dataset.anomalies, dataset.media)
        return cls(dataset.records, *about)

    @property
    def everything(self) -> tuple[Pair, ...]:
        """The pairs of all splits."""
        return (*self.learnt, *self.records)

    def of(self, *splits: Split) -> list[Pair]:
        """The pairs of some splits."""
        return [pair for pair in self.everything if pair.row.split in splits]


def read_pairs(data: Path | None) -> Pairs:
    """The pairs of a folder (or the mini-set) in file order; what is odd and not fatal is told."""
    pairs: list[Pair] = []
    folder = data or Path(__file__).parent / "data"
    for pair in image_records(folder, FILE, Pair, PairRow, "id"):
        _require_fitting(pair.row, pair.where)
        pairs.append(pair)
    evaluated = tuple(pair for pair in pairs if pair.row.split in _EVALUATED)
    return Pairs(
        records=evaluated,
        origin="mini-set" if data is None else str(data),
        checksum=checksum_of(evaluated),
        anomalies=tuple(odd for pair in pairs for odd in pair.unknown_fields),
        media=tuple(pair.path for pair in evaluated),
        learnt=tuple(pair for pair in pairs if pair.row.split not in _EVALUATED),
    )


def checksum_of(pairs: Sequence[Pair]) -> str:
    """The checksum of what the pairs say, whatever splits they are of."""
    return checksum([pair.row.model_dump() for pair in pairs])


def _require_fitting(row: PairRow, where: str) -> None:
    """Raises where the label and what depends on it contradict each other."""
    for field in ("target", "target_type", "explanation"):
        value = getattr(row, field)
        if row.sarcastic and value is None:
            what = "got null; expected a value, as the pair is sarcastic"
            raise InputError(f"{where} {field}", what, FIX)
        if not row.sarcastic and value is not None:
            what = f"got {quote(value)}; expected null, as the pair is not sarcastic"
            raise InputError(f"{where} {field}", what, FIX)
    if row.split == "metaphor" and row.metaphor is None:
        what = "got null; expected true or false, as the pair is of the metaphor subset"
        raise InputError(f"{where} metaphor", what, FIX)


def recitable(dataset: Dataset[Pair]) -> Iterator[RecitableText]:
    """The post's words, those in its picture, and the explanation of people."""
    for pair in dataset.records:
        row = pair.row
        texts = {
            "caption": row.text,
            "picture text": row.ocr_text,
            "explanation": row.explanation,
        }
        yield from recitable_texts(row.id, row.language, texts)
