"""How IRC and its parts move when one side of a pair is reworded, or says the opposite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from deadpan.base.rows import placed_rows
from deadpan.benchmarks.janusmm.dual import METRICS, Measured, measured, measured_with
from deadpan.benchmarks.janusmm.emotion_words import normalised
from deadpan.benchmarks.janusmm.instruments import Loader
from deadpan.benchmarks.janusmm.irc import Pair, Perspective
from deadpan.core.questions import Language
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum

EMBEDDED = Path(__file__).with_name("paraphrases.jsonl")
"""Our own pairs, with rewordings of both sides and contradictions; see README.md."""

ROBUSTNESS = "robustness"
"""The task name of these scores."""

Side = Literal["initiator", "responder"]
Kind = Literal["paraphrase", "contradiction"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CLOSE = 3.0
"""How many points a paraphrase may move IRC by."""

VALUES = ("before", "after", "move", "distance", f"within_{CLOSE:g}")
"""The scores of each metric: means over rewordings, and the share that moves so far at most."""

LANGUAGE = "language="
"""How the group of a language begins. The other groups are single pairs, without the last two."""


def _with_words(text: str) -> str:
    if not any(sign.isalnum() for sign in text):
        raise ValueError("expected words")
    return text


def _with_an_emotion(text: str) -> str:
    if not normalised(text):
        raise ValueError("expected an emotion, or null where the answer names none")
    return text


_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Reasoning = Annotated[str, AfterValidator(_with_words)]
_Emotion = Annotated[str, AfterValidator(_with_an_emotion)]


class Answer(BaseModel):
    """What one side says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    emotion: _Emotion | None
    reasoning: _Reasoning

    @property
    def perspective(self) -> Perspective:
        return Perspective(self.emotion, self.reasoning)


class Rewording(Answer):
    """What a side says instead."""

    side: Side
    kind: Kind


class RewordedPair(BaseModel):
    """A line of the file: two answers about one meme, and what either may say instead."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: _Name
    language: Language
    initiator: Answer
    responder: Answer
    paraphrases: Annotated[tuple[Rewording, ...], Field(min_length=1)]

    @property
    def pair(self) -> Pair:
        return Pair(self.initiator.perspective, self.responder.perspective)

    def with_rewording(self, one: Rewording) -> Pair:
        """The pair with that side said in the other words."""
        if one.side == "initiator":
            return replace(self.pair, initiator=one.perspective)
        return replace(self.pair, responder=one.perspective)


@dataclass(frozen=True)
class Move:
    """A metric's value of a pair before and after one of its rewordings, in percent."""

    pair: str
    kind: Kind
    before: float
    after: float

    @property
    def points(self) -> float:
        return self.after - self.before


def read_pairs(path: Path = EMBEDDED) -> tuple[RewordedPair, ...]:
    """The pairs of a JSON-lines file; a broken line, an id there twice or no line raises."""
    return tuple(placed.row for placed in placed_rows(path, RewordedPair, lambda row: row.id))


def robustness_scores(pairs: Sequence[RewordedPair], parts: Mapping[str, Loader]) -> list[Score]:
    """`VALUES` of IRC and its parts by kind of rewording, for each language and each pair; None
    where a part is unavailable, which the signature tells. No pair raises."""
    if not pairs:
        raise ValueError("no pairs of answers")
    by_language: dict[Language, list[RewordedPair]] = {}
    for pair in pairs:
        by_language.setdefault(pair.language, []).append(pair)
    found = {code: measured(_all_pairs(ours), code, parts) for code, ours in by_language.items()}
    signature = Signature(
        benchmark="janusmm",
        task=ROBUSTNESS,
        version="1",
        n=len(pairs),
        data=checksum([pair.model_dump() for pair in pairs]),
        prompts="none",
        settings=measured_with(found),
    )
    return [
        score
        for code, ours in by_language.items()
        for metric in METRICS
        for score in _scores(metric, code, ours, found[code], str(signature))
    ]


def _all_pairs(ours: Sequence[RewordedPair]) -> list[Pair]:
    """The original pairs, then every reworded one, so that a part is measured in one go."""
    reworded = [row.with_rewording(one) for row in ours for one in row.paraphrases]
    return [row.pair for row in ours] + reworded


def _moves(ours: Sequence[RewordedPair], values: Sequence[float]) -> list[Move]:
    """The values of `_all_pairs` as moves."""
    before = dict(zip((row.id for row in ours), values, strict=False))
    rewordings = [(row.id, one.kind) for row in ours for one in row.paraphrases]
    return [
        Move(pair, kind, before[pair], after)
        for (pair, kind), after in zip(rewordings, values[len(ours) :], strict=True)
    ]


def _scores(
    metric: str, language: Language, ours: Sequence[RewordedPair], found: Measured, signature: str
) -> Iterator[Score]:
    values = found.values[metric]
    moves = None if values is None else _moves(ours, values)
    groups = {f"{LANGUAGE}{language}": ours, **{f"pair={row.id}": [row] for row in ours}}
    for group, members in groups.items():
        ids = {row.id for row in members}
        for kind in KINDS:
            if not any(one.kind == kind for row in members for one in row.paraphrases):
                continue
            chosen = [one for one in moves or () if one.kind == kind and one.pair in ids]
            means = _means(chosen)
            for name in VALUES if group.startswith(LANGUAGE) else VALUES[:3]:
                yield Score(
                    model=kind,
                    task=ROBUSTNESS,
                    metric=f"{metric}_{name}",
                    group=group,
                    value=means[name],
                    n=len(chosen),
                    signature=signature,
                )


def _means(moves: Sequence[Move]) -> dict[str, float | None]:
    if not moves:
        return dict.fromkeys(VALUES)
    means = (
        fmean(one.before for one in moves),
        fmean(one.after for one in moves),
        fmean(one.points for one in moves),
        fmean(abs(one.points) for one in moves),
        fmean(abs(one.points) <= CLOSE for one in moves),
    )
    return dict(zip(VALUES, means, strict=True))
