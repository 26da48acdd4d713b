"""What happens to a picture on its way through the net: each kind of copy, and where points go."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageOps

from deadpan.media.fonts import CHINESE, LATIN, face_at

from .pages import Line


@dataclass(frozen=True)
class Drawn:
    """A picture, its lines, and whether its letters are the wrong way round."""

    image: Image.Image
    lines: tuple[Line, ...]
    mirrored: bool = False

    def moved(self, image: Image.Image, factor: float, x: float, y: float) -> Drawn:
        """Another picture in which everything is scaled, then shifted."""
        lines = tuple(
            Line(one.text, one.x1 * factor + x, one.y1 * factor + y, one.x2 * factor + x,
                 one.y2 * factor + y)
            for one in self.lines
        )  # fmt: skip
        return Drawn(image, lines, self.mirrored)


def recompressed(draw: random.Random, given: Drawn) -> Drawn:
    """As a JPEG of low quality."""
    stream = io.BytesIO()
    given.image.save(stream, "JPEG", quality=draw.randint(25, 60))
    return replace(given, image=Image.open(io.BytesIO(stream.getvalue())).convert("RGB"))


def resized(draw: random.Random, given: Drawn) -> Drawn:
    """Smaller, or a little larger."""
    factor = draw.choice((draw.uniform(0.5, 0.85), draw.uniform(1.15, 1.6)))
    return _scaled(given, factor)


def _scaled(given: Drawn, factor: float) -> Drawn:
    size = (round(given.image.width * factor), round(given.image.height * factor))
    return given.moved(given.image.resize(size, Image.Resampling.BICUBIC), factor, 0, 0)


def cropped(draw: random.Random, given: Drawn) -> Drawn:
    """Without 5 to 20 % of its area; whoever crops leaves the words in, or nearly."""
    width, height = given.image.size
    rooms = (
        min((one.x1 for one in given.lines), default=width / 5),
        min((one.y1 for one in given.lines), default=height / 5),
        width - max((one.x2 for one in given.lines), default=width * 0.8),
        height - max((one.y2 for one in given.lines), default=height * 0.8),
    )
    sides = (width, height, width, height)
    most = [min(max(0.0, room - 1), 0.2 * side) for room, side in zip(rooms, sides, strict=True)]
    cuts = [draw.uniform(0.2, 1) * one for one in most]
    kept = (width - cuts[0] - cuts[2]) * (height - cuts[1] - cuts[3]) / (width * height)
    if kept < 0.8:
        cuts = [one * 0.2 / (1 - kept) for one in cuts]
    elif kept > 0.95:
        # Where the words fill the picture, its sides go, and a little of the words may.
        cuts = [max(cuts[0], width * 0.03), cuts[1], max(cuts[2], width * 0.03), cuts[3]]
    left, top, right, bottom = (round(one) for one in cuts)
    image = given.image.crop((left, top, width - right, height - bottom))
    return given.moved(image, 1, -left, -top)


def recoloured(draw: random.Random, given: Drawn) -> Drawn:
    """With another hue, brightness and contrast, or in grey."""
    image = given.image
    if draw.random() < 0.3:
        return replace(given, image=ImageOps.grayscale(image).convert("RGB"))
    if draw.random() < 0.6:
        values = np.asarray(image.convert("HSV")).copy()
        values[..., 0] += np.uint8(draw.randint(10, 245))
        image = Image.fromarray(values, "HSV").convert("RGB")
    image = ImageEnhance.Brightness(image).enhance(draw.uniform(0.65, 1.35))
    return replace(given, image=ImageEnhance.Contrast(image).enhance(draw.uniform(0.65, 1.35)))


def mirrored(draw: random.Random, given: Drawn) -> Drawn:
    """The other way round, letters and all."""
    width = given.image.width
    lines = tuple(replace(one, x1=width - one.x2, x2=width - one.x1) for one in given.lines)
    return Drawn(ImageOps.mirror(given.image), lines, not given.mirrored)


def screenshotted(draw: random.Random, given: Drawn) -> Drawn:
    """Shown on a telephone: the bar with the clock, the app's head, buttons below."""
    width = draw.choice((360, 400, 450, 540))
    small = _scaled(given, width / given.image.width)
    ground, ink = draw.choice((("white", "black"), ("black", "white"), ("#f2f2f2", "#222")))
    head, foot = draw.randint(70, 130), draw.randint(60, 160)
    sheet = Image.new("RGB", (width, small.image.height + head + foot), ground)
    pen = ImageDraw.Draw(sheet)
    clock = f"{draw.randint(0, 23):02}:{draw.randint(0, 59):02}"
    pen.text((14, 8), clock, ink, face_at(LATIN, 18))
    pen.rectangle((width - 44, 11, width - 16, 24), None, ink, 2)
    pen.rectangle((width - 42, 13, width - draw.randint(22, 34), 22), ink)
    pen.ellipse((12, head - 38, 42, head - 8), draw.choice(("#c66", "#6a6", "#66c")))
    title, foots = draw.choice((("Funny pictures", ("Like", "Share", "Reply")),
                                ("搞笑图片", ("点赞", "分享", "评论"))))  # fmt: skip
    pen.text((54, head - 36), title, ink, face_at(CHINESE, 18))
    sheet.paste(small.image, (0, head))
    for number, word in enumerate(foots):
        place = (20 + number * width / 3, head + small.image.height + 16)
        pen.text(place, word, ink, face_at(CHINESE, 17))
    return small.moved(sheet, 1, 0, head)


