"""The emotion label of a text by a lexicon: C_E of JanusMM's IRC. The text's words that the lexicon
holds are counted, each for all its labels; a word that is denied ("not happy", 不开心) is not. What
the lexicon itself lists with its negation (不高兴, 无奈) is a word of its own."""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.benchmarks.janusmm.denials import Place, standing_words
from deadpan.core.questions import Language
from deadpan.metrics.folding import normalize_text
from deadpan.parsing.script import simplify

Emotion = Literal["joy", "sadness", "fear", "anger", "disgust", "surprise", "trust", "anticipation"]
Polarity = Literal["positive", "negative"]
NrcLabel = Literal[Emotion, Polarity]
Label = Literal[NrcLabel, "liking"]
"""NRC's labels; NTUSD has polarity only, DUTIR Ekman's six emotions and liking. Their order here
breaks ties: Ekman's six emotions, Plutchik's other two, liking; polarity is for where there is no
emotion."""

_ORDER: tuple[Label, ...] = get_args(Label)
_POLARITY: frozenset[Label] = frozenset(get_args(Polarity))
_EVERY: frozenset[Label] = frozenset(get_args(NrcLabel))
"""What NRC gives to `feeling`: such a word tells nothing, and is left out."""
_ENGLISH_WORD = re.compile(r"[^\W\d_]+")
_ENDINGS = {"ies": "y", "es": "", "s": "", "ied": "y", "ed": "", "ing": ""}
"""Inflections, with what stood in their place; before -ed and -ing it may also be an e."""
_CLASSES: Mapping[str, Label] = {
    "乐": "joy",
    "好": "liking",
    "怒": "anger",
    "哀": "sadness",
    "惧": "fear",
    "恶": "disgust",
    "惊": "surprise",
}
"""DUTIR's classes. 好 is respect, praise, trust, love and wishes; 恶 also boredom and blame."""
_FIX = "Get it again: deadpan resources get {}."


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words of one language, in lower case, with their labels."""

    name: str
    language: Language
    labels: Mapping[str, frozenset[Label]]

    @cached_property
    def longest(self) -> Mapping[str, int]:
        """The length of the longest word that begins with a character."""
        longest: dict[str, int] = {}
        for word in self.labels:
            longest[word[0]] = max(longest.get(word[0], 0), len(word))
        return longest


def emotion_label(text: str, lexicon: Lexicon) -> Label | None:
    """The most frequent label among the text's words in the lexicon that are not denied; None where
    there are none. Emotions come before bare polarity, however often that is named. Of equally
    frequent labels the one whose own name is among the words is taken ("disgust"), then the first
    in `Label`'s order."""
    words = lexicon_words(text, lexicon)
    counts = Counter(label for word in words for label in lexicon.labels[word])
    found = [label for label in _ORDER if label in counts]
    rivals = [label for label in found if label not in _POLARITY] or found
    named = set(words)
    return max(rivals, key=lambda label: (counts[label], label in named), default=None)


def same_emotion(first: str, second: str, lexicon: Lexicon) -> bool:
    """C_E: whether two emotion parts have the same label; an empty part raises. Without a word in
    the lexicon on either side the normalised parts themselves are compared; with one on one side
    only they differ."""
    parts = bare_text(first), bare_text(second)
    if not all(parts):
        raise ValueError("an emotion part is empty")
    labels = emotion_label(first, lexicon), emotion_label(second, lexicon)
    if labels == (None, None):
        return parts[0] == parts[1]
    return labels[0] == labels[1]


def lexicon_words(text: str, lexicon: Lexicon) -> list[str]:
    """The lexicon's words in the text that are not denied, in order and as often as they stand
    there. English: each word by the emotion it is a form of (`anxious` by `anxiety`), else as it
    is, else by the first inflection taken off (-s, -ed, -ing), whichever the lexicon knows.
    Chinese, in simplified characters: from left to right the longest word of the lexicon."""
    plain = normalize_text(text).casefold()
    if lexicon.language == "en":
        found = list(_english_places(plain, lexicon))
    else:
        plain = simplify(plain)
        found = list(_chinese_places(plain, lexicon))
    return standing_words(plain, found, lexicon.language)


