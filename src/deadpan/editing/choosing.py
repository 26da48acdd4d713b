"""Which lines of text in a picture are its caption: those of the old caption, or by rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from statistics import median

from deadpan.media.boxes import Box, box_of
from deadpan.media.fonts import is_chinese
from deadpan.media.ocr import TextBox

_WATERMARK = re.compile(
    r"(?i)(^|\s)(@\w{3,}|[ur]/\w{3,}"
    r"|(www\.)?[\w-]{3,}\s?\.\s?(com?|net|org|me|io|cn|tv|ru|de))\b"
    r"|^(imgflip|quickmeme|memegenerator|makeameme|9gag|小红书号?|抖音号?|微博)\W*\w*$"
)
_ALIKE = 0.6
_SURE = 0.5
_READABLE = 7
"""Lines lower than this many pixels cannot be lettered anew."""


def said_lines(lines: Sequence[TextBox], old_caption: str) -> list[TextBox]:
    """The lines that the old caption holds, each part of it used once, longest lines first.

    Lines may be misread: three fifths of their characters must agree. Marks of sites are not said.
    """
    left = _folded(_WATERMARK.sub(" ", old_caption.replace("\n", " \n ")))
    words = {_folded(word) for word in old_caption.split()}
    said: list[TextBox] = []
    for line in sorted(lines, key=lambda line: (-len(_folded(line.text)), -line.height)):
        letters = _folded(line.text)
        place = _place(letters, left)
        if not letters or is_watermark(line) or place is None:
            continue
        if len(letters) < 3 and letters not in words and not _is_chinese(letters):
            continue
        start, end = place
        left = left[:start] + "\0" * (end - start) + left[end:]
        said.append(line)
    return said


def _place(letters: str, text: str) -> tuple[int, int] | None:
    """Where the text says nearly the same as the letters; None where it does not."""
    if not letters:
        return None
    matcher = SequenceMatcher(None, letters, text, autojunk=False)
    anchor = matcher.find_longest_match()
    start = max(0, anchor.b - anchor.a)
    window = text[start : start + len(letters)]
    agreeing = sum(m.size for m in SequenceMatcher(None, letters, window).get_matching_blocks())
    alike = agreeing / len(letters)
    return (start, start + len(window)) if alike >= _ALIKE else None


def likely_lines(lines: Sequence[TextBox], size: tuple[int, int]) -> list[TextBox]:
    """The lines that look like a caption: read surely, of a common size, and no site's mark."""
    read = [
        line
        for line in lines
        if line.confidence >= _SURE
        and _folded(line.text)
        and line.height >= max(_READABLE, 0.016 * min(size))
        and not is_watermark(line)
        and not is_shape(line)
    ]
    if not read:
        return []
    usual = median(line.height for line in read for _ in line.text)
    return [line for line in read if line.height >= 0.55 * usual]


def at_the_edge(box: Box, size: tuple[int, int]) -> bool:
    """Whether a block of text stands where captions do: broad, in the top or bottom quarter."""
    width, height = size
    middle = (box.y1 + box.y2) / 2
    return box.width >= 0.2 * width and not 0.28 * height < middle < 0.72 * height


def is_watermark(line: TextBox) -> bool:
    """Whether a line is the mark of a site or an account."""
    text = unicodedata.normalize("NFKC", line.text)
    found = _WATERMARK.search(text)
    return found is not None and len(found[0].strip()) >= 0.6 * len(text)


def is_upright(line: TextBox) -> bool:
    """Whether a line runs from left to right: not a column, and not tilted much.

    The box of a tilted line is too tall for its text.
    """
    letters = sum(2 if is_chinese(char) else 1 for char in line.text)
    box = box_of(line)
    return letters < 4 or box.width >= 0.17 * letters * box.height


def is_shape(line: TextBox) -> bool:
    """Whether a lone letter is more likely a thing in the picture: an eye, a wheel, a window."""
    return len(_folded(line.text)) <= 1 and not _is_chinese(line.text)


def _is_chinese(text: str) -> bool:
    return any(is_chinese(char) for char in text)


def _folded(text: str) -> str:
    """Letters and digits only, without case or width."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())
