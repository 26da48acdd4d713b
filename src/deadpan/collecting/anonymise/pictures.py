"""Pictures cleaned, turned upright where EXIF says so, and proven clean with the same pixels."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image, ImageOps, ImageSequence

from deadpan.base.errors import InputError
from deadpan.collecting.anonymise.found import BrokenMedia, Cleaned, MediaKind
from deadpan.collecting.anonymise.gif import cleaned_gif, gif_leftovers
from deadpan.collecting.anonymise.jpeg import cleaned_jpeg, jpeg_leftovers
from deadpan.collecting.anonymise.png import cleaned_png, is_deep, png_leftovers
from deadpan.collecting.anonymise.webp import cleaned_webp, webp_leftovers
from deadpan.media.images import DECODING_ERRORS, MOST_PIXELS, open_image

_ORIENTATION = 0x0112
_MOST_FRAME_PIXELS = 20 * MOST_PIXELS
_CLEAN: dict[MediaKind, Callable[[bytes], Cleaned]] = {
    "png": cleaned_png,
    "jpeg": cleaned_jpeg,
    "webp": cleaned_webp,
    "gif": cleaned_gif,
}
_LEFT: dict[MediaKind, Callable[[bytes], list[str]]] = {
    "png": png_leftovers,
    "jpeg": jpeg_leftovers,
    "webp": webp_leftovers,
    "gif": gif_leftovers,
}
# Long enough not to occur by chance in packed pixels.
_TRACES = (
    b"http://ns.adobe.com/",
    b"<x:xmpmeta",
    b"<?xpacket",
    b"Photoshop 3.0",
    b"ICC_PROFILE\x00",
    b"Exif\x00\x00MM\x00*",
    b"Exif\x00\x00II*\x00",
)
_METADATA = frozenset(
    {"exif", "xmp", "photoshop", "icc_profile", "comment", "mp", "parsed_exif", "mpoffset"}
)
NOT_LOSSLESS = "turned upright as EXIF said; JPEG had to be encoded again"
LOSSLESS = "turned upright as EXIF said, without loss"


@dataclass(frozen=True)
class CleanPicture:
    """A picture without metadata, and what was done to its pixels, if anything."""

    cleaned: Cleaned
    note: str | None = None


def clean_picture(kind: MediaKind, data: bytes) -> CleanPicture:
    """The picture without metadata; broken, enormous or not provably clean raises."""
    cleaned = _CLEAN[kind](data)
    try:
        orientation, frames = _facts(kind, data)
        if orientation not in range(2, 9):
            prove_clean(kind, cleaned.data)
            if _pixels(kind, data) != _pixels(kind, cleaned.data):
                raise BrokenMedia("its pixels would change")
            return CleanPicture(cleaned)
        if frames > 1 or (kind == "png" and is_deep(data)):
            raise BrokenMedia("it cannot be turned upright as its EXIF says; turn it yourself")
        turned = _CLEAN[kind](_upright(kind, data, orientation)).data
        prove_clean(kind, turned)
        if kind != "jpeg":
            _prove_turned(data, turned)
    except DECODING_ERRORS as error:
        raise BrokenMedia(f"the picture does not decode ({type(error).__name__})") from None
    note = NOT_LOSSLESS if kind == "jpeg" else LOSSLESS
    return CleanPicture(Cleaned(turned, cleaned.removed), note)


def _opened(kind: MediaKind, data: bytes) -> Image.Image:
    try:
        return open_image(data, formats=(kind.upper(),))
    except InputError as error:
        raise BrokenMedia(error.what) from None


def _facts(kind: MediaKind, data: bytes) -> tuple[int, int]:
    with _opened(kind, data) as image:
        frames = 1 if kind == "jpeg" else getattr(image, "n_frames", 1)
        if frames * image.width * image.height > _MOST_FRAME_PIXELS:
            raise BrokenMedia(f"the animation is enormous ({frames} frames)")
        if kind == "gif":
            return 1, frames
        return int(image.getexif().get(_ORIENTATION) or 1), frames


def _pixels(kind: MediaKind, data: bytes) -> str:
    """A digest of every frame's pixels, palette and timing, and of the loop."""
    digest = hashlib.sha256()
    with _opened(kind, data) as image:
        frames = [image] if kind == "jpeg" else ImageSequence.Iterator(image)
        for frame in frames:
            frame.load()
            timing = [frame.info.get(key) for key in ("duration", "transparency", "blend")]
            digest.update(repr((frame.mode, frame.size, timing)).encode())
            digest.update(frame.tobytes())
            digest.update(repr(frame.getpalette()).encode())
        digest.update(repr(image.info.get("loop")).encode())
    return digest.hexdigest()


def _upright(kind: MediaKind, data: bytes, orientation: int) -> bytes:
    stream = io.BytesIO()
    with _opened(kind, data) as image:
        image.load()
        turned = ImageOps.exif_transpose(image)
        if kind == "jpeg":
            _save_jpeg(image, turned, orientation, stream)
        elif kind == "webp":
            turned.save(stream, "WEBP", lossless=True, exact=True, quality=50, exif=b"", xmp=b"")
        else:
            turned.save(stream, "PNG", exif=b"")
    return stream.getvalue()


def _save_jpeg(
    image: Image.Image, turned: Image.Image, orientation: int, stream: io.BytesIO
) -> None:
    """Encodes with the picture's own tables, turned with it, so that little is lost."""
    from PIL import JpegImagePlugin

    assert isinstance(image, JpegImagePlugin.JpegImageFile)
    tables = list(image.quantization.values())
    if orientation >= 5:
        tables = [[table[8 * x + y] for y in range(8) for x in range(8)] for table in tables]
    sampling = JpegImagePlugin.get_sampling(image)
    if sampling not in (0, 2) or image.mode != "RGB":
        sampling = 0 if image.mode == "RGB" else -1
    turned.info.clear()
    turned.save(stream, "JPEG", qtables=tables, subsampling=sampling)


def _prove_turned(data: bytes, turned: bytes) -> None:
    with open_image(data) as image, open_image(turned) as result:
        upright = ImageOps.exif_transpose(image)
        modes = {upright.mode, result.mode}
        mode = upright.mode if len(modes) == 1 else "RGBA"
        if upright.convert(mode).tobytes() != result.convert(mode).tobytes():
            raise BrokenMedia("its pixels would change in turning")


def prove_clean(kind: MediaKind, data: bytes) -> None:
    """Raises where the structure, a known trace or Pillow's own reading shows metadata."""
    left = _LEFT[kind](data)
    left += ["a trace of metadata" for trace in _TRACES if trace in data]
    with _opened(kind, data) as image:
        image.load()
        left += sorted(_METADATA & set(image.info))
        if kind != "gif" and len(image.getexif()):
            left.append("exif")
        if getattr(image, "text", None):
            left.append("text")
    if left:
        raise BrokenMedia(f"metadata would be left: {', '.join(sorted(set(left)))}")
