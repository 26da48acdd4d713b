"""What came out of a study as rows of the files that the rest of the package reads: annotations,
ratings, choices, answers; and gold, times and checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from deadpan.core.annotation_values import Box, Boxes, Order, Value
from deadpan.core.annotations import Annotation
from deadpan.core.choices import Choice
from deadpan.core.ratings import Rating
from deadpan.core.study.arranging import TIE, Best
from deadpan.core.study.choices import Single
from deadpan.core.study.exports import Said, SettledItem, StudyExport
from deadpan.core.study.specification import Question
from deadpan.core.study.writing import Text

Row = dict[str, object]
_YES_NO = {"yes": 1, "no": 0}


def annotation_rows(export: StudyExport, kinds: Sequence[str] = ("answer",)) -> list[Annotation]:
    """Labels, numbers and words by annotators: by default what they said by themselves."""
    return [
        Annotation(
            item=unit_name(one),
            annotator=one.person,
            question=one.question.name,
            value=_said_value(one),
            language=one.item.language,
            batch=one.batch or None,
        )
        for one in export.said
        if one.kind in kinds
    ]


def _said_value(one: Said) -> Value:
    """An answer as files of annotations have it; of a choice, whose output was chosen."""
    if not isinstance(one.question, Best):
        return annotated(one.question, one.value)
    chosen = one.value
    return frozenset({one.item.outputs[chosen].source if isinstance(chosen, int) else TIE})


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
            value="\n".join(_words(one.value) for one in said),
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


def annotated(question: Question, value: JsonValue) -> Value:
    """An answer as files of annotations have it."""
    if question.level == "interval" and isinstance(value, int | float):
        return float(value)
    if question.level == "text":
        return _words(value)
    if isinstance(value, list):
        if question.level == "labels":
            return frozenset(str(one) for one in value)
        if question.level == "boxes":
            return Boxes(tuple(_box(one) for one in value if isinstance(one, dict)))
        return Order(tuple(map(str, value)))
    return frozenset({str(value)})


def _box(box: Mapping[str, JsonValue]) -> Box:
    x1, y1, x2, y2 = (float(str(box[side])) for side in ("x1", "y1", "x2", "y2"))
    return x1, y1, x2, y2


def _words(value: JsonValue) -> str:
    if isinstance(value, dict):
        if "text" in value:
            return str(value["text"])
        return "\n".join(f"{name}: {text}" for name, text in value.items())
    return str(value)


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


def gold_rows(export: StudyExport) -> Iterator[Row]:
    """What was settled: a row for each question, and one for each item of which nothing was."""
    for one in export.settled:
        base: Row = {
            "item": unit_name(one),
            "language": one.item.language,
            "stage": one.stage,
            "state": one.state,
            "reason": one.reason,
        }
        for name, value in one.result.items():
            yield base | {"question": name, "value": plain(value)}
        if not one.result:
            yield base | {"question": "", "value": ""}


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
    return [{"person": who, "question": name, "right": right} for who, name, right in export.checks]


def recruited_rows(export: StudyExport) -> list[Row]:
    """Those whom a recruiting platform sent, as it knows them."""
    return [{"person": one.person, "code": one.code, **one.parameters} for one in export.recruited]
