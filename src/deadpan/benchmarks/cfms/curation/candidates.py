"""Posts and their drafts as pairs that nobody has labelled yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deadpan.benchmarks.cfms.records import Pair, PairRow, Pairs
from deadpan.benchmarks.cfms.studies.posts import CandidatePair
from deadpan.core.curation import Post, PostMedia
from deadpan.core.drafting import picture_of, unlabelled

IMAGES = "images"


def candidates(posts: Sequence[Post], media: Path) -> Pairs:
    """The posts that are still there, each with its first picture and the words in all of its
    pictures; one without a picture is left out, and told."""

    def candidate(post: Post) -> tuple[Pair, str]:
        picture = picture_of(post)
        row = PairRow.model_construct(**known_fields(post, picture))
        path = str(media / picture.file)
        return CandidatePair(row=row, path=path, where=post.where, draft=post.draft), picture.file

    return Pairs.of_dataset(unlabelled(posts, media, candidate))


def known_fields(post: Post, picture: PostMedia) -> dict[str, Any]:
    """The fields of a row that the post itself tells."""
    return {
        "id": post.id,
        "image": f"{IMAGES}/{post.file_name(picture)}",
        "text": post.caption,
        "ocr_text": post.picture_text,
        "language": post.written_in,
    }
