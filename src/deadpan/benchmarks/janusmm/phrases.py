"""What a reasoning states: its noun and verb phrases, C_F of JanusMM's IRC. Words are tagged by
textblob (English) and jieba (Chinese). A phrase keeps the words that carry content, and negations;
articles, pronouns, adverbs, auxiliaries, copulas and `feel` carry none, so that the sender's "I am
crying" and the receiver's "he was crying" state the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, TypeAdapter

from deadpan.base.errors import MissingExtra
from deadpan.base.files import read_text
from deadpan.core.questions import Language
from deadpan.metrics.folding import normalize_text

Role = Literal["noun", "modifier", "verb", "negator", "empty", "article", "none", "break"]
"""What a word does in a phrase. Nouns, modifiers, verbs and negators are its content. `empty` is a
verb without content, `article` begins a noun phrase, `none` is passed over, `break` parts
phrases."""

_CONTENT: frozenset[Role] = frozenset({"noun", "modifier", "verb", "negator"})
_LEADING: frozenset[Role] = frozenset({"modifier", "negator"})
_AT_ONCE = 100
"""Words tagged at once, so that a text without a full stop takes no longer than one with."""

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s]|_")
_NOT = re.compile(r"(.+)n't", re.IGNORECASE)
_SHORTENED = re.compile(r"(.+)'(?:s|m|re|ve|ll|d)", re.IGNORECASE)
_FULL = {"wo": "will", "ca": "can", "sha": "shall"}
# jieba parts a text at every other sign, and takes the square of a long run's length.
_CHINESE_PIECE = re.compile(
    r"[\u4e00-\u9fd5a-zA-Z0-9+#&._%-]{1,200}|[^\u4e00-\u9fd5a-zA-Z0-9+#&._%-]+"
)
_DEGREES = frozenset("很太最更")

Cut = Callable[..., Iterator[str]]
"""jieba's own: a text to its words; with `HMM=False` to words of the dictionary only."""


class Word(NamedTuple):
    """A word and what it does."""

    text: str
    role: Role


def _by_word(lists: Mapping[Role, Sequence[str]]) -> dict[str, Role]:
    return {word: role for role, words in lists.items() for word in words}


Roles = Annotated[dict[str, Role], BeforeValidator(_by_word)]


class FunctionWords(BaseModel, frozen=True, extra="forbid"):
    """What decides the roles of a language's words, from function_words.json."""

    tags: Roles
    """By the first two letters of a Penn tag; by jieba's flag, else its first letter. `zg` is
    jieba's for single characters it does not know more of, mostly verbs. Any other parts phrases.
    """
    words: Roles
    """Of words in lower case that the tagger does not know, or gets wrong."""
    joined: frozenset[str]
    """What jieba takes for one word and is two: 却说; 开玩笑, which is also 开了个玩笑."""
    glue: frozenset[str]
    """Characters that make no new word with what stands beside them."""


def factual_chunks(text: str, language: Language) -> tuple[tuple[str, ...], ...]:
    """The noun and verb phrases in order, each as its words in lower case; none gives ()."""
    words = _english_words(text) if language == "en" else _chinese_words(text)
    return tuple(phrases(list(words)))


def phrases(words: Sequence[Word]) -> Iterator[tuple[str, ...]]:
    """Runs of nominal and runs of verbal words, without those that carry no content."""
    kept = [word for word in words if word.role != "none"]
    phrase: list[str] = []
    before = False
    for word, nominal in zip(kept, _nominal(kept), strict=True):
        if phrase and (word.role in ("break", "article") or nominal != before):
            yield tuple(phrase)
            phrase = []
        if word.role in _CONTENT:
            phrase.append(word.text.casefold())
        before = nominal
    if phrase:
        yield tuple(phrase)


def _nominal(words: Sequence[Word]) -> list[bool]:
    """Per word whether it belongs to a noun phrase: nouns, and modifiers that lead to one."""
    found: list[bool] = []
    leads = False
    for word in reversed(words):
        leads = word.role == "noun" or (leads and word.role in _LEADING)
        found.append(leads)
    return found[::-1]


def _english_words(text: str) -> Iterator[Word]:
    tag = _english_tagger()
    function_words = _function_words()["en"]
    tokens = [part for token in _TOKEN.findall(normalize_text(text)) for part in _expand(token)]
    for first in range(0, len(tokens), _AT_ONCE):
        piece = tokens[first : first + _AT_ONCE]
        for token, flag in zip(piece, tag(piece), strict=True):
            tagged = function_words.tags.get(flag[:2], "break")
            role = function_words.words.get(token.casefold(), tagged)
            yield Word(token, role if token[0].isalnum() else "break")


def _expand(token: str) -> list[str]:
    """A contraction as words: `can't` is `can not`; 's, 'm and the like carry no content."""
    if found := _NOT.fullmatch(token):
        return [_FULL.get(found[1].casefold(), found[1]), "not"]
    if found := _SHORTENED.fullmatch(token):
        return [found[1]]
    return [token]


def _chinese_words(text: str) -> Iterator[Word]:
    cut, flags = _chinese_tagger()
    glue = _function_words()["zh"].glue
    for piece in _CHINESE_PIECE.findall(normalize_text(text)):
        for token in cut(piece):
            parts = _parts(token, cut, flags)
            # jieba joins what it does not list: 我画 is two words, and 社恐 is one.
            for part in parts if not glue.isdisjoint(parts) else [token]:
                yield _chinese_word(part, flags)


def _parts(token: str, cut: Cut, flags: Mapping[str, str]) -> Sequence[str]:
    """What may be the words of a token: degree and quality (太重), or by the dictionary alone."""
    if token[0] in _DEGREES and flags.get(token[1:]) == "a":
        return token[0], token[1:]
    return [token] if token in flags else list(cut(token, HMM=False))


def _chinese_word(token: str, flags: Mapping[str, str]) -> Word:
    if token.isspace():
        return Word(token, "none")
    # A number, a word the dictionary lacks (taken for a noun: a name or slang), or neither.
    unlisted = "m" if token[0].isdigit() else "n" if len(token) > 1 and token[0].isalpha() else "x"
    flag = flags.get(token) or unlisted
    words = _function_words()["zh"]
    tagged = words.tags.get(flag) or words.tags.get(flag[:1], "break")
    return Word(token, words.words.get(token, tagged))


@cache
def _english_tagger() -> Callable[[Sequence[str]], list[str]]:
    """Penn tags of a row of words."""
    try:
        from textblob import en
    except ModuleNotFoundError:
        raise MissingExtra("Finding English phrases", "text") from None
    parser = en.parser
    return lambda words: [tag for _, tag in parser.find_tags(list(words))]


@cache
def _chinese_tagger() -> tuple[Cut, Mapping[str, str]]:
    """What splits a text into words, and jieba's flag of each word in its dictionary. jieba's own
    tagger spends up to 10 ms on a rare character, so words are only looked up."""
    try:
        import jieba
        from jieba import posseg
    except ModuleNotFoundError:
        raise MissingExtra("Finding Chinese phrases", "text") from None
    tokenizer = jieba.Tokenizer()
    # Filled by hand: jieba's own start reads and leaves a cache in the shared temporary folder.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    tokenizer.FREQ.update(dict.fromkeys(_function_words()["zh"].joined, 0))
    return tokenizer.cut, posseg.POSTokenizer(tokenizer).word_tag_tab


@cache
def _function_words() -> dict[Language, FunctionWords]:
    text = read_text(Path(__file__).with_name("function_words.json"))
    return TypeAdapter(dict[Language, FunctionWords]).validate_json(text)
