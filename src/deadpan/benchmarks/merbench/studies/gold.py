"""What came of the three stages, in the released form, and what was left out and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.files import write_text
from deadpan.benchmarks.merbench.records import EMOTION, INDEX, PAIRS, TAXONOMY
from deadpan.core.study.exports import SettledItem, StudyExport
from deadpan.core.study.items import StudyItem
from deadpan.core.study.making import settled_items

KEPT = ("gen_id", "text", *TAXONOMY)
"""What of a meme's record no stage changes."""
LEFT_OUT, REVISED = "left_out.json", "revised_edits.json"
_PAIRS = {(str(source), str(target)) for source, target in PAIRS.items()}
_ENDED = ("discarded", "returned", "disputed")
_OTHER_TARGET = "the target does not belong to the emotion that was settled"
Row = dict[str, JsonValue]


def write_index(export: StudyExport, folder: Path) -> list[Path]:
    """Writes the memes that every stage settled, what became of others, and edits that were
    revised, with the checksum of a picture that somebody sent."""
    stages = [stage.name for stage in export.study.stages]
    index: list[Row] = []
    left_out: list[Row] = []
    revised: list[Row] = []
    for item, became in settled_items(export):
        ended = [one for one in became.values() if one.state in _ENDED]
        if ended:
            why = ended[0].reason or ended[0].state
            state, stage = ended[0].state, ended[0].stage
            left_out.append({"id": item.key, "stage": stage, "state": state, "reason": why})
        elif all(name in became and became[name].state == "settled" for name in stages):
            record = _record(item, became)
            if (record[EMOTION], record["tgt_emo"]) in _PAIRS:
                index.append(record)
                revised += _revised(item, became)
            else:
                about: Row = {"stage": "plan", "state": "settled", "reason": _OTHER_TARGET}
                left_out.append({"id": item.key, **about})
    files = {INDEX: index, LEFT_OUT: left_out, REVISED: revised}
    written = [folder / name for name, rows in files.items() if rows]
    for path in written:
        text = json.dumps(files[path.name], ensure_ascii=False, indent=1)
        write_text(path, text + "\n")
    return written


def _record(item: StudyItem, became: Mapping[str, SettledItem]) -> Row:
    """The meme's record: as drafted where it was accepted, else as it was revised."""
    fields = ("det_emo", "tgt_emo", "img_desc", "pos_txt", "spec")
    said = {name: value for one in became.values() for name, value in one.result.items()}
    made = {name: said.get(name) or item.draft.get(name, "") for name in fields}
    return {"id": item.key, **{name: item.attributes[name] for name in KEPT}, **made}


def _revised(item: StudyItem, became: Mapping[str, SettledItem]) -> list[Row]:
    said = became["edit"].result if "edit" in became else {}
    if said.get("edit_verdict") != "revise":
        return []
    about = {"picture": said.get("edited_picture"), "reason": said.get("edit_reason")}
    return [{"id": item.key, **about}]
