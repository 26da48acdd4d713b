"""What came out of a study as rows of the files that the rest of the package reads: annotations,
ratings, choices, answers; and gold, decisions, times and checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from deadpan.core.annotation_kinds import kind_text
from deadpan.core.annotations import Annotation
from deadpan.core.choices import Choice
from deadpan.core.ratings import Rating
from deadpan.core.study.cells import plain_text
from deadpan.core.study.exports import Said, SettledItem, StudyExport
from deadpan.core.study.specification import Study
from deadpan.studies.results.gold import gold_values

Row = dict[str, object]


def annotation_rows(
    export: StudyExport, kinds: Sequence[str] = ("answer",), staged: bool = False
) -> list[Annotation]:
    """Labels, numbers and words by annotators: by default what they said by themselves. `staged`
    puts the stage before names that several stages ask."""
    asked_again = several_stages_ask(export.study) if staged else ()
    found = []
    for one in export.at_first:
        value = one.question.annotated(one.value, one.item) if one.kind in kinds else None
        if value is not None:
            name = one.question.name
            question = f"{one.stage}.{name}" if name in asked_again else name
            own = (export.unit_names[one.unit], one.person, question, value)
            batch = one.batch or None
            found.append(Annotation(*own, language=one.item.language, batch=batch))
    return found


def several_stages_ask(study: Study) -> set[str]:
    """The names of questions that more than one stage asks."""
    names = Counter(question.name for stage in study.stages for question in stage.questions)
    return {name for name, many in names.items() if many > 1}


def joined_rows(export: StudyExport) -> list[Annotation]:
    """Answers in words that are one label together, as one text each; only where all are there."""
    parts = {
        (stage.name, name): label
        for stage in export.study.stages
        for label, names in stage.joined.items()
        for name in names
    }
    needed = Counter(parts.values())
    found: dict[tuple[int, str, str], list[Said]] = {}
    for one in export.independent:
        if label := parts.get((one.stage, one.question.name)):
            found.setdefault((one.unit, one.person, label), []).append(one)
    return [
        Annotation(
            item=export.unit_names[unit],
            annotator=person,
            question=label,
            value="\n".join(plain_text(one.value).strip() for one in said),
            language=said[0].item.language,
            batch=said[0].batch or None,
        )
        for (unit, person, label), said in found.items()
        if len(said) == needed[label]
    ]


def plain(value: object) -> str:
    """A value as one text: an order by commas, anything else nested as JSON."""
    if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        return ",".join(map(str, value))
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def rating_rows(export: StudyExport) -> list[Rating]:
    """Ratings of outputs, one of which each item has, with what raters wrote beside them; and the
    choice among several, as 1 for the one that was chosen and 0 for the rest. They come source by
    source, so that tables name sources in one order however items were dealt."""
    notes = _notes(export)
    found: list[Rating] = []
    for one in _given(export):
        note = notes.get(_whose(one))
        for source, rating in one.question.ratings(one.value, one.item):
            item = one.item.key if len(one.item.outputs) == 1 else export.unit_names[one.unit]
            own = (item, source, one.question.name, one.person, rating)
            found.append(Rating(*own, language=one.item.language, note=note))
    return sorted(found, key=lambda one: one.model)


def _given(export: StudyExport) -> list[Said]:
    """What people said by themselves, and as the third person: what each said once."""
    return [one for one in export.at_first if one.kind != "discuss"]


def _notes(export: StudyExport) -> Mapping[tuple[int, str, str], str]:
    """What each rater wrote about each item."""
    found: dict[tuple[int, str, str], str] = {}
    for one in _given(export):
        if (note := one.question.note(one.value)) is not None:
            key = _whose(one)
            found[key] = f"{found[key]}\n{note}" if key in found else note
    return found


def choice_rows(export: StudyExport) -> list[Choice]:
    """Choices between two outputs, as they stood on the page."""
    found = []
    for one in _given(export):
        if (choice := one.question.choice(one.value, one.item, one.shown)) is not None:
            sides = (choice.left, choice.right)
            key = (one.item.key, *sides, one.person, choice.chosen)
            found.append(Choice(*key, question=one.question.name))
    return found


def answer_rows(export: StudyExport) -> list[Row]:
    """Answers of people to a benchmark's own question."""
    return [
        {
            "item": one.item.key,
            "rater": one.person,
            "answer": plain(one.value),
            "language": one.item.language,
        }
        for one in export.independent
    ]


def annotation_table(export: StudyExport) -> list[Row]:
    """The annotations as their file has them, with the kind of each question; labels that consist
    of several answers come last. Where the study produces another file, what that does not hold."""
    asked_again = several_stages_ask(export.study)
    found: list[Row] = []
    for one in export.independent if export.study.produces == "annotations" else _beside(export):
        if (value := one.question.annotation_cell(one.value, one.item)) is not None:
            name = one.question.name
            row: Row = {"item": export.unit_names[one.unit], "annotator": one.person}
            row["question"] = f"{one.stage}.{name}" if name in asked_again else name
            row |= {"value": value, "language": one.item.language, "batch": one.batch}
            found.append(row | {"kind": kind_text(one.question.annotation)})
    for label in joined_rows(export):
        row = {"item": label.item, "annotator": label.annotator, "question": label.question}
        row |= {"value": label.value, "language": label.language, "batch": label.batch}
        found.append(row | {"kind": "text"})
    return found


