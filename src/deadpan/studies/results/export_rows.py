"""What came out of a study as rows of the files that the rest of the package reads: annotations,
ratings, choices, answers; and gold, times and checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from deadpan.core.annotation_kinds import kind_text
from deadpan.core.annotations import Annotation
from deadpan.core.choices import Choice
from deadpan.core.ratings import Rating
from deadpan.core.study.arranging import TIE, Best
from deadpan.core.study.choices import Single
from deadpan.core.study.exports import Said, SettledItem, StudyExport
from deadpan.core.study.specification import Study
from deadpan.core.study.writing import Text
from deadpan.studies.results.answer_cells import annotated, annotation_question, cell, in_words
from deadpan.studies.results.gold import gold_values

Row = dict[str, object]
_YES_NO = {"yes": 1, "no": 0}


def annotation_rows(
    export: StudyExport, kinds: Sequence[str] = ("answer",), staged: bool = False
) -> list[Annotation]:
    """Labels, numbers and words by annotators: by default what they said by themselves. `staged`
    puts the stage before names that several stages ask."""
    asked_again = several_stages_ask(export.study) if staged else ()
    found = []
    for one in export.said:
        value = annotated(one.question, one.value, one.item) if one.kind in kinds else None
        if value is not None:
            name = one.question.name
            question = f"{one.stage}.{name}" if name in asked_again else name
            own = (unit_name(one), one.person, question, value)
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
            item=unit_name(said[0]),
            annotator=person,
            question=label,
            value="\n".join(in_words(one.value) for one in said),
            language=said[0].item.language,
            batch=said[0].batch or None,
        )
        for (_, person, label), said in found.items()
        if len(said) == needed[label]
    ]


def unit_name(one: Said | SettledItem) -> str:
    """An item's name, with whose output was looked at where it is one of several."""
    sources = [output.source for output in one.item.outputs]
    return f"{one.item.key} / {sources[0]}" if len(sources) == 1 else one.item.key


def plain(value: object) -> str:
    """A value as one text: an order by commas, anything else nested as JSON."""
    if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        return ",".join(map(str, value))
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def rating_rows(export: StudyExport) -> list[Rating]:
    """Ratings of outputs, one of which each item has, with what raters wrote beside them; and the
    choice among several, as 1 for the one that was chosen and 0 for the rest."""
    notes = _notes(export)
    found: list[Rating] = []
    for one in export.said:
        if one.kind == "discuss":
            continue
        note = notes.get((one.unit, one.stage, one.person))
        if len(one.item.outputs) == 1 and (rating := _rating(one)) is not None:
            found.append(_as_rating(one, one.item.outputs[0].source, rating, note))
        elif isinstance(one.question, Best) and one.question.kind == "best":
            found += [
                _as_rating(one, output.source, int(at == one.value), note)
                for at, output in enumerate(one.item.outputs)
            ]
    return found


def _as_rating(one: Said, source: str, rating: float, note: str | None) -> Rating:
    own = (one.item.key, source, one.question.name, one.person, rating)
    return Rating(*own, language=one.item.language, note=note)


def _rating(one: Said) -> float | None:
    """An answer as a number; None where it is none."""
    if one.question.level == "interval" and isinstance(one.value, int | float):
        return one.value
    if isinstance(one.question, Single):
        return _YES_NO.get(str(one.value).casefold())
    return None


def _notes(export: StudyExport) -> Mapping[tuple[int, str, str], str]:
    """What each rater wrote about each item."""
    found: dict[tuple[int, str, str], str] = {}
    for one in export.said:
        if isinstance(one.question, Text) and isinstance(one.value, str):
            key = (one.unit, one.stage, one.person)
            found[key] = f"{found[key]}\n{one.value}" if key in found else one.value
    return found


def choice_rows(export: StudyExport) -> list[Choice]:
    """Choices between two outputs, as they stood on the page."""
    found = []
    for one in export.said:
        if isinstance(one.question, Best) and one.question.kind == "pairwise":
            left, right = (one.item.outputs[at].source for at in one.shown)
            is_tie = one.value == TIE or not isinstance(one.value, int)
            chosen = None if is_tie else one.item.outputs[int(str(one.value))].source
            key = (one.item.key, left, right, one.person, chosen)
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
    of several answers come last."""
    asked_again = several_stages_ask(export.study)
    found: list[Row] = []
    for one in export.independent:
        if (value := cell(one.question, one.value, one.item)) is not None:
            name = one.question.name
            row: Row = {"item": unit_name(one), "annotator": one.person}
            row["question"] = f"{one.stage}.{name}" if name in asked_again else name
            row |= {"value": value, "language": one.item.language, "batch": one.batch}
            found.append(row | {"kind": kind_text(annotation_question(one.question))})
    for label in joined_rows(export):
        row = {"item": label.item, "annotator": label.annotator, "question": label.question}
        row |= {"value": label.value, "language": label.language, "batch": label.batch}
        found.append(row | {"kind": "text"})
    return found


def gold_rows(export: StudyExport) -> Iterator[Row]:
    """What was settled, and by what: a row for each question, and one for each item of which
    nothing was."""
    for one, values in gold_values(export):
        base: Row = {"item": unit_name(one), "language": one.item.language, "stage": one.stage}
        ending: Row = {"state": one.state, "reason": one.reason}
        for gold in values:
            value = "" if gold.value is None else cell(gold.question, gold.value, one.item)
            row = base | {"question": gold.question.name, "value": value, "by": gold.by}
            yield row | {"place": _place(gold.value)} | ending
        if not values:
            yield base | {"question": "", "value": "", "by": "", "place": ""} | ending


def _place(value: JsonValue) -> str:
    """Where selected words stand: the part of the item, from which character to before which."""
    if not isinstance(value, dict) or "part" not in value:
        return ""
    return f"{value['part']}:{value.get('start')}-{value.get('end')}"


def time_rows(export: StudyExport) -> list[Row]:
    """How long every task took, and what was skipped."""
    return [
        {
            "item": one.item,
            "stage": one.stage,
            "person": one.person,
            "kind": one.kind,
            "state": one.state,
            "seconds": None if one.seconds is None else round(one.seconds, 1),
            "reason": one.reason,
        }
        for one in export.spent
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
