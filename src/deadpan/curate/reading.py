"""The third stage: what is written in pictures, in reading order, and in which language a post is;
with what the words of a picture tell of people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from deadpan.base.errors import InputError
from deadpan.base.printable import without_controls
from deadpan.collecting.anonymise.records import clean_record
from deadpan.collecting.anonymise.screens import is_chat_screenshot
from deadpan.core.curation import Post, PostMedia, ReadLine
from deadpan.core.questions import Language
from deadpan.curate.collect.languages import foreign_language, script_language
from deadpan.curate.collect.raw import short
from deadpan.curate.opening import with_verdict
from deadpan.curate.schema import Opening, Reading
from deadpan.media.boxes import regions
from deadpan.media.images import MOST_BYTES, read_image
from deadpan.media.media_files import read_media
from deadpan.media.ocr import TextBox, read_text

_PUBLIC = frozenset(("time", "link", "file", "organisation"))
"""What memes and status bars show of nobody."""


def read_posts(
    posts: Sequence[Post], options: Reading, opening: Opening, media: Path
) -> list[Post]:
    """The posts with what is written in their pictures, and with their language where it was not
    known. A post of several pictures stays one, keeps its first, or becomes several (`ID-1`, …).
    One that says nothing, in a language that nobody told, is dropped. Dropped posts come back as
    they are."""
    return [
        one if one.drop else _read(one, options, opening, media)
        for post in posts
        for one in _parts(post, options)
    ]


def keep_languages(posts: Sequence[Post], languages: Sequence[Language]) -> list[Post]:
    """The posts, those in other languages dropped; none where no language is named."""
    if not languages:
        return list(posts)
    return [
        post
        if post.drop or post.language in languages
        else post.dropped("read", "other language", post.language or "none is known")
        for post in posts
    ]


def _parts(post: Post, options: Reading) -> Iterator[Post]:
    if post.drop or len(post.media) < 2 or options.several == "join":
        yield post
    elif options.several == "first":
        yield post.changed(media=post.media[:1])
    else:
        for number, one in enumerate(post.media, 1):
            yield post.changed(id=f"{post.id}-{number}", media=(one,))


def _read(post: Post, options: Reading, opening: Opening, media: Path) -> Post:
    found: list[PostMedia] = []
    is_chat = False
    for one in post.media:
        if one.kind == "video" or not options.ocr:
            found.append(one)
            continue
        try:
            boxes = _boxes(media / one.file, options.confidence)
        except InputError as error:
            return post.dropped("read", "broken picture", f"{short(one.given)}: {error.what}")
        is_chat = is_chat or is_chat_screenshot(boxes, (one.width, one.height))
        found.append(one.model_copy(update={"lines": tuple(map(_line, boxes))}))
    post = _in_language(post.changed(media=tuple(found)), options)
    if is_chat and not post.drop:
        what = f"{len(post.picture_text.splitlines())} lines as in a chat"
        post = with_verdict(post, opening.screenshots, "read", "screenshot of a chat", what)
    if opening.personal != "keep" and not post.drop and (kinds := personal_kinds(post)):
        what = ", ".join(kinds)
        post = with_verdict(post, opening.personal, "read", "text that leads to a person", what)
    return post


def _boxes(path: Path, confidence: float) -> list[TextBox]:
    """The lines of a picture that OCR is sure enough of, in reading order."""
    data = read_media(path, "picture", MOST_BYTES)
    lines = [one for one in read_text(data) if one.confidence >= confidence]
    if len(lines) < 2:
        return lines
    pixels = np.asarray(read_image(data, path.name), dtype=np.uint8)
    return list(chain.from_iterable(region.lines for region in regions(lines, pixels)))


def _line(box: TextBox) -> ReadLine:
    sides = {"x1": box.x1, "y1": box.y1, "x2": box.x2, "y2": box.y2}
    return ReadLine(text=without_controls(box.text), confidence=box.confidence, **sides)


def _in_language(post: Post, options: Reading) -> Post:
    said = f"{post.words}\n{post.transcript}".strip()
    language = script_language(said)
    if post.language is None and language == "other":
        return post.dropped("read", "unknown language", "it is written in another script")
    if post.language is None and language is None:
        unread = "" if options.ocr else "; pictures are not read (`ocr: false`)"
        return post.dropped("read", "no words", f"nothing tells its language{unread}")
    if post.language is None and language == "en" and (code := foreign_language(said)):
        what = f"its words are {code}; say `language: en` of its source where they are not"
        return post.dropped("read", "unknown language", what)
    if post.language is None:
        return post.changed(language=language)
    return post if language else post.flagged("read", "no words")


def personal_kinds(post: Post) -> tuple[str, ...]:
    """Kinds of what leads to a person in the words of a post's pictures. Lines are looked at one by
    one and in a row, as words are often broken."""
    lines = post.picture_text.splitlines()
    kinds: set[str] = set()
    for text in dict.fromkeys(("\n".join(lines), " ".join(lines))):
        if text:
            kinds |= {kind for _, kind in clean_record({"text": text}, lambda name: None).replaced}
    return tuple(sorted(kinds - _PUBLIC))
