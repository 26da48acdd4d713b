"""The lettering faces shipped with the package, so that drawing is the same on every machine."""

from functools import cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).parent
LATIN = FOLDER / "ComicNeue-Bold.otf"
CHINESE = FOLDER / "NotoSansSC-Bold-subset.otf"
_NO_CHARACTER = "\U0010fffe"


def lettering(size: int, text: str) -> ImageFont.FreeTypeFont:
    """The face that can show `text` (Noto for Chinese, else Comic Neue); ValueError if none can."""
    path = CHINESE if any(is_chinese(char) for char in text) else LATIN
    for char in text:
        if char != "\n" and not has_glyph(path, char):
            raise ValueError(f"{path.name} has no glyph for {char!r} (U+{ord(char):04X})")
    return face_at(path, size)


def plain(size: int) -> ImageFont.FreeTypeFont:
    """The Latin face, for digits and labels."""
    return face_at(LATIN, size)


def is_chinese(char: str) -> bool:
    """True for CJK ideographs, CJK punctuation and full-width forms."""
    code = ord(char)
    return 0x2E80 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0xFF00 <= code <= 0xFFEF


@cache
def has_glyph(path: Path, char: str, index: int = 0) -> bool:
    """Whether a face draws a character otherwise than one that no font has."""
    drawn, missing = (face_at(path, 32, index).getmask(text) for text in (char, _NO_CHARACTER))
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


@cache
def face_at(path: Path, size: int, index: int = 0) -> ImageFont.FreeTypeFont:
    """A face of a font file at a size in pixels."""
    # The basic layout engine is built into Pillow; Raqm may be absent or differ in version.
    return ImageFont.truetype(path, size, index=index, layout_engine=ImageFont.Layout.BASIC)
