"""What questions, gold and studies are worded with, and a meme's dialogue in these words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter

from deadpan.base.files import read_text
from deadpan.benchmarks.janusmm.records import Meme
from deadpan.core.questions import Language, escape_frames

WORDS = TypeAdapter(dict[Language, dict[str, str]]).validate_json(
    read_text(Path(__file__).with_name("wording.json"))
)


def turns(meme: Meme, text_only: bool = False) -> Iterator[tuple[str, str]]:
    """Who speaks and what is said, with a mark where the meme is shared; with `text_only`, its
    words. Line breaks inside a turn become spaces, so that no turn can pretend to be two."""
    worded = WORDS[meme.row.language]
    mark = worded["shared"]
    if text_only:
        words = " ".join(meme.row.text.split())
        mark = worded["shared words"].format(words) if words else worded["shared wordless"]
    for turn in meme.row.dialogue:
        said = " ".join([*([mark] if turn.shares_meme else []), *turn.text.split()])
        yield worded[turn.speaker], said


def dialogue_text(meme: Meme, text_only: bool = False) -> str:
    """The turns, one a line; where there are none, that there are none."""
    worded = WORDS[meme.row.language]
    lines = [f"{speaker}{worded['says']}{said}" for speaker, said in turns(meme, text_only)]
    return escape_frames("\n".join(lines)) or worded["no dialogue"]
