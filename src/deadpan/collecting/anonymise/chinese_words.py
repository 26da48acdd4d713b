"""jieba's words and tags of Chinese texts, and how frequent its dictionary says that words are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from deadpan.base.errors import MissingExtra

# jieba takes the square of a long run's length.
RUN = re.compile(r"[\u3400-\u9fff]{1,200}")
# How often a word occurs in what jieba's dictionary was counted on. A "name" that is frequent is
# mostly something else, above COMMON always.
SELDOM, OFTEN, COMMON = 10, 200, 600
LAUGHTER = 30


class Token(NamedTuple):
    """A word, its tag, and where it starts."""

    text: str
    flag: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@lru_cache(maxsize=4096)
def tokens_of(run: str) -> list[Token]:
    """jieba's words of a run; one that repeats itself, on which it takes seconds, is one token."""
    if len(run) > LAUGHTER and len(set(run)) < len(run) // 5:
        return [Token(run, "x", 0)]
    tokens, place = [], 0
    for word in tagger()[0].cut(run):
        tokens.append(Token(word.word, word.flag or "x", place))
        place += len(word.word)
    return tokens


@cache
def tagger() -> tuple[Any, Mapping[str, str], Mapping[str, int]]:
    """jieba's tagger, its flag of each word of its dictionary, and how frequent the word is."""
    try:
        import jieba
        from jieba import posseg
    except ModuleNotFoundError:
        raise MissingExtra("Finding names in Chinese", "text") from None
    tokenizer = jieba.Tokenizer()
    # Filled by hand: jieba's own start reads and leaves a cache in the shared temporary folder.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    tagger = posseg.POSTokenizer(tokenizer)
    return tagger, tagger.word_tag_tab, tokenizer.FREQ


def is_known(word: str) -> bool:
    """Whether the dictionary has the word, and not as one that hardly occurs."""
    return tagger()[2].get(word, 0) >= SELDOM


def is_person(word: str) -> bool:
    """Whether it may be a name: tagged so or unknown, and not frequent."""
    return tagger()[1].get(word, "nr").startswith("nr") and tagger()[2].get(word, 0) < COMMON


def is_listed(name: str) -> bool:
    """Whether the dictionary has it as a word that is no name, or as one too frequent for one."""
    if not is_known(name):
        return False
    return not tagger()[1].get(name, "").startswith("nr") or tagger()[2][name] >= OFTEN


def longest_word(run: str, start: int) -> str:
    """The longest known word of two to four characters that begins here; '' for none."""
    lengths = range(min(4, len(run) - start), 1, -1)
    return next(
        (run[start : start + one] for one in lengths if is_known(run[start : start + one])), ""
    )


def is_chinese_word(text: str) -> bool:
    """Whether it is a word that is no name."""
    return not tagger()[1].get(text, "nr").startswith("nr")
