"""What of a study is gold: only what was settled, question by question, and how it came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from deadpan.core.study.exports import Said, SettledItem, StudyExport
from deadpan.core.study.stages import Question, Stage

DIFFERING = "differing"
"""What stands in the place of how a value came about where there is none."""
UNASKED = "unasked"
"""What stands there where the question is not asked, given what was settled."""


@dataclass(frozen=True)
class GoldValue:
    """The value of a question about an item, and `by` what it is settled: `agreed` (all say so),
    `draft` (all accepted it), `tolerance` (alike enough: the mean of numbers, else the first one's
    answer), `discussed`, `third`, `voted`, `lead`, `alone` (one was asked), `remaining` (others are
    left out). None by `differing`, and by `unasked`."""

    question: Question
    value: JsonValue
    by: str


def gold_values(export: StudyExport) -> Iterator[tuple[SettledItem, list[GoldValue]]]:
    """Each item in each stage with what was settled about it; nothing where it was not settled."""
    heard: dict[tuple[int, str, str], list[Said]] = {}
    people: dict[tuple[int, str], set[str]] = {}
    for one in export.said:
        heard.setdefault((one.unit, one.stage, one.question.name), []).append(one)
        people.setdefault((one.unit, one.stage), set()).add(one.person)
    for became in export.settled:
        stage = export.study.stage(became.stage)
        values: dict[str, GoldValue] = {}
        if stage is not None and became.state == "settled" and became.result:
            for question in stage.questions:
                said = heard.get((became.unit, became.stage, question.name), [])
                value = became.result.get(question.name)
                if value is None and not said:
                    continue
                is_one = len(people.get((became.unit, became.stage), ())) == 1
                by = None if value is None else _by(stage, became, question, said, is_one)
                if _is_unasked(question, values):
                    by, value = UNASKED, None
                found = GoldValue(question, value if by else None, by or DIFFERING)
                values[question.name] = found
        yield became, list(values.values())


def _is_unasked(question: Question, settled: Mapping[str, GoldValue]) -> bool:
    """Whether a question is not asked, given what was settled before it, and is nothing otherwise;
    not where that was not settled."""
    before = settled.get(question.when.question) if question.when else None
    if before is None or before.by == DIFFERING or question.otherwise is not None:
        return False
    return before.by == UNASKED or not question.is_asked({before.question.name: before.value})


def _by(
    stage: Stage, became: SettledItem, question: Question, said: Sequence[Said], is_one: bool
) -> str | None:
    """What a value was settled by; None where people were not asked to agree, and did not. `is_one`
    where one person's answers about the item count."""
    if became.by_lead:
        return "lead"
    people = stage.people or 1
    if is_one and people > 1:
        return "third" if any(one.kind == "third" for one in said) else "remaining"
    own = {one.person: one for one in said if one.kind == "answer"}
    final = own | {one.person: one for one in said if one.kind == "discuss"}
    thirds = [one for one in said if one.kind == "third"]
    gold = question.cell(became.result[question.name], became.item)
    same = [question.cell(one.value, one.item) == gold for one in (*final.values(), *thirds)]
    votes = {
        "majority": not thirds,
        "votes": bool(thirds),
        "objection": not thirds and question.name == stage.settling.verdict,
    }.get(stage.settling.rule, False)
    if not question.compared and (not all(same) or len(final) < people):
        if votes:
            return "voted" if sum(same) > 1 else None
        return "third" if thirds else None  # what is settled is all that the third person said
    if all(same) and not (thirds and len(own) < people):
        return _by_all(stage, own, final, gold)
    if thirds or votes:
        return "voted" if votes else "third"
    if len(own) > people:  # somebody's answers count again, and others were asked meanwhile
        return "voted" if sum(same) > 1 else "alone" if people == 1 else "tolerance"
    return "tolerance"


def _by_all(stage: Stage, own: Mapping[str, Said], final: Mapping[str, Said], gold: object) -> str:
    """How all came to say the same: where somebody said another thing at first, or nothing as they
    were not asked, they talked it over."""
    if final and all(one.origin == "draft" for one in final.values()):
        return "draft"
    first = [one.question.cell(one.value, one.item) for one in own.values()]
    if own.keys() != final.keys() or any(value != gold for value in first):
        return "discussed"
    return "alone" if stage.people == 1 else "agreed"
