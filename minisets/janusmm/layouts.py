"""How a meme is laid out: words over a picture, a caption bar, two panels, a bare card."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from minisets.drawing import balloons
from minisets.drawing.pen import INK, SUPERSAMPLE, Pen
from minisets.drawing.placed import joined_lines
from minisets.janusmm.stage import Panel

PAPER = "#fffdf7"
MARGIN = 12
BAR_SIZE = 27
EDGE = 3


@dataclass(frozen=True)
class Frame:
    """Where a panel stands on the page, and the words around it."""

    left: int
    top: int
    width: int
    height: int
    bar: str = ""
    bar_height: int = 0
    bar_size: int = BAR_SIZE
    over: str = ""
    under: str = ""
    letter_size: int = 42


@dataclass(frozen=True)
class Layout:
    """A page: its size and its frames in reading order."""

    name: str
    width: int
    height: int
    frames: tuple[Frame, ...]

    def panels(self) -> list[Panel]:
        """Empty panels, one per frame."""
        return [Panel(frame.width, frame.height, "#e3e8f3") for frame in self.frames]

    def letter(self, panels: Sequence[Panel], where: str) -> None:
        """Writes the words that stand over the pictures, and checks all lettering."""
        for frame, panel in zip(self.frames, panels, strict=True):
            if frame.over:
                panel.headline(frame.over, frame.letter_size)
                panel.said.insert(0, panel.said.pop())
            if frame.under:
                panel.headline(frame.under, frame.letter_size, low=True)
            panel.check(where)

    def words(self, panels: Sequence[Panel]) -> str:
        """All that is lettered, in reading order, one piece a line."""
        pieces: list[str] = []
        for frame, panel in zip(self.frames, panels, strict=True):
            pieces += [frame.bar, *panel.said]
        return "\n".join(joined_lines(piece) for piece in pieces if piece)

    def picture(self, panels: Sequence[Panel]) -> Image.Image:
        """The finished page, with few colours so that the file is small."""
        area = (self.width * SUPERSAMPLE, self.height * SUPERSAMPLE)
        page = Pen(Image.new("RGB", area, PAPER))
        for frame, panel in zip(self.frames, panels, strict=True):
            panel.pen.box(1, 1, panel.width - 2, panel.height - 2, None, line=EDGE)
            spot = (frame.left * SUPERSAMPLE, frame.top * SUPERSAMPLE)
            page.image.paste(panel.pen.image, spot)
            if frame.bar:
                lines = balloons.wrapped(frame.bar, frame.bar_size, frame.width - 8)
                middle = frame.left + frame.width / 2
                balloons.write(
                    page, lines, frame.bar_size, middle, frame.top - frame.bar_height / 2, INK
                )
        return page.image.reduce(SUPERSAMPLE).quantize(
            96, Image.Quantize.MAXCOVERAGE, kmeans=3000, dither=Image.Dither.NONE
        )


def _bar_height(text: str, size: int, width: int) -> int:
    lines = balloons.wrapped(text, size, width - 8)
    return round(balloons.extent(lines, size)[1] + size * 0.55)


def over(top: str, bottom: str = "", width: int = 560, height: int = 460, size: int = 42) -> Layout:
    """A picture with words over its top and its foot."""
    frame = Frame(0, 0, width, height, over=top, under=bottom, letter_size=size)
    return Layout("top and bottom text", width, height, (frame,))


def bar(text: str, width: int = 560, height: int = 400, size: int = BAR_SIZE) -> Layout:
    """A picture under a bar of words."""
    inner = width - 2 * MARGIN
    tall = _bar_height(text, size, inner)
    frame = Frame(MARGIN, tall + 4, inner, height, text, tall, size)
    return Layout("caption bar", width, tall + 4 + height + MARGIN, (frame,))


def pair(left: str, right: str, width: int = 640, height: int = 340, size: int = 23) -> Layout:
    """Two pictures side by side, each under its own words."""
    inner = (width - 3 * MARGIN) // 2
    tall = max(_bar_height(text, size, inner) for text in (left, right))
    frames = tuple(
        Frame(MARGIN + i * (inner + MARGIN), tall + 4, inner, height, text, tall, size)
        for i, text in enumerate((left, right))
    )
    return Layout("two panels", width, tall + 4 + height + MARGIN, frames)


def stack(upper: str, lower: str, width: int = 520, height: int = 250, size: int = 24) -> Layout:
    """Two pictures one above the other, each under its own words."""
    inner, y = width - 2 * MARGIN, 0
    frames = []
    for text in (upper, lower):
        tall = _bar_height(text, size, inner)
        frames.append(Frame(MARGIN, y + tall + 4, inner, height, text, tall, size))
        y += tall + 4 + height
    return Layout("two panels", width, y + MARGIN, tuple(frames))


def card(width: int = 480, height: int = 560) -> Layout:
    """A bare picture that carries all its words itself: a chat, an inbox."""
    return Layout("card", width, height, (Frame(0, 0, width, height),))
