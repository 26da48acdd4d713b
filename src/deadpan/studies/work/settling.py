"""How the answers of several people about an item become one: pure functions of a stage's rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Literal

from pydantic import JsonValue

from deadpan.core.study.asked import Asked
from deadpan.core.study.choices import Multiple, Single
from deadpan.core.study.specification import Settling, Stage

Answers = Mapping[str, JsonValue]
"""What one person answered, by question."""
State = Literal["open", "discussing", "third", "settled", "discarded", "returned", "disputed"]
NO_CONSENSUS = "no consensus"


@dataclass(frozen=True)
class Decision:
    """What becomes of an item in a stage: its state, what was settled, and why it was not."""

    state: State
    result: Answers = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True)
class Heard:
    """Everything that was answered about an item in a stage, by those who do so independently, and
    by those who came in because they disagreed."""

    own: Sequence[Answers]
    thirds: Sequence[Answers] = ()
    discussed: bool = False
    """Whether those who disagreed have talked it over, and are done."""


def settle(stage: Stage, heard: Heard) -> Decision:
    """What becomes of an item, once everybody has answered who had to."""
    rule = stage.settling
    if rule.rule == "independent":
        return Decision("settled")
    if rule.verdict and (decided := _by_verdict(rule, heard)):
        return decided
    if rule.rule == "majority" and len(heard.own) > 1:
        return _majority(stage, heard)
    if not differing(stage, heard.own):
        voted = _voted(stage, heard.own) if rule.rule == "votes" else {}
        return Decision("settled", _agreed(stage, heard.own) | voted)
    return _remedy(stage, heard)


def differing(stage: Stage, answers: Sequence[Answers]) -> list[str]:
    """The compared questions to which people gave different answers."""
    return [
        question.name
        for question in stage.questions
        if question.compared
        and any(
            not _agree(question, a.get(question.name), b.get(question.name))
            for a, b in combinations(answers, 2)
        )
    ]


def _agree(question: Asked, first: JsonValue, second: JsonValue) -> bool:
    """Whether two answers are the same; none and one are not."""
    if first is None or second is None:
        return first is second
    return question.agree(first, second)


def _by_verdict(rule: Settling, heard: Heard) -> Decision | None:
    """The decision of one who objects, or of the only one who was asked."""
    said = [str(one.get(rule.verdict or "")) for one in heard.own]
    if rule.rule != "objection" and len(said) > 1:
        return None
    states: tuple[tuple[State, Sequence[str]], ...] = (
        ("discarded", rule.discards),
        ("returned", rule.returns),
    )
    for state, values in states:
        if hits := [at for at, value in enumerate(said) if value in values]:
            why = "; ".join(filter(None, (_reason(heard.own[at], rule) for at in hits)))
            return Decision(state, dict(heard.own[hits[0]]), why or said[hits[0]])
    return None


def _reason(answers: Answers, rule: Settling) -> str:
    """What somebody wrote besides the verdict."""
    texts = [
        ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in answers.items()
        if name != rule.verdict and value not in (None, "")
    ]
    named = [str(answers[name]) for name in ("reason", "feedback") if answers.get(name)]
    return "; ".join(named or texts[-1:])


def _majority(stage: Stage, heard: Heard) -> Decision:
    """By the verdicts of more than half: first whether to keep, return or discard, then which."""
    rule = stage.settling
    everybody = [*heard.own, *heard.thirds]
    said = [str(one.get(rule.verdict or "")) for one in everybody]
    kinds: list[State] = [
        "discarded"
        if value in rule.discards
        else "returned"
        if value in rule.returns
        else "settled"
        for value in said
    ]
    state, votes = Counter(kinds).most_common(1)[0]
    if votes * 2 <= len(said):
        return _remedy(stage, heard)
    winners = [one for one, kind in zip(everybody, kinds, strict=True) if kind == state]
    result = dict(_voted(stage, everybody, least=1))
    chosen = Counter(str(one.get(rule.verdict or "")) for one in winners).most_common(1)[0][0]
    result[rule.verdict or ""] = chosen
    reasons = [_reason(one, rule) for one in winners] if state != "settled" else []
    return Decision(state, result, "; ".join(dict.fromkeys(filter(None, reasons))))


def _remedy(stage: Stage, heard: Heard) -> Decision:
    """What comes of disagreement, given what was done about it so far."""
    rule = stage.settling
    thirds = rule.otherwise.count("third")
    if "discuss" in rule.otherwise and not heard.discussed:
        return Decision("discussing")
    if heard.thirds:
        if rule.rule != "votes":
            return Decision("settled", dict(heard.thirds[-1]))
        # A third person's votes count only where those of the others decide nothing.
        result = _voted(stage, [*heard.own, *heard.thirds]) | _voted(stage, heard.own)
        if all(one.name in result for one in stage.questions if one.compared and one.required):
            return Decision("settled", result)
        return Decision("third" if len(heard.thirds) < thirds else "disputed", result)
    if thirds:
        return Decision("third")
    if "discard" in rule.otherwise:
        return Decision("discarded", reason=NO_CONSENSUS)
    return Decision("disputed", _agreed(stage, heard.own))


def _agreed(stage: Stage, answers: Sequence[Answers]) -> dict[str, JsonValue]:
    """What all agree on: of numbers that are close enough their mean, of other answers the first
    one's; and the first one's answers to what is not compared."""
    apart = set(differing(stage, answers))
    found = {name: value for name, value in answers[0].items() if name not in apart}
    for question in stage.questions:
        given = [one.get(question.name) for one in answers]
        numbers = [one for one in given if isinstance(one, int | float)]
        if question.name in found and question.compared and len(numbers) == len(given):
            mean = round(fmean(numbers), 6)
            if question.level == "interval":
                found[question.name] = int(mean) if mean.is_integer() else mean
    return found


def _voted(stage: Stage, answers: Sequence[Answers], least: int = 2) -> dict[str, JsonValue]:
    """Of each question the answer that most gave, at least two; of several labels all that at least
    two gave. What nothing is decided of is left out."""
    found: dict[str, JsonValue] = {}
    for question in stage.questions:
        given = [value for one in answers if (value := one.get(question.name)) is not None]
        if isinstance(question, Multiple):
            counts = Counter(str(label) for value in given for label in _labels(value))
            known = [one.value for one in question.options]
            others = [label for label in counts if label not in known]
            kept = [label for label in (*known, *others) if counts[label] >= least]
            if kept:
                found[question.name] = list(kept)
            continue
        if isinstance(question, Single) and question.both:
            if (chosen := _said_most(question, given, least)) is not None:
                found[question.name] = chosen
            continue
        sizes = [sum(bool(question.agree(value, other)) for other in given) for value in given]
        if sizes and max(sizes) >= least and sizes.count(max(sizes)) == max(sizes):
            found[question.name] = given[sizes.index(max(sizes))]
    return found


def _said_most(question: Single, given: Sequence[JsonValue], least: int) -> str | None:
    """The label that most answers say, or the one that says all of those; None where none does."""
    counts = Counter(label for value in given for label in question.said(value))
    most = max(counts.values(), default=0)
    labels = {label for label, many in counts.items() if many == most}
    if most < least:
        return None
    if len(labels) == 1:
        return labels.pop()
    whole = (label for label, parts in question.both.items() if set(parts) == labels)
    return next(whole, None)


def _labels(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]
