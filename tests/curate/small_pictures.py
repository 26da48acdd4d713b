"""Small pictures and files for tests of what happens to posts before anybody sees them."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from PIL import Image, ImageDraw

from deadpan.media.fonts import CHINESE, face_at


def scene(seed: int, size: tuple[int, int] = (480, 360)) -> Image.Image:
    """A picture of soft colours that no other seed gives."""
    draw = np.random.default_rng(seed)
    coarse = Image.fromarray(draw.integers(0, 256, (6, 8, 3), dtype=np.uint8))
    return coarse.resize(size, Image.Resampling.BICUBIC)


def worded(
    image: Image.Image, lines: dict[tuple[int, int], str], size: int = 34, ink: str = "white"
) -> Image.Image:
    """The picture with words that begin at the places given."""
    shown = image.copy()
    pen = ImageDraw.Draw(shown)
    for place, text in lines.items():
        pen.text(place, text, ink, face_at(CHINESE, size), stroke_width=2, stroke_fill="black")
    return shown


def with_logo(image: Image.Image) -> Image.Image:
    """The picture with a badge without words in its lower right corner."""
    shown = image.copy()
    pen = ImageDraw.Draw(shown)
    x, y = image.width - 92, image.height - 62
    pen.rounded_rectangle((x, y, x + 80, y + 50), 10, "#101010", "#ffffff", 3)
    pen.polygon([(x + 12, y + 40), (x + 24, y + 10), (x + 36, y + 40)], "#ffd000")
    pen.ellipse((x + 40, y + 12, x + 66, y + 38), "#e02020", "#ffffff", 3)
    pen.line((x + 46, y + 18, x + 60, y + 32), "#ffffff", 3)
    pen.line((x + 60, y + 18, x + 46, y + 32), "#ffffff", 3)
    return shown


def encoded(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    """The bytes of a picture."""
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def located_jpeg() -> bytes:
    """A picture that lies on its side, and says where it was taken and by whom."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x013B] = "Zhang Wei"
    exif.get_ifd(0x8825).update({1: "N", 2: (31.0, 13.0, 49.0), 3: "E", 4: (121.0, 28.0, 25.0)})
    return encoded(scene(3, (320, 240)), "JPEG", exif=exif, quality=90)


def animated_gif() -> bytes:
    """Three frames that follow each other."""
    frames = [scene(number, (240, 220)) for number in (1, 2, 3)]
    return encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=80, loop=0)


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(bytes(100)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")
