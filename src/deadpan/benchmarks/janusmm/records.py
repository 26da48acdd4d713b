"""memes.jsonl → validated memes with the dialogue each was shared in, and its gold."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from deadpan.base.errors import InputError
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Language
from deadpan.core.record_files import FIX, ImageRecord, ImageRow, Row, Text, Words, image_records
from deadpan.core.signature import checksum

MINI_SET = Path(__file__).parent / "data"
FILE = "memes.jsonl"
REASONINGS = ("thinking", "sender_reasoning", "receiver_reasoning")
"""The texts that answers are compared with."""
Source = Literal["social_media", "group_chat", "private_dialogue"]
Speaker = Literal["sender", "receiver", "other"]


class Turn(Row):
    """Something said in the dialogue; the turn that shares the meme may have no words."""

    speaker: Speaker
    text: str
    shares_meme: bool = False


class MemeRow(ImageRow):
    """A line of memes.jsonl."""

    meme_id: Text
    language: Language
    source: Source
    self_deprecating: bool
    text: str
    dialogue: tuple[Turn, ...]
    emotion: Words
    thinking: Words
    sender_reasoning: Words | None
    receiver_reasoning: Words | None
    receiver_reply: Text | None

    @property
    def unknown(self) -> tuple[str, ...]:
        """The fields beyond the known ones, those of turns too."""
        turns = enumerate(self.dialogue)
        of_turns = (f"dialogue.{number}.{name}" for number, turn in turns for name in turn.unknown)
        return (*super().unknown, *of_turns)


class Meme(ImageRecord[MemeRow]):
    """One meme with its image and place."""

    @property
    def meme_id(self) -> str:
        return self.row.meme_id


def read_memes(data: Path | None) -> Dataset[Meme]:
    """The memes of a folder (or the mini-set) in file order; what is odd is reported."""
    memes: list[Meme] = []
    for meme in image_records(data or MINI_SET, FILE, Meme, MemeRow, "meme_id"):
        for field in REASONINGS:
            if meme.row.self_deprecating and getattr(meme.row, field) is None:
                what = "got null; expected text, as the meme is self-deprecating"
                raise InputError(f"{meme.where} {field}", what, FIX)
        memes.append(meme)
    identity = checksum([meme.row.model_dump() for meme in memes])
    origin = "mini-set" if data is None else str(data)
    anomalies = tuple(odd for meme in memes for odd in meme.unknown_fields)
    return Dataset(tuple(memes), origin, identity, anomalies)
