"""Whether two posts are one: picture and words both have to agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from deadpan.core.curation import Post, PostMedia
from deadpan.curate.deduplicate.hashing import fine_distance
from deadpan.curate.deduplicate.looking import Looked, look
from deadpan.curate.deduplicate.pictures import Seen, seen_picture
from deadpan.curate.deduplicate.wording import caption_likeness, likeness, plain_words, shared_part
from deadpan.curate.schema import Deduplicating

Finding = Literal["duplicate", "same picture", "same words", "different"]
SAME_PICTURE, SHARED_PICTURE, MEETING = 0.76, 0.5, 0.3
"""The share of the scene that agrees from which on two pictures are one, or have one template; and
how well edges meet at least."""
SAME_WORDS, SAME_TEXT = 0.75, 0.8
"""How alike the least alike letters are in copies, and texts on different pictures."""
_READ_ALIKE = 0.15
"""What letters may be less alike where OCR read the same."""
_SAME_LETTERS, _OTHER_LETTERS = 0.945, 0.7
"""From when on letters look the same whatever was read; and how alike they are at most that do not,
and were surely read otherwise."""
_MOST_PICTURES = 9
_FEWEST_LETTERS = 6
_OTHER_TEXT, _SURE_READING = 0.3, 0.9
_SAME_HASH, _CLEARER = 44, 24

_TAG = re.compile(r"[#＃][^\s#＃]+[#＃]?|[@＠]\w+|https?://\S+")
"""What whoever shares a post again adds to its caption."""

Look = Callable[[PostMedia, PostMedia], Looked]


class Compared(BaseModel):
    """What two posts have in common, from 0 to 1, and what follows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: str
    right: str
    picture: float
    words: float
    verdict: Finding
    mirrored: bool = False
    why: str = ""


def compare_pairs(
    pairs: Sequence[tuple[Post, Post]], media: Path, options: Deduplicating
) -> list[Compared]:
    """What each pair has in common; a picture that cannot be opened agrees with nothing."""

    @lru_cache(maxsize=128)
    def seen(one: PostMedia) -> Seen | None:
        return seen_picture(one, media)

    def looked(one: PostMedia, other: PostMedia) -> Looked:
        if one.sha256 and one.sha256 == other.sha256:
            return Looked(scene=1.0, meeting=1.0, text=1.0, letters=1.0)
        if _plainly_other_words(one, other):
            return Looked(scene=1.0, meeting=1.0, text=0.0, letters=0.0)
        mine, theirs = seen(one), seen(other)
        return look(mine, theirs) if mine and theirs else Looked()

    return [_compared(left, right, looked, options) for left, right in pairs]


def _plainly_other_words(one: PostMedia, other: PostMedia) -> bool:
    """Whether hashes alone tell that the picture is the same and not mirrored, and OCR, sure of
    itself, that the words are others: such pairs are many, and need not be looked at."""
    direct, turned = fine_distance(one.hashes, other.hashes)
    if direct > _SAME_HASH or turned < direct + _CLEARER:
        return False
    texts = [plain_words(" ".join(line.text for line in each.lines)) for each in (one, other)]
    if min(map(len, texts)) < _FEWEST_LETTERS or shared_part(*texts) >= _OTHER_TEXT:
        return False
    sure = (min(line.confidence for line in each.lines) for each in (one, other))
    return min(sure) >= _SURE_READING


def _compared(left: Post, right: Post, looked: Look, options: Deduplicating) -> Compared:
    left, right = sorted((left, right), key=lambda post: post.id)
    found = _looked_at(left, right, looked)
    picture = min((one.scene for one in found), default=0.0)
    nearest = max((one.scene for one in found if one.meeting >= MEETING), default=0.0)
    words = min((_words(one) for one in found), default=0.0)
    mirrored = any(one.mirrored for one in found)
    verdict: Finding
    if picture >= SAME_PICTURE and words >= SAME_WORDS:
        verdict, why = _by_captions(left, right, options)
        why = f"the picture{', mirrored,' if mirrored else ''} and its words agree{why}"
    elif nearest >= SHARED_PICTURE:
        verdict = "same picture"
        part = "the picture agrees" if picture >= SAME_PICTURE else "a part of the picture agrees"
        why = f"{part}, its words {'do' if words >= SAME_WORDS else 'do not'}"
    elif (text := _text_likeness(left, right)) >= SAME_TEXT:
        verdict, words, why = "same words", text, "the words agree, the picture does not"
    else:
        verdict, why = "different", "neither picture nor words agree"
    return Compared(
        left=left.id,
        right=right.id,
        picture=round(picture, 3),
        words=round(words, 3),
        verdict=verdict,
        mirrored=mirrored,
        why=f"{why} (picture {picture:.2f}, words {words:.2f})",
    )


def _by_captions(left: Post, right: Post, options: Deduplicating) -> tuple[Finding, str]:
    """What two posts of one picture and one wording are, by their captions, and why."""
    texts = [plain_words(_TAG.sub(" ", post.text)) for post in (left, right)]
    if options.captions == "ignore" or not all(texts):
        return "duplicate", ""
    alike = caption_likeness(*texts)
    if alike >= options.caption_agreement:
        return "duplicate", ", and so do captions"
    return "same picture", f", captions do not ({alike:.2f})"


def _looked_at(left: Post, right: Post, looked: Look) -> list[Looked]:
    """For each picture of both posts, what it has in common with the picture of the other post that
    is most like it; every picture has to have its like."""
    mine, theirs = (
        [one for one in post.media if one.kind == "picture"][:_MOST_PICTURES]
        for post in (left, right)
    )
    if not mine or not theirs:
        return []
    table = [[looked(one, other) for other in theirs] for one in mine]
    if len(mine) == len(theirs) == 1:
        return table[0]
    ranks = np.array([[_rank(one) for one in row] for row in table])
    best = [(row, int(column)) for row, column in enumerate(ranks.argmax(axis=1))]
    best += [(int(row), column) for column, row in enumerate(ranks.argmax(axis=0))]
    return [table[row][column] for row, column in best]


def _rank(one: Looked) -> float:
    return min(one.scene / SAME_PICTURE, 1.0) + min(_words(one) / SAME_WORDS, 1.0)


def _words(one: Looked) -> float:
    """How far the words agree: letters by their look; what was read counts where there are no
    letters to look at, and for a little where there are; letters that were surely read otherwise
    are others, unless they look the same."""
    if one.letters is None:
        return 1.0 if one.text is None else one.text
    if one.otherwise and one.letters < _SAME_LETTERS:
        return min(max(0.0, one.letters), _OTHER_LETTERS)
    same = one.text is not None and one.text >= 0.999
    return min(1.0, max(0.0, one.letters) + (_READ_ALIKE if same else 0.0))


def _text_likeness(left: Post, right: Post) -> float:
    """How alike what is written in all pictures is; 0 where that is too little."""
    texts = [plain_words(post.picture_text) for post in (left, right)]
    return likeness(*texts) if min(map(len, texts)) >= _FEWEST_LETTERS else 0.0
