"""Words of posts: what of them counts, how alike they are, and sketches by which they are found."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

import numpy as np
import numpy.typing as npt

from deadpan.curate.deduplicate.pictures import Box, Written

ROWS, BANDS = 3, 24
"""Texts of which a share s of all their shingles is common are found with the probability
1 - (1 - s^ROWS)^BANDS: 0.96 for a half, 0.19 for a fifth."""
Sketches = npt.NDArray[np.uint32]
_MARK = re.compile(r"@|www|https?|\.(?:com|cn|net|org|example)\b", re.IGNORECASE)
_CLOCK = re.compile(r"^\s*\d{1,2}[:：]\d{2}")
_SCRIPTS = re.compile(r"[\u2e80-\uffff]+|[^\u2e80-\uffff]+")
_SURELY, _ONE_LINE, _FEW = 0.95, 0.5, 4
"""How sure OCR is of a line, how alike two readings of one are at least, and how many letters in a
row may be others."""
_ALIKE = str.maketrans("01i5", "olls")
_AT_ONCE = 50_000
_PRIME = np.uint64((1 << 31) - 1)


def plain_words(text: str) -> str:
    """Letters, digits and ideographs alone, in one form: no case, width, spaces or punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())


def likeness(one: str, other: str) -> float:
    """From 0 to 1, how much of two plain texts agrees in order; 1 for two empty ones."""
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    # Which of the two comes first must not matter.
    first, second = sorted((one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def is_address(text: str) -> bool:
    """Whether a line has the signs of an address or an account."""
    return bool(_MARK.search(text))


def joke_lines(
    lines: Sequence[Written], others: Sequence[Written], content: Box, tallest: float
) -> list[Written]:
    """The lines without addresses and names of publishers, and without what an app writes around a
    picture. `others` are the other picture's lines, `tallest` is how high a line is in both."""
    beyond = [one for one in lines if _is_beyond(one.box, content)]
    return [
        one
        for one in lines
        if not _is_mark(one, others, tallest, content)
        and not (one in beyond and _is_of_app(one, beyond, content))
    ]


def read_otherwise(lines: Sequence[Written], others: Sequence[Written]) -> bool:
    """Whether a line that OCR was sure of in both pictures has a few other letters or digits in the
    one than in the other. Of what only one of them has this says nothing: marks are laid over
    lines, and crops cut them."""
    return any(
        _differ_in_letters(one.text, other.text)
        for one in lines
        for other in others
        if min(one.confidence, other.confidence) >= _SURELY and _meet(one.box, other.box)
    )


def _differ_in_letters(one: str, other: str) -> bool:
    mine, theirs = map(_unaccented, (one, other))
    if likeness(mine, theirs) < _ONE_LINE:
        return False
    first, second = sorted((mine, theirs))
    found = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return any(
        kind == "replace" and end - start == stop - begin <= _FEW
        for kind, start, end, begin, stop in found
    )


def _unaccented(text: str) -> str:
    """The plain words without accents, and what looks alike in one form: OCR tells them apart by
    chance."""
    letters = unicodedata.normalize("NFKD", plain_words(text))
    return "".join(one for one in letters if not unicodedata.combining(one)).translate(_ALIKE)


def _is_mark(line: Written, others: Sequence[Written], tallest: float, content: Box) -> bool:
    """Whether it has the signs of an address; or is small and at the edge, or short in a corner,
    and the other picture has nothing there: who writes a joke anew writes where the old one was."""
    tall = (line.box[3] - line.box[1]) / tallest
    if not others and is_address(line.text) and len(line.text.split()) == 1:
        return True  # all that is written on a picture without words
    if tall > 0.95:
        return False
    if is_address(line.text):
        return True
    if any(_meet(line.box, other.box) for other in others):
        return False
    return (tall <= 0.78 and _is_at_edge(line.box, content)) or _is_in_corner(line.box, content)


def _is_at_edge(box: Box, content: Box) -> bool:
    edge = 0.09 * (content[3] - content[1])
    return box[3] > content[3] - edge or box[1] < content[1] + edge


def _is_in_corner(box: Box, content: Box) -> bool:
    wide, high = content[2] - content[0], content[3] - content[1]
    aside = min(box[0] - content[0], content[2] - box[2]) < 0.05 * wide
    outer = min(box[1] - content[1], content[3] - box[3]) < 0.06 * high
    return aside and outer and box[2] - box[0] < 0.45 * wide


def _meet(one: Box, other: Box) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across > 0 and min(one[3], other[3]) > max(one[1], other[1])


def _is_beyond(box: Box, content: Box) -> bool:
    """Whether a line stands above or below the content, as on a bar."""
    middle = (box[1] + box[3]) / 2
    return not content[1] <= middle <= content[3]


def _is_of_app(line: Written, beyond: Sequence[Written], content: Box) -> bool:
    """Whether it is the clock, one of several words in a row, or short and to one side; captions
    on a bar are long, or in the middle."""
    left, top, right, bottom = line.box
    wide = content[2] - content[0]
    if _CLOCK.match(line.text):
        return True
    if right - left > 0.45 * wide:
        return False
    off = abs((left + right) / 2 - (content[0] + content[2]) / 2)
    middle = (top + bottom) / 2
    row = [one for one in beyond if one.box[1] < middle < one.box[3]]
    return off > 0.1 * wide or len(row) > 1


def shingles(text: str) -> list[int]:
    """Numbers for what stands in a row in a plain text: every two ideographs, every four other
    letters."""
    runs = set()
    for part in _SCRIPTS.findall(text):
        size = 2 if part[0] >= "\u2e80" else 4
        runs |= {part[start : start + size] for start in range(max(1, len(part) - size + 1))}
    return sorted(zlib.crc32(run.encode()) for run in runs)


def caption_likeness(one: str, other: str) -> float:
    """The share of all shingles of two plain texts that both have: one word that is another counts,
    however long the sentence is; 1 for equal ones."""
    mine, theirs = set(shingles(one)), set(shingles(other))
    return len(mine & theirs) / max(1, len(mine | theirs)) if one != other else 1.0


def shared_part(one: str, other: str) -> float:
    """The share of the shorter plain text's shingles that the other has too; an app's words around
    a picture do not lessen it."""
    mine, theirs = set(shingles(one)), set(shingles(other))
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))


