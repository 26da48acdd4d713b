"""A film's frame: a pen for the drawing, lettering, and the view that is cut out of it."""

from dataclasses import dataclass

from PIL import Image

from deadpan.media.fonts import lettering
from minisets.drawing import balloons
from minisets.drawing.balloons import Balloon
from minisets.drawing.pen import INK, SUPERSAMPLE, Pen, Point


@dataclass(frozen=True)
class View:
    """What the camera shows: the point in the middle and how far it is zoomed in (1 is all)."""

    x: float
    y: float
    zoom: float = 1


class Stage:
    """One frame while it is drawn, in final pixels."""

    def __init__(self, width: int, height: int, image: Image.Image) -> None:
        self.width, self.height = width, height
        self.pen = Pen(image)

    def sign(self, text: str, x: float, y: float, size: int, ink: str = INK) -> None:
        """Words that are part of the scene, centred on (x, y); ValueError if they leave it."""
        lines = text.split("\n")
        across, tall = balloons.extent(lines, size)
        beyond = x + across / 2 > self.width or y + tall / 2 > self.height
        if min(x - across / 2, y - tall / 2) < 0 or beyond:
            raise ValueError(f"{text!r} at size {size} leaves the frame")
        balloons.write(self.pen, lines, size, x, y, ink)

    def plate(
        self,
        text: str,
        x: float,
        y: float,
        size: int = 26,
        fill: str = "#ffe9a8",
        ink: str = INK,
        radius: float = 7,
    ) -> None:
        """Words on a plate of their own, centred on (x, y)."""
        balloons.plate(self.pen, text, x, y, size, fill, radius)
        self.sign(text, x, y, size, ink)

    def caption(self, text: str, size: int = 26, low: bool = False) -> None:
        """A white-on-dark strip at the top or at the foot of the frame."""
        tall = balloons.extent(text.split("\n"), size)[1] + size * 0.7
        y = self.height - tall / 2 - 10 if low else tall / 2 + 10
        self.plate(text, self.width / 2, y, size, "#2b2438", "white")

    def say(
        self, text: str, x: float, y: float, to: Point, size: int = 22, kind: Balloon = "speech"
    ) -> None:
        """A balloon around (x, y) whose tail points to the speaker's mouth."""
        balloons.balloon(self.pen, kind, x, y, balloons.extent(text.split("\n"), size), to)
        self.sign(text, x, y, size)

    def stamp(
        self, text: str, x: float, y: float, size: int, colour: str, tilt: float = 12
    ) -> None:
        """A rubber stamp: tilted letters in a frame of the same colour."""
        font = lettering(size * SUPERSAMPLE, text)
        left, top, right, low = (round(side) for side in font.getbbox(text))
        pad, line = round(size * SUPERSAMPLE * 0.3), round(size * SUPERSAMPLE * 0.12)
        layer = Image.new("RGBA", (right - left + 2 * pad, low - top + 2 * pad), (0, 0, 0, 0))
        pen = Pen(layer)
        wide, tall = layer.width / SUPERSAMPLE, layer.height / SUPERSAMPLE
        edge = line / SUPERSAMPLE
        pen.box(edge, edge, wide - 2 * edge, tall - 2 * edge, None, size * 0.2, colour, edge)
        balloons.write(pen, [text], size, wide / 2, tall / 2, colour)
        layer = layer.rotate(tilt, expand=True, resample=Image.Resampling.BICUBIC)
        corner = (
            round(x * SUPERSAMPLE - layer.width / 2),
            round(y * SUPERSAMPLE - layer.height / 2),
        )
        self.pen.image.paste(layer, corner, layer)

    def look_through(self, view: View) -> None:
        """Replaces the picture by the part of it that the camera shows."""
        image = self.pen.image
        wide, tall = image.width / view.zoom, image.height / view.zoom
        left = min(max(view.x * SUPERSAMPLE - wide / 2, 0), image.width - wide)
        top = min(max(view.y * SUPERSAMPLE - tall / 2, 0), image.height - tall)
        box = (left, top, left + wide, top + tall)
        seen = image.resize(image.size, Image.Resampling.BILINEAR, box)
        self.pen = Pen(seen)
