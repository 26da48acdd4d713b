"""Whether a file is a whole picture, and which."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageSequence, UnidentifiedImageError

EXTENSIONS = {
    "PNG": ".png",
    "JPEG": ".jpg",
    "MPO": ".jpg",
    "GIF": ".gif",
    "WEBP": ".webp",
    "BMP": ".bmp",
    "TIFF": ".tif",
}
OPENED = [name for name in EXTENSIONS if name != "MPO"]
ANIMATED = frozenset({"GIF", "WEBP", "PNG"})
DECODING_ERRORS = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error)


class NotAnImage(Exception):
    """A file that is no picture of a known format, or one of absurd size."""


class BrokenImage(Exception):
    """A picture that does not decode to its end."""


@dataclass(frozen=True)
class PictureFacts:
    """The size in pixels and the file extension that belongs to the format found."""

    extension: str
    width: int
    height: int


def picture_facts(path: Path) -> PictureFacts:
    """Size and format of a picture that decodes completely, every frame of an animation."""
    try:
        with Image.open(path, formats=OPENED) as image:
            image.verify()
        with Image.open(path, formats=OPENED) as image:
            kind = image.format or ""
            width, height = image.size
            image.load()
            if kind in ANIMATED:
                for frame in ImageSequence.Iterator(image):
                    frame.load()
    except UnidentifiedImageError:
        raise NotAnImage(f"not a picture; expected one of {', '.join(OPENED)}") from None
    except Image.DecompressionBombError as error:
        raise NotAnImage(str(error)) from None
    except DECODING_ERRORS as error:
        raise BrokenImage(f"the picture does not decode to its end: {error}") from None
    return PictureFacts(EXTENSIONS[kind], width, height)
