"""What experts made of questions: those that are kept, in the released form; what should change in
them; what was left out and why; and how the next review follows on that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, JsonValue

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, write_text
from deadpan.base.rows import checked_row, json_document
from deadpan.benchmarks.vimu.records import FILES, OpenEnded, Video
from deadpan.benchmarks.vimu.rows import Choice
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.making import settled_items

LEFT_OUT, CHANGES = "left_out.json", "changes.json"
ROW = "row"
"""The attribute of an item that holds its question in the released form."""
_FILE_OF = dict(zip(("oe", "eg", "rm", "sv"), (*FILES[1:], FILES[3]), strict=True))
_TASKS = {"rm": "rhetoric_mechanisms", "sv": "social_value_signals"}
"""What the two tasks of a file are called in it."""
_CHANGE = ("minor", "major")
"""Verdicts that ask for a change."""
_WHEN = {
    "answer": "before discussion",
    "discuss": "after discussion",
    "third": "adjudication",
}
"""When somebody said something, by the kind of their task."""
_ENDED = ("discarded", "returned", "disputed")
_INSIDE = "export"
"""Where in its own folder a study is exported to."""
_FIX = "Give the folder that `deadpan study export` wrote of the earlier review, or its own."
Row = dict[str, JsonValue]


class LeftOut(BaseModel):
    """A question that was not kept: what became of it, and why."""

    id: str
    state: str
    reason: str


def released_row(video: Video, task: str) -> Row:
    """A question of a video as a line of its file, as far as we read it."""
    asked = video.question(task)
    if isinstance(asked, OpenEnded):
        return {"video_id": video.video_id, "qa": _qa(video, asked), "taxonomy": _taxonomy(video)}
    row = _choice(asked) if asked else {}
    about: Row = {"mcq_tasks": {_TASKS[task]: row}} if task in _TASKS else row
    return {"video_id": video.video_id, **about}


def _qa(video: Video, asked: OpenEnded) -> Row:
    known = {} if video.difficulty == "unknown" else {"difficulty": video.difficulty}
    return {
        "question": asked.question,
        "answer": asked.reference,
        **known,
        "rubric": asked.rubric,
    }


def _taxonomy(video: Video) -> Row:
    told = video.reading.model_dump() if video.reading else {}
    names = ("literal_summary", "intended_meaning", "evidence")
    return {
        **{name: told[name] for name in names},
        "rhetoric_mechanisms": list(video.rhetoric),
        "social_value_signals": list(video.social),
        "target_subjects": list(video.targets),
        "language": video.language,
    }


def _choice(asked: Choice) -> Row:
    options: Row = {
        one.letter: {"label": one.label, "text": one.text} if one.label else one.text
        for one in asked.options
    }
    return {"question": asked.question, "options": options, "ground_truth": list(asked.gold)}


def write_review(export: StudyExport, folder: Path) -> list[Path]:
    """Writes the questions that are kept, what experts want changed in them, and those that were
    discarded, returned or disputed, with the reasons."""
    kept: dict[str, Row] = {}
    changes: list[Row] = []
    left_out: list[Row] = []
    comments = _comments(export)
    for item, stages in settled_items(export):
        (became,) = stages.values()
        if became.state in _ENDED:
            why = became.reason or became.state
            left_out.append(LeftOut(id=item.key, state=became.state, reason=why).model_dump())
        elif became.state == "settled":
            row = item.attributes.get(ROW)
            kept |= {item.key: row} if isinstance(row, dict) else {}
            own = comments.get(became.unit, [])
            verdict = str(became.result.get("verdict"))
            if any(one.is_last and one.verdict in _CHANGE for one in own):
                said = [one.row() for one in own if one.feedback]
                changes.append({"id": item.key, "verdict": verdict, "comments": said})
    lists = {CHANGES: changes, LEFT_OUT: left_out}
    texts = {name: _document(rows) for name, rows in lists.items() if rows} | _released(kept)
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]


@dataclass(frozen=True)
class _Comment:
    """What somebody said of a question at one time."""

    when: str
    verdict: str
    feedback: str
    is_last: bool
    """Whether they took nothing back afterwards."""

    def row(self) -> JsonValue:
        return {"when": self.when, "verdict": self.verdict, "feedback": self.feedback}


def _comments(export: StudyExport) -> dict[int, list[_Comment]]:
    """By item what each expert said, by themselves, after a discussion, and as an adjudicator."""
    told: dict[int, dict[tuple[str, str], dict[str, str]]] = {}
    for one in export.said:
        own = told.setdefault(one.unit, {}).setdefault((one.kind, one.person), {})
        own[one.question.name] = str(one.value)
    return {unit: list(_in_order(own)) for unit, own in told.items()}


def _in_order(told: Mapping[tuple[str, str], Mapping[str, str]]) -> Iterator[_Comment]:
    """Comments from the first to the last; what somebody stands by in a discussion is there once,
    as said after it."""
    is_discussed = any(kind == "discuss" for kind, _ in told)
    for kind, when in _WHEN.items():
        for (own, person), said in told.items():
            if own != kind:
                continue
            later = told.get(("discuss", person)) if kind == "answer" else None
            verdict, feedback = _verdict(said)
            if later is None or _verdict(later) != (verdict, feedback):
                alone = kind == "answer" and not is_discussed
                yield _Comment("alone" if alone else when, verdict, feedback, later is None)


def _verdict(said: Mapping[str, str]) -> tuple[str, str]:
    return said.get("verdict", ""), said.get("feedback", "")


def _document(rows: Sequence[Row]) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _released(kept: Mapping[str, Row]) -> dict[str, str]:
    """The text of each released file, a line for each video."""
    files: dict[str, dict[str, Row]] = {}
    for key, row in kept.items():
        video, _, task = key.rpartition("/")
        lines = files.setdefault(f"metadata/{_FILE_OF[task]}", {})
        before, tasks = lines.get(video, {}).get("mcq_tasks"), row.get("mcq_tasks")
        if isinstance(before, dict) and isinstance(tasks, dict):
            row = {**row, "mcq_tasks": before | tasks}
        lines[video] = row
    return {
        name: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in lines.values())
        for name, lines in files.items()
    }


def read_returned(folder: Path) -> dict[str, str]:
    """The questions that an earlier review returned, with what was said of each: from the folder of
    its export, or its own. What is no such folder raises, and so does one without any."""
    places = (folder / LEFT_OUT, folder / _INSIDE / LEFT_OUT)
    found = [path for path in places if is_file(path)]
    if not found:
        raise InputError(folder, f"holds no {LEFT_OUT}", _FIX)
    rows = json_document(found[0], _FIX)
    if not isinstance(rows, list):
        raise InputError(found[0], "expected a list", _FIX)
    left_out = [checked_row(row, LeftOut, str(found[0])) for row in rows]
    returned = {one.id: one.reason for one in left_out if one.state == "returned"}
    if not returned:
        raise InputError(found[0], "names no question that was returned", _FIX)
    return returned
