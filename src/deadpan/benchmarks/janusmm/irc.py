"""Initiator-Responder Consistency (JanusMM, equations 1 to 4): do both answers tell one story? IRC
= mean over memes of (C_E + C_F + C_R) / 3 × 100. What it is measured with (lexicon, phrases,
synonyms, sentence vectors) is passed in; `irc_parts` gives what is on this machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, TypeAdapter

from deadpan.base.errors import DeadpanError
from deadpan.base.files import read_text
from deadpan.base.resources import path_of
from deadpan.benchmarks.janusmm.emotion_words import Lexicon, dutir, nrc, ntusd, same_emotion
from deadpan.benchmarks.janusmm.phrases import factual_chunks
from deadpan.core.questions import Language
from deadpan.core.score import ScoringOptions
from deadpan.metrics import synonyms
from deadpan.metrics.encoders import lexical_encoder
from deadpan.metrics.meteor import chinese_stem, meteor_style
from deadpan.metrics.porter import stem
from deadpan.metrics.text_scores import LEXICAL, NOT_THERE, encoder_names, named_encoder, reason

PARTS = ("elc", "fgc", "crc")
"""Emotional label, factual grounding and causal reasoning consistency: C_E, C_F and C_R."""
LEXICONS: Mapping[Language, tuple[str, ...]] = {"en": ("nrc",), "zh": ("ntusd", "dutir")}
"""The lexicons that C_E may be measured with, by resource name; the first is the paper's."""
_BOUNDARY = re.compile(
    r"(?<=[.!?…])\s+|(?<=[.!?…][\"'”’)\]])\s+"
    r"|(?<=[。！？])(?![。！？”’」』）])|(?<=[。！？][”’」』）])|\n+"
)
_CLAUSE_START = r"(?:^|[,;:(—–-]\s*|(?<!\w)(?:and|but)\s+)"


class Perspective(NamedTuple):
    """What one answer says: its emotion, None where it names none, and its reasoning."""

    emotion: str | None
    reasoning: str


class Pair(NamedTuple):
    """The initiator's and the responder's answer about one meme."""

    initiator: Perspective
    responder: Perspective


class Consistency(NamedTuple):
    """One part of IRC: what it is measured with, and the value of each pair."""

    name: str
    values: Callable[[Sequence[Pair]], Sequence[float]]


Loader = Callable[[Language], Consistency]
"""A part of IRC for a language; raises where what it is measured with is not there."""
Parts = Mapping[str, Loader]


def emotional(name: str, same_emotion: Callable[[str, str], bool]) -> Consistency:
    """C_E: 1 where both emotions have one label, else 0; an emotion that is missing agrees with
    none."""

    def value(pair: Pair) -> float:
        one, other = pair.initiator.emotion, pair.responder.emotion
        return float(one is not None and other is not None and same_emotion(one, other))

    return Consistency(name, lambda pairs: [value(pair) for pair in pairs])


def factual(
    name: str,
    chunks: Callable[[str], Sequence[Sequence[str]]],
    overlap: Callable[[Sequence[str], Sequence[str]], float],
) -> Consistency:
    """C_F: the METEOR-style overlap of the words in the factual chunks; 0 where a side has none."""

    def value(pair: Pair) -> float:
        one, other = (list(chain.from_iterable(chunks(side.reasoning))) for side in pair)
        return overlap(one, other) if one and other else 0.0

    return Consistency(name, lambda pairs: [value(pair) for pair in pairs])


def causal(
    name: str,
    segments: Callable[[str], str],
    encode: Callable[[Sequence[str]], npt.NDArray[np.float32]],
) -> Consistency:
    """C_R: the cosine of the sentence vectors of the causal segments; `encode` gives unit rows."""

    def values(pairs: Sequence[Pair]) -> list[float]:
        one = encode([segments(pair.initiator.reasoning) for pair in pairs])
        other = encode([segments(pair.responder.reasoning) for pair in pairs])
        return list(map(float, np.einsum("ij,ij->i", one, other)))

    return Consistency(name, values)


def irc(parts: Mapping[str, Sequence[float]]) -> list[float]:
    """The IRC of each pair in percent, from its three parts; a missing part or no pair raises."""
    if set(parts) != set(PARTS):
        raise ValueError(f"expected {', '.join(PARTS)}; got {', '.join(parts) or 'nothing'}")
    found = [100 * fmean(values) for values in zip(*parts.values(), strict=True)]
    if not found:
        raise ValueError("no pairs of answers")
    return found


class Measured(NamedTuple):
    """IRC and its parts of a language's pairs in percent, without those that are unavailable, and
    what each part was measured with, or why it could not be."""

    values: Mapping[str, Sequence[float]]
    instruments: Mapping[str, str]


