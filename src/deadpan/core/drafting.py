"""What the drafting protocols of benchmarks share: forms that a model fills in, and drafted posts
as records that nobody has labelled yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from deadpan.base.errors import InputError
from deadpan.core.curation import Post, PostMedia
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.questions import Language
from deadpan.core.signature import checksum

NO_PICTURE, NO_VIDEO = "no picture", "no video"
"""Why a post is left out that has nothing to show."""
NOTHING: dict[Language, str] = {"en": "(none)", "zh": "（无）"}
"""What a prompt says where there are no words."""
RecordT = TypeVar("RecordT", bound=BaseModel)


class Form(BaseModel):
    """What a model fills in: nothing missing, nothing added."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _with_words(text: str) -> str:
    if not any(sign.isalnum() for sign in text):
        raise ValueError("expected words")
    return text.strip()


WITH_WORDS = AfterValidator(_with_words)
"""Of a text: that it says something."""
Words = Annotated[str, Field(max_length=2_000), WITH_WORDS]
Sentences = Annotated[str, Field(min_length=5, max_length=2_000), WITH_WORDS]
"""As many characters as a person has to write at least."""


def picture_of(post: Post) -> PostMedia:
    """The picture that the post's item will have; one without any raises InputError."""
    if post.picture is None:
        raise InputError(post.where, NO_PICTURE, "Leave the post out.")
    return post.picture


def unlabelled(
    posts: Sequence[Post], media: Path, record: Callable[[Post], tuple[RecordT, str]]
) -> Dataset[RecordT]:
    """The posts that are still there as records, each with the name of its file in `media`; one
    for which `record` raises InputError is left out, and told."""
    records: list[RecordT] = []
    paths: list[str] = []
    left_out: list[Anomaly] = []
    for post in posts:
        if post.drop is not None:
            continue
        try:
            made, file = record(post)
        except InputError as error:
            left_out.append(Anomaly(post.where, error.what, f"{post.id} is left out"))
            continue
        records.append(made)
        paths.append(str(media / file))
    identity = checksum([post.model_dump(mode="json") for post in posts])
    return Dataset(tuple(records), str(media), identity, tuple(left_out), tuple(paths))
