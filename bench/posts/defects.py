"""Files that are no pictures, pictures that are no jokes, and what is laid over pictures."""

from __future__ import annotations

import random
import struct
import zlib

from PIL import Image, ImageDraw

from deadpan.media.fonts import CHINESE, face_at
from deadpan.media.images import jpeg_bytes, png_bytes

from .copies import Drawn, stamped
from .pages import Line
from .scenes import scene

BROKEN = ("truncated", "not a picture", "zero bytes", "bomb", "wrong extension", "huge header")
"""What a file can be instead of a picture; the one with the wrong extension can still be read."""
SHAPES = ("tiny", "flat")
PUBLISHERS = ("笑料工厂 JokeWorks", "@dailymemes.example", "梗百科")
CONTACTS = (
    "QQ 2849201736", "微信 xiaodian_8866", "WeChat: bestdeal2024", "tel 13800138000",
    "www.cheap-shoes.example", "加V: laugh5588",
)  # fmt: skip
ADVERTS = {
    "en": ("BUY 2 GET 1 FREE", "order now at shop.example", "limited offer, 50% off today"),
    "zh": ("买二送一 限时特价", "下单立减 包邮到家", "扫码领取优惠券"),
}


def broken_bytes(draw: random.Random, kind: str, image: Image.Image) -> bytes:
    """What such a file holds."""
    good = jpeg_bytes(image)
    if kind == "truncated":
        return good[: len(good) * draw.randint(5, 40) // 100]
    if kind == "not a picture":
        return b"<html><script>alert(1)</script>not found</html>"
    if kind == "zero bytes":
        return b""
    if kind == "bomb":
        return _png(60_000, 60_000)
    if kind == "huge header":
        return _png(2**31 - 1, 2**31 - 1)
    return png_bytes(image)


def _png(width: int, height: int) -> bytes:
    """A PNG that claims this size and holds next to nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def advert(seed: str, language: str) -> Drawn:
    """A poster that sells something."""
    draw = random.Random(f"advert {seed}")
    image = scene(f"advert {seed}", 480, 480).copy()
    pen, lines = ImageDraw.Draw(image), []
    for number, text in enumerate((*ADVERTS[language], draw.choice(CONTACTS))):
        top = 60 + number * 90
        pen.rectangle((20, top - 8, 460, top + 46), draw.choice(("#e33", "#fb0", "#fff")))
        pen.text((34, top), text, "black", face_at(CHINESE, 28))
        lines.append(Line(text, *pen.textbbox((34, top), text, face_at(CHINESE, 28))))
    return Drawn(image, tuple(lines))


def misshapen(kind: str, given: Drawn) -> Drawn:
    """The picture far too small, or a strip of it far too flat."""
    if kind == "tiny":
        factor = 72 / given.image.width
        return given.moved(given.image.resize((72, 72)), factor, 0, 0)
    sheet = given.image.resize((1400, 120))
    return Drawn(sheet, ())


def branded(publisher: int, given: Drawn) -> Drawn:
    """With the mark of a publisher, always at its own place."""
    corner = ((1, 1), (0, 1), (1, 0))[publisher % 3]
    image = stamped(given.image, PUBLISHERS[publisher % 3], corner, 190, 17)
    return Drawn(image, given.lines, given.mirrored)


def with_contact(draw: random.Random, given: Drawn) -> Drawn:
    """With somebody's account, number or address written across the middle."""
    image, text = given.image.copy(), draw.choice(CONTACTS)
    face, pen = face_at(CHINESE, 24), ImageDraw.Draw(image)
    place = ((image.width - face.getlength(text)) / 2, image.height * 0.52)
    pen.text(place, text, "#ff4", face, stroke_width=2, stroke_fill="black")
    line = Line(text, *pen.textbbox(place, text, face, stroke_width=2))
    return Drawn(image, (*given.lines, line), given.mirrored)
