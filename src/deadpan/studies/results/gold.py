"""What of a study is gold: only what was settled, question by question, and how it came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from deadpan.core.study.exports import Said, SettledItem, StudyExport
from deadpan.core.study.specification import Question, Stage
from deadpan.studies.results.answer_cells import cell

DIFFERING = "differing"
"""What stands in the place of how a value came about where there is none."""


@dataclass(frozen=True)
class GoldValue:
    """The value of a question about an item, and `by` what it is settled: `agreed` (all say so),
    `draft` (all accepted it), `tolerance` (alike enough: the mean of numbers, else the first one's
    answer), `discussed`, `third`, `voted`, `lead`, `alone` (one was asked). None by `differing`."""

    question: Question
    value: JsonValue
    by: str


def gold_values(export: StudyExport) -> Iterator[tuple[SettledItem, list[GoldValue]]]:
    """Each item in each stage with what was settled about it; nothing where it was not settled."""
    heard: dict[tuple[int, str, str], list[Said]] = {}
    for one in export.said:
        heard.setdefault((one.unit, one.stage, one.question.name), []).append(one)
    for became in export.settled:
        stage = export.study.stage(became.stage)
        values = []
        if stage is not None and became.state == "settled" and became.result:
            for question in stage.questions:
                said = heard.get((became.unit, became.stage, question.name), [])
                value = became.result.get(question.name)
                if value is None and not said:
                    continue
                by = None if value is None else _by(stage, became, question, said)
                values.append(GoldValue(question, value if by else None, by or DIFFERING))
        yield became, values


def _by(stage: Stage, became: SettledItem, question: Question, said: Sequence[Said]) -> str | None:
    """What a value was settled by; None where people were not asked to agree, and did not."""
    if became.by_lead:
        return "lead"
    own = {one.person: one for one in said if one.kind == "answer"}
    final = own | {one.person: one for one in said if one.kind == "discuss"}
    thirds = [one for one in said if one.kind == "third"]
    gold = cell(question, became.result[question.name], became.item)
    same = [cell(question, one.value, one.item) == gold for one in (*final.values(), *thirds)]
    votes = stage.settling.rule == "majority" or (stage.settling.rule == "votes" and thirds)
    if not question.compared and (not all(same) or len(final) < (stage.people or 1)):
        return "voted" if votes and sum(same) > 1 else None
    if all(same):
        return _by_all(stage, own, final)
    if thirds or votes:
        return "voted" if votes else "third"
    return "tolerance"


def _by_all(stage: Stage, own: Mapping[str, Said], final: Mapping[str, Said]) -> str:
    """How all came to say the same."""
    if final and all(one.origin == "draft" for one in final.values()):
        return "draft"
    first = [cell(one.question, one.value, one.item) for one in own.values()]
    if any(value != first[0] for value in first):
        return "discussed"
    return "alone" if stage.people == 1 else "agreed"
