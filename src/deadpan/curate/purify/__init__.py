"""The fourth stage: pictures that are too small, blank or marked, and posts that sell something,
say how to reach somebody or attack people. What is found across posts comes after all were seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from deadpan.base.errors import InputError, MissingExtra
from deadpan.core.curation import Post, PostMedia
from deadpan.curate.collect.raw import short
from deadpan.curate.opening import with_verdict
from deadpan.curate.purify.fingerprints import corner_codes, looks
from deadpan.curate.purify.lettering import LetteredMark, lettered_marks
from deadpan.curate.purify.repeated import drop_repeated, repeated_marks
from deadpan.curate.purify.words import advert_cues, caption_contacts, contact_kinds, slurs_in
from deadpan.curate.schema import Purifying
from deadpan.media.images import read_image, resized

__all__ = ["drop_repeated", "purify_posts", "repeated_marks"]
_QR_LONGEST = 1000
_EVEN, _NEARLY_ALL = 8, 0.995


def purify_posts(
    posts: Sequence[Post], options: Purifying, media: Path, is_read: bool = True
) -> list[Post]:
    """The posts, those dropped or flagged that have no place in a benchmark, the others with
    fingerprints of what may be marks. Dropped posts come back as they are. Where pictures were not
    read, nothing tells a caption from a mark, and none is looked for in their corners."""
    return [post if post.drop else _purified(post, options, media, is_read) for post in posts]


def _purified(post: Post, options: Purifying, media: Path, is_read: bool) -> Post:
    if why := next(filter(None, (_misshapen(one, options) for one in post.media)), None):
        return post.dropped("purify", *why)
    seen, marked, marks, codes = [], 0.0, list[LetteredMark](), list[str]()
    for one in post.media:
        if one.kind == "video":
            seen.append(one)
            continue
        try:
            image = read_image(media / one.file)
        except InputError as error:
            return post.dropped("purify", "broken picture", f"{short(one.given)}: {error.what}")
        if not one.lines and _is_blank(image):
            return post.dropped("purify", "blank", f"{short(one.given)}: of one colour")
        found = lettered_marks(one)
        plain = [mark for mark in found if mark.plain]
        marks += plain
        marked = max(marked, sum(mark.area for mark in plain) / (one.width * one.height))
        codes += _qr_codes(image)
        marks_seen = tuple(_fingerprints(one, image, found)) if is_read else ()
        seen.append(one.model_copy(update={"marks": marks_seen}))
    post = _judged_marks(post.changed(media=tuple(seen)), marks, marked, options)
    return post if post.drop else _judged_words(post, codes, options)


def _misshapen(one: PostMedia, options: Purifying) -> tuple[str, str] | None:
    shorter, longer = sorted((one.width, one.height))
    size = f"{short(one.given)}: {one.width} × {one.height}"
    if shorter < max(1, options.shortest_side):
        return "too small", size
    return ("too long", size) if longer > options.flattest * shorter else None


def _is_blank(image: Image.Image) -> bool:
    values = np.asarray(image.convert("L"), dtype=np.int16)
    even = np.abs(values - np.median(values)) <= _EVEN
    return float(even.mean()) >= _NEARLY_ALL


def _fingerprints(
    one: PostMedia, image: Image.Image, found: Sequence[LetteredMark]
) -> Iterator[str]:
    """What may be marks of a picture, and what it looks like; nothing where nothing may be."""
    laid_over = [mark.line for mark in found]
    own = [line for line in one.lines if line not in laid_over]
    words = [mark.fingerprint for mark in found if mark.fingerprint]
    marks = list(dict.fromkeys((*words, *corner_codes(image, own))))
    if marks:
        yield from marks
        yield from looks(image)


def _judged_marks(
    post: Post, marks: Sequence[LetteredMark], share: float, options: Purifying
) -> Post:
    if not marks:
        return post
    texts = ", ".join(dict.fromkeys(short(mark.line.text) for mark in marks))
    what = f"{texts}: {100 * share:.1f} % of the picture"
    if share > options.mark_area:
        return with_verdict(post, options.marks, "purify", "watermark", what)
    return post if options.marks == "keep" else post.flagged("purify", "small mark", what)


def _judged_words(post: Post, codes: Sequence[str], options: Purifying) -> Post:
    kinds = dict.fromkeys((*contact_kinds(post.picture_text), *caption_contacts(post.text), *codes))
    if cues := advert_cues(f"{post.text}\n{post.picture_text}", bool(kinds)):
        post = with_verdict(post, options.adverts, "purify", "advert", short(", ".join(cues)))
    if kinds and not post.drop:
        post = with_verdict(post, options.contacts, "purify", "contact details", ", ".join(kinds))
    if not post.drop and (slurs := slurs_in(f"{post.words}\n{post.transcript}")):
        post = with_verdict(post, options.slurs, "purify", "slur", short(", ".join(slurs)))
    return post


def _qr_codes(image: Image.Image) -> list[str]:
    """What stands for a QR code that can be read; nothing without one."""
    cv2 = _opencv()
    small = resized(image.convert("L"), min(1.0, _QR_LONGEST / max(image.size)))
    try:
        text, _, _ = cv2.QRCodeDetector().detectAndDecode(np.asarray(small))
    except cv2.error:  # what its decoder raises for some shapes that only resemble codes
        return []
    return ["QR code"] if text else []


@cache
def _opencv() -> Any:
    try:
        return import_module("cv2")
    except ImportError:
        raise MissingExtra("Looking for QR codes", "curate") from None