def sketches(texts: Iterable[str]) -> Sketches:
    """For each plain text ROWS x BANDS least values of its shingles (MinHash); all zero for texts
    too short to say anything."""
    draw = np.random.default_rng(20)
    count = ROWS * BANDS
    factors = draw.integers(1, int(_PRIME), count, dtype=np.uint64)[:, None]
    shifts = draw.integers(0, int(_PRIME), count, dtype=np.uint64)[:, None]
    made = []
    for text in texts:
        numbers = np.array(shingles(text), np.uint64) % _PRIME
        # Sums stay below 2**62, so nothing overflows.
        known = len(text) >= 4 and len(numbers) > 0
        least = ((numbers * factors + shifts) % _PRIME).min(axis=1) if known else np.zeros(count)
        made.append(least.astype(np.uint32))
    return np.array(made, np.uint32).reshape(-1, count)


def sketch_likeness(sketch: Sketches, left: npt.NDArray[np.int64],
                    right: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:  # fmt: skip
    """The estimated share of common shingles of pairs; 0 where one has too few words."""
    shares = np.zeros(len(left))
    for start in range(0, len(left), _AT_ONCE):
        mine, theirs = (sketch[side[start : start + _AT_ONCE]] for side in (left, right))
        known = (mine[:, 0] > 0) & (theirs[:, 0] > 0)
        shares[start : start + _AT_ONCE] = (mine == theirs).mean(axis=1) * known
    return shares
