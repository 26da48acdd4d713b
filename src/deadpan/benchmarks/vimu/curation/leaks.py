"""Whether a question gives away what it asks for: by a word of the tested dimension, or by a word
of its answer. Whether it can be answered blind takes a model (see `drafting`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import MissingExtra
from deadpan.benchmarks.vimu.curation.forms import Annotation
from deadpan.benchmarks.vimu.taxonomy import RHETORIC, SOCIAL
from deadpan.core.questions import Language
from deadpan.metrics.meteor import chinese_tokens, english_tokens
from deadpan.metrics.porter import stem
from deadpan.parsing.script import normalize_text

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CHINESE = re.compile(rf"[{_HAN}]+")
_STROKE = re.compile(r"\s*/\s*")
_SHORTEST_EN, _SHORTEST_ZH = 3, 2
"""Characters of a word that says something by itself."""
_PARTICLES = "的了是在和也就都而及与着不这那他她它"
_TELLING = {
    "en": {
        "dimension": 'it names the tested dimension: "{words}"',
        "answer": 'it shares words with its answer: "{words}"',
    },
    "zh": {
        "dimension": "它点明了所考的维度：“{words}”",
        "answer": "它与参考答案有相同的词：“{words}”",
    },
}


def leaks(question: str, answer: str, annotation: Annotation, language: Language) -> list[str]:
    """Why a question leaks, in the words of its language, so that whoever writes it anew can be
    told; empty where it does not. Labels count in both languages. Of the answer's words those
    do not count that are no content, and those of the literal summary: any viewer sees that."""
    found = {
        "dimension": _named(question),
        "answer": list(_shared(question, answer, annotation.literal_summary)),
    }
    comma = {"en": '", "', "zh": "”“"}[language]
    return [
        _TELLING[language][kind].format(words=comma.join(words))
        for kind, words in found.items()
        if words
    ]


def _named(question: str) -> list[str]:
    """The labels, and the words of labels, that a question says; none that stands in a longer one
    that it says."""
    plain, words = normalize_text(question), english_tokens(question)
    found: list[str] = []
    for label in _telling_words():
        said = label if label in plain else ""
        if label.isascii():
            said = _said(label, words)
        if said and not any(said in longer for longer in found):
            found.append(said)
    return found


def _said(label: str, words: Sequence[str]) -> str:
    """How words say an English label, whatever its inflection; empty where they do not."""
    stems, wanted = ([stem(word) for word in text] for text in (words, english_tokens(label)))
    places = range(len(stems) - len(wanted) + 1)
    at = next((at for at in places if stems[at : at + len(wanted)] == wanted), None)
    return "" if at is None else " ".join(words[at : at + len(wanted)])


@cache
def _telling_words() -> tuple[str, ...]:
    """Labels as a whole, and those of their words that everyday questions can do without, in both
    languages, the longest first."""
    said, labels = _words(), list(_label_names())
    single = [word for label in labels if label.isascii() for word in english_tokens(label)]
    every = dict.fromkeys([*labels, *single, *said.dimensions, *said.paraphrases, *said.forms])
    kept = [word for word in every if word not in said.ordinary]
    return tuple(sorted(kept, key=lambda word: (-len(word), word)))


def _label_names() -> Iterator[str]:
    """What categories and their members are called, each part of a name with strokes by itself."""
    for one in (*RHETORIC, *SOCIAL):
        for name in (one.label, one.label_zh):
            yield from _STROKE.split(name.casefold())
        for member in one.members:
            for part in re.split(r"_or_|_and_(?!switch)", member.name):
                yield part.replace("_", " ")
            yield from re.split("[或与]", member.name_zh)


def _shared(question: str, answer: str, seen: str) -> Iterator[str]:
    """The content words that question and answer share and that nobody sees by looking."""
    asked, told, known = map(normalize_text, (question, answer, seen))
    stop = _stop_words()
    stems, familiar = ({stem(word) for word in _english(text)} for text in (told, known))
    for word in dict.fromkeys(_english(asked)):
        key = stem(word)
        if not stop & {word, key} and key in stems and key not in familiar:
            yield word
    # Where one text parts its words otherwise than another, they are the same characters.
    runs = _CHINESE.findall(asked)
    for word in dict.fromkeys(word for run in runs for word in _chinese_words(run)):
        if len(word) >= _SHORTEST_ZH and word not in stop and word in told and word not in known:
            yield word


def _english(text: str) -> list[str]:
    words = english_tokens(_CHINESE.sub(" ", text))
    return [word for word in words if len(word) >= _SHORTEST_EN]


def _chinese_words(run: str) -> Iterable[str]:
    """The words of a run of Chinese characters by jieba; without it, neighbouring pairs between the
    words that say nothing."""
    try:
        return chinese_tokens(run)
    except MissingExtra:
        empty = sorted(filter(_CHINESE.match, _stop_words()), key=len, reverse=True)
        pieces = re.split("|".join([*empty, *_PARTICLES]), run)
        return [piece[at : at + 2] for piece in pieces for at in range(len(piece) - 1)]


@cache
def _stop_words() -> frozenset[str]:
    english, chinese = (_words().stop[language].split() for language in ("en", "zh"))
    return frozenset([*english, *map(stem, english), *chinese])


class _Words(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    ordinary: frozenset[str]
    dimensions: tuple[str, ...]
    paraphrases: tuple[str, ...]
    forms: tuple[str, ...]
    stop: dict[str, str]


@cache
def _words() -> _Words:
    text = Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
    return _Words.model_validate(tomllib.loads(text))
