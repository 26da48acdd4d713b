"""Text → lines that fit a width, as evenly filled as can be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from deadpan.editors.faces import Face, runs
from deadpan.media.fonts import is_chinese

_NOT_AT_START = "，。！？、；：）》】”’…」』,.!?;:)%"
_NOT_AT_END = "（《【“‘「『("


def capital(text: str, size: float) -> float:
    """How tall capitals, or Chinese characters, are above the base line."""
    return (0.84 if any(is_chinese(char) for char in text) else 0.72) * size


@cache
def text_width(line: str, face: Face, size: int) -> float:
    """How far a line goes, in pixels, without its outline."""
    return sum(run.advance(size) for run in runs(line, face))


def wrapped(text: str, face: Face, size: int, width: float) -> list[str] | None:
    """Lines no wider than that, evenly filled; None where a word alone is wider."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        words = pieces(paragraph)
        widest = max((text_width(word.strip(), face, size) for word in words), default=0.0)
        if widest > width:
            return None
        count = len(_greedy(words, face, size, width))
        low, high = widest, width
        while high - low > 2:
            middle = (low + high) / 2
            if len(_greedy(words, face, size, middle)) > count:
                low = middle
            else:
                high = middle
        lines += _greedy(words, face, size, high)
    return lines


def _greedy(words: Sequence[str], face: Face, size: int, width: float) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in words:
        if line and text_width((line + word).rstrip(), face, size) > width:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()]


def pieces(paragraph: str) -> list[str]:
    """Units that a line may break after: words with their space, or single Chinese characters."""
    found: list[str] = []
    for char in paragraph:
        if found and _sticks(found[-1], char):
            found[-1] += char
        else:
            found.append(char)
    return found


def _sticks(before: str, char: str) -> bool:
    if char == " " or char in _NOT_AT_START or before[-1] in _NOT_AT_END:
        return not before.endswith(" ") or char == " "
    return not (before.endswith(" ") or is_chinese(char) or is_chinese(before[-1]))
