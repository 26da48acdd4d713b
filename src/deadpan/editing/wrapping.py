"""Text → lines that fit a width, as evenly filled as can be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from deadpan.editing.faces import Face, runs
from deadpan.media.fonts import is_chinese

_NOT_AT_START = "，。！？、；：）》】”’…」』,.!?;:)%"
_NOT_AT_END = "（《【“‘「『("
_STOPS = "，。！？、；：…,.!?;:"
# What a break after a stop is worth, in squared shares of the width; longer texts are only filled.
_PAUSE, _MOST_PIECES = 0.06, 60


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
        if max((text_width(word.strip(), face, size) for word in words), default=0.0) > width:
            return None
        filled = _greedy(words, face, size, width)
        lines += filled if len(words) > _MOST_PIECES else _even(words, face, size, width, filled)
    return lines


def _even(
    words: Sequence[str], face: Face, size: int, width: float, filled: Sequence[str]
) -> list[str]:
    """As many lines as when filled, alike in width; better broken after a comma or a stop."""
    count, aim = len(filled), sum(text_width(line, face, size) for line in filled) / len(filled)
    best: dict[int, tuple[float, tuple[str, ...]]] = {0: (0.0, ())}
    for _ in range(count):
        reached: dict[int, tuple[float, tuple[str, ...]]] = {}
        for start, (cost, lines) in best.items():
            for end in range(start + 1, len(words) + 1):
                line = "".join(words[start:end]).rstrip()
                across = text_width(line, face, size)
                if across > width:
                    break
                total = cost + ((across - aim) / width) ** 2
                total -= _PAUSE if end < len(words) and line[-1] in _STOPS else 0.0
                if end not in reached or total < reached[end][0]:
                    reached[end] = (total, (*lines, line))
        best = reached
    return list(best[len(words)][1]) if len(words) in best else list(filled)


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