def measure_pairs(pairs: Sequence[Pair], language: Language, parts: Parts) -> Measured:
    """IRC and its parts of each pair; a part that is unavailable takes IRC with it."""
    found: dict[str, Sequence[float]] = {}
    instruments: dict[str, str] = {}
    for name in PARTS:
        try:
            part = parts[name](language)
            found[name] = part.values(pairs) if pairs else []
            instruments[name] = part.name
        except NOT_THERE as error:
            instruments[name] = reason(error)
    values = {name: [100 * value for value in own] for name, own in found.items()}
    if len(found) == len(PARTS):
        values["irc"] = irc(found) if pairs else []
    return Measured(values, instruments)


def instrument_settings(found: Mapping[Language, Measured]) -> dict[str, str]:
    """Each part with what it was measured with in each language, for the signature."""
    return {
        name: ",".join(f"{code}={own.instruments[name]}" for code, own in found.items())
        for name in PARTS
    }


def irc_parts(options: ScoringOptions, languages: Sequence[Language]) -> Parts:
    """The parts by the lexicons on this machine, with C_E by the lexicons and C_R by the encoders
    that were named, or by the usual ones; a lexicon that is none raises."""
    named = encoder_names(options, languages)
    for code, name in options.lexicons.items():
        if name not in LEXICONS[code]:
            known = ", ".join(LEXICONS[code])
            raise DeadpanError(f"lexicon {code}={name}: expected one of {known}")

    def causal_part(language: Language) -> Consistency:
        segments = partial(causal_segments, language=language)
        if named[language] != LEXICAL:
            encoder = named_encoder(named[language])
            return causal(encoder.name, segments, encoder.encode)

        def content(text: str) -> str:
            """Without connectives, as two segments are not alike for saying "because" both."""
            return without_connectives(segments(text), language)

        encoder = lexical_encoder()
        return causal(f"{encoder.name}-content", content, encoder.encode)

    def emotional_part(language: Language) -> Consistency:
        lexicon = _lexicon(options.lexicons.get(language, LEXICONS[language][0]))
        return emotional(lexicon.name, partial(same_emotion, lexicon=lexicon))

    return {"elc": emotional_part, "fgc": _factual_part, "crc": causal_part}


def _factual_part(language: Language) -> Consistency:
    """C_F by exact words, stems, and synonyms of WordNet or Cilin."""
    names = synonyms.english() if language == "en" else synonyms.chinese()
    stems = stem if language == "en" else chinese_stem
    overlap = partial(meteor_style, stem=stems, synonyms=names)
    return factual(names.name, partial(factual_chunks, language=language), overlap)


@cache
def _lexicon(name: str) -> Lexicon:
    return {"nrc": nrc, "ntusd": ntusd, "dutir": dutir}[name](path_of(name))


class Connective(BaseModel, frozen=True, extra="forbid"):
    """Words that name a cause or an effect; the patterns say beside what they do or do not."""

    words: str
    clause_start: bool = False
    only_before: tuple[str, ...] = ()
    not_before: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()

    def pattern(self, language: Language) -> str:
        start, end = (r"(?<!\w)", r"(?!\w)") if language == "en" else ("", "")
        parts = [_CLAUSE_START if self.clause_start else start]
        parts += [f"(?<!{before})" for before in self.not_after]
        parts += [re.escape(self.words).replace(r"\ ", r"\s+").replace("'", "['’]"), end]
        for look, beside in (("?=", self.only_before), ("?!", self.not_before)):
            if beside:
                parts.append(rf"({look}\s+(?:{'|'.join(beside)}){end})")
        return "".join(parts)


def causal_segments(text: str, language: Language) -> str:
    """The sentences that hold a causal connective; the whole text, trimmed, where none does."""
    pattern = _connective_pattern(language)
    sentences = (sentence.strip() for sentence in _BOUNDARY.split(text))
    held = [sentence for sentence in sentences if pattern.search(sentence)]
    return (" " if language == "en" else "").join(held) or text.strip()


def without_connectives(text: str, language: Language) -> str:
    """The text without its causal connectives, trimmed; itself where nothing else is in it."""
    return _connective_pattern(language).sub(" ", text).strip() or text.strip()


@cache
def _connective_pattern(language: Language) -> re.Pattern[str]:
    text = read_text(Path(__file__).with_name("connectives.json"))
    lists = TypeAdapter(dict[Language, tuple[Connective, ...]]).validate_json(text)
    return re.compile("|".join(one.pattern(language) for one in lists[language]), re.IGNORECASE)
