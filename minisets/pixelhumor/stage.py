"""Panels and pages: where lettering may stand, how panels are laid out and numbered."""

import math
import random
from dataclasses import dataclass, field, replace
from itertools import pairwise

from PIL import Image

from minisets.drawing import balloons
from minisets.drawing.balloons import Balloon
from minisets.drawing.pen import INK, SUPERSAMPLE, Box, Pen, Point, arc
from minisets.drawing.placed import check_lettering, joined_lines, overlap

MARGIN = 14
GUTTER = 12
EDGE = 3
PAPER = "#fffdf7"
CORNER = 0.12
ARROW = 19
RED = "#e8554d"
LEAP = 48
PageBox = tuple[int, int, int, int]


@dataclass
class Panel:
    """One panel: a pen for the drawing, and lettering that is checked and remembered."""

    width: int
    height: int
    size: int
    ground: str
    said: list[str] = field(default_factory=list)
    letters: list[tuple[str, Box]] = field(default_factory=list)
    sounds: list[str] = field(default_factory=list)
    arrows: list[Box] = field(default_factory=list)

    def __post_init__(self) -> None:
        area = (self.width * SUPERSAMPLE, self.height * SUPERSAMPLE)
        self.pen = Pen(Image.new("RGB", area, self.ground))

    def say(
        self,
        text: str,
        x: float,
        y: float,
        to: Point | None = None,
        width: float | None = None,
        kind: Balloon = "speech",
        fill: str = "white",
        ink: str = INK,
        size: int = 0,
    ) -> None:
        """A balloon around (x, y), pushed inside the panel, with its tail towards `to`."""
        size = size or self.size
        lines = balloons.wrapped(text, size, width or self.width * 0.62)
        across, tall = balloons.extent(lines, size)
        x, y = self._inside(kind, x, y, across, tall)
        edge = balloons.outline(kind, x, y, across, tall)
        half = (across / 2 + balloons.PADDING[kind][0], tall / 2 + balloons.PADDING[kind][1])
        shapes = [edge] if to is None else [*balloons.tail(kind, x, y, half, to), edge]
        if kind == "thought":
            shapes += balloons.puffs(edge)
        for ink_only in (True, False):
            for shape in shapes:
                self.pen.shape(shape, fill, INK if ink_only else None, 4.4)
        balloons.write(self.pen, lines, size, x, y, ink)
        self._note(text, (x - across / 2, y - tall / 2, x + across / 2, y + tall / 2))

    def think(self, text: str, x: float, y: float, to: Point, width: float | None = None) -> None:
        """A thought balloon."""
        self.say(text, x, y, to, width, "thought")

    def shout(self, text: str, x: float, y: float, to: Point, width: float | None = None) -> None:
        """A spiky balloon."""
        self.say(text, x, y, to, width, "shout", "#fff6d8")

    def caption(self, text: str, fill: str = "#ffe9a8", low: bool = False) -> None:
        """A narrator's box at the top (right of the number corner) or at the bottom."""
        y = self.height if low else 0
        self.say(text, self.width / 2, y, None, self.width * 0.7, "caption", fill)

    def sign(self, text: str, x: float, y: float, size: int, ink: str = INK) -> None:
        """Words that are part of the scene, on something already drawn."""
        lines = text.split("\n")
        across, tall = balloons.extent(lines, size)
        balloons.write(self.pen, lines, size, x, y, ink)
        self._note(text, (x - across / 2, y - tall / 2, x + across / 2, y + tall / 2))

    def sound(
        self, text: str, x: float, y: float, size: int = 44, tilt: float = 8, fill: str = "#ffcf33",
        edge: str = "white",
    ) -> None:  # fmt: skip
        """A big tilted sound effect."""
        self.sounds.append(text)
        self._note(text, balloons.sound(self.pen, text, x, y, size, tilt, fill, edge))

    def leads(self, across: int, down: int) -> None:
        """An arrow at the edge or corner beyond which the story goes on (-1, 0 or 1 each way)."""
        reach = ARROW + EDGE + 4
        x = (self.width - reach, self.width - reach, reach)[across]
        y = (self.height - reach, self.height - reach, reach)[down]
        pen = self.pen.at(x, y)
        pen.ellipse(0, 0, ARROW, ARROW, "#fff6d8")
        angle = math.degrees(math.atan2(down, across))
        shaft: list[Point] = [(-12, -4), (0, -4), (0, -11), (13, 0), (0, 11), (0, 4), (-12, 4)]
        pen.at(0, 0, 1, tilt=angle).shape(shaft, RED, width=1.6)
        self.arrows.append((x - ARROW, y - ARROW, x + ARROW, y + ARROW))

    def text(self) -> str:
        """All that is lettered, in the order it was placed."""
        return " ".join(joined_lines(part) for part in self.said)

    def _inside(
        self, kind: Balloon, x: float, y: float, across: float, tall: float
    ) -> tuple[float, float]:
        half = across / 2 + balloons.PADDING[kind][0] + EDGE
        high = tall / 2 + balloons.PADDING[kind][1] + EDGE
        if kind != "caption":
            spikes = 0.1 if kind == "shout" else 0
            half, high = half * (1 + spikes) + 4, high * (1 + spikes) + 4
        x = min(max(x, half), self.width - half)
        y = min(max(y, high), self.height - high)
        corner = min(self.width, self.height) * CORNER + 3
        if x - half < corner and y - high < corner:
            right, down = corner + half - x, corner + high - y
            if x + right + half <= self.width + 1 and right <= down + 20:
                return x + right, y
            return x, y + down
        return x, y

    def _note(self, text: str, box: Box) -> None:
        self.said.append(text)
        self.letters.append((text, box))

    def check(self, where: str) -> None:
        """Raises ValueError if lettering leaves the panel, is where its number or an arrow goes, or
        covers a face or other lettering; or if an arrow is where the number goes."""
        check_lettering(where, (self.width, self.height), self.letters, self.pen.faces)
        corner = min(self.width, self.height) * CORNER
        for text, box in self.letters:
            if overlap(box, (0, 0, corner, corner)):
                raise ValueError(f"{where}: {text!r} is in the number's corner")
            if any(overlap(box, arrow) for arrow in self.arrows):
                raise ValueError(f"{where}: {text!r} is under an arrow")
        if any(overlap(arrow, (0, 0, corner, corner)) for arrow in self.arrows):
            raise ValueError(f"{where}: an arrow is in the number's corner")


