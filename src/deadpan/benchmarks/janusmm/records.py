"""memes.jsonl → validated memes with the dialogue each was shared in, and its gold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from deadpan.benchmark import Anomaly, Dataset
from deadpan.errors import InputError
from deadpan.files import read_text
from deadpan.json_lines import json_object, shown
from deadpan.questions import Language
from deadpan.record_files import FIX, image_path, line_problem
from deadpan.signature import checksum

MINI_SET = Path(__file__).parent / "miniset" / "data"
FILE = "memes.jsonl"
Source = Literal["social_media", "group_chat", "private_dialogue"]
Speaker = Literal["sender", "receiver", "other"]
_DATA_HINT = f"Give --data a folder with {FILE} and its images, or leave it out for the mini-set."
_LONGEST_NAME = 200

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Words = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"[\p{L}\p{N}]")]


class _Row(BaseModel):
    """Strict: no field of another type is converted. Unknown fields are kept to be told of."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    @property
    def unknown(self) -> tuple[str, ...]:
        """The fields beyond the known ones."""
        return tuple(self.model_extra or ())


class Turn(_Row):
    """Something said in the dialogue; the turn that shares the meme may have no words."""

    speaker: Speaker
    text: str
    shares_meme: bool = False


class MemeRow(_Row):
    """A line of memes.jsonl."""

    meme_id: _Text
    image: _Text
    language: Language
    source: Source
    self_deprecating: bool
    text: str
    dialogue: tuple[Turn, ...]
    emotion: _Words
    thinking: _Words
    sender_reasoning: _Words | None
    receiver_reasoning: _Words | None
    receiver_reply: _Text | None


class Meme(BaseModel):
    """One meme. `path` is where its image should be, `where` the line it stands in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    row: MemeRow
    path: str
    where: str

    @property
    def meme_id(self) -> str:
        return self.row.meme_id


def read_memes(data: Path | None) -> Dataset[Meme]:
    """The memes of a folder (or the mini-set) in file order; what is odd and not fatal is told."""
    folder = data or MINI_SET
    if not (folder / FILE).is_file():
        raise InputError(folder / FILE, "no such file", _DATA_HINT)
    memes: dict[str, Meme] = {}
    anomalies: list[Anomaly] = []
    for number, line in enumerate(read_text(folder / FILE).split("\n"), start=1):
        if not line.strip():
            continue
        meme = _meme(line, f"{FILE}:{number}", folder)
        if first := memes.get(meme.meme_id):
            what = f"got {shown(meme.meme_id)} a second time (first in {first.where})"
            raise InputError(f"{meme.where} meme_id", what, "Keep one line for each meme.")
        memes[meme.meme_id] = meme
        anomalies += _unknown_fields(meme)
    identity = [meme.row.model_dump() for meme in memes.values()]
    origin = "mini-set" if data is None else str(data)
    return Dataset(tuple(memes.values()), origin, checksum(identity), tuple(anomalies))


def _meme(line: str, where: str, folder: Path) -> Meme:
    try:
        row = MemeRow.model_validate_json(_checked_json(line, where))
    except ValidationError as error:
        raise line_problem(where, error) from None
    if len(row.meme_id) > _LONGEST_NAME or not row.meme_id.isprintable():
        what = f"got {shown(row.meme_id)}; expected at most {_LONGEST_NAME} printable characters"
        raise InputError(f"{where} meme_id", what, FIX)
    _require_references(row, where)
    return Meme(row=row, path=str(image_path(folder, row.image, where)), where=where)


def _checked_json(line: str, where: str) -> str:
    """The line itself, once it is known to be one JSON object with each field once."""
    json_object(line, where)
    return line


def _require_references(row: MemeRow, where: str) -> None:
    """Raises where a self-deprecating meme lacks the reasoning its answers are compared with."""
    if not row.self_deprecating:
        return
    for field in ("sender_reasoning", "receiver_reasoning"):
        if getattr(row, field) is None:
            what = "got null; expected text, as the meme is self-deprecating"
            raise InputError(f"{where} {field}", what, FIX)


def _unknown_fields(meme: Meme) -> list[Anomaly]:
    names = [*meme.row.unknown]
    for number, turn in enumerate(meme.row.dialogue):
        names += [f"dialogue.{number}.{name}" for name in turn.unknown]
    return [Anomaly(f"{meme.where} {name}", "unknown field", "not used") for name in names]
