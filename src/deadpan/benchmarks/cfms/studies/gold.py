"""What annotators settled, in the fields of pairs.jsonl."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.files import write_text
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.making import settled_answers

FILE = "labels.jsonl"


def write_labels(export: StudyExport, folder: Path) -> list[Path]:
    """Writes a line for each post that was settled in all passes; what is not sarcastic has
    neither target nor explanation."""
    lines = []
    for item, said in settled_answers(export):
        target = said.get("target")
        row: dict[str, JsonValue] = {
            "id": item.key,
            "language": item.language,
            "sarcastic": said.get("sarcastic") == "yes",
            "target": target["text"] if isinstance(target, dict) else target,
            "target_type": said.get("target_type"),
            "explanation": said.get("explanation"),
        }
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    if not lines:
        return []
    write_text(folder / FILE, "".join(lines))
    return [folder / FILE]
