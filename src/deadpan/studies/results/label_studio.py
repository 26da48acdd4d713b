"""What came out of a study in the JSON that Label Studio imports: a task an item, an annotation a
person, in the order of `people`. Files stand there as Label Studio serves them from its document
root, the export's folder."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from deadpan.core.study.arranging import Boxes, Upload
from deadpan.core.study.exports import KeptMedia, Said, StudyExport
from deadpan.core.study.items import Part, StudyItem
from deadpan.studies.results.answer_cells import cell, in_words
from deadpan.studies.results.export_rows import several_stages_ask
from deadpan.studies.results.gold import gold_values
from deadpan.studies.results.label_studio_form import TYPED, control, shown, shown_parts

MEDIA = "media"
"""The folder of the files, beside the tasks."""
_SERVED = f"/data/local-files/?d={MEDIA}/"
_SHARE = 100
Result = dict[str, Any]


def label_studio_tasks(export: StudyExport) -> list[dict[str, Any]]:
    """The tasks with everybody's own answers, and what was settled as metadata."""
    by_unit: dict[int, list[Said]] = {}
    for one in export.said:
        if one.kind != "discuss":
            by_unit.setdefault(one.unit, []).append(one)
    seconds = {(one.unit, one.stage, one.person): one.seconds for one in export.spent}
    meta, again = _meta(export), several_stages_ask(export.study)
    items = {one.unit: one.item for one in export.said}
    empty = {name: "" for item in items.values() for name, _ in shown_parts(item)}
    tasks = []
    for unit, said in by_unit.items():
        people = list(dict.fromkeys(one.person for one in said))
        stages = dict.fromkeys(one.stage for one in said)
        annotations = [
            {
                "result": _results(export, [one for one in said if one.person == person], again),
                "lead_time": sum(seconds.get((unit, stage, person)) or 0.0 for stage in stages),
            }
            for person in people
        ]
        about = {"key": said[0].item.key, "people": people, **meta[unit]}
        data = empty | _data(export, said[0].item)
        tasks.append({"id": unit, "data": data, "meta": about, "annotations": annotations})
    return tasks


def label_studio_files(export: StudyExport) -> list[KeptMedia]:
    """The files that the tasks name, each once."""
    items = {one.unit: one.item for one in export.said}
    named = {part.path for item in items.values() for part in _files(item)}
    named |= {str(one.value) for one in export.said if isinstance(one.question, Upload)}
    return [export.files[one] for one in sorted(named) if one in export.files]


def _files(item: StudyItem) -> list[Part]:
    return [part for _, part in shown_parts(item) if part.is_file]


def _meta(export: StudyExport) -> dict[int, dict[str, dict[str, object]]]:
    """Of each item by stage what was settled, and in what state it is."""
    found: dict[int, dict[str, dict[str, object]]] = {}
    for became, values in gold_values(export):
        own = found.setdefault(became.unit, {"gold": {}, "state": {}})
        own["state"][became.stage] = became.state
        own["gold"][became.stage] = {
            gold.question.name: cell(gold.question, gold.value, became.item)
            for gold in values
            if gold.value is not None
        }
    return found


def _data(export: StudyExport, item: StudyItem) -> dict[str, Any]:
    """What the task is about; sources of outputs stand beside them."""
    found = {name: _content(part, export.files) for name, part in shown_parts(item)}
    sources = {f"source_{at}": one.source for at, one in enumerate(item.outputs, 1)}
    return found | sources | {"language": item.language}


def _content(part: Part, files: Mapping[str, KeptMedia]) -> Any:
    if part.is_file:
        return _served(part.path, files)
    if part.turns:
        return [{"author": turn.speaker, "text": turn.text} for turn in part.turns]
    return part.text


def _served(checksum: str, files: Mapping[str, KeptMedia]) -> str:
    return f"{_SERVED}{files[checksum].name}" if checksum in files else checksum


def _results(export: StudyExport, said: Sequence[Said], again: Collection[str]) -> list[Result]:
    return [found for one in said for found in _result(export, one, again)]


def _result(export: StudyExport, one: Said, again: Collection[str]) -> list[Result]:
    """An answer as Label Studio has it: each box by itself, anything else as one."""
    name = one.question.name
    named = f"{one.stage}.{name}" if name in again else name
    given = control(one.question)
    base: Result = {"from_name": named, "to_name": shown(one.question, one.item), "type": given}
    base["meta"] = {"text": [one.person]}
    value: JsonValue = one.value
    if isinstance(one.question, Boxes):
        return [base | {"value": place | {given: [name]}} for place in _boxes(value)]
    match given:
        case "rating" | "number":
            return [base | {"value": {given: value}}] if isinstance(value, int | float) else []
        case "labels" if isinstance(value, dict) and "start" in value:
            place = {key: value[key] for key in ("start", "end", "text")}
            where = shown(one.question, one.item, str(value["part"]))
            return [base | {"to_name": where, "value": place | {"labels": [name]}}]
        case "labels":
            typed = {"from_name": f"{named}{TYPED}", "type": "textarea"}
            return [base | typed | {"value": {"text": [in_words(value)]}}]
        case "textarea" if isinstance(one.question, Upload):
            return [base | {"value": {"text": [_served(str(value), export.files)]}}]
        case "textarea":
            return [base | {"value": {"text": [str(cell(one.question, value, one.item))]}}]
        case _:
            labels = value if isinstance(value, list) else [cell(one.question, value, one.item)]
            return [base | {"value": {"choices": [str(label) for label in labels]}}]


def _boxes(value: JsonValue) -> list[dict[str, Any]]:
    """Boxes in percent of the picture's sides."""
    found = []
    for box in value if isinstance(value, list) else []:
        if isinstance(box, dict):
            x1, y1, x2, y2 = (float(str(box[side])) * _SHARE for side in ("x1", "y1", "x2", "y2"))
            found.append({"x": x1, "y": y1, "width": x2 - x1, "height": y2 - y1, "rotation": 0})
    return found
