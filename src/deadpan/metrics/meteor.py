"""METEOR (Lavie and Agarwal 2007) as nltk computes it, but 20 times as fast (bench/RESULTS.md).

Words are matched in three stages, each on what the one before left over: equal words, equal stems,
synonyms. As in nltk, every stage goes from the last word of the hypothesis to the first and takes
the last free word of the reference. nltk looks synonyms up by stem, not by word, and so loses those
of each word whose stem is no word (`happi`); `lookup="word"` takes the word and compares stems.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from deadpan.base.errors import MissingExtra
from deadpan.metrics.synonyms import Synonyms

Stage = Literal["exact", "stem", "synonym"]
Lookup = Literal["stem", "word"]
Stem = Callable[[str], str]

_HAN = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_LETTERS = rf"(?:[^\W_{_HAN}][\u0300-\u036f]*)+"
_EMOJI = r"[\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001f3fa\U0001f400-\U0001faff]"
# jieba parts a text at every other sign, and takes the square of a long run's length.
_JIEBA_RUN = r"\u4e00-\u9fd5a-zA-Z0-9+#&._%-"
_JIEBA_PIECE = re.compile(rf"[{_JIEBA_RUN}]{{1,1000}}|[^{_JIEBA_RUN}]+")
_COMPLEMENTS = frozenset("到见見出成进進得完下上起来來去住掉里裡中们們")
"""Result and direction of a verb (看到, 说出来), place of a noun (图里), plural (同事们)."""
_HELD = frozenset("不得")
"""An ending after these says whether something can be done: 说不出 is not 说."""
_TOKEN = re.compile(rf"[{_HAN}]|{_LETTERS}(?:'{_LETTERS})*|{_EMOJI}")


class Match(NamedTuple):
    """A word of the hypothesis and the word of the reference it was matched with, by position."""

    hypothesis: int
    reference: int
    stage: Stage


@dataclass(frozen=True)
class MeteorParameters:
    """nltk's parameters and defaults: recall's weight, the penalty's exponent and its weight."""

    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5
    lookup: Lookup = "stem"

    def __post_init__(self) -> None:
        within = 0 <= self.alpha <= 1 and 0 <= self.gamma <= 1 and 0 <= self.beta < math.inf
        if not within:
            raise ValueError(f"alpha and gamma are from 0 to 1, beta is not negative: {self}")

    def signature(self, stem: Stem | None, synonyms: Synonyms | None) -> str:
        """The settings in one word, such as `a0.9-b3-g0.5-stem-wn3.0`."""
        weights = f"a{self.alpha:.12g}-b{self.beta:.12g}-g{self.gamma:.12g}"
        stages = f"{'stem' if stem else 'nostem'}-{synonyms.name if synonyms else 'nosyn'}"
        return f"{weights}-{stages}" + ("-byword" if self.lookup == "word" else "")


NLTK_PARAMETERS = MeteorParameters()


def meteor(
    references: Sequence[Sequence[str]],
    hypothesis: Sequence[str],
    *,
    stem: Stem | None,
    synonyms: Synonyms | None,
    parameters: MeteorParameters = NLTK_PARAMETERS,
) -> float:
    """The best METEOR score over the references, 0 to 1, equal to nltk's `meteor_score`.

    Words are put in lower case. No match gives 0.0, as does a hypothesis without words, both as in
    nltk; no reference, or one without words, raises ValueError (nltk gives a word-less one 0.0).
    """
    if isinstance(references, str) or any(isinstance(one, str) for one in references):
        raise TypeError("references are lists of words, not texts")
    if not references or not all(references):
        raise ValueError("there is no reference, or one has no words")
    scores = []
    for reference in references:
        found = matches(hypothesis, reference, stem, synonyms, parameters.lookup)
        if found:
            precision, recall = len(found) / len(hypothesis), len(found) / len(reference)
            weighted = parameters.alpha * precision + (1 - parameters.alpha) * recall
            penalty: float = parameters.gamma * _fragmentation(found) ** parameters.beta
            scores.append((1 - penalty) * (precision * recall / weighted))
    return max(scores, default=0.0)


def meteor_style(
    a: Sequence[str],
    b: Sequence[str],
    *,
    stem: Stem | None,
    synonyms: Synonyms | None,
    alpha: float = 3.0,
    beta: float = 0.5,
    gamma: float = 3.0,
    lookup: Lookup = "word",
) -> float:
    """JanusMM's C_F: (1 - beta (k/m)^gamma) (1 + alpha^2) P R / (alpha^2 P + R); 0.0 when m = 0.

    P = m/|a|, R = m/|b|, k chunks; synonyms of a's words are looked for in b. Either side without
    words raises ValueError.
    """
    found = matches(a, b, stem, synonyms, lookup)
    if not a or not b:
        raise ValueError(f"the {'reference' if a else 'hypothesis'} has no words")
    if not found:
        return 0.0
    precision, recall = len(found) / len(a), len(found) / len(b)
    mean = (1 + alpha**2) * precision * recall / (alpha**2 * precision + recall)
    penalty: float = beta * _fragmentation(found) ** gamma
    return (1 - penalty) * mean


def matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stem: Stem | None,
    synonyms: Synonyms | None,
    lookup: Lookup = "stem",
) -> tuple[Match, ...]:
    """The matched words in the hypothesis's order, each once; a stage that is None is left out.

    Words are put in lower case. A text instead of a list of words raises TypeError.
    """
    if isinstance(hypothesis, str) or isinstance(reference, str):
        raise TypeError("a list of words is needed, not a text")
    left, right = (
        {position: word.lower() for position, word in enumerate(words)}
        for words in (hypothesis, reference)
    )
    found = _match_equals(left, right, "exact")
    words = dict(left)
    if stem and left and right:
        left = {position: stem(word) for position, word in left.items()}
        right = {position: stem(word) for position, word in right.items()}
        found += _match_equals(left, right, "stem")
    if synonyms and left and right:
        if lookup == "stem" or stem is None:
            names = {position: synonyms.of(word) for position, word in left.items()}
        else:
            names = {
                position: frozenset(map(stem, synonyms.of(words[position]))) for position in left
            }
        found += _match_synonyms(names, right)
    return tuple(sorted(found))


def _match_equals(left: dict[int, str], right: dict[int, str], stage: Stage) -> list[Match]:
    """Pairs of equal words, the last first; what is paired is taken out of both."""
    free = _free(right)
    found = []
    for position in reversed(left):
        places = free.get(left[position])
        if places:
            found.append(Match(position, places.pop(), stage))
    for match in found:
        del left[match.hypothesis], right[match.reference]
    return found


def _match_synonyms(names: dict[int, frozenset[str]], right: dict[int, str]) -> list[Match]:
    """Pairs in which the right word is among the left word's names, the last first."""
    free = _free(right)
    open_words = set(free)
    found = []
    for position in reversed(names):
        shared = names[position] & open_words
        if shared:
            word = max(shared, key=lambda name: free[name][-1])
            found.append(Match(position, free[word].pop(), "synonym"))
            if not free[word]:
                open_words.remove(word)
    return found


def _free(words: dict[int, str]) -> dict[str, list[int]]:
    """Each word's positions, ascending."""
    free: dict[str, list[int]] = {}
    for position, word in words.items():
        free.setdefault(word, []).append(position)
    return free


def _fragmentation(found: Sequence[Match]) -> float:
    """Chunks per match: chunks are runs of neighbours in both texts, in the hypothesis's order."""
    chunks, expected = 0, (-1, -1)
    for match in found:
        chunks += match[:2] != expected
        expected = (match.hypothesis + 1, match.reference + 1)
    return chunks / len(found)


def english_tokens(text: str) -> list[str]:
    """The lower-case words of a text, punctuation left out; none gives an empty list.

    A word is a run of letters and digits, with apostrophes inside; hyphens part words. Each emoji
    and each Chinese character is a word. Compatibility forms are made plain first (NFKC).
    """
    return _TOKEN.findall(_plain(text).lower())


def chinese_tokens(text: str) -> list[str]:
    """The lower-case words jieba finds (its own dictionary, HMM on), without punctuation.

    A token stays if it holds a letter, a digit or an emoji. Compatibility forms are made plain.
    """
    cut = _segmenter()
    tokens = (token for piece in _JIEBA_PIECE.findall(_plain(text)) for token in cut(piece))
    return [token.lower() for token in tokens if _TOKEN.search(token)]


def chinese_stem(word: str) -> str:
    """A Chinese word without complement, place or plural, one character at least, for the stage of
    stems: 看到 and 看见 give 看."""
    end = len(word)
    while end > 1 and word[end - 1] in _COMPLEMENTS and word[end - 2] not in _HELD:
        end -= 1
    return word[:end]


def _plain(text: str) -> str:
    """The text in NFKC with straight apostrophes; of a letter's marks, the first eight."""
    if text.isascii():
        return text
    kept, marks = [], 0
    for character in text:
        first = unicodedata.normalize("NFKD", character)[0]
        marks = marks + 1 if unicodedata.combining(first) else 0
        # Python sorts a letter's marks in quadratic time: 100,000 of them take 12 s.
        if marks <= 8:
            kept.append(character)
    return unicodedata.normalize("NFKC", "".join(kept)).replace("’", "'")


@cache
def _segmenter() -> Callable[[str], list[str]]:
    try:
        import jieba
    except ModuleNotFoundError:
        raise MissingExtra("Splitting Chinese into words", "text") from None
    tokenizer = jieba.Tokenizer()
    # Filled by hand: jieba's own start reads and leaves a cache in the shared temporary folder.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    cut: Callable[[str], list[str]] = tokenizer.lcut
    return cut
