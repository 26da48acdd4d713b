"""A decoded frame → RGB pixels as they are displayed: colours, transparency, turn, pixel shape."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.media.images import MOST_PIXELS, on_white

if TYPE_CHECKING:
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

Pixels = npt.NDArray[np.uint8]
# Pixel shapes beyond this are taken for damage and left alone.
_FLATTEST = 8


@dataclass(frozen=True)
class Picture:
    """A frame turned upright, its time, and the size at which the video displays it."""

    seconds: float
    pixels: Pixels
    size: tuple[int, int]
    rotation: int
    doubtful: bool = False


def check_size(path: Path, width: int, height: int) -> None:
    """Raises for frames that are too large to be decoded in good conscience."""
    if width * height > MOST_PIXELS:
        what = f"the video's frames are enormous ({width} × {height})"
        fix = f"Scale it down to at most {MOST_PIXELS // 1_000_000} megapixels."
        raise InputError(path, what, fix)


def picture(
    path: Path,
    stream: VideoStream,
    frame: VideoFrame,
    seconds: float,
    doubtful: bool,
    longest: int | None,
) -> Picture:
    """The frame's pixels, on white where it is transparent, turned as the file asks; at the size at
    which it is displayed, or smaller, where the longer side may be `longest` at most."""
    check_size(path, frame.width, frame.height)
    width, height = _display_size(stream, frame.width, frame.height)
    check_size(path, width, height)
    sideways, mirrored, upturned = _turn(frame)
    pixels = _rgb(frame)
    if sideways:
        pixels, width, height = pixels.transpose(1, 0, 2), height, width
    pixels = pixels[:: -1 if upturned else 1, :: -1 if mirrored else 1]
    rotation = (90 if mirrored else 270) if sideways else 180 * (mirrored and upturned)
    if longest is not None:
        factor = min(1.0, longest / max(width, height))
        size = (max(1, round(width * factor)), max(1, round(height * factor)))
        image = Image.fromarray(pixels)
        resized = image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)
        pixels = np.asarray(resized)
    return Picture(seconds, np.ascontiguousarray(pixels), (width, height), rotation, doubtful)


def _rgb(frame: VideoFrame) -> Pixels:
    clear = frame.format.has_palette or any(part.is_alpha for part in frame.format.components)
    pixels = np.asarray(frame.to_ndarray(format="rgba" if clear else "rgb24"), dtype=np.uint8)
    return np.asarray(on_white(Image.fromarray(pixels, "RGBA"))) if clear else pixels


def _display_size(stream: VideoStream, width: int, height: int) -> tuple[int, int]:
    """The size with square pixels: wide pixels widen, tall ones heighten."""
    shape = float(stream.sample_aspect_ratio or 1)
    if not 1 / _FLATTEST <= shape <= _FLATTEST:
        return width, height
    return (round(width * shape), height) if shape >= 1 else (width, round(height / shape))


def _turn(frame: VideoFrame) -> tuple[bool, bool, bool]:
    """Whether rows and columns change places, then left and right, then top and bottom.

    By the display matrix: x' = a x + c y and y' = b x + d y, so that the larger of a and b says
    which axis x becomes, and the signs say which way they run. Other angles go to the nearest.
    """
    from av.sidedata.sidedata import Type

    matrix = frame.side_data.get(Type.DISPLAYMATRIX)  # type: ignore[call-overload]
    if matrix is None:
        return False, False, False
    a, b, _, c, d = np.frombuffer(bytes(matrix), dtype=np.int32)[:5]
    if abs(int(a)) >= abs(int(b)):
        return False, bool(a < 0), bool(d < 0)
    return True, bool(c < 0), bool(b < 0)
