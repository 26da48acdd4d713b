"""Panel numbers drawn on a comic: legible at any size and on any background."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw, ImageFont

from deadpan.core.questions import PanelBox

_SHARE = 0.07
_SMALLEST, _LARGEST = 14, 96
_SUPERSAMPLING = 4


def badge_height(size: tuple[int, int], boxes: Sequence[PanelBox]) -> int:
    """One height for all badges of a comic: a share of its shorter side that fits every panel."""
    panels = [min(box.x2 - box.x1, box.y2 - box.y1) for box in boxes]
    height = min(round(min(size) * _SHARE), *(round(side * 0.3) for side in panels))
    return max(_SMALLEST, min(_LARGEST, height))


def misplaced_boxes(boxes: Sequence[PanelBox], size: tuple[int, int]) -> Iterator[str]:
    """What is wrong with each box that is empty or does not lie in the picture."""
    width, height = size
    for box in boxes:
        shown = f"panel {box.panel_number} ({box.x1},{box.y1})–({box.x2},{box.y2})"
        if box.x2 <= box.x1 or box.y2 <= box.y1:
            yield f"{shown} is empty"
        elif box.x1 < 0 or box.y1 < 0 or box.x2 > width or box.y2 > height:
            yield f"{shown} in a picture of {width} × {height}"


def numbered(image: Image.Image, boxes: Sequence[PanelBox]) -> Image.Image:
    """A copy with each panel's number in its top-left corner.

    Dark digits on a white rounded badge with a dark rim and a white halo stand out on any ground.
    A box that leaves the picture has its badge pushed inside.
    """
    picture = image.convert("RGB")
    if not boxes:
        return picture
    height = badge_height(picture.size, boxes)
    for box in boxes:
        badge = _badge(str(box.panel_number), height)
        margin = max(1, height // 10)
        x = min(max(box.x1 + margin, 0), max(picture.width - badge.width, 0))
        y = min(max(box.y1 + margin, 0), max(picture.height - badge.height, 0))
        picture.paste(badge, (x, y), badge)
    return picture


def _badge(text: str, height: int) -> Image.Image:
    scale = _SUPERSAMPLING
    tall = height * scale
    font = ImageFont.load_default(size=tall * 0.72)
    left, top, right, bottom = font.getbbox(text, stroke_width=tall // 30)
    wide = round(max(tall, right - left + tall * 0.5))
    badge = Image.new("RGBA", (wide, tall), (0, 0, 0, 0))
    draw = ImageDraw.Draw(badge)
    halo, rim = max(scale, tall // 20), max(scale, tall // 14)
    draw.rounded_rectangle((0, 0, wide - 1, tall - 1), tall // 4, fill="white")
    draw.rounded_rectangle(
        (halo, halo, wide - 1 - halo, tall - 1 - halo),
        tall // 5,
        fill="white",
        outline=(20, 20, 20),
        width=rim,
    )
    place = ((wide - right - left) / 2, (tall - bottom - top) / 2)
    draw.text(place, text, fill=(10, 10, 10), font=font, stroke_width=tall // 30)
    return badge.resize((round(wide / scale), height), Image.Resampling.LANCZOS)
