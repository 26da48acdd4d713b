"""Initiator-Responder Consistency (JanusMM, equations 1 to 4): do both answers tell one story?

IRC = mean over memes of (C_E + C_F + C_R) / 3 × 100. What it is measured with (lexicon, phrases,
synonyms, sentence vectors) is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

import numpy as np
import numpy.typing as npt

from deadpan.core.questions import Language
from deadpan.metrics.text_scores import NOT_THERE, reason

PARTS = ("elc", "fgc", "crc")
"""Emotional label, factual grounding and causal reasoning consistency: C_E, C_F and C_R."""


@dataclass(frozen=True)
class Perspective:
    """What one answer says: its emotion, None where it names none, and its reasoning."""

    emotion: str | None
    reasoning: str


@dataclass(frozen=True)
class Pair:
    """The initiator's and the responder's answer about one meme."""

    initiator: Perspective
    responder: Perspective


@dataclass(frozen=True)
class Consistency:
    """One part of IRC: what it is measured with, and the value of each pair."""

    name: str
    values: Callable[[Sequence[Pair]], Sequence[float]]


Loader = Callable[[Language], Consistency]
"""A part of IRC for a language; raises where what it is measured with is not there."""


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
        one, other = (
            list(chain.from_iterable(chunks(side.reasoning)))
            for side in (pair.initiator, pair.responder)
        )
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
        return [float(cosine) for cosine in np.einsum("ij,ij->i", one, other)]

    return Consistency(name, values)


def irc(parts: Mapping[str, Sequence[float]]) -> list[float]:
    """The IRC of each pair in percent, from its three parts; a missing part or no pair raises."""
    if set(parts) != set(PARTS):
        raise ValueError(f"expected {', '.join(PARTS)}; got {', '.join(parts) or 'nothing'}")
    found = [100 * fmean(values) for values in zip(*parts.values(), strict=True)]
    if not found:
        raise ValueError("no pairs of answers")
    return found


@dataclass(frozen=True)
class Measured:
    """IRC and its parts of a language's pairs in percent, without those that are unavailable, and
    what each part was measured with, or why it could not be."""

    values: Mapping[str, Sequence[float]]
    instruments: Mapping[str, str]


def measure_pairs(
    pairs: Sequence[Pair], language: Language, parts: Mapping[str, Loader]
) -> Measured:
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
