"""Which lines of text in a picture are its caption, and how a new one is spread over them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from statistics import median

from deadpan.base.printable import visible
from deadpan.core.editors import Instruction, NotEdited
from deadpan.editing.faces import has_chinese
from deadpan.editing.levelling import level_size
from deadpan.media.boxes import Box, Pixels, Region, regions
from deadpan.media.fonts import is_chinese
from deadpan.media.ocr import TextBox

_WATERMARK = re.compile(
    r"(?i)(^|\s)(@\w{3,}|[ur]/\w{3,}"
    r"|(www\.)?[\w-]{3,}\s?\.\s?(com?|net|org|me|io|cn|tv|ru|de))\b"
    r"|^(imgflip|quickmeme|memegenerator|makeameme|9gag|小红书号?|抖音号?|微博)\W*\w*$"
)
_ALIKE = 0.6
_SURE = 0.5
_MOST_REGIONS = 12
_READABLE = 7  # lines lower than this many pixels cannot be lettered anew
_SENTENCE_END = re.compile(r"[.!?…。！？]+[\"'”’)）」』*]*$")
_CLAUSE_END = re.compile(r"[,;:，；：、—–]+[\"'”’)）]*$")
_CLAUSE_START = re.compile(
    r"(and|but|or|so|because|when|while|if|then|until|that|who|which|to|with|for|after|before)\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"\n+|[^\S\n]+|[^\s]+")
# What it costs to cut there, beside the squared distance from the old texts' shares.
_LINE, _SENTENCE, _CLAUSE, _JOINT, _WORD, _CHARACTER = 0.0, 0.005, 0.03, 0.08, 0.15, 0.6


def find_captions(
    lines: Sequence[TextBox], instruction: Instruction, wanted: int, pixels: Pixels
) -> tuple[Region, ...]:
    """The caption regions in reading order; NotEdited where there are none."""
    source, old = instruction.source, instruction.old_caption
    size = (pixels.shape[1], pixels.shape[0])
    likely = likely_lines(lines, size)
    if old is not None and old.strip():
        chosen = said_lines(lines, old)
        if not chosen and likely:
            raise NotEdited(
                f"{source}: the old caption is not in the picture, which says "
                f"{quote(*(line.text for line in likely))}. Correct it or leave it out."
            )
        tilted = [line for line in chosen if not is_upright(line)]
        if tilted:
            raise NotEdited(
                f"{source}: {quote(tilted[0].text)} is tilted or runs downwards, which this "
                "editor cannot letter. Use another editor."
            )
        found = regions(chosen, pixels)
    else:
        everything = regions([line for line in likely if is_upright(line)], pixels)
        found = tuple(region for region in everything if at_the_edge(region.box, size))
        if not found or len(everything) == wanted > 1:
            found = everything
    if not found:
        raise NotEdited(
            f"{source}: no caption found in the picture. Use a picture with a caption, "
            "or an editor that draws the whole picture."
        )
    return found


def per_region(texts: Sequence[str], found: Sequence[Region]) -> Sequence[str]:
    """One new text for each region; NotEdited where their numbers cannot be brought together."""
    if len(texts) == len(found):
        return texts
    said = quote(*(region.text for region in found))
    if len(texts) > 1:
        raise NotEdited(
            f"{len(texts)} new captions for {len(found)} caption regions: {said}. "
            "Give one for each region, or a single one to be spread over them."
        )
    if len(found) > _MOST_REGIONS:
        raise NotEdited(
            f"text is everywhere: {len(found)} regions. Say which text is the caption, "
            "or give one new text for each region."
        )
    try:
        return spread(texts[0], [region.text for region in found])
    except ValueError:
        raise NotEdited(
            f"{quote(texts[0])} is too short to be spread over {len(found)} caption regions: "
            f"{said}. Give one text for each region; an empty one leaves its region empty."
        ) from None


def said_lines(lines: Sequence[TextBox], old_caption: str) -> list[TextBox]:
    """The lines that the old caption holds, each part of it used once, longest lines first. Lines
    may be misread: three fifths of their characters must agree. Marks of sites are not said."""
    left = fold(_WATERMARK.sub(" ", old_caption.replace("\n", " \n ")))
    words = {fold(word) for word in old_caption.split()}
    said: list[TextBox] = []
    for line in sorted(lines, key=lambda line: (-len(fold(line.text)), -line.height)):
        letters = fold(line.text)
        if not letters or is_watermark(line):
            continue
        if len(letters) < 3 and letters not in words and not has_chinese(letters):
            continue
        # Where the caption says nearly the same as the line.
        anchor = SequenceMatcher(None, letters, left, autojunk=False).find_longest_match()
        start = max(0, anchor.b - anchor.a)
        window = left[start : start + len(letters)]
        agreeing = SequenceMatcher(None, letters, window).get_matching_blocks()
        if sum(block.size for block in agreeing) / len(letters) >= _ALIKE:
            left = left[:start] + "\0" * len(window) + left[start + len(window) :]
            said.append(line)
    return said


def likely_lines(lines: Sequence[TextBox], size: tuple[int, int]) -> list[TextBox]:
    """The lines that look like a caption: read surely, of a common size, and no site's mark."""
    read = [
        line
        for line in lines
        if line.confidence >= _SURE
        and fold(line.text)
        and line.height >= max(_READABLE, 0.016 * min(size))
        and not is_watermark(line)
        and not is_shape(line)
    ]
    usual = median(line.height for line in read for _ in line.text) if read else 0
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
    """Whether a line runs from left to right: not a column, and not turned more than can be
    lettered. The box of a line whose turn is not known is too tall for its text."""
    letters = sum(2 if is_chinese(char) else 1 for char in line.text)
    width, height = level_size(line)
    return letters < 4 or width >= 0.17 * letters * height


