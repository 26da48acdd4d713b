"""One new caption → one text per caption region, in proportion to the old ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from deadpan.media.fonts import is_chinese

_BLANK_LINE = re.compile(r"\n\s*\n")
_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’)）」』*]*$")
_CLAUSE_END = re.compile(r"[,;:，；：、—–]+[\"'”’)）]*$")
_CLAUSE_START = re.compile(
    r"(and|but|or|so|because|when|while|if|then|until|that|who|which|to|with|for|after|before)\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"\n+|[^\S\n]+|[^\s]+")
# What it costs to cut there, beside the squared distance from the old texts' shares.
_LINE, _SENTENCE, _CLAUSE, _JOINT, _WORD, _CHARACTER = 0.0, 0.005, 0.03, 0.08, 0.15, 0.6


def spread(text: str, old: Sequence[str]) -> tuple[str, ...]:
    """The text cut into as many parts as there are old ones.

    Blank lines decide where they give the right number, then lines, then sentences, clauses and
    words by the old texts' lengths. ValueError where the text is too short to be cut so often.
    """
    text = text.strip()
    if not text or not old:
        raise ValueError("there is no text or no region to spread it over")
    if len(old) == 1:
        return (text,)
    for parts in (_BLANK_LINE.split(text), text.split("\n")):
        kept = tuple(part.strip() for part in parts if part.strip())
        if len(kept) == len(old):
            return kept
    return _in_proportion(text, [max(1, _width(part)) for part in old])


def _in_proportion(text: str, shares: Sequence[int]) -> tuple[str, ...]:
    """The cheapest way to cut: each state is a cut, each step the part before it."""
    cuts = _cuts(text)
    places = sorted(cuts)
    if len(places) < len(shares) + 1:
        raise ValueError(f"{text!r} cannot be cut into {len(shares)} parts")
    before = list(accumulate((_width(char) for char in text), initial=0))
    length, total = max(1, before[-1]), sum(shares)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, (0,))}
    for share in shares:
        reached: dict[int, tuple[float, tuple[int, ...]]] = {}
        for end in places[1:]:
            options = (
                (
                    cost
                    + cuts[end]
                    + ((before[end] - before[start]) / length - share / total) ** 2,
                    (*way, end),
                )
                for start, (cost, way) in best.items()
                if start < end
            )
            cheapest = min(options, default=None)
            if cheapest is not None:
                reached[end] = cheapest
        best = reached
    way = best[len(text)][1]
    return tuple(" ".join(text[start:end].split()) for start, end in pairwise(way))


def _cuts(text: str) -> dict[int, float]:
    """Every place where the text may be cut, with its cost; both ends cost nothing."""
    cuts = {0: 0.0, len(text): 0.0}
    for piece in _PIECE.finditer(text):
        if piece[0].isspace():
            cuts[piece.end()] = _LINE if "\n" in piece[0] else _cost(text, piece)
        else:
            cuts |= _inside(piece[0], piece.start(), len(text))
    return cuts


def _cost(text: str, space: re.Match[str]) -> float:
    before, after = text[: space.start()], text[space.end() :]
    if _SENTENCE_END.search(before):
        return _SENTENCE
    if _CLAUSE_END.search(before):
        return _CLAUSE
    return _JOINT if _CLAUSE_START.match(after) else _WORD


def _inside(word: str, start: int, end: int) -> dict[int, float]:
    """Cuts inside a run without spaces: after Chinese punctuation, or between its characters."""
    cuts: dict[int, float] = {}
    for i in range(1, len(word)):
        before, after = word[i - 1], word[i]
        if not (is_chinese(before) or is_chinese(after)) or start + i >= end:
            continue
        if _SENTENCE_END.match(after) or _CLAUSE_END.match(after) or after in "”’）」』":
            continue
        if _SENTENCE_END.search(word[:i]):
            cuts[start + i] = _SENTENCE
        elif _CLAUSE_END.search(word[:i]):
            cuts[start + i] = _CLAUSE
        elif before not in "“‘（「『":
            cuts[start + i] = _CHARACTER
    return cuts


def _width(text: str) -> int:
    """How wide a text is in half characters; white space does not count."""
    return sum(2 if is_chinese(char) else 1 for char in text if not char.isspace())
