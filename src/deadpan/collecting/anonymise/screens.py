"""What pictures show of people: faces, and text as chats have it. It flags and does not decide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from deadpan.base.errors import DeadpanError
from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.lettering import may_hold_words
from deadpan.collecting.anonymise.patterns import PLACEHOLDER, Kind
from deadpan.collecting.anonymise.records import clean_record
from deadpan.collecting.anonymise.text import Decide, Named, follow_suggestion
from deadpan.media.images import read_image, resized
from deadpan.media.ocr import TextBox, read_text

_LONGEST = 1200  # pixels of the longer side in which faces are looked for
_SMALLEST_FACE = 24
_FEWEST_LINES = 5
_PLAIN = frozenset({"address", "phone", "email", "account", "number", "plate"})
_TIME = re.compile(
    r"^(?:(?:昨天|今天|星期.|周.|上午|下午|晚上|yesterday|today)\s?)?\d{1,2}[:：]\d{2}(?:\s?[ap]m)?$",
    re.I,
)
_BARS = re.compile(
    r"5G|4G|LTE|wi-?fi|\d{1,3}%|发送|按住\s?说话|type a message|online|在线|对方正在输入|last seen",
    re.I,
)


class Shown(NamedTuple):
    """What a person should look at, what was seen, what was read there (for the sheet only), and
    whether it leads to somebody plainly."""

    may_be: str
    what: str
    quoted: str = ""
    plain: bool = False


@dataclass(frozen=True)
class Seen:
    """What a picture shows: how many faces, whether it is plainly a chat, and kinds in its text."""

    faces: int = 0
    lines: int = 0
    is_chat: bool = False
    kinds: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    unread: bool = False  # whether something looks like words that nothing here could read

    @property
    def flags(self) -> list[Shown]:
        """What a person should look at, each with what was seen; a meme's own words are none."""
        found = [Shown("face", f"{self.faces} that may be a face")] if self.faces else []
        if self.is_chat:
            found.append(Shown("screenshot of a chat", f"{self.lines} lines of text"))
        if self.kinds:
            kinds, quoted = ", ".join(self.kinds), "; ".join(self.quoted)
            plain = not _PLAIN.isdisjoint(self.kinds)
            found.append(Shown("text that leads to a person", kinds, quoted, plain))
        if self.unread:
            found.append(Shown("text", "areas that look like words; no OCR is there to read them"))
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
        image = read_image(data, where)
    except DeadpanError:
        return Seen()
    faces = face_count(image) or 0
    unread = not _can_read() and may_hold_words(image)
    kinds, quoted = _telling([box.text for box in boxes])
    is_chat = is_chat_screenshot(boxes, image.size)
    return Seen(faces, len(boxes), is_chat, kinds, quoted, unread)


class _Listing:
    """Follows suggestions, and lists what would stay and still is for people to look at: names in
    capitals, as memes have them, and numbers."""

    def __init__(self) -> None:
        self.kept: dict[str, Kind] = {}

    def at(self, file: str, place: str, text: str) -> Decide:
        def decide(kind: Kind, found: str, shown: str, likely: bool = True) -> str | None:
            if not likely and (kind != "name" or found.isupper()):
                self.kept[found] = kind
            return follow_suggestion(kind, found, shown, likely)

        return decide

    def named(self, file: str, place: str) -> Named:
        return lambda found, shown: shown


def _telling(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Kinds of what leads to a person in the words of a picture, by the rules for texts, and how it
    stands there. Lines are looked at one by one and in a row, as words are often broken."""
    kinds: set[str] = set()
    quoted: dict[str, None] = {}
    for text in ("\n".join(lines), " ".join(lines)) if lines else ():
        listing = _Listing()
        cleaned = clean_record({"text": text}, lambda name: None, Doubts(decisions=listing))
        kinds |= {kind for _, kind in cleaned.replaced} | set(listing.kept.values())
        quoted |= dict.fromkeys([*_gone(text, str(cleaned.record["text"])), *listing.kept])
    # A clock alone is what memes and status bars show.
    kinds -= {"time", "link", "file"}
    return tuple(sorted(kinds)), tuple(quoted) if kinds else ()


def _gone(before: str, after: str) -> list[str]:
    """The parts of a text for which placeholders stand in another."""
    kept = map(re.escape, PLACEHOLDER.split(after))
    found = re.fullmatch("(.+?)".join(kept), before, re.DOTALL)
    return [part.strip() for part in found.groups()] if found else []


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


def face_count(image: Image.Image, longest: int = _LONGEST) -> int | None:
    """How many parts of a picture may be a face seen from the front, looked for at a size of so
    many pixels at most; None where OpenCV, or its cascades, are not there."""
    cascade = _cascade()
    if cascade is None:
        return None
    grey = resized(image.convert("L"), min(1.0, longest / max(image.size)))
    found = cascade.detectMultiScale(
        np.asarray(grey), scaleFactor=1.1, minNeighbors=6, minSize=(_SMALLEST_FACE, _SMALLEST_FACE)
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
