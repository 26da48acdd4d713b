"""A picture as it is compared: grey, of a common size, with its lines and the part that matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from deadpan.base.errors import DeadpanError
from deadpan.core.curation import PostMedia, ReadLine
from deadpan.media.images import read_image

Grey = npt.NDArray[np.uint8]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
LONGEST = 640
"""The longer side of pictures that are compared."""
_FEATURES = 500
_SMALL, _TINY = 144, 16
_EVEN = 4.0
"""By how much shades of a frame may deviate, after compression."""
_SMALLEST = 40
"""In pictures with a shorter side no points of interest are looked for."""


@dataclass(frozen=True)
class Written:
    """Words and their box, in the pixels that are compared; none where nothing could be read."""

    text: str
    box: Box
    confidence: float = 0.0
    """How sure OCR was of it."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A picture made ready to be compared with others."""

    grey: Grey
    lines: tuple[Written, ...] = ()
    content: Box = field(default=(0, 0, 0, 0))
    """Without frame and bars of one colour."""

    @property
    def whole(self) -> Box:
        """All of it."""
        return 0, 0, self.grey.shape[1], self.grey.shape[0]

    @cached_property
    def mirrored(self) -> Seen:
        """The other way round; its lines still say what was read before."""
        width = self.grey.shape[1]
        lines = tuple(replace(one, box=_turned(one.box, width)) for one in self.lines)
        return Seen(np.ascontiguousarray(self.grey[:, ::-1]), lines, _turned(self.content, width))

    @cached_property
    def edges(self) -> Grey:
        """How strong its edges are, whatever their colours."""
        return edge_strength(self.grey)

    @cached_property
    def small_edges(self) -> Grey:
        """Its edges in a small picture, by which guesses are compared."""
        import cv2

        factor = min(1.0, _SMALL / max(self.grey.shape))
        size = (
            max(8, round(self.grey.shape[1] * factor)),
            max(8, round(self.grey.shape[0] * factor)),
        )
        return np.asarray(cv2.resize(self.edges, size, interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def features(self) -> tuple[Any, Any]:
        """Its points of interest and their descriptors, which are none for a plain picture."""
        import cv2

        if min(self.grey.shape) < _SMALLEST:
            return np.empty((0, 2), np.float32), None
        points, told = cv2.ORB.create(nfeatures=_FEATURES).detectAndCompute(self.grey, None)
        places = np.array([one.pt for one in points], np.float32).reshape(-1, 2)
        return places, told


def _turned(box: Box, width: int) -> Box:
    return width - box[2], box[1], width - box[0], box[3]


def edge_strength(grey: Grey) -> Grey:
    """The strength of edges at every pixel, smoothed."""
    import cv2

    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    # NumPy's root is exact; OpenCV's differs in the last bit by where in memory the picture lies.
    strength: Grey = np.minimum(np.sqrt(across * across + down * down), 255).astype(np.uint8)
    return strength


def opened_picture(path: Path) -> Image.Image | None:
    """The picture; None where it cannot be opened."""
    try:
        return read_image(path)
    except (DeadpanError, OSError):
        return None


def colour_spread(image: Image.Image) -> float:
    """How far the colours of a picture lie apart, whatever their brightness: nothing where it is
    grey or all of one tone."""
    small = image.convert("RGB")
    small.thumbnail((_SMALL, _SMALL))
    red, green, blue = np.asarray(small, np.float64).reshape(-1, 3).T
    return float(np.hypot((red - green).std(), ((red + green) / 2 - blue).std()))


def grey_picture(image: Image.Image) -> Grey:
    """The picture in grey, no side longer than LONGEST."""
    import cv2

    grey: Grey = np.asarray(image.convert("L"))
    factor = LONGEST / max(grey.shape)
    if factor < 1:
        size = (max(1, round(grey.shape[1] * factor)), max(1, round(grey.shape[0] * factor)))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    return grey


def seen_picture(media: PostMedia, folder: Path) -> Seen | None:
    """A post's picture made ready; None where it is a video, cannot be opened, or is too small to
    show anything."""
    if media.kind != "picture" or not media.file:
        return None
    image = opened_picture(folder / media.file)
    if image is None or min(image.size) < _TINY:
        return None
    grey = grey_picture(image)
    factor = grey.shape[1] / media.width if media.width else 1.0
    lines = tuple(
        Written(
            one.text,
            (one.x1 * factor, one.y1 * factor, one.x2 * factor, one.y2 * factor),
            one.confidence,
        )
        for one in media.lines
        if one.x2 > one.x1 and one.y2 > one.y1 and not _is_misread(one, media)
    )
    return Seen(grey, lines, content_box(grey))


def _is_misread(line: ReadLine, media: PostMedia) -> bool:
    """Whether a line is one or two letters nearly as large as the picture: rays or windows."""
    return len(line.text.strip()) <= 2 and line.y2 - line.y1 > 0.4 * media.height > 0


def content_box(grey: Grey) -> Box:
    """The part that is left when a frame, bars, and a telephone's head and foot are taken away;
    gutters between panels stay. All of it where nothing would be left."""
    height, width = grey.shape
    top, bottom = _busy_extent(grey)
    left, right = _busy_extent(grey[top:bottom].T)
    # Once more, as a bar is seen only when a frame beside it is gone.
    low, high = _busy_extent(grey[top:bottom, left:right])
    top, bottom = top + low, top + high
    if (bottom - top) * (right - left) < 0.15 * height * width:
        return 0, 0, width, height
    return left, top, right, bottom


def _busy_extent(grey: Grey) -> tuple[int, int]:
    """The rows between what is of a frame above and below; all where nothing would be left."""
    height, width = grey.shape
    if height < 16 or width < 16:
        return 0, height
    grey = grey[:, :: max(1, width // 160)]
    top, bottom = _frame_rows(grey), height - _frame_rows(grey[::-1])
    return (top, bottom) if top < bottom else (0, height)


def _frame_rows(grey: Grey) -> int:
    """How many of the first rows are of a frame: the first row is of one shade, and so is most of
    those that follow, as words on a bar leave the bar plain. The frame ends where many rows in a
    row are otherwise; lines of words may be, but not for long."""
    height = len(grey)
    shade = np.median(grey[0])
    if (np.abs(grey[0] - shade) <= _EVEN).mean() < 0.97:
        return 0
    plain = (np.abs(grey - shade) <= 2 * _EVEN).mean(axis=1) >= 0.55
    edges = np.flatnonzero(np.diff(np.concatenate(([True], plain, [True])).astype(np.int8)))
    runs = edges.reshape(-1, 2)
    thick = runs[runs[:, 1] - runs[:, 0] >= 0.08 * height]
    return int(thick[0, 0]) if len(thick) else 0


def lines_within(lines: Sequence[Written], box: Box) -> list[Written]:
    """Those whose middle lies in a box."""
    left, top, right, bottom = box
    return [
        one
        for one in lines
        if left <= (one.box[0] + one.box[2]) / 2 <= right
        and top <= (one.box[1] + one.box[3]) / 2 <= bottom
    ]
