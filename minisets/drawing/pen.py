"""A pen that draws outlined shapes in its own coordinates, onto a supersampled image."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from PIL import Image, ImageDraw

Point = tuple[float, float]
Box = tuple[float, float, float, float]

SUPERSAMPLE = 3
INK = "#2b2438"
LINE = 2.4


@dataclass
class Pen:
    """Draws with its origin at (x, y), `scale` times as large, mirrored or tilted on demand."""

    image: Image.Image
    x: float = 0
    y: float = 0
    scale: float = 1
    mirrored: bool = False
    tilt: float = 0
    faces: list[Box] = field(default_factory=list)

    def at(
        self, x: float, y: float, scale: float = 1, mirrored: bool = False, tilt: float = 0
    ) -> "Pen":
        """A pen for a figure standing at (x, y) of this one; faces are noted in common."""
        left, top = self.place((x, y))
        turn = -tilt if self.mirrored else tilt
        flip = self.mirrored != mirrored
        return Pen(self.image, left, top, self.scale * scale, flip, self.tilt + turn, self.faces)

    def place(self, point: Point) -> Point:
        """Where a point of this pen lies in the panel, in final pixels."""
        x, y = point[0] * self.scale, point[1] * self.scale
        if self.mirrored:
            x = -x
        angle = math.radians(self.tilt)
        turned = x * math.cos(angle) - y * math.sin(angle)
        return self.x + turned, self.y + x * math.sin(angle) + y * math.cos(angle)

    def shape(
        self, points: Sequence[Point], fill: str | None, ink: str | None = INK, width: float = LINE
    ) -> None:
        """A closed polygon with a round-jointed outline."""
        spots = self._pixels(points)
        if fill:
            ImageDraw.Draw(self.image).polygon(spots, fill=fill)
        if ink:
            self._trace([*spots, spots[0]], ink, width)

    def blob(
        self, points: Sequence[Point], fill: str | None, ink: str | None = INK, width: float = LINE
    ) -> None:
        """A closed smooth curve through the points."""
        self.shape(smooth([points[-1], *points, points[0], points[1]]), fill, ink, width)

    def ellipse(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        fill: str | None,
        ink: str | None = INK,
        width: float = LINE,
    ) -> None:
        """An ellipse around (x, y)."""
        steps = max(40, round(max(rx, ry) * self.scale))
        self.shape(arc(x, y, rx, ry, 0, 360, steps)[:-1], fill, ink, width)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None,
        radius: float = 0,
        ink: str | None = INK,
        line: float = LINE,
    ) -> None:
        """A rectangle from its top-left corner, with rounded corners if a radius is given."""
        right, low, r = x + width, y + height, radius
        corners = [(right - r, y + r, 270), (right - r, low - r, 0), (x + r, low - r, 90)]
        outline: list[Point] = []
        for cx, cy, start in [*corners, (x + r, y + r, 180)]:
            outline += arc(cx, cy, r, r, start, start + 90, 8) if r else [(cx, cy)]
        self.shape(outline, fill, ink, line)

    def stroke(
        self,
        points: Sequence[Point],
        ink: str = INK,
        width: float = LINE,
        curved: bool = True,
    ) -> None:
        """An open line with round ends, smooth through its points unless told otherwise."""
        if curved and len(points) > 2:
            points = smooth([points[0], *points, points[-1]])
        self._trace(self._pixels(points), ink, width)

    def limb(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A thick outlined tube: an arm, a leg, a tail."""
        self.stroke(points, INK, width + 2 * LINE)
        self.stroke(points, fill, width)

    def note_face(self, x: float, y: float, rx: float, ry: float) -> None:
        """Remembers where a face is, so that no lettering may cover it."""
        left, top = self.place((x, y))
        half, tall = rx * self.scale, ry * self.scale
        self.faces.append((left - half, top - tall, left + half, top + tall))

    def _pixels(self, points: Sequence[Point]) -> list[Point]:
        placed = (self.place(point) for point in points)
        return [(x * SUPERSAMPLE, y * SUPERSAMPLE) for x, y in placed]

    def _trace(self, spots: Sequence[Point], ink: str, width: float) -> None:
        thick = max(1, round(width * SUPERSAMPLE * max(self.scale, 0.55)))
        spots = _thinned(spots)
        draw = ImageDraw.Draw(self.image)
        draw.line(spots, fill=ink, width=thick)
        # Discs as wide as the line make its ends and joints round; Pillow counts both edges in.
        r = (thick - 1) / 2
        for x, y in spots:
            draw.ellipse((x - r, y - r, x + r, y + r), fill=ink)


def _thinned(spots: Sequence[Point]) -> list[Point]:
    """Fewer points along the same line: Pillow rounds the ends of very short pieces badly."""
    length = sum(math.dist(a, b) for a, b in pairwise(spots))
    gap = min(4.0 * SUPERSAMPLE, length / 24)
    kept = [spots[0]]
    for before, spot, after in zip(spots, spots[1:], spots[2:], strict=False):
        corner = abs(_turn(before, spot, after)) > 0.5
        if corner or math.dist(kept[-1], spot) >= gap or math.dist(spot, after) >= gap:
            kept.append(spot)
    return [*kept, spots[-1]]


def _turn(a: Point, b: Point, c: Point) -> float:
    turn = math.atan2(c[1] - b[1], c[0] - b[0]) - math.atan2(b[1] - a[1], b[0] - a[0])
    return (turn + math.pi) % (2 * math.pi) - math.pi


def arc(
    x: float, y: float, rx: float, ry: float, start: float, end: float, steps: int = 40
) -> list[Point]:
    """Points along an ellipse from `start` to `end` degrees, clockwise on screen."""
    angles = (math.radians(start + (end - start) * i / steps) for i in range(steps + 1))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


def smooth(points: Sequence[Point], steps: int = 10) -> list[Point]:
    """A Catmull-Rom curve through all points but the first and last, which steer its ends."""
    curve: list[Point] = []
    for p0, p1, p2, p3 in zip(points, points[1:], points[2:], points[3:], strict=False):
        for i in range(steps):
            t = i / steps
            curve.append(
                (_bend(p0[0], p1[0], p2[0], p3[0], t), _bend(p0[1], p1[1], p2[1], p3[1], t))
            )
    return [*curve, points[-2]]


def _bend(a: float, b: float, c: float, d: float, t: float) -> float:
    linear, square = c - a, 2 * a - 5 * b + 4 * c - d
    return (2 * b + linear * t + square * t * t + (3 * b - a - 3 * c + d) * t**3) / 2