def _english_places(plain: str, lexicon: Lexicon) -> Iterator[Place]:
    for one in _ENGLISH_WORD.finditer(plain):
        if form := next((form for form in _forms(one[0]) if form in lexicon.labels), None):
            yield Place(form, one.start(), one.end())


def _chinese_places(plain: str, lexicon: Lexicon) -> Iterator[Place]:
    start = 0
    while start < len(plain):
        longest = start + lexicon.longest.get(plain[start], 0)
        ends = range(min(longest, len(plain)), start, -1)
        end = next((end for end in ends if plain[start:end] in lexicon.labels), None)
        if end is not None:
            yield Place(plain[start:end], start, end)
        start = end or start + 1


def bare_text(text: str) -> str:
    """The text in lower case without punctuation, spaces and controls; emoji stay."""
    plain = normalize_text(text).casefold()
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] not in "PZC")


def _forms(word: str) -> Iterator[str]:
    """The emotion that the word is a form of, the word, then what it may be an inflection of."""
    if emotion := _emotions().get(word):
        yield emotion
    yield word
    for ending, instead in _ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            if ending in ("ed", "ing"):
                yield stem + "e"
            yield stem + instead
            if not instead and ending != "s" and stem[-1] == stem[-2]:
                yield stem[:-1]


@cache
def _emotions() -> dict[str, str]:
    """Each form of an emotion's name by the form that NRC is asked for. NRC labels forms apart:
    anxiety is sadness and anxious fear; sad and relieved it does not hold."""
    text = read_text(Path(__file__).with_name("emotion_forms.json"))
    families = TypeAdapter(dict[str, tuple[str, ...]]).validate_json(text)
    return {form: emotion for emotion, forms in families.items() for form in forms}


def nrc(path: Path) -> Lexicon:
    """The NRC emotion lexicon from its JSON file; another shape or an unknown label raises."""
    try:
        words = TypeAdapter(dict[str, frozenset[NrcLabel]]).validate_json(read_text(path))
    except ValidationError as error:
        raise InputError(path, "not the NRC emotion lexicon", _FIX.format("nrc")) from error
    return _lexicon("nrc", "en", words, path)


def ntusd(path: Path) -> Lexicon:
    """NTUSD from its YAML file; a word in both lists has both labels. The list is in simplified
    characters but for 後, which also stands there as 后."""
    lists = word_lists(path)
    if lists.keys() != _POLARITY:
        raise InputError(path, "not NTUSD: no two lists of words", _FIX.format("ntusd"))
    labels: dict[str, frozenset[Label]] = {}
    for label in _POLARITY:
        for word in lists[label] | {word.replace("後", "后") for word in lists[label]}:
            labels[word] = labels.get(word, frozenset()) | {label}
    return _lexicon("ntusd", "zh", labels, path)


def dutir(path: Path) -> Lexicon:
    """DUTIR from its YAML file, by its seven classes; a word of several has all their labels."""
    lists = word_lists(path)
    if lists.keys() != _CLASSES.keys():
        raise InputError(path, "not DUTIR: no seven lists of words", _FIX.format("dutir"))
    labels: dict[str, frozenset[Label]] = {}
    for name, words in lists.items():
        for word in words:
            labels[word] = labels.get(word, frozenset()) | {_CLASSES[name]}
    return _lexicon("dutir", "zh", labels, path)


def word_lists(path: Path) -> dict[str, frozenset[str]]:
    """The lists of NTUSD, HowNet or DUTIR by label, trimmed; empty words are left out."""
    yaml: Any = importlib.import_module("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        document = yaml.load(read_text(path), Loader=loader)
        lists = TypeAdapter(dict[str, list[str | int]]).validate_python(document["Dictionary"])
    except (yaml.YAMLError, ValidationError, TypeError, KeyError, RecursionError) as error:
        raise InputError(path, "not a list of words by label", "Get it again.") from error
    return {
        label: frozenset(str(entry).strip() for entry in entries) - {""}
        for label, entries in lists.items()
    }


def _lexicon(
    name: str, language: Language, words: Mapping[str, frozenset[Label]], path: Path
) -> Lexicon:
    labelled = {word: held for word, held in words.items() if word and held and held != _EVERY}
    if not labelled:
        raise InputError(path, "no word in it has a label", _FIX.format(name))
    return Lexicon(
        name, language, {normalize_text(word).casefold(): held for word, held in labelled.items()}
    )
