"""What the request to edit a meme says, in the language of its new caption."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deadpan.benchmarks.merbench.records import TARGET, Emotion, Meme
from deadpan.core.questions import Language, unframed

EMOTIONS: Mapping[Language, Mapping[Emotion, str]] = {
    "en": {
        "sad": "sad",
        "angry": "angry",
        "tense": "tense",
        "bored": "bored",
        "happy": "happy",
        "calm": "calm",
        "relaxed": "relaxed",
        "excited": "excited",
    },
    "zh": {
        "sad": "难过",
        "angry": "愤怒",
        "tense": "紧张",
        "bored": "无聊",
        "happy": "开心",
        "calm": "平静",
        "relaxed": "放松",
        "excited": "兴奋",
    },
}
_SLOT = re.compile(r"\{(\w+)\}")


def told(meme: Meme) -> dict[str, str]:
    """What the editor and the judge are told of a meme, by the names of the prompts' slots."""
    return {
        "source_emotion": meme.det_emo,
        TARGET: meme.tgt_emo,
        "source_caption": meme.caption,
        "reference_caption": meme.new_caption,
        "specification": meme.spec.strip(),
    }


def request(template: str, meme: Meme) -> str:
    """The prompt with its slots filled in one pass, so that a caption fills none; a slot without
    a value stays."""
    names = EMOTIONS[meme.language]
    values = told(meme) | {"source_emotion": names[meme.det_emo], TARGET: names[meme.tgt_emo]}
    return _SLOT.sub(
        lambda slot: unframed(values[slot[1]]) if slot[1] in values else slot[0], template
    )