@dataclass(frozen=True)
class Layout:
    """A page: its name, size, and panel boxes in reading order; arrows where that is unusual."""

    name: str
    width: int
    height: int
    boxes: tuple[PageBox, ...]
    arrows: bool = False

    def reordered(self, name: str, *places: int) -> "Layout":
        """The same page read in another order, told by arrows; places count from 0. Where one leaps
        over a panel of the top row, the page gets room for it above."""
        boxes = tuple(self.boxes[place] for place in places)
        room = LEAP if any(_leaps(here, there) for here, there in pairwise(boxes)) else 0
        boxes = tuple((x1, y1 + room, x2, y2 + room) for x1, y1, x2, y2 in boxes)
        return replace(self, name=name, height=self.height + room, boxes=boxes, arrows=True)


def rows(name: str, counts: list[int], width: int, heights: list[int]) -> Layout:
    """Rows of equally wide panels: `counts` panels per row."""
    boxes, top = [], MARGIN
    for count, height in zip(counts, heights, strict=True):
        wide = (width - 2 * MARGIN - GUTTER * (count - 1)) // count
        for i in range(count):
            left = MARGIN + i * (wide + GUTTER)
            right = width - MARGIN if i == count - 1 else left + wide
            boxes.append((left, top, right, top + height))
        top += height + GUTTER
    return Layout(name, width, top - GUTTER + MARGIN, tuple(boxes))


def _way(here: int, there: int) -> int:
    return (there > here) - (there < here)


def _leaps(here: PageBox, there: PageBox) -> bool:
    """Whether the way from a panel to the next one passes over another of its row."""
    return here[1] == there[1] and abs(here[0] - there[0]) > 1.5 * (here[2] - here[0])


def _leap(page: Pen, here: PageBox, there: PageBox) -> None:
    """A dashed arrow above the row, from the middle of a panel to the middle of another. It leaves
    a gutter below, and half of its line bare, so that nobody takes it for a panel's edge."""
    start, end, low = (here[0] + here[2]) / 2, (there[0] + there[2]) / 2, here[1] - 9
    high, left, right = low - LEAP + 18, min(start, end), max(start, end)
    feet = {start: low, end: low - 14}
    up = [(left, feet[left]), *arc(left + 18, high + 18, 18, 18, 180, 270)]
    down = [*arc(right - 18, high + 18, 18, 18, 270, 360), (right, feet[right])]
    count = round((right - left - 36) / 36)
    step = (right - left - 36) / (count + 1)
    dashes = [left + 18 + step * (i + 1) for i in range(count)]
    lines = [up, down, *([(x - 5, high), (x + 5, high)] for x in dashes)]
    for ink, width in ((INK, 9.0), (RED, 5.0)):
        for line in lines:
            page.stroke(line, ink, width, curved=False)
    page.shape([(end - 12, low - 16), (end + 12, low - 16), (end, low - 1)], RED, width=1.6)


@dataclass
class Strip:
    """One comic while it is drawn: its panels in reading order."""

    comic_id: str
    layout: Layout
    size: int
    panels: list[Panel] = field(default_factory=list)

    def grounds(self, *colours: str) -> list[Panel]:
        """The panels, each on its ground colour; one colour per panel is required."""
        for box, colour in zip(self.layout.boxes, colours, strict=True):
            self.panels.append(Panel(box[2] - box[0], box[3] - box[1], self.size, colour))
        return self.panels

    def numbers(self) -> list[int]:
        """The shuffled panel numbers in reading order; the same for every run."""
        numbers = list(range(1, len(self.layout.boxes) + 1))
        random.Random(self.comic_id).shuffle(numbers)
        return numbers

    def picture(self) -> Image.Image:
        """The finished page."""
        area = (self.layout.width * SUPERSAMPLE, self.layout.height * SUPERSAMPLE)
        paper = Pen(Image.new("RGB", area, PAPER))
        if self.layout.arrows:
            for panel, (here, there) in zip(self.panels, pairwise(self.layout.boxes), strict=False):
                if _leaps(here, there):
                    _leap(paper, here, there)
                else:
                    panel.leads(_way(here[0], there[0]), _way(here[1], there[1]))
        page = paper.image.reduce(SUPERSAMPLE)
        for i, (panel, box) in enumerate(zip(self.panels, self.layout.boxes, strict=True)):
            panel.check(f"{self.comic_id} panel {i + 1} in reading order")
            frame = panel.pen
            frame.box(1, 1, panel.width - 2, panel.height - 2, None, line=EDGE)
            page.paste(frame.image.reduce(SUPERSAMPLE), box[:2])
        # Maximum coverage keeps small bright details; k-means stops once few pixels still move.
        colours, settled = 128, 3000
        method = Image.Quantize.MAXCOVERAGE
        return page.quantize(colours, method, kmeans=settled, dither=Image.Dither.NONE)
