"""What pictures show of people: faces, and text as chats have it. It flags and does not decide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from deadpan.base.errors import DeadpanError
from deadpan.collecting.anonymise.lettering import may_hold_words
from deadpan.collecting.anonymise.records import clean_record
from deadpan.media.images import read_image, resized
from deadpan.media.ocr import TextBox, read_text

_LONGEST = 1200  # pixels of the longer side in which faces are looked for
_SMALLEST_FACE = 24
_FEWEST_LINES = 5
_TIME = re.compile(
    r"^(?:(?:昨天|今天|星期.|周.|上午|下午|晚上|yesterday|today)\s?)?\d{1,2}[:：]\d{2}(?:\s?[ap]m)?$",
    re.I,
)
_BARS = re.compile(
    r"5G|4G|LTE|wi-?fi|\d{1,3}%|发送|按住\s?说话|type a message|online|在线|对方正在输入|last seen",
    re.I,
)


@dataclass(frozen=True)
class Seen:
    """What a picture shows: how many faces, whether it is plainly a chat, and kinds in its text."""

    faces: int = 0
    lines: int = 0
    is_chat: bool = False
    kinds: tuple[str, ...] = ()
    unread: bool = False  # whether something looks like words that nothing here could read

    @property
    def flags(self) -> list[tuple[str, str]]:
        """What a person should look at, each with what was seen; a meme's own words are none."""
        found = [("face", f"{self.faces} that may be a face")] if self.faces else []
        if self.is_chat:
            found.append(("screenshot of a chat", f"{self.lines} lines of text"))
        if self.kinds:
            found.append(("text that leads to a person", ", ".join(self.kinds)))
        if self.unread:
            found.append(("text", "areas that look like words; no OCR is there to read them"))
        return found


def missing_parts() -> list[str]:
    """What is not looked for, because its package is not there."""
    missing = []
    if _cascade() is None:
        missing.append("faces (pip install 'opencv-python-headless<5', which has Haar cascades)")
    if not _can_read():
        missing.append("text in pictures (pip install 'deadpan[ocr]')")
    return missing


def look_at(data: bytes, where: str) -> Seen:
    """What a picture shows, as far as packages for it are there; broken ones show nothing."""
    try:
        boxes = read_text(data) if _can_read() else ()
        faces = _faces(data, where) if _cascade() is not None else 0
        image = read_image(data, where)
    except DeadpanError:
        return Seen()
    unread = not _can_read() and may_hold_words(image)
    kinds = _kinds([box.text for box in boxes])
    return Seen(faces, len(boxes), is_chat_screenshot(boxes, image.size), kinds, unread)


def _kinds(lines: Sequence[str]) -> tuple[str, ...]:
    """What leads to a person in the words of a picture, by the rules for texts. Lines are looked at
    one by one and in a row, as words are often broken."""
    found: set[str] = set()
    for text in ("\n".join(lines), " ".join(lines)) if lines else ():
        found |= {kind for _, kind in clean_record({"text": text}, lambda name: None).replaced}
    # A clock alone is what memes and status bars show.
    return tuple(sorted(found - {"time", "link", "file"}))


def _can_read() -> bool:
    return bool(find_spec("rapidocr") and find_spec("onnxruntime"))


def is_chat_screenshot(boxes: Sequence[TextBox], size: tuple[int, int]) -> bool:
    """Whether lines stand as in a chat on a phone: many small ones in a tall picture, some at
    either side, with times or the signs of a messenger between them."""
    width, height = size
    small = [box for box in boxes if box.height < height / 16]
    if height < 1.2 * width or len(small) < _FEWEST_LINES:
        return False
    left = sum(box.x1 < 0.3 * width and box.x2 < 0.9 * width for box in small)
    right = sum(box.x1 > 0.3 * width and box.x2 > 0.7 * width for box in small)
    signs = sum(bool(_TIME.match(box.text.strip()) or _BARS.search(box.text)) for box in small)
    return signs > 2 or (signs > 0 and left > 1 and right > 0)


def _faces(data: bytes, where: str) -> int:
    image = read_image(data, where).convert("L")
    image = resized(image, min(1.0, _LONGEST / max(image.size)))
    cascade = _cascade()
    assert cascade is not None
    found = cascade.detectMultiScale(
        np.asarray(image), scaleFactor=1.1, minNeighbors=6, minSize=(_SMALLEST_FACE, _SMALLEST_FACE)
    )
    return len(found)


@cache
def _cascade() -> Any:
    """OpenCV's finder of frontal faces; None where OpenCV, or its cascades, are not there."""
    if not find_spec("cv2"):
        return None
    cv2: Any = import_module("cv2")
    if not hasattr(cv2, "CascadeClassifier"):
        return None
    path = Path(cv2.data.haarcascades) / "haarcascade_frontalface_default.xml"
    found = cv2.CascadeClassifier(str(path)) if path.is_file() else None
    return found if found is not None and not found.empty() else None
