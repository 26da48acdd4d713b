"""Hashes by which copies of pictures are looked for: of the whole, of its content, and finer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from deadpan.core.curation import Post, PostMedia
from deadpan.curate.deduplicate.pictures import (
    Box,
    Grey,
    colour_spread,
    content_box,
    grey_picture,
    opened_picture,
)

COARSE = 2
"""The first hashes of a picture, by which it is looked up: of the whole, and of its content
(without frame, bars and a telephone's head and foot)."""
FINE = 8
"""The others, by which what was found is ranked: 256 bits of detail of the whole, in which words
leave their trace, and 256 of the content."""
_HALF = FINE // 2
_SIDE = 32


def hash_posts(posts: Sequence[Post], media: Path) -> list[Post]:
    """The posts with what tells copies from each other (how much of their pictures is content, how
    far their colours lie apart, how large their files are), and with hashes, COARSE and then FINE
    ones of 64 bits each in hexadecimal; none for videos, for what cannot be opened, and in posts
    that are dropped."""
    return [post if post.drop else _hashed(post, media) for post in posts]


def _hashed(post: Post, media: Path) -> Post:
    return post.changed(media=tuple(_with_hashes(one, media) for one in post.media))


def _with_hashes(one: PostMedia, media: Path) -> PostMedia:
    if one.kind != "picture" or not one.file:
        return one.model_copy(update={"hashes": ()})
    image = opened_picture(media / one.file)
    if image is None:
        return one.model_copy(update={"hashes": ()})
    grey = grey_picture(image)
    left, top, right, bottom = box = content_box(grey)
    share = round((right - left) * (bottom - top) / grey.size, 3)
    seen = {
        "content": share,
        "colours": round(colour_spread(image), 1),
        "bytes": (media / one.file).stat().st_size,
    }
    return one.model_copy(update={"hashes": picture_hashes(grey, box), **seen})


def picture_hashes(grey: Grey, box: Box) -> tuple[str, ...]:
    """The hashes of a picture in grey, of all of it and of its content."""
    whole = _signs(grey, (0, 0, grey.shape[1], grey.shape[0]))
    content = _signs(grey, box)
    coarse = [_low(one) for one in (whole, content)]
    fine = [_packed(one[1:17, 1:17].ravel()) for one in (whole, content)]
    return tuple(f"{int(one):016x}" for one in (*coarse, *fine[0], *fine[1]))


def _signs(grey: Grey, box: Box) -> npt.NDArray[np.bool_]:
    """The signs of the cosine transform of a part of the picture, in a square."""
    import cv2

    left, top, right, bottom = (round(one) for one in box)
    small = cv2.resize(grey[top:bottom, left:right], (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    signs: npt.NDArray[np.bool_] = cv2.dct(small.astype(np.float32)) > 0
    return signs


def _low(signs: npt.NDArray[np.bool_]) -> np.uint64:
    """The 64 lowest frequencies; the mean, which is always positive, gives way to the next."""
    block = signs[:8, :8].copy()
    block[0, 0] = signs[0, 8]
    return cast(np.uint64, _packed(block.ravel())[0])


def _packed(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    return np.packbits(bits).view(">u8").astype(np.uint64)


def _mirror_masks() -> tuple[np.uint64, npt.NDArray[np.uint64]]:
    """The bits that turn over with the picture: odd frequencies across."""
    odd = np.zeros((_SIDE, _SIDE), np.bool_)
    odd[:, 1::2] = True
    return _low(odd), _packed(odd[1:17, 1:17].ravel())


MIRROR, FINE_MIRROR = _mirror_masks()
"""What a hash is combined with (exclusive or) to be that of the mirrored picture."""


def fine_distance(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """In how many of 256 bits the fine hashes of two pictures' content differ, and in how many if
    one of them is mirrored; all where one has none."""
    if len(one) != COARSE + FINE or len(other) != COARSE + FINE:
        return 64 * _HALF, 64 * _HALF
    apart = [int(a, 16) ^ int(b, 16) for a, b in zip(one[-_HALF:], other[-_HALF:], strict=True)]
    turned = [a ^ int(mask) for a, mask in zip(apart, FINE_MIRROR, strict=True)]
    return sum(a.bit_count() for a in apart), sum(a.bit_count() for a in turned)
