"""The lettering faces shipped with the package, so that drawing is the same on every machine."""

from functools import cache
from pathlib import Path

from PIL import ImageFont

from deadpan.media.fonts.coverage import covered

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
def _face(path: Path, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout engine is built into Pillow; Raqm may be absent or differ in version.
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)
