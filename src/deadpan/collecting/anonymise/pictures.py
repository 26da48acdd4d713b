"""Pictures cleaned, turned upright where EXIF says so, and proven clean with the same pixels."""

from __future__ import annotations

import hashlib
import io
import re

from PIL import Image, ImageOps, ImageSequence

from deadpan.base.errors import InputError
from deadpan.collecting.anonymise.formats import strip_metadata
from deadpan.collecting.anonymise.sources import BrokenMedia, Cleaned, MediaKind
from deadpan.media.images import DECODING_ERRORS, MOST_PIXELS, open_image

_ORIENTATION = 0x0112
_MOST_FRAME_PIXELS = 20 * MOST_PIXELS
# Long enough not to occur by chance in packed pixels.
_TRACES = re.compile(
    rb"http://ns\.adobe\.com/|<x:xmpmeta|<\?xpacket|Photoshop 3\.0|ICC_PROFILE\x00"
    rb"|Exif\x00\x00(?:MM\x00\*|II\*\x00)"
)
_METADATA = frozenset(
    {"exif", "xmp", "photoshop", "icc_profile", "comment", "mp", "parsed_exif", "mpoffset"}
)
NOT_LOSSLESS = "turned upright as EXIF said; JPEG had to be encoded again"
LOSSLESS = "turned upright as EXIF said, without loss"


def clean_picture(kind: MediaKind, data: bytes) -> Cleaned:
    """The picture without metadata; broken, enormous or not provably clean raises."""
    cleaned = strip_metadata(kind, data)
    try:
        orientation, frames = _facts(kind, data)
        if orientation not in range(2, 9):
            prove_clean(kind, cleaned.data)
            if _pixels(kind, data) != _pixels(kind, cleaned.data):
                raise BrokenMedia("its pixels would change")
            return cleaned
        # Of deep pictures, which have 16 bits a colour, Pillow keeps the grey ones only.
        if frames > 1 or (kind == "png" and data[24] == 16 and data[25] != 0):
            raise BrokenMedia("it cannot be turned upright as its EXIF says; turn it yourself")
        turned = strip_metadata(kind, _upright(kind, data, orientation)).data
        prove_clean(kind, turned)
        if kind != "jpeg":
            with open_image(data) as image, open_image(turned) as result:
                upright = ImageOps.exif_transpose(image)
                mode = upright.mode if upright.mode == result.mode else "RGBA"
                if upright.convert(mode).tobytes() != result.convert(mode).tobytes():
                    raise BrokenMedia("its pixels would change in turning")
    except InputError as error:
        raise BrokenMedia(error.what) from None
    except DECODING_ERRORS as error:
        raise BrokenMedia(f"the picture does not decode ({type(error).__name__})") from None
    return Cleaned(turned, cleaned.removed, NOT_LOSSLESS if kind == "jpeg" else LOSSLESS)


def prove_clean(kind: MediaKind, data: bytes) -> None:
    """Raises where the structure, a known trace or Pillow's own reading shows metadata."""
    again = strip_metadata(kind, data)
    left = set(again.removed) or ({"what no pixel needs"} if again.data != data else set())
    if _TRACES.search(data):
        left.add("a trace of metadata")
    with open_image(data, formats=(kind.upper(),)) as image:
        image.load()
        left |= _METADATA & set(image.info)
        if kind != "gif" and len(image.getexif()):
            left.add("exif")
        if getattr(image, "text", None):
            left.add("text")
    if left:
        raise BrokenMedia(f"metadata would be left: {', '.join(sorted(left))}")


def _facts(kind: MediaKind, data: bytes) -> tuple[int, int]:
    """The orientation that EXIF gives, 1 without it, and the number of frames."""
    with open_image(data, formats=(kind.upper(),)) as image:
        frames = 1 if kind == "jpeg" else getattr(image, "n_frames", 1)
        if frames * image.width * image.height > _MOST_FRAME_PIXELS:
            raise BrokenMedia(f"the animation is enormous ({frames} frames)")
        return 1 if kind == "gif" else int(image.getexif().get(_ORIENTATION) or 1), frames


def _pixels(kind: MediaKind, data: bytes) -> str:
    """A digest of every frame's pixels, palette and timing, and of the loop."""
    digest = hashlib.sha256()
    with open_image(data, formats=(kind.upper(),)) as image:
        for frame in [image] if kind == "jpeg" else ImageSequence.Iterator(image):
            frame.load()
            timing = [frame.info.get(key) for key in ("duration", "transparency", "blend")]
            digest.update(repr((frame.mode, frame.size, timing)).encode())
            digest.update(frame.tobytes())
            digest.update(repr(frame.getpalette()).encode())
        digest.update(repr(image.info.get("loop")).encode())
    return digest.hexdigest()


def _upright(kind: MediaKind, data: bytes, orientation: int) -> bytes:
    stream = io.BytesIO()
    with open_image(data, formats=(kind.upper(),)) as image:
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
