"""Whether a file is a whole picture, and which."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageSequence

from deadpan.base.errors import InputError
from deadpan.media.images import MOST_PIXELS, NotAPicture, decoding, open_image

EXTENSIONS = {
    "PNG": ".png",
    "JPEG": ".jpg",
    "MPO": ".jpg",
    "GIF": ".gif",
    "WEBP": ".webp",
    "BMP": ".bmp",
    "TIFF": ".tif",
}
ANIMATED = frozenset({"GIF", "WEBP", "PNG"})
MOST_FRAME_PIXELS = 20 * MOST_PIXELS
"""Pixels of all frames of an animation together."""


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
        with open_image(path) as image, decoding(path):
            image.verify()
        with open_image(path) as image, decoding(path):
            kind = image.format or ""
            width, height = image.size
            image.load()
            if kind in ANIMATED:
                _load_frames(image)
    except NotAPicture as error:
        raise NotAnImage(f"not a picture to keep: {error.what}") from None
    except InputError as error:
        raise BrokenImage(f"the picture does not decode to its end: {error.what}") from None
    return PictureFacts(EXTENSIONS[kind], width, height)


def _load_frames(image: Image.Image) -> None:
    seen = 0
    for frame in ImageSequence.Iterator(image):
        seen += frame.width * frame.height
        if seen > MOST_FRAME_PIXELS:
            raise NotAnImage("an animation of absurd length")
        frame.load()
