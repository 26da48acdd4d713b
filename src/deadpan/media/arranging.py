"""Pictures changed on purpose: blank ones, and comics with their panels laid out anew."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from deadpan.core.questions import PanelBox

GREY = (128, 128, 128)
"""What is shown where nothing is to be seen."""
_GUTTER = 0.012
"""The space between panels, as a share of the longer side."""


def blank_image(size: tuple[int, int]) -> Image.Image:
    """A picture of that size in one mid grey."""
    return Image.new("RGB", size, GREY)


def reading_order(boxes: Sequence[PanelBox]) -> list[int]:
    """The places of boxes row by row, from left to right: one is in the row of another where it
    begins above that one's middle."""
    rest = sorted(range(len(boxes)), key=lambda at: (boxes[at].y1, boxes[at].x1))
    order: list[int] = []
    while rest:
        first = boxes[rest[0]]
        row = [at for at in rest if boxes[at].y1 <= (first.y1 + first.y2) / 2]
        order += sorted(row, key=lambda at: boxes[at].x1)
        rest = [at for at in rest if at not in row]
    return order


def lay_out_panels(
    image: Image.Image, boxes: Sequence[PanelBox], order: Sequence[int]
) -> tuple[Image.Image, tuple[PanelBox, ...]]:
    """The panels cut out and set in this order, in rows as wide as the picture, on white; and where
    each lies now. A box without any pixel in the picture raises."""
    gap = max(2, round(_GUTTER * max(image.size)))
    cut = [_crop(image, boxes[at]) for at in order]
    widest = max(image.width, *(one.width + 2 * gap for one in cut))
    placed: list[PanelBox] = []
    x = y = gap
    bottom = gap
    for at, panel in zip(order, cut, strict=True):
        if x > gap and x + panel.width + gap > widest:
            x, y = gap, bottom + gap
        number = boxes[at].panel_number
        placed.append(
            PanelBox(x1=x, y1=y, x2=x + panel.width, y2=y + panel.height, panel_number=number)
        )
        x, bottom = x + panel.width + gap, max(bottom, y + panel.height)
    sheet = Image.new("RGB", (max(box.x2 for box in placed) + gap, bottom + gap), "white")
    for panel, box in zip(cut, placed, strict=True):
        sheet.paste(panel, (box.x1, box.y1))
    return sheet, tuple(placed)


def _crop(image: Image.Image, box: PanelBox) -> Image.Image:
    inside = (
        max(0, box.x1),
        max(0, box.y1),
        min(image.width, box.x2),
        min(image.height, box.y2),
    )
    if inside[2] <= inside[0] or inside[3] <= inside[1]:
        raise ValueError(f"panel {box.panel_number} has no pixel in the picture")
    return image.crop(inside)
