"""The files of a study, by checksum. Pictures are made anew, in one format, without metadata; those
of outputs, and their videos and sound, in one size: nothing of a file tells who made it but what it
shows."""

from __future__ import annotations

import hashlib
import io
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image

from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes
from deadpan.core.study.items import Part
from deadpan.media.images import NotAPicture, decoding, open_image, read_image
from deadpan.media.media_files import read_media
from deadpan.media.prepared import draw_numbers
from deadpan.media.remaking import remade

FOLDER = "media"
LONGEST, OUTPUT_SIDE, SMALL_SIDE = 2_000, 1_024, 192
MOST_VIDEO_BYTES = 500_000_000
MOST_UPLOAD_BYTES = 10_000_000
MOST_UPLOAD_PIXELS = 50_000_000
UPLOADED = ("PNG", "JPEG", "WEBP", "GIF")
"""What people may send."""
_GROUND = (128, 128, 128)
_QUALITY, _SMALL_QUALITY = 92, 80
_SMALL_KEPT = 2_000
"""Small pictures that are remembered, of some kilobytes each."""
_BEGINNINGS = {
    "video": ((4, b"ftyp", "video/mp4"), (0, b"\x1a\x45\xdf\xa3", "video/webm")),
    "sound": (
        (0, b"ID3", "audio/mpeg"),
        (0, b"\xff\xfb", "audio/mpeg"),
        (0, b"RIFF", "audio/wav"),
        (0, b"OggS", "audio/ogg"),
        (0, b"fLaC", "audio/flac"),
        (4, b"ftyp", "audio/mp4"),
    ),
}
TYPES = frozenset(
    {"image/webp", "video/webm", "audio/webm"}
    | {one[2] for known in _BEGINNINGS.values() for one in known}
)
"""Of the files that a study keeps."""
CHECKSUM = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class KeptFile:
    """A file that a study keeps."""

    checksum: str
    type: str
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True)
class MadeFile:
    """A file as a study would keep it, not yet written."""

    kept: KeptFile
    data: bytes

    def write(self, folder: Path) -> KeptFile:
        """Keeps it, for the study's owner alone, unless it is there."""
        path = media_path(folder, self.kept.checksum)
        with suppress(OSError):  # then the file cannot be written either, which says why
            for parent in (path.parent.parent, path.parent):
                parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            write_bytes(path, self.data, 0o600)
        return self.kept


def keep_part(part: Part, folder: Path, is_output: bool) -> KeptFile:
    """Takes a part's file into the study; one that cannot be shown raises with its place."""
    path = Path(part.path)
    if part.kind in ("video", "sound") and is_output:
        is_video = part.kind == "video"
        data = remade(path, with_pictures=is_video)
        return _made(data, "video/webm" if is_video else "audio/webm").write(folder)
    if part.kind in ("video", "sound"):
        return _keep_stream(path, part.kind, folder)
    image = read_image(path)
    if part.panels:
        image = draw_numbers(image, part.panels)
    return keep_picture(image, folder, is_output)


def keep_picture(image: Image.Image, folder: Path, is_output: bool = False) -> KeptFile:
    """Takes a picture into the study. An output's is fitted into a square, the same for all."""
    return _made_picture(image, is_output).write(folder)


def _made_picture(image: Image.Image, is_output: bool = False) -> MadeFile:
    longest = OUTPUT_SIDE if is_output else LONGEST
    factor = min(longest / image.width, longest / image.height)
    if factor < 1 or is_output:
        size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
        image = image.resize(size, Image.Resampling.LANCZOS)
    if is_output:
        ground = Image.new("RGB", (longest, longest), _GROUND)
        ground.paste(image, ((longest - image.width) // 2, (longest - image.height) // 2))
        image = ground
    stream = io.BytesIO()
    with decoding("picture"):
        image.save(stream, "WEBP", quality=_QUALITY, method=4)
    return _made(stream.getvalue(), "image/webp", image.size)


@lru_cache(maxsize=_SMALL_KEPT)
def small_picture(path: Path) -> bytes:
    """A picture that a study keeps, made small: of one size, whatever its own is."""
    image = read_image(path)
    image.thumbnail((SMALL_SIDE, SMALL_SIDE), Image.Resampling.LANCZOS)
    ground = Image.new("RGBA", (SMALL_SIDE, SMALL_SIDE))
    ground.paste(image, ((SMALL_SIDE - image.width) // 2, (SMALL_SIDE - image.height) // 2))
    stream = io.BytesIO()
    ground.save(stream, "WEBP", quality=_SMALL_QUALITY, method=4)
    return stream.getvalue()


def made_upload(data: bytes) -> MadeFile:
    """The picture that somebody sent, made anew; what is no PNG, JPEG, WebP or GIF raises, and so
    does one that would take too much memory."""
    with open_image(data, "upload", UPLOADED) as image:
        if image.width * image.height > MOST_UPLOAD_PIXELS:
            most = f"Scale it down to at most {MOST_UPLOAD_PIXELS // 1_000_000} megapixels."
            raise NotAPicture("upload", "the picture is enormous", most)
    return _made_picture(read_image(data, "upload"))


def media_path(folder: Path, checksum: str) -> Path:
    """Where a file lies; what is no checksum raises, as it could lead anywhere."""
    if not CHECKSUM.fullmatch(checksum):
        raise InputError(folder / FOLDER, "expected a checksum", "Restore the study anew.")
    return folder / FOLDER / checksum[:2] / checksum


def private_folder(folder: Path) -> None:
    """Makes a folder that others on this machine cannot look into: a study's holds who made what.
    One that is there is closed to them; where that cannot be done raises."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        what = f"cannot be made, or closed to others ({error.strerror})"
        raise InputError(folder, what, "Name a new folder, in a place that is yours.") from None


def _keep_stream(path: Path, kind: str, folder: Path) -> KeptFile:
    data = read_media(path, kind, MOST_VIDEO_BYTES)
    for at, mark, type_ in _BEGINNINGS[kind]:
        if data[at : at + len(mark)] == mark:
            return _made(data, type_).write(folder)
    known = ", ".join(dict.fromkeys(one[2] for one in _BEGINNINGS[kind]))
    raise InputError(path, f"is no {kind} that a browser plays", f"Expected {known}.")


def _made(data: bytes, type_: str, size: tuple[int, int] | None = None) -> MadeFile:
    checksum = hashlib.sha256(data).hexdigest()
    return MadeFile(KeptFile(checksum, type_, *(size or (None, None))), data)
