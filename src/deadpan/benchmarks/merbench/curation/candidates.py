"""Posts and their drafts as memes that nobody has looked at yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deadpan.benchmarks.merbench.curation.drafting import NO_PICTURE, caption_of
from deadpan.benchmarks.merbench.records import Meme
from deadpan.benchmarks.merbench.studies.memes import CandidateMeme
from deadpan.core.curation import Post
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.signature import checksum

DRAFTED = (
    *("det_emo", "tgt_emo", "img_desc", "pos_txt", "spec"),
    *("visual_type", "sentiment_polarity", "layout_type"),
)
"""The fields of a record that are drafted."""


def candidates(posts: Sequence[Post], media: Path) -> Dataset[Meme]:
    """The posts that are still there, each with its first picture and the caption in that; one
    without a picture is left out, and told. Fields that nobody has drafted are missing."""
    memes: list[CandidateMeme] = []
    left_out: list[Anomaly] = []
    for post in posts:
        if post.drop is not None:
            continue
        if post.picture is None:
            left_out.append(Anomaly(post.where, NO_PICTURE, f"{post.id} is left out"))
            continue
        said: dict[str, Any] = {name: post.draft[name] for name in DRAFTED if name in post.draft}
        memes.append(
            CandidateMeme.model_construct(
                id=post.id,
                gen_id=post.file_name(post.picture),
                text=caption_of(post),
                path=str(media / post.picture.file),
                written_in=post.written_in,
                **said,
            )
        )
    return Dataset(
        records=tuple(memes),
        origin=str(media),
        checksum=checksum([post.model_dump(mode="json") for post in posts]),
        anomalies=tuple(left_out),
        media=tuple(meme.path for meme in memes),
    )
