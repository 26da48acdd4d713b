"""What the drafting protocols of benchmarks share: forms that a model fills in, and drafted posts
as records that nobody has labelled yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.fields import FieldInfo

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
    """What a model fills in: nothing missing. What it adds is left out; a choice in other letters,
    a list's only entry by itself, and "none" where there may be nothing are read for what they are.
    Nothing is guessed: what has to be a text, a number or yes and no has to be one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        fields = cls.model_fields
        named = {name if name in fields else _as_choice(str(name)): name for name in given}
        return {
            name: _plain_value(given[said], fields[name])
            for name, said in named.items()
            if name in fields
        }


def _plain_value(value: Any, field: FieldInfo) -> Any:
    """A value as a field takes it, where it is plain what is meant. In a list that may not be empty
    "none" is no way to say nothing: it may be one of the labels."""
    wanted = field.annotation
    kinds = get_args(wanted) if get_origin(wanted) in (Union, UnionType) else (wanted,)
    may_be_empty = not any(getattr(one, "min_length", 0) for one in field.metadata)
    if isinstance(value, list) and len(value) == 1 and _is_nothing(value[0]) and may_be_empty:
        return []
    if not isinstance(value, str):
        return value
    if NoneType in kinds and _is_nothing(value):
        return None
    for kind in kinds:
        if get_origin(kind) in (list, tuple):
            return [] if _is_nothing(value) and may_be_empty else [value]
        if get_origin(kind) is Literal:
            known = {_as_choice(one): one for one in get_args(kind)}
            value = known.get(_as_choice(value), value)
    return value


def _is_nothing(value: Any) -> bool:
    return isinstance(value, str) and value.strip(" .。").casefold() in _NO_VALUE


def _as_choice(value: str) -> str:
    plain = value.casefold().replace("_", " ").replace("-", " ")
    return "_".join(plain.strip(" .。").split())


def _with_words(text: str) -> str:
    if not any(sign.isalnum() for sign in text) or _is_nothing(text):
        raise ValueError("expected words")
    return text.strip()


_NO_VALUE = frozenset({"", "null", "none", "n/a", "nil", "无", "（无）", "(none)", "没有", "空"})
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
