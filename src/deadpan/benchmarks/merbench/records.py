"""index_final.json → validated memes: what each is, and what should become of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.rows import json_document, quote
from deadpan.core.contamination import RecitableText, recitable_texts
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.questions import Language, escape_frames

INDEX = "index_final.json"
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp")

Source = Literal["sad", "angry", "tense", "bored"]
Target = Literal["happy", "calm", "relaxed", "excited"]
VisualType = Literal[
    "Template_StylizedMeme", "Object_Animal_Dominant", "Photo_RealPerson", "Cartoon_Anime"
]
Polarity = Literal["Negative", "Neutral", "Positive"]
LayoutType = Literal["SinglePanel_Meme", "MultiPanel_Meme"]
PAIRS: dict[Source, Target] = {
    "sad": "happy",
    "angry": "calm",
    "tense": "relaxed",
    "bored": "excited",
}
"""Which emotion each negative one is turned into (section IV-A)."""

TAXONOMY = ("visual_type", "layout_type", "sentiment_polarity")
"""The fields that the paper's table 3 and figure 5 are grouped by."""
EMOTION = "det_emo"
TARGET = "target_emotion"
"""Where gold tells the target."""

_CHINESE = {
    **{"sad": "难过", "angry": "愤怒", "tense": "紧张", "bored": "无聊"},
    **{"happy": "开心", "calm": "平静", "relaxed": "放松", "excited": "兴奋"},
}
_SLOT = re.compile(r"\{(\w+)\}")
_FIX = "Correct the record, or fetch the file again."
_LONGEST_NAME = 200
"""Bytes of a file's name, so that temporary names fit behind it."""
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_GARBLED = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\ue000-\uf8ff\ufffd]")
_ESCAPED_BREAK = re.compile(r"\\+n")
_ESCAPED_QUOTE = re.compile(r"\\+(?=[\"“”'])")
_LEFT_COMMA = re.compile(r"(?<=[\"”]),$")
_QUOTES = {'"': '"', "“": "”", "「": "」", "'": "'"}


def _file_name(name: str) -> str:
    """The name of a picture file, without any folder; anything else raises."""
    plain = name.isprintable() and name == name.strip() and not set(name) & set("/\\:\0")
    path = PurePosixPath(name)
    if not plain or len(os.fsencode(name)) > _LONGEST_NAME or not path.stem.strip(". "):
        raise ValueError("expected the name of a picture, such as 0.png")
    if path.suffix.casefold() not in SUFFIXES:
        raise ValueError(f"expected a file name that ends in {', '.join(SUFFIXES)}")
    return name


def _words(text: str) -> str:
    if not text.strip():
        raise ValueError("expected text")
    return text


_FileName = Annotated[str, AfterValidator(_file_name)]
_Words = Annotated[str, AfterValidator(_words)]


def emotion_word(emotion: str, language: Language) -> str:
    """The emotion as people call it in a language; one that is none of the eight as it is."""
    return _CHINESE.get(emotion, emotion) if language == "zh" else emotion


class Meme(BaseModel):
    """One record as released. `id` names its file in Original/, `gen_id` its edited files."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    id: _FileName
    gen_id: _FileName
    det_emo: Source
    tgt_emo: Target
    img_desc: str
    text: str
    pos_txt: _Words
    spec: _Words
    visual_type: VisualType
    sentiment_polarity: Polarity
    layout_type: LayoutType

    @property
    def language(self) -> Language:
        """Chinese where the rewritten caption has Han characters. The source caption does not
        tell: 57 released English ones hold characters from a wrong encoding."""
        return "zh" if _HAN.search(self.pos_txt) else "en"

    @property
    def caption(self) -> str:
        """The source caption without white space around it; may be empty."""
        return self.text.strip()

    @property
    def new_caption(self) -> str:
        """The rewritten caption as it is to be written: without the quotation marks that frame it,
        escaped line breaks and quotation marks as such."""
        text = _ESCAPED_QUOTE.sub("", _ESCAPED_BREAK.sub("\n", self.pos_txt)).strip()
        text = _LEFT_COMMA.sub("", text)
        if len(text) > 2 and _QUOTES.get(text[0]) == text[-1] and not _is_two_quotations(text):
            text = text[1:-1].strip()
        return re.sub(r"[ \t]*\n\s*", "\n", text)

    @property
    def brief(self) -> dict[str, str]:
        """What the editor and the judge are told of it, by the names of the prompts' slots."""
        return {
            "source_emotion": self.det_emo,
            TARGET: self.tgt_emo,
            "source_caption": self.caption,
            "reference_caption": self.new_caption,
            "specification": self.spec.strip(),
        }

    def request(self, template: str) -> str:
        """The request to edit it: the prompt with its slots filled in one pass, so that a caption
        fills none; a slot without a value stays."""
        values = self.brief
        if self.language == "zh":
            values["source_emotion"] = emotion_word(self.det_emo, "zh")
            values[TARGET] = emotion_word(self.tgt_emo, "zh")
        return _SLOT.sub(
            lambda slot: escape_frames(values[slot[1]]) if slot[1] in values else slot[0], template
        )


