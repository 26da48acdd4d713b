"""What came out of a study in the JSON that Label Studio imports: a task an item, an annotation a
person. Files stand there by the names under which the study keeps them."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue

from deadpan.core.study.exports import Said, StudyExport
from deadpan.core.study.items import Part, StudyItem
from deadpan.studies.results.export_rows import plain

_SHARE = 100
_OBJECT = "item"


def label_studio_tasks(export: StudyExport) -> list[dict[str, Any]]:
    """The tasks with everybody's own answers, and what was settled as metadata."""
    by_unit: dict[int, list[Said]] = {}
    for one in export.said:
        if one.kind != "discuss":
            by_unit.setdefault(one.unit, []).append(one)
    people = {
        name: at for at, name in enumerate(dict.fromkeys(one.person for one in export.said), 1)
    }
    seconds = {(one.unit, one.stage, one.person): one.seconds for one in export.spent}
    settled = {(one.unit, one.stage): one for one in export.settled}
    tasks = []
    for unit, said in by_unit.items():
        stages = dict.fromkeys(one.stage for one in said)
        gold = {stage: dict(settled[unit, stage].result) for stage in stages}
        state = {stage: settled[unit, stage].state for stage in stages}
        tasks.append(
            {
                "id": unit,
                "data": _data(said[0].item),
                "meta": {"key": said[0].item.key, "gold": gold, "state": state},
                "annotations": [
                    {
                        "completed_by": people[person],
                        "result": [_result(one) for one in said if one.person == person],
                        "lead_time": sum(
                            seconds.get((unit, stage, person)) or 0.0 for stage in stages
                        ),
                    }
                    for person in dict.fromkeys(one.person for one in said)
                ],
            }
        )
    return tasks


def _data(item: StudyItem) -> dict[str, Any]:
    """What the task is about; sources of outputs stand beside them."""
    found: dict[str, Any] = {part.name: _content(part) for part in item.parts}
    for at, output in enumerate(item.outputs, 1):
        found[f"output_{at}"] = {part.name: _content(part) for part in output.parts}
        found[f"source_{at}"] = output.source
    return found | {"language": item.language}


def _content(part: Part) -> Any:
    if part.is_file:
        return part.path
    if part.turns:
        return [{"author": turn.speaker, "text": turn.text} for turn in part.turns]
    return part.text


def _result(one: Said) -> dict[str, Any]:
    kind, value = _typed(one)
    return {"from_name": one.question.name, "to_name": _OBJECT, "type": kind, "value": value}


def _typed(one: Said) -> tuple[str, dict[str, Any]]:
    """The type of an answer in Label Studio, and its value."""
    value: JsonValue = one.value
    match one.question.kind:
        case "likert":
            return "rating", {"rating": value}
        case "number" | "slider":
            return "number", {"number": value}
        case "text":
            return "textarea", {"text": [value]}
        case "transcription":
            return "textarea", {"text": [plain(value)]}
        case "span" if isinstance(value, dict) and "start" in value:
            place = {name: value[name] for name in ("start", "end", "text")}
            return "labels", place | {"labels": [one.question.name]}
        case "span":
            return "textarea", {"text": [value["text"] if isinstance(value, dict) else value]}
        case "order":
            return "ranker", {"ranker": {"rank": value}}
        case "boxes":
            return "rectangle", {"boxes": _boxes(value)}
        case _:
            labels = value if isinstance(value, list) else [value]
            return "choices", {"choices": [str(label) for label in labels]}


def _boxes(value: JsonValue) -> list[dict[str, Any]]:
    """Boxes in percent of the picture's sides."""
    found = []
    for box in value if isinstance(value, list) else []:
        if isinstance(box, dict):
            x1, y1, x2, y2 = (float(str(box[side])) * _SHARE for side in ("x1", "y1", "x2", "y2"))
            place = {"x": x1, "y": y1, "width": x2 - x1, "height": y2 - y1, "rotation": 0}
            found.append(place | {"rectanglelabels": [str(box.get("number", ""))]})
    return found
