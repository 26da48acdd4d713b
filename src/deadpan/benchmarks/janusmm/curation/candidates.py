"""Posts and chats, with their drafts, as memes that nobody has labelled yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from deadpan.benchmarks.janusmm.records import Meme, MemeRow, Source, Turn
from deadpan.benchmarks.janusmm.studies.memes import CandidateMeme
from deadpan.core.curation import Post, PostMedia
from deadpan.core.dataset import Dataset
from deadpan.core.drafting import picture_of, unlabelled

IMAGES = "images"
_SOURCES: tuple[Source, ...] = get_args(Source)


def candidates(posts: Sequence[Post], media: Path) -> Dataset[Meme]:
    """The posts that are still there, each with its first picture and the words in all of its
    pictures; one without a picture is left out, and told."""

    def pictured(post: Post) -> tuple[Meme, str]:
        picture = picture_of(post)
        return candidate(post, picture, media), picture.file

    return unlabelled(posts, media, pictured)


def candidate(post: Post, picture: PostMedia, media: Path) -> CandidateMeme:
    """A post as a meme that lacks what people say of it."""
    row = MemeRow.model_construct(**known_fields(post, picture))
    path = str(media / picture.file)
    return CandidateMeme(row=row, path=path, where=post.where, draft=post.draft)


def known_fields(post: Post, picture: PostMedia) -> dict[str, Any]:
    """The fields of a row that the post itself tells."""
    return {
        "meme_id": post.id,
        "image": f"{IMAGES}/{post.file_name(picture)}",
        "language": post.written_in,
        "source": _source(post),
        "text": post.picture_text,
        "dialogue": tuple(_dialogue(post)),
    }


def _source(post: Post) -> Source:
    """Where a meme was shared: as its source tells; else a conversation of more than two is a
    group's and any other a private one, and what is no conversation is from social media."""
    told = post.attributes.get("source")
    for name in _SOURCES:
        if told == name:
            return name
    if post.url or not post.is_shared_in_turns:
        return "social_media"
    return "group_chat" if any(one.speaker == "other" for one in post.turns) else "private_dialogue"


def _dialogue(post: Post) -> Iterator[Turn]:
    """What was said, with one turn that shares the meme: the first that does, else the post's own
    words before all that was answered."""
    shared = next((place for place, one in enumerate(post.turns) if one.shares_media), None)
    if shared is None:
        yield Turn(speaker="sender", text=post.text, shares_meme=True)
    for place, one in enumerate(post.turns):
        yield Turn(speaker=one.speaker, text=one.text, shares_meme=place == shared)
