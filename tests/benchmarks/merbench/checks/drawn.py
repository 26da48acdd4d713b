"""Small memes drawn for the checks: a scene, a caption at a known place, and who reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from deadpan.media.ocr import TextBox

SIZE = (480, 360)
CAPTION = (40, 20, 440, 70)


def line(text: str, box: tuple[int, int, int, int] = CAPTION, confidence: float = 0.9) -> TextBox:
    """A line as OCR would give it."""
    x1, y1, x2, y2 = box
    return TextBox(text=text, confidence=confidence, x1=x1, y1=y1, x2=x2, y2=y2)


def meme(text: str = "MONDAY AGAIN", sun: str = "#ffd94a", moved: int = 0) -> Image.Image:
    """A hill under a sun with a caption over it; `moved` puts the caption lower."""
    image = Image.new("RGB", SIZE, "#9fd3f0")
    pen = ImageDraw.Draw(image)
    pen.polygon([(0, 300), (160, 190), (330, 280), (480, 200), (480, 360), (0, 360)], "#6ea95b")
    pen.ellipse((330, 90, 420, 180), fill=sun, outline="#33302b", width=4)
    pen.rectangle((70, 240, 130, 320), fill="#b5543b", outline="#33302b", width=4)
    font = ImageFont.load_default(44)
    pen.text((44, 22 + moved), text, "white", font, stroke_width=4, stroke_fill="black")
    return image


class Reader:
    """Reads what it was told stands in each file, and counts how often it was asked."""

    def __init__(self, known: Mapping[Path, Sequence[TextBox]]) -> None:
        self.known = known
        self.asked = 0

    def __call__(self, path: Path) -> Sequence[TextBox]:
        self.asked += 1
        return self.known[path]
