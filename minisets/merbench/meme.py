"""What a meme is before it is drawn: its bitter words, the kind ones, and how it looks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypedDict

from PIL import Image

from deadpan.benchmarks.merbench.records import (
    PAIRS,
    LayoutType,
    Polarity,
    Source,
    Target,
    VisualType,
)
from deadpan.core.questions import Language
from minisets.janusmm.stage import Panel
from minisets.merbench.layouts import Layout

Draw = Callable[..., None]


class Row(TypedDict):
    """One record of index_final.json, its fields in the released order."""

    id: str
    det_emo: Source
    img_desc: str
    pos_txt: str
    spec: str
    tgt_emo: Target
    gen_id: str
    text: str
    visual_type: VisualType
    sentiment_polarity: Polarity
    layout_type: LayoutType


@dataclass(frozen=True)
class Meme:
    """A bitter meme with its kind words, one piece per caption in reading order."""

    number: int
    emotion: Source
    visual: VisualType
    polarity: Polarity
    layout: Layout
    kind: tuple[str, ...]
    description: str
    specification: str
    draw: Draw = field(repr=False)

    @property
    def name(self) -> str:
        """Its file name, which is its id."""
        return f"{self.number}.png"

    @property
    def language(self) -> Language:
        """Told by the number: Chinese memes are numbered from 101."""
        return "zh" if self.number > 100 else "en"

    def panels(self) -> list[Panel]:
        """The pictures, drawn anew and lettered."""
        panels = self.layout.panels()
        self.draw(*panels)
        self.layout.letter(panels, self.name)
        return panels

    def picture(self) -> Image.Image:
        """The finished page."""
        return self.layout.picture(self.panels())

    @cached_property
    def text(self) -> str:
        """The words in the picture, one caption a line; ValueError unless `kind` matches them."""
        words = self.layout.words(self.panels())
        if words.count("\n") + 1 != len(self.kind):
            raise ValueError(f"{self.name}: {len(self.kind)} kind captions for {words!r}")
        return words

    def row(self) -> Row:
        """The meme's record in index_final.json."""
        single = len(self.layout.frames) == 1
        return {
            "id": self.name,
            "det_emo": self.emotion,
            "img_desc": self.description,
            "pos_txt": "\n".join(self.kind),
            "spec": self.specification,
            "tgt_emo": PAIRS[self.emotion],
            "gen_id": self.name,
            "text": self.text,
            "visual_type": self.visual,
            "sentiment_polarity": self.polarity,
            "layout_type": "SinglePanel_Meme" if single else "MultiPanel_Meme",
        }


def meme(
    number: int,
    emotion: Source,
    visual: VisualType,
    polarity: Polarity,
    layout: Layout,
    kind: tuple[str, ...],
    description: str,
    specification: str,
) -> Callable[[Draw], Meme]:
    """Turns a drawing function into a meme."""
    return lambda draw: Meme(
        number, emotion, visual, polarity, layout, kind, description, specification, draw
    )
