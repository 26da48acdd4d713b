"""What a meme is before it is drawn: who shares it and where, what it means, how it looks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypedDict

from PIL import Image

from deadpan.benchmarks.janusmm.records import Source, Speaker
from deadpan.core.questions import Language
from minisets.janusmm.layouts import Layout
from minisets.janusmm.stage import Panel

Draw = Callable[..., None]


class Row(TypedDict):
    """One line of memes.jsonl."""

    meme_id: str
    image: str
    language: Language
    source: Source
    self_deprecating: bool
    text: str
    dialogue: list[dict[str, str | bool]]
    emotion: str
    thinking: str
    sender_reasoning: str | None
    receiver_reasoning: str | None
    receiver_reply: str | None
    cultural_symbols: list[str]


@dataclass(frozen=True)
class Turn:
    """Something said; one turn of a dialogue shares the meme."""

    speaker: Speaker
    text: str
    shares_meme: bool = False

    def row(self) -> dict[str, str | bool]:
        """The turn as written; only the turn that shares the meme says so."""
        row: dict[str, str | bool] = {"speaker": self.speaker, "text": self.text}
        return {**row, "shares_meme": True} if self.shares_meme else row


def shares(text: str) -> Turn:
    """The sender's turn that comes with the meme."""
    return Turn("sender", text, shares_meme=True)


def sender(text: str) -> Turn:
    """A turn of the sender."""
    return Turn("sender", text)


def receiver(text: str) -> Turn:
    """A turn of the person who will answer."""
    return Turn("receiver", text)


def other(text: str) -> Turn:
    """A turn of somebody else."""
    return Turn("other", text)


@dataclass(frozen=True)
class Mockery:
    """Both sides of a self-deprecating meme: why it is sent, how it is read, a kind reply."""

    sender: str
    receiver: str
    reply: str


@dataclass(frozen=True)
class Meme:
    """A meme with its gold; without `mockery` it is not self-deprecating."""

    meme_id: str
    source: Source
    layout: Layout
    dialogue: tuple[Turn, ...]
    emotion: str
    thinking: str
    draw: Draw = field(repr=False)
    mockery: Mockery | None = None
    symbols: tuple[str, ...] = ()
    """What the picture shows that means something of its own in one culture only."""

    @property
    def language(self) -> Language:
        """Told by the number: Chinese memes are numbered from 101."""
        return "zh" if int(self.meme_id.removeprefix("janus_")) > 100 else "en"

    def panels(self) -> list[Panel]:
        """The pictures, drawn anew and lettered."""
        panels = self.layout.panels()
        self.draw(*panels)
        self.layout.letter(panels, self.meme_id)
        return panels

    def picture(self) -> Image.Image:
        """The finished page."""
        return self.layout.picture(self.panels())

    @cached_property
    def text(self) -> str:
        """The words in the picture, as they were lettered."""
        return self.layout.words(self.panels())

    def row(self) -> Row:
        """The meme's line in memes.jsonl."""
        mockery = self.mockery
        return {
            "meme_id": self.meme_id,
            "image": f"images/{self.meme_id}.png",
            "language": self.language,
            "source": self.source,
            "self_deprecating": mockery is not None,
            "text": self.text,
            "dialogue": [turn.row() for turn in self.dialogue],
            "emotion": self.emotion,
            "thinking": self.thinking,
            "sender_reasoning": mockery.sender if mockery else None,
            "receiver_reasoning": mockery.receiver if mockery else None,
            "receiver_reply": mockery.reply if mockery else None,
            "cultural_symbols": list(self.symbols),
        }


def meme(
    number: int,
    source: Source,
    layout: Layout,
    dialogue: tuple[Turn, ...],
    emotion: str,
    thinking: str,
    mockery: Mockery | None = None,
    symbols: tuple[str, ...] = (),
) -> Callable[[Draw], Meme]:
    """Turns a drawing function into a meme."""
    name = f"janus_{number:06d}"
    return lambda draw: Meme(
        name, source, layout, dialogue, emotion, thinking, draw, mockery, symbols
    )
