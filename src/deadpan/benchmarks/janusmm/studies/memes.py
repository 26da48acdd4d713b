"""Memes as people see them in a study: the picture, and the dialogue it was shared in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

from pydantic import JsonValue

from deadpan.base.files import read_text
from deadpan.benchmarks.janusmm.emotion_words import NrcLabel
from deadpan.benchmarks.janusmm.records import Meme
from deadpan.benchmarks.janusmm.wording import turns
from deadpan.core.questions import Language
from deadpan.core.study.items import Part, StudyItem, Turn

_FOLDER = Path(__file__).parent
CLASSES: tuple[str, ...] = get_args(NrcLabel)
"""The labels of the lexicons themselves: NRC's emotions, and the polarity that NTUSD has too."""


_KEPT = ("image", "source", "self_deprecating", "text", "dialogue", "cultural_symbols")


class CandidateMeme(Meme):
    """A meme that nobody has labelled yet: its row lacks what people say."""

    draft: Mapping[str, JsonValue] = {}
    """What a model drafted of it, in the parts that annotators write; nothing where no model was
    asked."""


def meme_parts(meme: Meme) -> tuple[Part, ...]:
    """The picture and what was said around it; nothing that tells what the meme is."""
    picture = Part(
        name="picture",
        kind="picture",
        title={"en": "Picture", "zh": "图片"},
        path=meme.path,
        alt=meme.row.text,
    )
    said = tuple(Turn(speaker=speaker, text=text) for speaker, text in turns(meme))
    title = {"en": "Dialogue", "zh": "对话"}
    dialogue = Part.model_validate(
        {"name": "dialogue", "kind": "dialogue", "title": title, "turns": said}
    )
    return (picture, dialogue) if said else (picture,)


def meme_item(meme: Meme, **fields: Any) -> StudyItem:
    """A meme to answer questions about."""
    shown = {"key": meme.meme_id, "language": meme.row.language, "parts": meme_parts(meme)}
    attributes = {"source": meme.row.source}
    return StudyItem.model_validate({**shown, "attributes": attributes, **fields})


def kept_fields(meme: Meme) -> dict[str, JsonValue]:
    """What annotators do not say of a meme, and its labels come out with."""
    return meme.row.model_dump(mode="json", include=set(_KEPT), exclude_unset=True)


@cache
def emotion_words() -> Mapping[Language, tuple[str, ...]]:
    """The emotions that annotators choose from, in the meme's language: English ones by the form in
    which NRC holds them, and Chinese ones."""
    forms: Mapping[str, object] = json.loads(read_text(_FOLDER.parent / "emotion_forms.json"))
    emotions = {*forms, *CLASSES} - {"positive", "negative"}
    chinese: list[str] = json.loads(read_text(_FOLDER / "emotions.json"))["zh"]
    return {"en": tuple(sorted(emotions)), "zh": tuple(chinese)}
