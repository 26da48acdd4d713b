"""Which of several copies of a post is the best one, and stays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import PurePosixPath

from deadpan.core.curation import Post, ReadLine
from deadpan.curate.deduplicate.wording import is_address

_SURE, _MOST = 0.8, 0.7
"""From which confidence on a line counts as read, and the share of the most letters that were read
in any copy from which on a copy is read as well."""
_FRAME, _EDGE = 0.1, 0.03
"""By how much more of a picture may be frame in copies whose words count, and in copies that are
framed alike."""
_NEARLY = 0.35
"""Logarithm of areas between which nobody sees a difference: seven tenths of the largest are as
good."""
_TONED = 8.0
"""Colours that lie no further apart are grey, or all of one tone."""
_OF_EYES = frozenset({"face"})
"""Flags that say more of who looked than of the copy: a face is found in the sharper one."""


def best_of(posts: Sequence[Post]) -> Post:
    """The copy that stays: with the fewest flags; in which words can be read (in mirrored and
    blurred copies they cannot); in its colours; with the fewest lines (screenshots and marks add
    some); with as much of the picture as any; with the least frame; the surest reading; the most
    pixels; of files of one format the largest, which was compressed least; the first id."""
    framed = {post.id: _frame(post) for post in posts}
    least = min(framed.values())
    plain = [post for post in posts if framed[post.id] <= least + _FRAME]
    wanted = _MOST * max(map(_letters, plain))
    largest = max(map(_area, posts))
    formats = {PurePosixPath(one.file).suffix for post in posts for one in post.media}

    def merit(post: Post) -> tuple[int, bool, bool, int, int, int, float, int, int, str]:
        return (
            sum(flag.kind not in _OF_EYES for flag in post.flags),
            _letters(post) < wanted,
            all(one.colours <= _TONED for one in post.media),
            sum(_is_read(line) for one in post.media for line in one.lines),
            int(math.log(largest / _area(post)) / _NEARLY),
            int((framed[post.id] - least) / _EDGE),
            -round(_confidence(post), 1),
            -sum(one.width * one.height for one in post.media),
            -sum(one.bytes for one in post.media) if len(formats) == 1 else 0,
            post.id,
        )

    return min(posts, key=merit)


def _frame(post: Post) -> float:
    return sum(1 - one.content for one in post.media)


def _area(post: Post) -> float:
    """Pixels of content."""
    return max(1.0, sum(one.width * one.height * one.content for one in post.media))


def _letters(post: Post) -> int:
    """How many letters were surely read, those of addresses and accounts left out."""
    lines = (line for one in post.media for line in one.lines if not is_address(line.text))
    return sum(len(line.text) for line in lines if line.confidence >= _SURE)


def _is_read(line: ReadLine) -> bool:
    """Whether a line is more than a letter that OCR sees in a drawing."""
    return line.confidence >= _SURE and len(line.text.strip()) > 1


def _confidence(post: Post) -> float:
    lines = [line for one in post.media for line in one.lines]
    letters = sum(len(line.text) for line in lines)
    return sum(line.confidence * len(line.text) for line in lines) / letters if letters else 0.0
