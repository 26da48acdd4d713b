"""One picture of a meme: a pen for the drawing, and lettering that is checked and remembered."""

from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from deadpan.media.fonts import lettering
from minisets.drawing import balloons
from minisets.drawing.balloons import Balloon
from minisets.drawing.pen import INK, SUPERSAMPLE, Box, Pen, Point
from minisets.drawing.placed import check_lettering


@dataclass
class Panel:
    """A picture while it is drawn, in final pixels."""

    width: int
    height: int
    ground: str
    said: list[str] = field(default_factory=list)
    letters: list[tuple[str, Box]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pen = Pen(Image.new("RGB", (1, 1)))
        self.paint(self.ground)

    def paint(self, ground: str) -> None:
        """Starts the picture anew on a ground of that colour."""
        area = (self.width * SUPERSAMPLE, self.height * SUPERSAMPLE)
        self.pen = Pen(Image.new("RGB", area, ground))

    def sign(self, text: str, x: float, y: float, size: int, ink: str = INK) -> None:
        """Words that are part of the scene, centred on (x, y)."""
        lines = text.split("\n")
        across, tall = balloons.extent(lines, size)
        balloons.write(self.pen, lines, size, x, y, ink)
        self._note(text, (x - across / 2, y - tall / 2, x + across / 2, y + tall / 2))

    def plate(
        self,
        text: str,
        x: float,
        y: float,
        size: int = 24,
        fill: str = "#ffe9a8",
        ink: str = INK,
        radius: float = 7,
    ) -> None:
        """Words on a plate of their own, centred on (x, y)."""
        balloons.plate(self.pen, text, x, y, size, fill, radius)
        self.sign(text, x, y, size, ink)

    def say(
        self,
        text: str,
        x: float,
        y: float,
        to: Point,
        size: int = 24,
        kind: Balloon = "speech",
    ) -> None:
        """A balloon around (x, y) whose tail points to the speaker's mouth."""
        balloons.balloon(self.pen, kind, x, y, balloons.extent(text.split("\n"), size), to)
        self.sign(text, x, y, size)

    def sound(
        self, text: str, x: float, y: float, size: int, tilt: float = 8, fill: str = "#ffcf33"
    ) -> None:
        """A big tilted sound effect."""
        self._note(text, balloons.sound(self.pen, text, x, y, size, tilt, fill))

    def headline(self, text: str, size: int, low: bool = False) -> None:
        """White outlined letters across the top or the foot of the picture."""
        lines = balloons.wrapped(text, size, self.width - 32)
        across, tall = balloons.extent(lines, size)
        y = self.height - tall / 2 - 12 if low else tall / 2 + 12
        step = tall / len(lines)
        draw = ImageDraw.Draw(self.pen.image)
        for i, line in enumerate(lines):
            spot = (self.width / 2 * SUPERSAMPLE, (y - tall / 2 + step * (i + 0.5)) * SUPERSAMPLE)
            font = lettering(size * SUPERSAMPLE, line)
            edge = round(size * 0.13 * SUPERSAMPLE)
            draw.text(spot, line, "white", font, "mm", stroke_width=edge, stroke_fill=INK)
        x = self.width / 2
        self._note(text, (x - across / 2, y - tall / 2, x + across / 2, y + tall / 2))

    def _note(self, text: str, box: Box) -> None:
        self.said.append(text)
        self.letters.append((text, box))

    def check(self, where: str) -> None:
        """Raises ValueError if lettering leaves the picture or covers a face or other lettering."""
        check_lettering(where, (self.width, self.height), self.letters, self.pen.faces)
