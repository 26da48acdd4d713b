"""The rest of the cases labelled by a model, through the asker that asks every judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.core.signature import checksum
from deadpan.failures.cases import Case, Key
from deadpan.failures.criteria import NEW
from deadpan.failures.judge import FailureTypes
from deadpan.failures.labels import Label, label_of
from deadpan.pipeline.judgements import usable_judgement

if TYPE_CHECKING:
    from deadpan.engine.asker import AskerEvents
    from deadpan.engine.reading import JudgedAnswer
    from deadpan.engine.task_questions import RunSettings

LABELLING = "failures"
"""What the labelling judge's answers go by, in a benchmark's place."""

NOT_ASKED = "the judge was not asked"


def labelled(
    cases: Sequence[Case],
    people: Mapping[Key, Label],
    judge: FailureTypes,
    model: str,
    settings: RunSettings,
    events: AskerEvents | None = None,
) -> list[Label]:
    """Every case with its label: people's, a refusal's, or the model's, whose replies are kept.

    A reply that breaks the judge's rules three times, or a call that fails, is `judge_failed`.
    """
    from deadpan.engine.judging import JudgeJob, JudgeRequest, judge_answers

    rest = [case for case in cases if case.key not in people and case.outcome != "refused"]
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in rest:
        groups.setdefault((case.task, case.model), []).append(case)
    jobs = [
        JudgeJob(
            LABELLING,
            f"{members[0].benchmark}_{task}",
            tested,
            judge,
            [JudgeRequest(case.item, case.epoch, judge.brief(case)) for case in members],
        )
        for (task, tested), members in groups.items()
    ]
    found = _by_case(judge_answers(jobs, model, settings, events))
    return [people.get(case.key) or _label(case, judge, model, found) for case in cases]


_Found = Mapping[tuple[str, str, str, int, str], "JudgedAnswer"]


def _by_case(manifests: Sequence[Path]) -> _Found:
    """What the judge said of each case."""
    from deadpan.engine.reading import judged_tasks

    return {
        (task.task, task.model, entry.item, entry.epoch, entry.answer): entry
        for task in judged_tasks(manifests)
        for entry in task.answers
    }


def _label(case: Case, judge: FailureTypes, model: str, found: _Found) -> Label:
    if case.outcome == "refused":
        return label_of(case, status="labelled", type=judge.criteria.refused, by="outcome")
    task, answer = f"{case.benchmark}_{case.task}", checksum(judge.brief(case).answer)
    entry = found.get((task, case.model, case.item, case.epoch, answer))
    told = {"by": "judge", "judge": f"{model}@{judge.identity}"}
    if entry is None:
        return label_of(case, **told, status="judge_failed", reason=NOT_ASKED)
    judgement, why = usable_judgement(judge, entry)
    if judgement is None:
        return label_of(case, **told, status="judge_failed", reason=why)
    parts = judgement.parts
    if parts["type"] == NEW:
        return label_of(case, **told, **{**parts, "type": None}, status="new")
    return label_of(case, **told, **parts, status="labelled")