def is_shape(line: TextBox) -> bool:
    """Whether a lone letter is more likely a thing in the picture: an eye, a wheel, a window."""
    return len(fold(line.text)) <= 1 and not has_chinese(line.text)


def fold(text: str) -> str:
    """Letters and digits only, without case or width."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


def spread(text: str, old: Sequence[str]) -> tuple[str, ...]:
    """The text cut into as many parts as there are old ones. Blank lines decide where they give the
    right number, then lines, then sentences, clauses and words by the old texts' lengths.
    ValueError where the text is too short to be cut so often."""
    text = text.strip()
    if not text or not old:
        raise ValueError("there is no text or no region to spread it over")
    if len(old) == 1:
        return (text,)
    for parts in (re.split(r"\n\s*\n", text), text.split("\n")):
        kept = tuple(part.strip() for part in parts if part.strip())
        if len(kept) == len(old):
            return kept
    return _in_proportion(text, [max(1, half_characters(part)) for part in old])


def _in_proportion(text: str, shares: Sequence[int]) -> tuple[str, ...]:
    """The cheapest way to cut: each state is a cut, each step the part before it."""
    cuts = _cuts(text)
    places = sorted(cuts)
    if len(places) < len(shares) + 1:
        raise ValueError(f"{text!r} cannot be cut into {len(shares)} parts")
    before = list(accumulate((half_characters(char) for char in text), initial=0))
    length, total = max(1, before[-1]), sum(shares)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, (0,))}
    for share in shares:
        reached: dict[int, tuple[float, tuple[int, ...]]] = {}
        for start, (cost, way) in best.items():
            for end in places:
                if end > start:
                    off = (before[end] - before[start]) / length - share / total
                    option = (cost + cuts[end] + off**2, (*way, end))
                    reached[end] = min(reached.get(end, option), option)
        best = reached
    way = best[len(text)][1]
    return tuple(" ".join(text[start:end].split()) for start, end in pairwise(way))


def _cuts(text: str) -> dict[int, float]:
    """Every place where the text may be cut, with its cost; both ends cost nothing."""
    cuts = {0: 0.0, len(text): 0.0}
    for piece in _PIECE.finditer(text):
        if "\n" in piece[0]:
            cuts[piece.end()] = _LINE
        elif piece[0].isspace():
            joint = _CLAUSE_START.match(text, piece.end())
            cuts[piece.end()] = _end_cost(text[: piece.start()]) or (_JOINT if joint else _WORD)
        else:
            cuts |= _inside(piece[0], piece.start())
    return cuts


def _end_cost(before: str) -> float | None:
    """What it costs to cut after a sentence or a clause; None after anything else."""
    if _SENTENCE_END.search(before):
        return _SENTENCE
    return _CLAUSE if _CLAUSE_END.search(before) else None


def _inside(word: str, start: int) -> dict[int, float]:
    """Cuts inside a run without spaces: after Chinese punctuation, or between its characters."""
    cuts: dict[int, float] = {}
    for i, (before, after) in enumerate(pairwise(word), start=1):
        ends = _end_cost(after) is not None or after in "”’）」』"
        if has_chinese(before, after) and not ends:
            cost = _end_cost(word[:i])
            if cost is not None or before not in "“‘（「『":
                cuts[start + i] = cost or _CHARACTER
    return cuts


def half_characters(text: str) -> int:
    """How wide a text is in half characters; white space does not count."""
    return sum(2 if is_chinese(char) else 1 for char in text if not char.isspace())


def quote(*texts: str) -> str:
    """The texts on one short line each, in quotation marks."""
    plain = [" ".join(visible(text).split()) for text in texts]
    return ", ".join(f'"{one}"' if len(one) <= 60 else f'"{one[:57]}…"' for one in plain)
