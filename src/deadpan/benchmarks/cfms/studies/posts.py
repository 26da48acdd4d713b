"""Posts as people see them in a study: the picture beside the words posted with it and in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from deadpan.benchmarks.cfms.records import Pair
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.words import Words

_TITLES: Mapping[str, Words] = {
    "picture": {"en": "Picture", "zh": "图片"},
    "text": {"en": "Text of the post", "zh": "帖子文字"},
    "ocr_text": {"en": "Words in the picture", "zh": "图中文字"},
    "target": {"en": "What it is meant to mock", "zh": "想讽刺的对象"},
    "explanation": {"en": "How it is meant to do so", "zh": "想怎样讽刺"},
}


KEPT = ("image", "text", "ocr_text", "split", "metaphor", "description")
"""The fields of a post that its labels come out with."""


class CandidatePair(Pair):
    """A post that nobody has labelled yet: its row lacks what people say, and its split."""

    draft: Mapping[str, JsonValue] = {}
    """What a model drafted of it, in the fields of rows; nothing where no model was asked."""


def picture(path: str, alt: str = "") -> Part:
    """A picture."""
    return Part(name="picture", kind="picture", title=_TITLES["picture"], path=path, alt=alt)


def text(name: str, words: str) -> Part:
    """Words of that name."""
    return Part(name=name, kind="text", title=_TITLES[name], text=words)


def _parts(pair: Pair) -> Iterator[Part]:
    row = pair.row
    yield picture(pair.path, row.description or row.ocr_text)
    for name in ("text", "ocr_text"):
        if words := str(getattr(row, name)).strip():
            yield text(name, words)


def post_item(pair: Pair, **fields: Any) -> StudyItem:
    """A post to answer questions about; what people do not say of it is kept beside it."""
    shown = {"key": pair.name, "language": pair.row.language, "parts": tuple(_parts(pair))}
    kept = pair.row.model_dump(mode="json", include=set(KEPT), exclude_unset=True)
    return StudyItem.model_validate({**shown, "attributes": kept, **fields})
