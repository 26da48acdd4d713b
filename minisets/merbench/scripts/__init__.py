"""The memes themselves, a few per module, each with its records beside it."""

from minisets.merbench.meme import Meme
from minisets.merbench.scripts import (
    angry_en,
    angry_zh,
    bored_en,
    bored_zh,
    sad_en,
    sad_zh,
    tense_en,
    tense_zh,
)

_ENGLISH = (*sad_en.MEMES, *angry_en.MEMES, *tense_en.MEMES, *bored_en.MEMES)
_CHINESE = (*sad_zh.MEMES, *angry_zh.MEMES, *tense_zh.MEMES, *bored_zh.MEMES)

MEMES: tuple[Meme, ...] = (*_ENGLISH, *_CHINESE)
