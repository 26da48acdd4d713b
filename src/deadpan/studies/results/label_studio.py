"""What came out of a study in the JSON that Label Studio imports: a task an item, an annotation a
person, in the order of `people`. Files stand there as Label Studio serves them from its document
root, the export's folder."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import JsonValue

from deadpan.core.questions import Language
from deadpan.core.study.cells import plain_text
from deadpan.core.study.exports import KeptMedia, Said, StudyExport
from deadpan.core.study.items import Part, StudyItem
from deadpan.studies.results.export_rows import several_stages_ask
from deadpan.studies.results.gold import gold_values
from deadpan.studies.results.label_studio_form import (
    TYPED,
    all_parts,
    labels_said,
    last_items,
    shown,
    shown_parts,
    span_parts,
)

MEDIA = "media"
"""The folder of the files, beside the tasks."""
_SERVED = f"/data/local-files/?d={MEDIA}/"
_SHARE = 100
_NOBODY = [{"author": "", "text": ""}]
"""A dialogue that an item does not have: Label Studio fails on an empty one."""
Result = dict[str, Any]


def label_studio_tasks(export: StudyExport) -> list[dict[str, Any]]:
    """The tasks with everybody's own answers, and what was settled as metadata."""
    by_unit: dict[int, list[Said]] = {}
    for one in export.said:
        if one.kind != "discuss":
            by_unit.setdefault(one.unit, []).append(one)
    alone = [one for one in export.spent if one.kind != "discuss"]
    seconds = {(one.unit, one.stage, one.person): one.seconds for one in alone}
    meta, again = _meta(export), several_stages_ask(export.study)
    items, parts = last_items(export), all_parts(export)
    empty = {name: _NOBODY if part.turns else "" for name, part in parts.items()}
    tasks = []
    for unit, said in by_unit.items():
        people = list(dict.fromkeys(one.person for one in said))
        stages = dict.fromkeys(one.stage for one in said)
        annotations = [
            {
                "result": [
                    found
                    for one in said
                    if one.person == person
                    for found in _result(export, one, again, parts)
                ],
                "ground_truth": False,  # it is else taken for true
                "lead_time": sum(seconds.get((unit, stage, person)) or 0.0 for stage in stages),
            }
            for person in people
        ]
        about = {"key": said[0].item.key, "people": people, **meta[unit]}
        data = empty | _data(export, items[unit])
        tasks.append({"id": unit, "data": data, "meta": about, "annotations": annotations})
    return tasks


def label_studio_files(export: StudyExport) -> list[KeptMedia]:
    """The files that the tasks name, each once."""
    items = last_items(export)
    named = {part.path for item in items.values() for part in _files(item)}
    named |= {str(one.value) for one in export.said if one.question.uploads}
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
            gold.question.name: gold.question.cell(gold.value, became.item)
            for gold in values
            if gold.value is not None
        }
    return found


def _data(export: StudyExport, item: StudyItem) -> dict[str, Any]:
    """What the task is about; sources of outputs stand beside them."""
    found = {name: _content(part, item.language, export.files) for name, part in shown_parts(item)}
    sources = {f"source_{at}": one.source for at, one in enumerate(item.outputs, 1)}
    return found | sources | {"language": item.language}


def _content(part: Part, language: Language, files: Mapping[str, KeptMedia]) -> Any:
    if part.is_file:
        return _served(part.path, files)
    if part.turns:
        return [{"author": turn.speaker, "text": turn.text} for turn in part.turns]
    return part.text_in(language)


def _served(checksum: str, files: Mapping[str, KeptMedia]) -> str:
    return f"{_SERVED}{files[checksum].name}" if checksum in files else checksum


def _result(
    export: StudyExport, one: Said, again: Collection[str], parts: Mapping[str, Part]
) -> list[Result]:
    """An answer as Label Studio has it: each box by itself, anything else as one."""
    name = one.question.name
    named = f"{one.stage}.{name}" if name in again else name
    given = one.question.control
    base: Result = {"from_name": named, "to_name": shown(one.question, parts), "type": given}
    base["meta"] = {"text": [one.person]}
    value: JsonValue = one.value
    match given:
        case "rectanglelabels":
            return [base | {"value": place | {given: [name]}} for place in _boxes(value)]
        case "rating" | "number":
            return [base | {"value": {given: value}}] if isinstance(value, int | float) else []
        case "labels" if isinstance(value, dict) and "start" in value:
            place = {key: value[key] for key in ("start", "end", "text")} | {given: [name]}
            part = str(value["part"])
            own = span_parts(one.question, named).get(part, named)
            return [base | {"from_name": own, "to_name": f"shown_{part}", "value": place}]
        case "labels":
            typed = {"from_name": f"{named}{TYPED}", "type": "textarea"}
            return [base | typed | {"value": {"text": [plain_text(value).strip()]}}]
        case "textarea" if one.question.uploads:
            return [base | {"value": {"text": [_served(str(value), export.files)]}}]
        case "textarea":
            return [base | {"value": {"text": [str(one.question.cell(value, one.item))]}}]
        case _:
            return [base | {"value": {"choices": labels_said(one)}}]


def _boxes(value: JsonValue) -> list[dict[str, Any]]:
    """Boxes in percent of the picture's sides."""
    found = []
    for box in value if isinstance(value, list) else []:
        if isinstance(box, dict):
            x1, y1, x2, y2 = (float(str(box[side])) * _SHARE for side in ("x1", "y1", "x2", "y2"))
            found.append({"x": x1, "y": y1, "width": x2 - x1, "height": y2 - y1, "rotation": 0})
    return found
