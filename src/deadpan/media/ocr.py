"""Picture → the text that OCR reads in it, with boxes; PP-OCR models from the rapidocr wheel."""

from __future__ import annotations

import hashlib
import importlib
import math
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.base.files import cache_folder
from deadpan.media.images import MOST_BYTES, decoding, open_image, resized
from deadpan.media.media_files import keep_in_cache, read_media

_MODELS = {
    "Det": "PP-OCRv6_det_small.onnx",
    "Rec": "PP-OCRv6_rec_small.onnx",
    "Cls": "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
}
# Raise when a setting below changes what is read, so that older cache entries are not used.
_REVISION = 2
# Shorter sides outside these are resized, and a longer side beyond _PART is read in parts;
# nothing is enlarged more than threefold or beyond _LONGEST.
_SMALLEST, _LARGEST, _PART, _LONGEST = 736, 1600, 2600, 8000
_PADDED = 64
_DEEP = {"I", "I;16", "I;16L", "I;16B", "I;16N"}
_engine_lock = threading.Lock()


class TextBox(BaseModel):
    """One line of text and where it stands in the picture, in the picture's own pixels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    confidence: float
    x1: int
    y1: int
    x2: int
    y2: int
    turn: float = 0.0  # clockwise, in degrees

    @property
    def height(self) -> int:
        return self.y2 - self.y1


_Boxes = TypeAdapter(tuple[TextBox, ...])


@dataclass(frozen=True)
class Look:
    """How a picture is prepared before it is read: its shorter side, and whether only ink stays.
    Lone characters that are missed in one look are found in another."""

    short_side: int | None = None
    ink_only: bool = False

    @property
    def name(self) -> str:
        """A short name that tells this look from every other."""
        return f"{self.short_side or 'plain'}{'-ink' if self.ink_only else ''}"


PLAIN = Look()


def read_text(picture: bytes | Path, look: Look = PLAIN) -> tuple[TextBox, ...]:
    """The lines of text in a picture, top to bottom; empty where there are none. Boxes are in the
    picture's own pixels. What was read is kept on disk by checksum and look."""
    data = read_media(picture, "picture", MOST_BYTES) if isinstance(picture, Path) else picture
    try:
        version = metadata.version("rapidocr")
    except metadata.PackageNotFoundError:
        raise MissingExtra("OCR", "ocr") from None
    name = f"{hashlib.sha256(data).hexdigest()}-{look.name}.json"
    entry = cache_folder("ocr") / f"rapidocr-{version}-{_REVISION}" / name
    if (known := _kept(entry)) is not None:
        return known
    image = _upright(data, str(picture) if isinstance(picture, Path) else "picture")
    with _engine_lock:
        # Several questions about one picture are asked at once: one of them has it read.
        if (known := _kept(entry)) is not None:
            return known
        boxes = _read(image, look)
        keep_in_cache(entry, _Boxes.dump_json(boxes))
    return boxes


def _kept(entry: Path) -> tuple[TextBox, ...] | None:
    with suppress(OSError, ValidationError):
        return _Boxes.validate_json(entry.read_bytes())
    return None


