"""What people differed on, with their words: the cases that guidelines have to settle."""

from __future__ import annotations

from collections.abc import Iterator

from deadpan.core.study.exports import Said, StudyExport
from deadpan.core.study.stages import Stage
from deadpan.studies.results.export_rows import Row
from deadpan.studies.results.gold import UNASKED, gold_values
from deadpan.studies.work.settling import differing

_Place = tuple[int, str]
"""An item and a stage."""


def disagreement_rows(export: StudyExport) -> Iterator[Row]:
    """A row for each person and each question to which those who answered an item by themselves
    gave different answers: theirs, what they wrote beside it and said in the discussion, and what
    was settled and how. Nothing where answers stand by themselves, nor of a question that is not
    asked any more, given what was settled."""
    said = _by_place(export)
    talked: dict[tuple[int, str, str], list[str]] = {}
    for remark in export.remarks:
        talked.setdefault((remark.unit, remark.stage, remark.person), []).append(remark.text)
    for became, values in gold_values(export):
        stage = export.study.stage(became.stage)
        own = said.get((became.unit, became.stage), {})
        if stage is None or stage.settling.rule == "independent" or len(own) < 2:
            continue
        answers = [{name: one.value for name, one in given.items()} for given in own.values()]
        apart = differing(stage, answers)
        gold = {one.question.name: one for one in values}
        for name in apart:
            found = gold.get(name)
            if found and found.by == UNASKED:
                continue
            is_settled = found is not None and found.value is not None
            settled = found.question.cell(found.value, became.item) if found and is_settled else ""
            for person, given in own.items():
                answer = given.get(name)
                yield {
                    "item": export.unit_names[became.unit],
                    "language": became.item.language,
                    "stage": became.stage,
                    "question": name,
                    "annotator": person,
                    "value": answer.question.cell(answer.value, answer.item) if answer else "",
                    "words": _words(stage, given),
                    "said": "\n".join(talked.get((became.unit, became.stage, person), ())),
                    "settled": settled,
                    "by": found.by if found else "",
                    "state": became.state,
                }


def _by_place(export: StudyExport) -> dict[_Place, dict[str, dict[str, Said]]]:
    """What people said by themselves, by item and stage, then by person and question."""
    found: dict[_Place, dict[str, dict[str, Said]]] = {}
    for one in export.independent:
        own = found.setdefault((one.unit, one.stage), {}).setdefault(one.person, {})
        own[one.question.name] = one
    return found


def _words(stage: Stage, given: dict[str, Said]) -> str:
    """What somebody wrote that need not be the same as another's."""
    free = (one for one in stage.questions if one.name in given and not one.compared)
    notes = (one.note(given[one.name].value) for one in free)
    return "\n".join(note for note in notes if note)
