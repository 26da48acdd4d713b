"""Posts and their drafts as pairs that nobody has labelled yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deadpan.benchmarks.cfms.curation.drafting import NO_PICTURE
from deadpan.benchmarks.cfms.records import Pair, PairRow, Pairs
from deadpan.benchmarks.cfms.studies.posts import CandidatePair
from deadpan.core.curation import Post, PostMedia
from deadpan.core.dataset import Anomaly
from deadpan.core.signature import checksum

IMAGES = "images"


def candidates(posts: Sequence[Post], media: Path) -> Pairs:
    """The posts that are still there, each with its first picture and the words in all of its
    pictures; one without a picture is left out, and told."""
    pairs: list[Pair] = []
    left_out: list[Anomaly] = []
    for post in posts:
        if post.drop is not None:
            continue
        if post.picture is None:
            left_out.append(Anomaly(post.where, NO_PICTURE, f"{post.id} is left out"))
            continue
        row = PairRow.model_construct(**known_fields(post, post.picture))
        path = str(media / post.picture.file)
        pairs.append(CandidatePair(row=row, path=path, where=post.where, draft=post.draft))
    return Pairs(
        records=tuple(pairs),
        origin=str(media),
        checksum=checksum([post.model_dump(mode="json") for post in posts]),
        anomalies=tuple(left_out),
        media=tuple(pair.path for pair in pairs),
    )


def known_fields(post: Post, picture: PostMedia) -> dict[str, Any]:
    """The fields of a row that the post itself tells."""
    return {
        "id": post.id,
        "image": f"{IMAGES}/{post.file_name(picture)}",
        "text": post.caption,
        "ocr_text": post.picture_text,
        "language": post.written_in,
    }
