"""The memes themselves, a few per module, each with its gold beside it."""

from minisets.janusmm.meme import Meme
from minisets.janusmm.scripts import (
    habits_en,
    home_en,
    home_zh,
    money_zh,
    others_en,
    others_zh,
    people_en,
    people_zh,
    plain_en,
    plain_zh,
    same_words_en,
    same_words_zh,
    work_en,
    work_zh,
)

_ENGLISH = (
    *home_en.MEMES,
    *work_en.MEMES,
    *people_en.MEMES,
    *habits_en.MEMES,
    *plain_en.MEMES,
    *same_words_en.MEMES,
    *others_en.MEMES,
)
_CHINESE = (
    *work_zh.MEMES,
    *home_zh.MEMES,
    *people_zh.MEMES,
    *money_zh.MEMES,
    *plain_zh.MEMES,
    *same_words_zh.MEMES,
    *others_zh.MEMES,
)

MEMES: tuple[Meme, ...] = tuple(sorted(_ENGLISH + _CHINESE, key=lambda meme: meme.meme_id))
