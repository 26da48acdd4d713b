"""A new caption fitted into its room and drawn in the old one's style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw

from deadpan.editing.faces import Face, runs
from deadpan.editing.room import Room
from deadpan.editing.style import Style
from deadpan.editing.wrapping import capital, text_width, wrapped
from deadpan.media.boxes import Box
from deadpan.media.fonts import is_chinese

# How small letters may become, in shares of the old size and in pixels.
_SMALLEST, _LEGIBLE = 0.38, 8
# Room in height beyond the old lines is used only where letters gain this much by it.
_WORTH = 1.15


@dataclass(frozen=True)
class Block:
    """Lines of text with the size of their letters and the distance of their base lines."""

    lines: tuple[str, ...]
    size: int
    pitch: float

    @property
    def face_height(self) -> float:
        """How tall the capitals of its first line are, or its Chinese characters."""
        return capital(self.lines[0], self.size)

    @property
    def height(self) -> float:
        """From the top of the first line's capitals to the last base line."""
        return (len(self.lines) - 1) * self.pitch + self.face_height


def fitted(text: str, style: Style, space: Room, old_height: float) -> Block | None:
    """The text at the old size, or the largest that fits; None where it would be too small.

    Its own line breaks are given up where letters become much larger without them.
    """
    kept = _fitted(text, style, space, old_height)
    if "\n" not in text or (kept is not None and kept.size >= 0.7 * style.size):
        return kept
    free = _fitted(" ".join(text.split()), style, space, old_height)
    return free if kept is None or (free and free.size > 1.25 * kept.size) else kept


def _fitted(text: str, style: Style, space: Room, old_height: float) -> Block | None:
    width = space.box.width
    tight = _largest(text, style, width, 1.03 * old_height)
    if tight is not None and tight.size >= 0.87 * style.size:
        return tight
    most = max(2.3 * old_height, old_height + 1.3 * style.pitch)
    tall = _largest(text, style, width, min(most, space.box.height))
    if tight is None or (tall is not None and tall.size > _WORTH * tight.size):
        return tall
    return tight


def _largest(text: str, style: Style, width: float, height: float) -> Block | None:
    """The largest letters, not above the old size, at which the text fits; None without any."""
    low = max(_LEGIBLE, round(_SMALLEST * style.size))
    high = max(low, round(style.size))
    best = _at(text, style, high, width, height)
    if best is not None:
        return best
    while low <= high:
        middle = (low + high) // 2
        block = _at(text, style, middle, width, height)
        if block is not None:
            best, low = block, middle + 1
        else:
            high = middle - 1
    return best


def _at(text: str, style: Style, size: int, width: float, height: float) -> Block | None:
    pitch = _pitch(text, style) * size
    lines_at_most = 1 + max(0, int((height - capital(text, size)) / pitch + 1e-6))
    if capital(text, size) > height + 1 or text.count("\n") + 1 > lines_at_most:
        return None
    if text_width(text.replace("\n", " "), style.face, size) > width * lines_at_most:
        return None
    lines = wrapped(text, style.face, size, width)
    if lines is None or len(lines) > lines_at_most:
        return None
    return Block(tuple(lines), size, pitch)


def _pitch(text: str, style: Style) -> float:
    """The distance of base lines for letters of size 1; Chinese needs more air."""
    least = 1.15 if any(is_chinese(char) for char in text) else 0.98
    return max(least, style.pitch / style.size)


def drawn(image: Image.Image, block: Block, style: Style, space: Room, top: float) -> Box:
    """Draws the block with its capitals' top there; gives the box of what was drawn."""
    stroke = style.outline_width * block.size / style.size
    stroke = max(1.0, stroke) if style.outline_width else 0.0
    places = _places(block, style.face, space, top)
    places = _kept_inside(places, block, style.face, image.size, stroke)
    pen = ImageDraw.Draw(image)
    if stroke:
        for line, x, y in places:
            _write(pen, line, x, y, style.face, block.size, style.outline, stroke)
    for line, x, y in places:
        _write(pen, line, x, y, style.face, block.size, style.fill, 0.0)
    return _extent(places, block, style.face, stroke)


def _places(block: Block, face: Face, space: Room, top: float) -> list[tuple[str, float, float]]:
    found = []
    for i, line in enumerate(block.lines):
        width = text_width(line, face, block.size)
        x = {
            "left": float(space.box.x1),
            "centre": (space.box.x1 + space.box.x2 - width) / 2,
            "right": space.box.x2 - width,
        }[space.alignment]
        found.append((line, x, top + block.face_height + i * block.pitch))
    return found


def _kept_inside(
    places: Sequence[tuple[str, float, float]],
    block: Block,
    face: Face,
    size: tuple[int, int],
    stroke: float,
) -> list[tuple[str, float, float]]:
    """The places moved up or down as little as brings all ink into the picture."""
    extent = _extent(places, block, face, stroke)
    shift = max(0, 1 - extent.y1) or min(0, size[1] - 1 - extent.y2)
    return [(line, x, y + shift) for line, x, y in places]


def _extent(
    places: Sequence[tuple[str, float, float]], block: Block, face: Face, stroke: float
) -> Box:
    boxes = []
    for line, x, y in places:
        for run in runs(line, face):
            font = run.face.at(block.size)
            left, top, right, bottom = font.getbbox(run.text, anchor="ls", stroke_width=stroke)
            boxes.append((x + left, y + top, x + right, y + bottom))
            x += run.advance(block.size)
    if not boxes:
        return Box(0, 0, 0, 0)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(int(min(lefts)), int(min(tops)), round(max(rights)), round(max(bottoms)))


def _write(
    pen: ImageDraw.ImageDraw,
    line: str,
    x: float,
    y: float,
    face: Face,
    size: int,
    colour: tuple[int, int, int],
    stroke: float,
) -> None:
    for run in runs(line, face):
        font = run.face.at(size)
        pen.text(
            (x, y), run.text, colour, font=font, anchor="ls", stroke_width=stroke,
            stroke_fill=colour,
        )  # fmt: skip
        x += run.advance(size)


def legible(style: Style, ground: tuple[int, int, int]) -> Style:
    """The style, black or white where its colour cannot be told from the ground it stands on."""
    if style.outline_width or max(abs(a - b) for a, b in zip(style.fill, ground, strict=True)) > 60:
        return style
    dark = sum(ground) < 3 * 128
    return replace(style, fill=(255, 255, 255) if dark else (0, 0, 0))
