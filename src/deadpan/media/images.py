"""Images and decoded frames of videos in, pixels out; what cannot be used raises, and says why."""

from __future__ import annotations

import hashlib
import io
import sqlite3
import stat
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder
from deadpan.media.media_files import FETCH, read_media

if TYPE_CHECKING:
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

Pixels = npt.NDArray[np.uint8]
_FLATTEST = 8  # pixel shapes beyond this are taken for damage and left alone
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""What a picture may be, whatever its name says. Pillow hands other formats to other programs
(PostScript to Ghostscript) or to decoders that few people look after."""
# Below the size that Pillow itself warns of, so that this limit is the one that is told.
MOST_PIXELS = 80_000_000
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
    """The picture opened and not yet decoded; the one place where the package opens pictures. Only
    regular files of the accepted formats within the limits on bytes and pixels are opened, others
    raise. A link is followed to the file it ends in; those in data folders must end inside of them
    (`deadpan.base.files.contained`). `where` names a picture that is given as bytes."""
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
        values = np.asarray(image, dtype=np.float64)
        brightest = 65535 if image.mode.startswith("I;16") or values.max() > 255 else 255
        shades = values.clip(0, brightest) * (255 / brightest)
        image = Image.fromarray(shades.astype(np.uint8))
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        ground = Image.new("RGBA", layer.size, "white")
        ground.alpha_composite(layer)
        return ground.convert("RGB")
    return image.convert("RGB")


def png_bytes(image: Image.Image) -> bytes:
    """The image encoded as PNG."""
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=4)
    return stream.getvalue()


def resized(
    image: Image.Image, factor: float, how: Image.Resampling = Image.Resampling.LANCZOS
) -> Image.Image:
    """The image that many times as large, at least a pixel; itself where nothing changes."""
    size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
    return image if size == image.size else image.resize(size, how)


def jpeg_bytes(image: Image.Image, longest: int | None = None, quality: int = 90) -> bytes:
    """The image encoded as JPEG, shrunk where its longest side is longer than asked."""
    if longest is not None:
        image = image.copy()
        image.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=quality, subsampling=0)
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


_REVISION = 2  # raised when a file would be judged differently by `looked_at`


@dataclass(frozen=True)
class ImageProbe:
    """What a picture file turned out to be; `problem` says why it cannot be used."""

    sha256: str
    problem: str | None = None


def probe_image(path: Path) -> ImageProbe | None:
    """The file decoded to its last pixel, so that a truncated one is found; None without a file.
    What was seen is remembered, also by later runs, as long as the file stays the same."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(state.st_mode):
        return None
    return _probe(str(path.resolve()), state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=200_000)
def _probe(*file: str | int) -> ImageProbe:
    """What is remembered of a path, size and time, else seen now. A memory that is full, damaged or
    cannot be read or written only costs time."""
    wanted = "select sha256, problem from files where path = ? and size = ? and changed = ?"
    with suppress(OSError, sqlite3.Error), _memory() as memory:
        if row := memory.execute(wanted, file).fetchone():
            return ImageProbe(*row)
    path = Path(str(file[0]))
    try:
        data = read_media(path, "picture", MOST_BYTES)
    except InputError as error:
        return ImageProbe("", error.what)
    problem = None
    try:
        read_image(data, path)
    except InputError as error:
        problem = error.what
    seen = ImageProbe(hashlib.sha256(data).hexdigest(), problem)
    with suppress(OSError, sqlite3.Error), _memory() as memory:
        values = (*file, seen.sha256, seen.problem)
        memory.execute("insert or replace into files values (?, ?, ?, ?, ?)", values)
    return seen


def _store() -> Path:
    return cache_folder("looked") / f"{_REVISION}.sqlite"


@contextmanager
def _memory() -> Iterator[sqlite3.Connection]:
    columns = "path text primary key, size, changed, sha256, problem"
    _store().parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(_store(), timeout=30)) as memory, memory:
        memory.execute(f"create table if not exists files ({columns})")
        yield memory


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
        raise InputError(path, what, _SMALLER)


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
    clear = frame.format.has_palette or any(part.is_alpha for part in frame.format.components)
    pixels = np.asarray(frame.to_ndarray(format="rgba" if clear else "rgb24"), dtype=np.uint8)
    if clear:
        pixels = np.asarray(on_white(Image.fromarray(pixels, "RGBA")))
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


def _display_size(stream: VideoStream, width: int, height: int) -> tuple[int, int]:
    """The size with square pixels: wide pixels widen, tall ones heighten."""
    shape = float(stream.sample_aspect_ratio or 1)
    if not 1 / _FLATTEST <= shape <= _FLATTEST:
        return width, height
    return (round(width * shape), height) if shape >= 1 else (width, round(height / shape))


def _turn(frame: VideoFrame) -> tuple[bool, bool, bool]:
    """Whether rows and columns change places, then left and right, then top and bottom. By the
    display matrix: x' = a x + c y and y' = b x + d y, so that the larger of a and b says which axis
    x becomes, and the signs say which way they run. Other angles go to the nearest."""
    from av.sidedata.sidedata import Type

    matrix = frame.side_data.get(Type.DISPLAYMATRIX)  # type: ignore[call-overload]
    if matrix is None:
        return False, False, False
    a, b, _, c, d = np.frombuffer(bytes(matrix), dtype=np.int32)[:5]
    if abs(int(a)) >= abs(int(b)):
        return False, bool(a < 0), bool(d < 0)
    return True, bool(c < 0), bool(b < 0)
