"""Image files in, pixels out; what cannot be used raises an error that says why."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from deadpan.base.errors import InputError
from deadpan.media.media_files import FETCH, read_media

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""What a picture may be, whatever its name says. Pillow hands other formats to other programs
(PostScript to Ghostscript) or to decoders that few people look after."""
MOST_PIXELS = 80_000_000
"""Below the size that Pillow itself warns of, so that this limit is the one that is told."""
_SMALLER = f"Scale it down to at most {MOST_PIXELS // 1_000_000} megapixels."
MOST_BYTES = 500_000_000
MOST_SCANS = 100
"""Passes over the pixels of a JPEG, of which encoders make about ten: each costs as much as the
whole picture and may take a few bytes only."""
DECODING_ERRORS = (
    *(OSError, SyntaxError, ValueError, EOFError, LookupError, ArithmeticError, TypeError),
    *(RuntimeError, MemoryError, struct.error, zlib.error),
    *(Image.DecompressionBombError, Image.DecompressionBombWarning),
)
"""What Pillow's decoders raise for damaged and forged files."""


class NotAPicture(InputError):
    """A file of no accepted format, or a picture of absurd size."""


def open_image(
    source: Path | bytes, where: str | Path | None = None, formats: Sequence[str] = FORMATS
) -> Image.Image:
    """The picture opened and not yet decoded; the one place where the package opens pictures.

    Only regular files of the accepted formats within the limits on bytes and pixels are opened,
    others raise. A link is followed to the file it ends in; those in data folders must end inside
    of them (`deadpan.base.files.contained`). `where` names a picture that is given as bytes.
    """
    place = where or (source if isinstance(source, Path) else "picture")
    data = read_media(source, "picture", MOST_BYTES) if isinstance(source, Path) else source
    try:
        image = Image.open(io.BytesIO(data), formats=list(formats))
    except UnidentifiedImageError:
        what = f"is not a picture that can be read; expected {', '.join(formats)}"
        raise NotAPicture(place, what, FETCH) from None
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise NotAPicture(place, "the picture is enormous", _SMALLER) from None
    except DECODING_ERRORS as error:
        raise _broken(place, error) from None
    try:
        _check_size(place, image, data)
    except InputError:
        image.close()
        raise
    return image


@contextmanager
def decoding(where: str | Path) -> Iterator[None]:
    """Tells what goes wrong inside as a picture that is truncated or broken."""
    try:
        yield
    except DECODING_ERRORS as error:
        raise _broken(where, error) from error


def read_image(source: Path | bytes, where: str | Path | None = None) -> Image.Image:
    """The picture as RGB, upright by its EXIF, on white where it is transparent; first frame."""
    place = where or (source if isinstance(source, Path) else "picture")
    with open_image(source, where) as image, decoding(place):
        image.load()
        return on_white(ImageOps.exif_transpose(image))


def on_white(image: Image.Image) -> Image.Image:
    """The image as RGB, laid on white where it is transparent."""
    if image.mode in ("I", "I;16", "I;16B", "I;16L", "F"):
        image = _eight_bit(image)
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        ground = Image.new("RGBA", layer.size, "white")
        ground.alpha_composite(layer)
        return ground.convert("RGB")
    return image.convert("RGB")


def _eight_bit(image: Image.Image) -> Image.Image:
    values = np.asarray(image, dtype=np.float64)
    brightest = 65535 if image.mode.startswith("I;16") or values.max() > 255 else 255
    return Image.fromarray((values.clip(0, brightest) * (255 / brightest)).astype(np.uint8))


def png_bytes(image: Image.Image) -> bytes:
    """The image encoded as PNG."""
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=4)
    return stream.getvalue()


def jpeg_bytes(image: Image.Image, longest: int | None = None) -> bytes:
    """The image encoded as JPEG, shrunk where its longest side is longer than asked."""
    if longest is not None:
        image = image.copy()
        image.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=90, subsampling=0)
    return stream.getvalue()


def _check_size(where: str | Path, image: Image.Image, data: bytes) -> None:
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise NotAPicture(where, f"the picture is enormous ({width} × {height})", _SMALLER)
    if width < 1 or height < 1:
        raise NotAPicture(where, f"the picture has no pixels ({width} × {height})", FETCH)
    # Inside a scan the mark of another one cannot occur.
    if image.format in ("JPEG", "MPO") and data.count(b"\xff\xda") > MOST_SCANS:
        what = f"the picture has more than {MOST_SCANS} scans"
        raise NotAPicture(where, what, "Save it anew as an ordinary JPEG.")


def _broken(where: str | Path, error: BaseException) -> InputError:
    said = str(error) or type(error).__name__
    return InputError(where, f"the picture is truncated or broken ({said[:200]})", FETCH)