def _upright(data: bytes, where: str) -> Image.Image:
    """The picture upright, as RGB, or as RGBA where it has transparency; its first frame."""
    with open_image(data, where) as opened, decoding(where):
        opened.load()
        image = ImageOps.exif_transpose(opened)
        if image.mode in _DEEP:
            image = image.point(lambda value: value * (1 / 256)).convert("L")
        return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _threads() -> int:
    """Two, as far as there are; OMP_NUM_THREADS says otherwise."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return int(wanted) if wanted.isdecimal() and int(wanted) else min(2, os.cpu_count() or 1)


def _read(image: Image.Image, look: Look) -> tuple[TextBox, ...]:
    """The lines of a picture, enlarged where tiny, shrunk where huge, cut where very long."""
    shorter, longer = min(image.size), max(image.size)
    short = look.short_side or min(_LARGEST, max(shorter, min(_SMALLEST, 3 * shorter)))
    factor = min(short / shorter, max(1.0, _LONGEST / longer))
    image = resized(image, factor)
    if look.ink_only:
        # Everything but the darkest strokes made white.
        ink = image.convert("L").point(lambda grey: 255 if grey > 90 else 2 * grey)
        image = ink.convert("RGB")
    found: list[TextBox] = []
    for left, top, part in _parts(image):
        shifts = {"x1": left, "y1": top, "x2": left, "y2": top}
        for box in _recognise(part):
            own = {side: round((getattr(box, side) + by) / factor) for side, by in shifts.items()}
            box = box.model_copy(update=own)
            if not any(_covers(other, box) for other in found):
                found = [other for other in found if not _covers(box, other)] + [box]
    return tuple(sorted(found, key=lambda box: (box.y1, box.x1)))


def _parts(image: Image.Image) -> Iterator[tuple[int, int, Image.Image]]:
    """Overlapping parts along the longer side, each with its left and top; tiny ones padded."""
    tall = image.height >= image.width
    long, step = max(image.size), _PART * 4 // 5
    for start in range(0, max(1, long - _PART + step), step):
        end = min(long, start + _PART)
        box = (0, start, image.width, end) if tall else (start, 0, end, image.height)
        size = (max(box[2] - box[0], _PADDED), max(box[3] - box[1], _PADDED))
        padded = Image.new(image.mode, size, "white")
        padded.paste(image.crop(box), (0, 0))
        yield box[0], box[1], padded


def _covers(larger: TextBox, smaller: TextBox) -> bool:
    """Whether a box holds most of another: the same line, seen whole and cut in two parts."""
    width = min(larger.x2, smaller.x2) - max(larger.x1, smaller.x1)
    height = min(larger.y2, smaller.y2) - max(larger.y1, smaller.y1)
    area = (smaller.x2 - smaller.x1) * smaller.height
    return width > 0 and height > 0 and width * height > 0.6 * area


def _recognise(image: Image.Image) -> Iterable[TextBox]:
    output = _engine()(image)
    if output.txts is None:
        return
    for text, confidence, corners in zip(output.txts, output.scores, output.boxes, strict=True):
        if text.strip():
            ends = (*corners.min(axis=0), *corners.max(axis=0))
            x1, y1, x2, y2 = (round(float(end)) for end in ends)
            sure = round(float(confidence), 4)
            # Along the upper and the lower side of the line, which begin at its left.
            across, down = corners[1] - corners[0] + corners[2] - corners[3]
            turn = round(math.degrees(math.atan2(float(down), float(across))), 1)
            plain = text.strip()
            yield TextBox(text=plain, confidence=sure, x1=x1, y1=y1, x2=x2, y2=y2, turn=turn)


@cache
def _engine() -> Any:
    """The process's one engine; models are named by path, so that nothing is ever fetched."""
    try:
        importlib.import_module("onnxruntime")
        rapidocr = importlib.import_module("rapidocr")
    except ImportError:
        raise MissingExtra("OCR", "ocr") from None
    folder = Path(str(rapidocr.__file__)).parent / "models"
    absent = [name for name in _MODELS.values() if not (folder / name).is_file()]
    if absent:
        raise DeadpanError(
            f"{folder}: rapidocr {metadata.version('rapidocr')} has no {', '.join(absent)}; "
            'install the version that has: pip install "rapidocr==3.10.*"'
        )
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            # Turned letters do not occur here, and 6 and 9 must not be turned into each other.
            "Global.use_cls": False,
            "Global.max_side_len": _PART,
            "Det.limit_side_len": _PADDED // 2,
            # Lone digits are found only at a lower threshold than the default of 0.5.
            "Det.box_thresh": 0.3,
            "EngineConfig.onnxruntime.intra_op_num_threads": _threads(),
            **{f"{part}.model_path": str(folder / name) for part, name in _MODELS.items()},
        }
    )
