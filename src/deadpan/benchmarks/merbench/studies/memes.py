"""Memes and edits as people see them in a study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from deadpan.benchmarks.merbench.edits import original
from deadpan.benchmarks.merbench.records import EMOTION, TAXONOMY, Meme, emotion_word
from deadpan.core.questions import Language
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.words import Words

_TITLES: Mapping[str, Words] = {
    "picture": {"en": "Source", "zh": "原图"},
    "edited": {"en": "Edited", "zh": "编辑后"},
    "caption": {"en": "Caption", "zh": "图上文字"},
    "emotion": {"en": "Emotion (draft)", "zh": "情绪（草稿）"},
    "description": {"en": "Description (draft)", "zh": "描述（草稿）"},
    "target": {"en": "Target emotion", "zh": "目标情绪"},
    "new_caption": {"en": "New caption (draft)", "zh": "改写文字（草稿）"},
    "specification": {"en": "What changes in the picture (draft)", "zh": "画面修改说明（草稿）"},
}


class CandidateMeme(Meme):
    """A meme that nobody has looked at yet, by the name of its post: what was not drafted of it is
    missing."""

    path: str
    """Where its picture lies."""
    written_in: Language

    @property
    def language(self) -> Language:
        """That of the post: its new caption may be missing."""
        return self.written_in


def picture(name: str, path: Path | str, alt: str = "") -> Part:
    """A picture of that name."""
    return Part(name=name, kind="picture", title=_TITLES[name], path=str(path), alt=alt)


def text(name: str, words: str) -> Part:
    """Words of that name."""
    return Part(name=name, kind="text", title=_TITLES[name], text=words)


def emotion(name: str, value: str) -> Part:
    """An emotion of that name, as each page's language calls it."""
    words: Words = {code: emotion_word(value, code) for code in get_args(Language)}
    return Part(name=name, kind="text", title=_TITLES[name], texts=words)


def source_picture(meme: Meme, folder: Path) -> Part:
    """The meme as it was found; its caption for those who do not see it."""
    path = meme.path if isinstance(meme, CandidateMeme) else original(folder, meme)
    return picture("picture", path, meme.caption)


def target(meme: Meme) -> Part:
    """The emotion that the meme is to have."""
    return emotion("target", meme.tgt_emo)


def meme_item(meme: Meme, parts: tuple[Part, ...], **fields: Any) -> StudyItem:
    """A meme to answer questions about, with what its groups are, as far as that is known."""
    groups = {name: value for name in (*TAXONOMY, EMOTION) if (value := getattr(meme, name, None))}
    shown = {"key": meme.id, "language": meme.language, "parts": parts, "attributes": groups}
    return StudyItem.model_validate({**shown, **fields})
