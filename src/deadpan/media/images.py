"""Image files in, pixels out; what cannot be used raises an error that says why."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from deadpan.errors import InputError

MOST_PIXELS = 80_000_000
"""Below the size that Pillow itself warns of, so that this limit is the one that is told."""
_FETCH = "Fetch it again (deadpan data fetch), or remove it to count the item as missing."


def read_image(path: Path) -> Image.Image:
    """The picture as RGB, upright by its EXIF, on white where it is transparent; first frame."""
    with _opened(path) as image:
        try:
            image.load()
            return on_white(ImageOps.exif_transpose(image))
        except (OSError, SyntaxError, ValueError, EOFError) as error:
            raise InputError(
                path, f"the picture is truncated or broken ({error})", _FETCH
            ) from error


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


def _opened(path: Path) -> Image.Image:
    try:
        image = Image.open(path)
    except FileNotFoundError:
        raise InputError(
            path, "there is no such picture", "Fetch it (deadpan data fetch)."
        ) from None
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise InputError(path, "the picture is enormous", _too_large()) from None
    except (OSError, SyntaxError, ValueError) as error:
        raise InputError(path, f"is not a picture that can be read ({error})", _FETCH) from None
    width, height = image.size
    if width * height > MOST_PIXELS:
        image.close()
        raise InputError(path, f"the picture is enormous ({width} × {height})", _too_large())
    return image


def _too_large() -> str:
    return f"Scale it down to at most {MOST_PIXELS // 1_000_000} megapixels."
