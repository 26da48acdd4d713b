"""Pictures changed on purpose: blank ones, and comics with their panels laid out anew."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from deadpan.core.questions import PanelBox

ARRANGING = "1"
"""Raised whenever the same picture would be changed otherwise."""
GREY = (128, 128, 128)
"""What is shown where nothing is to be seen."""
_GUTTER = 0.01
"""The space between panels, as a share of the longer side."""


def blank_image(size: tuple[int, int]) -> Image.Image:
    """A picture of that size in one mid grey."""
    return Image.new("RGB", size, GREY)


def panel_rows(boxes: Sequence[PanelBox]) -> list[list[int]]:
    """The places of boxes row by row, each from left to right: one is in the row of another where
    it begins above that one's middle."""
    rest = sorted(range(len(boxes)), key=lambda at: (boxes[at].y1, boxes[at].x1))
    rows: list[list[int]] = []
    while rest:
        first = boxes[rest[0]]
        row = [at for at in rest if boxes[at].y1 <= (first.y1 + first.y2) / 2]
        rows.append(sorted(row, key=lambda at: boxes[at].x1))
        rest = [at for at in rest if at not in row]
    return rows


def lay_out_panels(
    image: Image.Image, boxes: Sequence[PanelBox], order: Sequence[int]
) -> tuple[Image.Image, tuple[PanelBox, ...]]:
    """The panels cut out and set in this order, on white, with as many in each row as there were;
    and where each lies now. A box without any pixel in the picture raises."""
    gap = max(2, round(_GUTTER * max(image.size)))
    cut = {at: _crop(image, boxes[at]) for at in order}
    placed: dict[int, PanelBox] = {}
    waiting, y = list(order), gap
    for size in map(len, panel_rows(boxes)):
        row, waiting, x = waiting[:size], waiting[size:], gap
        for at in row:
            panel, number = cut[at], boxes[at].panel_number
            x2, y2 = x + panel.width, y + panel.height
            placed[at] = PanelBox(x1=x, y1=y, x2=x2, y2=y2, panel_number=number)
            x = x2 + gap
        y = gap + max(placed[at].y2 for at in row)
    sheet = Image.new("RGB", (max(box.x2 for box in placed.values()) + gap, y), "white")
    for at, box in placed.items():
        sheet.paste(cut[at], (box.x1, box.y1))
    return sheet, tuple(placed.values())


def _crop(image: Image.Image, box: PanelBox) -> Image.Image:
    left, top = max(0, box.x1), max(0, box.y1)
    right, bottom = min(image.width, box.x2), min(image.height, box.y2)
    if right <= left or bottom <= top:
        raise ValueError(f"panel {box.panel_number} has no pixel in the picture")
    return image.crop((left, top, right, bottom))
