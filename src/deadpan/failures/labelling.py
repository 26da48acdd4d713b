"""The rest of the cases labelled by a model, through the engine that asks every judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.failures.cases import Case, Key
from deadpan.failures.criteria import NEW
from deadpan.failures.labels import Label, label_of
from deadpan.judges.failure_types import FailureTypes
from deadpan.judges.judge import BrokenReply
from deadpan.signature import checksum

if TYPE_CHECKING:
    from deadpan.engine.logs import LoggedSitting
    from deadpan.engine.run import RunSettings

LABELLING = "failures"
"""What the labelling judge's logs go by, in a benchmark's place."""

NOT_ASKED = "the judge was not asked"


def labelled(
    cases: Sequence[Case],
    people: Mapping[Key, Label],
    judge: FailureTypes,
    model: str,
    settings: RunSettings,
) -> list[Label]:
    """Every case with its label: people's, a refusal's, or the model's, whose logs are kept.

    A reply that breaks the judge's rules three times, or a call that fails, is `judge_failed`.
    """
    from deadpan.engine.judging import Bench, Request, judge_answers

    rest = [case for case in cases if case.key not in people and case.outcome != "refused"]
    benches: dict[tuple[str, str], list[Case]] = {}
    for case in rest:
        benches.setdefault((case.task, case.model), []).append(case)
    for (task, tested), members in benches.items():
        bench = Bench(LABELLING, f"{members[0].benchmark}_{task}", tested, judge)
        wanted = [Request(case.item, case.epoch, judge.brief(case)) for case in members]
        judge_answers(bench, wanted, model, settings)
    sat = _sittings(settings.log_dir, judge, model) if rest else {}
    return [people.get(case.key) or _label(case, judge, model, sat) for case in cases]


_Sat = Mapping[tuple[str, str, str, int, str], "LoggedSitting"]


def _sittings(folder: Path, judge: FailureTypes, model: str) -> _Sat:
    """Per case the sitting that counts: one that came about before one that failed, a newer
    before an older; of this judge, these criteria and this model alone."""
    from deadpan.engine.judging import judge_logs
    from deadpan.engine.local import judge_identity

    identity = judge_identity(judge, model)
    found: dict[tuple[str, str, str, int, str], LoggedSitting] = {}
    for log in judge_logs(folder):
        if (log.benchmark, log.identity, log.judge) != (LABELLING, identity, model):
            continue
        for entry in log.sittings:
            key = (log.task, log.model, entry.item, entry.epoch, entry.answer)
            if key not in found or _rank(entry, judge) > _rank(found[key], judge):
                found[key] = entry
    return found


def _rank(entry: LoggedSitting, judge: FailureTypes) -> tuple[bool, datetime]:
    try:
        usable = entry.sitting is not None and bool(judge.read(entry.sitting.replies[-1]))
    except BrokenReply:
        usable = False
    return usable, entry.finished


def _label(case: Case, judge: FailureTypes, model: str, sat: _Sat) -> Label:
    if case.outcome == "refused":
        return label_of(case, status="labelled", type=judge.criteria.refused, by="outcome")
    task, answer = f"{case.benchmark}_{case.task}", checksum(judge.brief(case).answer)
    entry = sat.get((task, case.model, case.item, case.epoch, answer))
    told = {"by": "judge", "judge": f"{model}@{judge.identity}"}
    if entry is None or entry.sitting is None:
        why = (entry.error if entry else None) or NOT_ASKED
        return label_of(case, **told, status="judge_failed", reason=why)
    try:
        parts = judge.read(entry.sitting.replies[-1]).parts
    except BrokenReply as error:
        asked = len(entry.sitting.replies)
        why = f"the judge's reply cannot be used, asked {asked} times: {error}"
        return label_of(case, **told, status="judge_failed", reason=why)
    if parts["type"] == NEW:
        return label_of(case, **told, **{**parts, "type": None}, status="new")
    return label_of(case, **told, **parts, status="labelled")
