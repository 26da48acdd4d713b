"""How the answers of several people about an item become one: pure functions of a stage's rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Literal

from pydantic import JsonValue

from deadpan.core.study.question_base import QuestionBase
from deadpan.core.study.stages import Settling, Stage

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
    if rule.rule == "objection" and (objected := _objection(stage, heard.own)):
        return objected
    if rule.rule == "majority" and len(heard.own) > 1:
        return _majority(stage, heard)
    apart = differing(stage, heard.own)
    if not apart:
        voted = _voted(stage, heard.own) if rule.rule == "votes" else {}
        return by_verdict(stage, _agreed(stage, heard.own) | voted, heard.own)
    if rule.rule == "objection" and apart == [rule.verdict] and not rule.otherwise:
        return Decision("settled", _agreed(stage, heard.own) | _most_say(rule, heard.own))
    return _remedy(stage, heard)


def by_verdict(stage: Stage, result: Answers, said: Sequence[Answers]) -> Decision:
    """What a result makes of an item, whoever it came from: settled; or, where its verdict says so,
    discarded or returned, with the reasons of those among `said` who say it too."""
    rule = stage.settling
    state = state_by(rule, result)
    if state == "settled":
        return Decision(state, dict(result))
    reasons = (reason_of(stage, one) for one in said if state_by(rule, one) == state)
    why = "; ".join(dict.fromkeys(filter(None, reasons)))
    return Decision(state, dict(result), why or str(result[rule.verdict or ""]))


def state_by(rule: Settling, answers: Answers) -> State:
    """What somebody's verdict makes of an item; none keeps it."""
    verdict = str(answers.get(rule.verdict or ""))
    if verdict in rule.discards:
        return "discarded"
    return "returned" if verdict in rule.returns else "settled"


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


def _agree(question: QuestionBase, first: JsonValue, second: JsonValue) -> bool:
    """Whether two answers are the same; none and one are not."""
    if first is None or second is None:
        return first is second
    return question.agree(first, second)


def _objection(stage: Stage, answers: Sequence[Answers]) -> Decision | None:
    """The decision of those who object, first of those who discard; None where nobody does."""
    for state in ("discarded", "returned"):
        if hits := [one for one in answers if state_by(stage.settling, one) == state]:
            return by_verdict(stage, hits[0], hits)
    return None


def reason_of(stage: Stage, answers: Answers) -> str:
    """What somebody wrote besides the verdict: what is called a reason or feedback, else their last
    words of their own."""
    own = [one.name for one in stage.questions if one.kind == "text"]
    told = [str(answers[name]) for name in own if answers.get(name)]
    named = [str(answers[name]) for name in ("reason", "feedback") if answers.get(name)]
    return "; ".join(named or told[-1:])


def _majority(stage: Stage, heard: Heard) -> Decision:
    """By the verdicts of more than half: first whether to keep, return or discard, then which."""
    rule = stage.settling
    states = [state_by(rule, one) for one in heard.own]
    state, votes = Counter(states).most_common(1)[0]
    if votes * 2 <= len(states):
        return _remedy(stage, heard)
    winners = [one for one, said in zip(heard.own, states, strict=True) if said == state]
    result = _voted(stage, heard.own, least=1) | _most_say(rule, winners)
    return by_verdict(stage, result, winners)


def _most_say(rule: Settling, answers: Sequence[Answers]) -> dict[str, JsonValue]:
    """The verdict that most gave, the first of those that as many did."""
    verdict = rule.verdict or ""
    said = Counter(str(one.get(verdict)) for one in answers)
    return {verdict: said.most_common(1)[0][0]}


def _remedy(stage: Stage, heard: Heard) -> Decision:
    """What comes of disagreement, given what was done about it so far."""
    rule = stage.settling
    thirds = rule.otherwise.count("third")
    if "discuss" in rule.otherwise and not heard.discussed:
        return Decision("discussing")
    if heard.thirds:
        everybody = [*reversed(heard.thirds), *heard.own]
        if rule.rule != "votes":
            return by_verdict(stage, everybody[0], everybody)
        # A third person's votes count only where those of the others decide nothing.
        result = _voted(stage, [*heard.own, *heard.thirds]) | _voted(stage, heard.own)
        needed = (one for one in stage.asked(result) if one.compared and one.required)
        if all(one.name in result for one in needed):
            return by_verdict(stage, result, everybody)
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
        if (chosen := question.voted(given, least)) is not None:
            found[question.name] = chosen
    return found