def _is_two_quotations(text: str) -> bool:
    """Whether the outer marks belong to two quotations, as in "One," she says, "two"."""
    inside = text[1:-1]
    if text[0] == text[-1]:
        return inside.count(text[0]) % 2 == 1 or bool(
            re.match(rf"[^{text[0]}]*{text[0]}[,.:;\s]", inside)
        )
    opened, closed = inside.find(text[0]), inside.find(text[-1])
    return closed >= 0 and (opened < 0 or closed < opened)


def read_memes(folder: Path) -> tuple[tuple[Meme, ...], tuple[Anomaly, ...]]:
    """The memes of a folder's index in file order, and what is odd and not fatal in them. A file
    that is no JSON list, or an empty one, raises."""
    records = json_document(folder / INDEX, _FIX, INDEX)
    if not isinstance(records, list):
        raise InputError(INDEX, f"got {quote(records)}; expected a list of records", _FIX)
    if not records:
        raise InputError(INDEX, "holds no record", "Fetch it again.")
    memes: list[Meme] = []
    seen: dict[tuple[str, str], int] = {}
    for number, value in enumerate(records, start=1):
        name = value.get("id") if isinstance(value, dict) else None
        told = f" ({name})" if isinstance(name, str) and name.isprintable() and name else ""
        where = f"{INDEX} record {number}{told[:_LONGEST_NAME]}"
        meme = _meme(value, where)
        for field in ("id", "gen_id"):
            name = getattr(meme, field)
            first = seen.setdefault((field, name.casefold()), number)
            if first != number:
                what = f"got {quote(name)} a second time (first in record {first})"
                raise InputError(f"{where} {field}", what, "Keep one of them.")
        memes.append(meme)
    return tuple(memes), tuple(anomaly for meme in memes for anomaly in _oddities(meme))


def _meme(value: Any, where: str) -> Meme:
    try:
        meme = Meme.model_validate(value)
    except ValidationError as error:
        raise _problem(where, error) from None
    expected = PAIRS[meme.det_emo]
    if meme.tgt_emo != expected:
        what = f'got "{meme.tgt_emo}"; expected "{expected}", as det_emo is "{meme.det_emo}"'
        raise InputError(f"{where} tgt_emo", what, _FIX)
    return meme


def _problem(where: str, error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    place = f"{where} {'.'.join(map(str, first['loc']))}".strip()
    if first["type"] == "missing":
        return InputError(place, "is missing; expected it in every record", _FIX)
    expected = first["msg"].removeprefix("Value error, ").replace("Input should be", "expected", 1)
    return InputError(place, f"got {quote(first['input'])}; {expected}", _FIX)


def _oddities(meme: Meme) -> Iterator[Anomaly]:
    """What is strange in a record and does not keep it from being used."""
    for name in meme.model_extra or ():
        yield Anomaly(f"{meme.id} {name}", "unknown field", "not used")
    if meme.id != meme.gen_id:
        what = f"edited files are looked for as {meme.gen_id}"
        yield Anomaly(f"{meme.id} gen_id", "two names", what)
    if not meme.caption:
        yield Anomaly(f"{meme.id} text", "no caption", "the source has no words")
    if meme.language == "en" and _GARBLED.search(meme.text):
        what = "holds characters of a wrong encoding, or of another script"
        yield Anomaly(f"{meme.id} text", "garbled caption", what)
    if _ESCAPED_BREAK.search(meme.pos_txt):
        what = "line breaks are written as backslashes and n; read as line breaks"
        yield Anomaly(f"{meme.id} pos_txt", "escaped line breaks", what)
    if not meme.img_desc.strip():
        yield Anomaly(f"{meme.id} img_desc", "no description", "the picture is not described")


def recitable(dataset: Dataset[Meme]) -> Iterator[RecitableText]:
    """The meme's caption, the one that it is to get, and what is written about its picture."""
    for meme in dataset.records:
        texts = {
            "caption": meme.text,
            "new caption": meme.pos_txt,
            "description": meme.img_desc,
            "edit specification": meme.spec,
        }
        yield from recitable_texts(meme.id, meme.language, texts)