def _beside(export: StudyExport) -> list[Said]:
    """What people said by themselves that is no rating, choice or answer, and no note on one."""
    if export.study.produces == "answers":
        return []
    own = export.independent
    rated = {_whose(one) for one in own if one.question.ratings(one.value, one.item)}
    return [
        one
        for one in own
        if not one.question.ratings(one.value, one.item)
        and one.question.choice(one.value, one.item, one.shown) is None
        and (one.question.note(one.value) is None or _whose(one) not in rated)
    ]


def _whose(one: Said) -> tuple[int, str, str]:
    return one.unit, one.stage, one.person


def decision_rows(export: StudyExport) -> list[Row]:
    """What people said about items on which they differed, in the end of a discussion and as the
    third person; agreement is not measured on it."""
    return [
        {
            "item": export.unit_names[one.unit],
            "language": one.item.language,
            "stage": one.stage,
            "question": one.question.name,
            "person": one.person,
            "kind": one.kind,
            "value": value,
            "place": _place(one.value),
        }
        for one in export.said
        if one.kind != "answer" and (value := one.question.cell(one.value, one.item)) is not None
    ]


def gold_rows(export: StudyExport) -> Iterator[Row]:
    """What was settled, and by what: a row for each question, and one for each item of which
    nothing was. Answers that stand by themselves are never settled, and have none."""
    for one, values in gold_values(export):
        base: Row = {"item": export.unit_names[one.unit], "language": one.item.language}
        base["stage"] = one.stage
        ending: Row = {"state": one.state, "reason": one.reason}
        for gold in values:
            value = "" if gold.value is None else gold.question.cell(gold.value, one.item)
            row = base | {"question": gold.question.name, "value": value, "by": gold.by}
            yield row | {"place": _place(gold.value)} | ending
        if not values and not _stands(export.study, one):
            yield base | {"question": "", "value": "", "by": "", "place": ""} | ending


def _stands(study: Study, one: SettledItem) -> bool:
    """Whether answers about an item stand by themselves in a stage, as long as it is not taken
    out."""
    stage = study.stage(one.stage)
    is_independent = stage is not None and stage.settling.rule == "independent"
    return is_independent and one.state in ("open", "settled")


def _place(value: JsonValue) -> str:
    """Where selected words stand: the part of the item, from which character to before which."""
    if not isinstance(value, dict) or "part" not in value:
        return ""
    return f"{value['part']}:{value.get('start')}-{value.get('end')}"


def time_rows(export: StudyExport) -> list[Row]:
    """How long every task took, and what was skipped."""
    return [
        {
            "item": export.unit_names.get(one.unit, one.item),
            "stage": one.stage,
            "person": one.person,
            "kind": one.kind,
            "state": one.state,
            "seconds": None if one.seconds is None else round(one.seconds, 1),
            "reason": one.reason,
        }
        for one in export.spent
    ]


def review_rows(export: StudyExport) -> list[Row]:
    """What reviewers said of people's words and practice; points by their numbers, from 1."""
    return [
        {
            "item": export.unit_names.get(one.unit, one.item),
            "stage": one.stage,
            "kind": one.kind,
            "person": one.person,
            "reviewer": one.reviewer,
            "points": ";".join(str(at + 1) for at in one.points),
            "accepted": one.accepted,
            "comment": one.comment,
        }
        for one in export.reviews
    ]


def return_rows(export: StudyExport) -> list[Row]:
    """What stages sent back, by whom, to which stage, and why."""
    return [
        {
            "item": export.unit_names.get(one.unit, one.item),
            "stage": one.stage,
            "to": one.to,
            "by": ";".join(one.by),
            "verdict": one.verdict,
            "reason": one.reason,
            "round": one.round,
        }
        for one in export.returns
    ]


def opinion_rows(export: StudyExport) -> list[Row]:
    """What models said when people asked them."""
    return [
        {
            "item": export.unit_names.get(one.unit, one.item),
            "stage": one.stage,
            "person": one.person,
            "model": one.model,
            "text": one.text,
        }
        for one in export.opinions
    ]


def check_rows(export: StudyExport) -> list[Row]:
    """Hidden checks, right or wrong."""
    return [
        {"item": one.item, "person": one.person, "question": one.question, "right": one.right}
        for one in export.checks
    ]


def recruited_rows(export: StudyExport) -> list[Row]:
    """Those whom a recruiting platform sent, as it knows them."""
    return [{"person": one.person, "code": one.code, **one.parameters} for one in export.recruited]
