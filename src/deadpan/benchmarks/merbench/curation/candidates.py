"""Posts and their drafts as memes that nobody has looked at yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deadpan.benchmarks.merbench.curation.drafting import caption_of
from deadpan.benchmarks.merbench.records import Meme
from deadpan.benchmarks.merbench.studies.memes import CandidateMeme
from deadpan.core.curation import Post
from deadpan.core.dataset import Dataset
from deadpan.core.drafting import picture_of, unlabelled

DRAFTED = (
    *("det_emo", "tgt_emo", "img_desc", "pos_txt", "spec"),
    *("visual_type", "sentiment_polarity", "layout_type"),
)
"""The fields of a record that are drafted."""


def candidates(posts: Sequence[Post], media: Path) -> Dataset[Meme]:
    """The posts that are still there, each with its first picture and the caption in that; one
    without a picture is left out, and told. Fields that nobody has drafted are missing."""

    def candidate(post: Post) -> tuple[Meme, str]:
        picture = picture_of(post)
        said: dict[str, Any] = {name: post.draft[name] for name in DRAFTED if name in post.draft}
        meme = CandidateMeme.model_construct(
            id=post.id,
            gen_id=post.file_name(picture),
            text=caption_of(post),
            path=str(media / picture.file),
            written_in=post.written_in,
            **said,
        )
        return meme, picture.file

    return unlabelled(posts, media, candidate)
