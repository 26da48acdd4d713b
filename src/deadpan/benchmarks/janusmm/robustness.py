"""How IRC and its parts move when one side of a pair is reworded, or says the opposite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, Field

from deadpan.base.rows import placed_rows
from deadpan.benchmarks.janusmm import irc
from deadpan.benchmarks.janusmm.emotion_words import bare_text
from deadpan.benchmarks.janusmm.metrics import CLOSE, MOVES, movement
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Statistics
from deadpan.core.questions import Language
from deadpan.core.record_files import Text
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.core.units import GroupBy, Units
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.metrics.text_scores import UNMEASURED

__all__ = [
    "CLOSE",
    "EMBEDDED",
    "KINDS",
    "LANGUAGE",
    "read_pairs",
    "robustness_scores",
    "word_keeping_notes",
]

EMBEDDED = Path(__file__).with_name("paraphrases.jsonl")
"""Our own pairs, with rewordings of both sides and contradictions; see README.md."""

ROBUSTNESS = "robustness"
"""The task name of these scores."""

Side = Literal["initiator", "responder"]
WordKeeping = Literal["negation", "swapped_roles"]
Kind = Literal["paraphrase", "contradiction", WordKeeping]
KINDS: tuple[Kind, ...] = get_args(Kind)
KEEPS_WORDS: tuple[WordKeeping, ...] = get_args(WordKeeping)
"""Contradictions in the words of what they contradict: things denied, or done by the other one."""
LANGUAGE = "language="
"""How the group of a language begins; the other groups are single pairs."""


def _require(words: Callable[[str], object], expected: str) -> AfterValidator:
    def check(text: str) -> str:
        if not words(text):
            raise ValueError(f"expected {expected}")
        return text

    return AfterValidator(check)


_Reasoning = Annotated[str, _require(lambda text: any(map(str.isalnum, text)), "words")]
_Emotion = Annotated[str, _require(bare_text, "an emotion, or null where the answer names none")]


class Answer(BaseModel, frozen=True, extra="forbid"):
    """What one side says."""

    emotion: _Emotion | None
    reasoning: _Reasoning

    @property
    def perspective(self) -> irc.Perspective:
        return irc.Perspective(self.emotion, self.reasoning)


class Rewording(Answer, frozen=True):
    """What a side says instead."""

    side: Side
    kind: Kind


class RewordedPair(BaseModel, frozen=True, extra="forbid"):
    """A line of the file: two answers about one meme, and what either may say instead."""

    id: Text
    language: Language
    initiator: Answer
    responder: Answer
    paraphrases: Annotated[tuple[Rewording, ...], Field(min_length=1)]

    @property
    def pair(self) -> irc.Pair:
        return irc.Pair(self.initiator.perspective, self.responder.perspective)

    @property
    def reworded(self) -> list[irc.Pair]:
        """The pair with each rewording in its side's place."""
        return [self.pair._replace(**{one.side: one.perspective}) for one in self.paraphrases]


Move = tuple[RewordedPair, Kind, Statistics]
"""What one rewording of a pair adds to the metrics of a move."""


def read_pairs(path: Path = EMBEDDED) -> tuple[RewordedPair, ...]:
    """The pairs of a JSON-lines file; a broken line, an id there twice or no line raises."""
    return tuple(placed.row for placed in placed_rows(path, RewordedPair, lambda row: row.id))


def robustness_scores(pairs: Sequence[RewordedPair], parts: irc.Parts) -> list[Score]:
    """`MOVES` of IRC and its parts for each language and each pair, with the kind of rewording in
    the model's place; None where a part is unavailable, as the signature says. No pair raises."""
    if not pairs:
        raise ValueError("no pairs of answers")
    by_language: dict[Language, list[RewordedPair]] = {}
    for pair in pairs:
        by_language.setdefault(pair.language, []).append(pair)
    found = {
        code: irc.measure_pairs(_all_pairs(own), code, parts) for code, own in by_language.items()
    }
    signature = Signature(
        benchmark="janusmm",
        task=ROBUSTNESS,
        version="1",
        n=len(pairs),
        data=checksum([pair.model_dump() for pair in pairs]),
        prompts="none",
        settings=irc.instrument_settings(found),
    )
    made: list[Measurement] = []
    for name in MOVES:
        by_code = (_moves(by_language[code], found[code].values.get(name)) for code in found)
        made += _measurements(name, list(chain.from_iterable(by_code)), str(signature))
    return [score for score in with_intervals(made) if score.group != ALL]


def word_keeping_notes(scores: Sequence[Score]) -> list[str]:
    """What contradictions that keep the words do to IRC, in words, a line a language."""
    moves = {
        (one.group.removeprefix(LANGUAGE), one.model): one.value
        for one in scores
        if one.metric == "irc_move" and one.group.startswith(LANGUAGE) and one.value is not None
    }
    lines = []
    for language in dict.fromkeys(language for language, _ in moves):
        kept = {kind: moves[language, kind] for kind in KEEPS_WORDS if (language, kind) in moves}
        if kept:
            told = ", ".join(f"{kind.replace('_', ' ')} {move:+.1f}" for kind, move in kept.items())
            other = moves.get((language, "contradiction"))
            beside = "" if other is None else f" (in other words {other:+.1f})"
            lines.append(
                f"{language}: contradictions that keep the words move IRC by {told} points{beside}"
                ": IRC compares words, and does not tell who did what, or whether it was so"
            )
    return lines


def _all_pairs(own: Sequence[RewordedPair]) -> list[irc.Pair]:
    """The original pairs, then every reworded one, so that a part is measured in one go."""
    return [row.pair for row in own] + [pair for row in own for pair in row.reworded]


def _moves(own: Sequence[RewordedPair], values: Sequence[float] | None) -> Iterator[Move]:
    """What each rewording adds, from the values of `_all_pairs`, None where there are none."""
    after = iter(values[len(own) :] if values else ())
    for at, row in enumerate(own):
        for one in row.paraphrases:
            yield row, one.kind, movement(values[at], next(after)) if values else UNMEASURED


def _measurements(name: str, moves: Sequence[Move], signature: str) -> Iterator[Measurement]:
    """How a metric moves by each kind of rewording."""
    for kind in KINDS:
        own = [(row, adds) for row, of, adds in moves if of == kind]
        units = Units(
            tuple((row.id, number) for number, (row, _) in enumerate(own)),
            tuple("answered" for _ in own),
            tuple((f"{LANGUAGE}{row.language}", f"pair={row.id}") for row, _ in own),
            (GroupBy("language"), GroupBy("pair")),
        )
        statistics = [adds for _, adds in own]
        for metric in MOVES[name]:
            yield Measurement(kind, ROBUSTNESS, metric, units, statistics, signature)