def bordered(draw: random.Random, given: Drawn) -> Drawn:
    """In a frame of one colour."""
    left, top, right, bottom = (draw.randint(8, 60) for _ in range(4))
    if draw.random() < 0.5:
        left = right = 0
    size = (given.image.width + left + right, given.image.height + top + bottom)
    sheet = Image.new("RGB", size, draw.choice(("white", "black", "#ddd", "#234", "#f7d154")))
    sheet.paste(given.image, (left, top))
    return given.moved(sheet, 1, left, top)


def watermarked(draw: random.Random, given: Drawn) -> Drawn:
    """With a publisher's small mark near a corner."""
    name = draw.choice(("@memezone", "funnypics.example", "@每日一笑", "梗图大全", "lol.example"))
    corner = draw.choice(((0, 0), (1, 0), (0, 1), (1, 1)))
    return replace(given, image=stamped(given.image, name, corner, draw.randint(110, 200)))


def stamped(
    image: Image.Image, text: str, corner: tuple[int, int], strength: int, size: int = 0
) -> Image.Image:
    """The picture with half-transparent words near a corner."""
    face = face_at(CHINESE, size or max(11, image.width // 30))
    tall, wide = face.size + 6, face.getlength(text)
    x = 8 if corner[0] == 0 else image.width - wide - 8
    y = 6 if corner[1] == 0 else image.height - tall - 4
    layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    pen.text((x, y), text, (255, 255, 255, strength), face, stroke_width=1,
             stroke_fill=(40, 40, 40, strength))  # fmt: skip
    return Image.alpha_composite(image.convert("RGBA"), layer).convert("RGB")


COPIES: dict[str, Callable[[random.Random, Drawn], Drawn]] = {
    "recompressed": recompressed,
    "resized": resized,
    "cropped": cropped,
    "recoloured": recoloured,
    "mirrored": mirrored,
    "screenshotted": screenshotted,
    "bordered": bordered,
    "watermarked": watermarked,
}


def copied(seed: str, kinds: Sequence[str], given: Drawn) -> Drawn:
    """The picture after all these, in their order."""
    for number, kind in enumerate(kinds):
        given = COPIES[kind](random.Random(f"{seed} {number} {kind}"), given)
    return given
