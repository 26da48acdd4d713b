"""What an image–text pair is before it is drawn: a picture idea and its two versions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TypedDict

from PIL import Image

from deadpan.benchmarks.cfms.records import Split, TargetType
from deadpan.core.questions import Language
from minisets.janusmm.layouts import Layout
from minisets.janusmm.stage import Panel

Draw = Callable[..., None]


class Row(TypedDict):
    """One line of pairs.jsonl."""

    id: str
    image: str
    text: str
    ocr_text: str
    language: Language
    split: Split
    sarcastic: bool
    target: str | None
    target_type: TargetType | None
    explanation: str | None
    metaphor: bool | None
    description: str


@dataclass(frozen=True)
class Biting:
    """The sarcastic version: the post's text, what is drawn, and what the sarcasm is about."""

    text: str
    description: str
    target: str
    target_type: TargetType
    explanation: str
    metaphor: bool | None = None


@dataclass(frozen=True)
class Sincere:
    """The sincere version; without a text of its own it takes the sarcastic one's."""

    description: str
    text: str | None = None
    metaphor: bool | None = None


@dataclass(frozen=True)
class Pair:
    """One version of an idea; `draw` gets the panels and whether the version is sarcastic."""

    name: str
    split: Split
    language: Language
    layout: Layout
    text: str
    description: str
    gold: Biting | None
    metaphor: bool | None
    draw: Draw = field(repr=False)

    @property
    def pair_id(self) -> str:
        """A name that gives nothing away and never changes."""
        version = "sarcastic" if self.gold else "sincere"
        return sha256(f"{self.language} {self.name} {version}".encode()).hexdigest()[:12]

    def panels(self) -> list[Panel]:
        """The pictures, drawn anew and lettered."""
        panels = self.layout.panels()
        self.draw(*panels, biting=self.gold is not None)
        self.layout.letter(panels, f"{self.name} ({'sarcastic' if self.gold else 'sincere'})")
        return panels

    def picture(self) -> Image.Image:
        """The finished page."""
        return self.layout.picture(self.panels())

    @cached_property
    def ocr_text(self) -> str:
        """The words in the picture, as they were lettered, one piece a line."""
        return self.layout.words(self.panels())

    def row(self) -> Row:
        """The pair's line in pairs.jsonl."""
        gold = self.gold
        return {
            "id": self.pair_id,
            "image": f"images/{self.pair_id}.png",
            "text": self.text,
            "ocr_text": self.ocr_text,
            "language": self.language,
            "split": self.split,
            "sarcastic": gold is not None,
            "target": gold.target if gold else None,
            "target_type": gold.target_type if gold else None,
            "explanation": gold.explanation if gold else None,
            "metaphor": self.metaphor,
            "description": self.description,
        }


Twins = tuple[Pair, Pair]


def twins(
    split: Split, language: Language, layout: Layout, biting: Biting, sincere: Sincere
) -> Callable[[Draw], Twins]:
    """Turns a drawing function into a sarcastic pair and its sincere twin, of the same split."""

    def pairs(draw: Draw) -> Twins:
        name = draw.__name__
        words = biting.text if sincere.text is None else sincere.text
        return (
            Pair(name, split, language, layout, biting.text, biting.description, biting,
                 biting.metaphor, draw),
            Pair(name, split, language, layout, words, sincere.description, None,
                 sincere.metaphor, draw),
        )  # fmt: skip

    return pairs
