"""The lettering faces shipped with the package, so that drawing is the same on every machine."""

import struct
from functools import cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).parent
LATIN = FOLDER / "ComicNeue-Bold.otf"
CHINESE = FOLDER / "NotoSansSC-Bold-subset.otf"


def lettering(size: int, text: str) -> ImageFont.FreeTypeFont:
    """The face that can show `text` (Noto for Chinese, else Comic Neue); ValueError if none can."""
    path = CHINESE if any(is_chinese(char) for char in text) else LATIN
    for char in text:
        if char != "\n" and ord(char) not in covered(path):
            raise ValueError(f"{path.name} has no glyph for {char!r} (U+{ord(char):04X})")
    return _face(path, size)


def plain(size: int) -> ImageFont.FreeTypeFont:
    """The Latin face, for digits and labels."""
    return _face(LATIN, size)


def is_chinese(char: str) -> bool:
    """True for CJK ideographs, CJK punctuation and full-width forms."""
    code = ord(char)
    return 0x2E80 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0xFF00 <= code <= 0xFFEF


@cache
def covered(path: Path) -> frozenset[int]:
    """Every code point with a glyph in a face of ours: their cmap tables are of format 4."""
    data = path.read_bytes()
    tables = struct.iter_unpack(">4sIII", data[12 : 12 + 16 * int.from_bytes(data[4:6], "big")])
    cmap = next(offset for tag, _, offset, _ in tables if tag == b"cmap")
    at = cmap + int.from_bytes(data[cmap + 8 : cmap + 12], "big")
    words = struct.unpack_from(f">{int.from_bytes(data[at + 2 : at + 4], 'big') // 2}H", data, at)
    count = words[3] // 2
    ends, starts = words[7 : 7 + count], words[8 + count : 8 + 2 * count]
    deltas, shifts = words[8 + 2 * count : 8 + 3 * count], words[8 + 3 * count : 8 + 4 * count]
    found = set()
    for i, (first, last) in enumerate(zip(starts, ends, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code + deltas[i]
            if shifts[i]:
                glyph = words[8 + 3 * count + i + shifts[i] // 2 + code - first]
            if glyph % 0x10000:
                found.add(code)
    return frozenset(found)


@cache
def _face(path: Path, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout engine is built into Pillow; Raqm may be absent or differ in version.
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)
