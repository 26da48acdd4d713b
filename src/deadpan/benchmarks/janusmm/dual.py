"""Scores over both perspectives: IRC and its parts, from what initiator and responder answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from deadpan.benchmarks.janusmm.cases import Case
from deadpan.benchmarks.janusmm.instruments import Loader
from deadpan.benchmarks.janusmm.irc import PARTS, Pair, Perspective, irc
from deadpan.benchmarks.janusmm.text_metrics import NOT_THERE, reason
from deadpan.core.outcomes import COUNTED_AS_WRONG, OUTCOMES, Coverage, Outcome
from deadpan.core.questions import Language
from deadpan.core.score import Score
from deadpan.core.signature import joined, parse_signature

DUAL = "dual"
"""The task name of these scores."""

METRICS = ("irc", *PARTS)


@dataclass(frozen=True)
class Both:
    """One meme asked from both sides; a side is None where it was not asked."""

    initiator: Case | None
    responder: Case | None

    @property
    def sides(self) -> list[Case]:
        return [case for case in (self.initiator, self.responder) if case is not None]

    @property
    def language(self) -> Language:
        return self.sides[0].language

    @property
    def scored(self) -> bool:
        return len(self.sides) == 2 and all(case.scored for case in self.sides)

    @property
    def answered(self) -> bool:
        return len(self.sides) == 2 and all(case.answered for case in self.sides)

    @property
    def outcome(self) -> Outcome:
        """How the pair ended: of what its sides ended as, the first that makes it count as wrong;
        a side that was not asked, or has no score, leaves the pair out."""
        if not self.scored:
            return "failed"
        ended = {case.outcome for case in self.sides} & COUNTED_AS_WRONG
        return next((name for name in OUTCOMES if name in ended), "answered")

    @property
    def short(self) -> bool:
        return any(case.short for case in self.sides)

    @property
    def pair(self) -> Pair:
        """What both answers say; raises where one was not answered."""
        one, other = (Perspective(case.parsed["emotion"], case.reasoning) for case in self.sides)
        return Pair(one, other)


@dataclass(frozen=True)
class Measured:
    """A language's pairs by metric in percent, None where unavailable, and how that came about."""

    values: Mapping[str, Sequence[float] | None]
    told: Mapping[str, str]


def dual_scores(
    model: str,
    initiator: tuple[Sequence[Case], str],
    responder: tuple[Sequence[Case], str],
    parts: Mapping[str, Loader],
    languages: Sequence[Language],
) -> Iterator[Score]:
    """IRC and its parts in percent, over self-deprecating memes asked from both sides, and the
    share of answered pairs with a very short answer. A pair with an invalid, truncated or refused
    side tells no story at all: 0 in each. None where the two were asked about other data."""
    if len({parse_signature(text).data for _, text in (initiator, responder)}) > 1:
        return
    both = _both(initiator[0], responder[0])
    by_language = {code: [one for one in both if one.language == code] for code in languages}
    found = {
        code: measured([one.pair for one in ours if one.answered], code, parts)
        for code, ours in by_language.items()
    }
    signature = _signature(initiator[1], responder[1], found)
    groups = {"all": languages, **{f"language={code}": [code] for code in languages}}
    for group, codes in groups.items():
        members = [one for code in codes for one in by_language[code]]
        for metric in METRICS:
            scores = [found[code].values[metric] for code in codes if by_language[code]]
            values = [value for score in scores for value in score or ()]
            values += [0.0 for one in members if one.scored and not one.answered]
            there = None not in scores
            yield _score(model, metric, group, values if there else [], members, signature)
        short = [float(one.short) for one in members if one.answered]
        yield _score(model, "short_pairs", group, short, members, signature)


def irc_of_items(
    initiator: Sequence[Case], responder: Sequence[Case], parts: Mapping[str, Loader]
) -> dict[str, float]:
    """The IRC of each meme answered from both sides, the mean over its epochs; a part that cannot
    be measured raises as its loader does."""
    found: dict[str, list[float]] = {}
    answered = [one for one in _both(initiator, responder) if one.answered]
    for language in dict.fromkeys(one.language for one in answered):
        ours = [one for one in answered if one.language == language]
        pairs = [one.pair for one in ours]
        scores = irc({name: parts[name](language).values(pairs) for name in PARTS})
        for one, score in zip(ours, scores, strict=True):
            found.setdefault(one.sides[0].key[0], []).append(score)
    return {item: fmean(scores) for item, scores in found.items()}


def _both(initiator: Sequence[Case], responder: Sequence[Case]) -> list[Both]:
    ours = [
        {case.key: case for case in cases if case.self_deprecating}
        for cases in (initiator, responder)
    ]
    return [Both(ours[0].get(key), ours[1].get(key)) for key in dict.fromkeys([*ours[0], *ours[1]])]


def measured(pairs: Sequence[Pair], language: Language, parts: Mapping[str, Loader]) -> Measured:
    """IRC and its parts of each pair; a part that cannot be measured takes IRC with it."""
    found: dict[str, Sequence[float] | None] = {}
    told: dict[str, str] = {}
    for name in PARTS:
        try:
            part = parts[name](language)
            found[name] = part.values(pairs) if pairs else []
            told[name] = part.name
        except NOT_THERE as error:
            found[name], told[name] = None, reason(error)
    there = {name: values for name, values in found.items() if values is not None}
    values: dict[str, Sequence[float] | None] = {
        name: None if score is None else [100 * value for value in score]
        for name, score in found.items()
    }
    if len(there) < len(PARTS):
        values["irc"] = None
    else:
        values["irc"] = irc(there) if pairs else []
    return Measured(values, told)


def _signature(one: str, other: str, found: Mapping[Language, Measured]) -> str:
    """One signature for both tasks, with what the parts were measured with."""
    both = parse_signature(joined(DUAL, [one, other]))
    return str(both.with_settings(**measured_with(found)))


def measured_with(found: Mapping[Language, Measured]) -> dict[str, str]:
    """Each part with what it was measured with in each language, for the signature."""
    return {name: ",".join(f"{code}={found[code].told[name]}" for code in found) for name in PARTS}


def _score(
    model: str,
    metric: str,
    group: str,
    values: Sequence[float],
    members: Sequence[Both],
    signature: str,
) -> Score:
    return Score(
        model=model,
        task=DUAL,
        metric=metric,
        group=group,
        value=fmean(values) if values else None,
        n=len(values),
        unscored=sum(not one.scored for one in members),
        signature=signature,
        **Coverage.of(one.outcome for one in members).wrong_counts,
    )
