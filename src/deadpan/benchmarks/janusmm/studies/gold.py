"""What annotators settled, as lines of memes.jsonl."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.files import write_text
from deadpan.core.questions import Language
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.making import settled_answers

FILE = "labels.jsonl"
PARTS: Mapping[str, tuple[str, ...]] = {
    "thinking": ("thinking_image", "thinking_text", "thinking_logic"),
    "sender_reasoning": ("sender_content", "sender_logic", "sender_need"),
    "receiver_reasoning": ("receiver_intent",),
    "receiver_reply": ("receiver_reply",),
}
"""Of which answers each label consists."""
_ENDS = tuple(".!?…。！？；;：:，,、\"'”’」』)）")
_STOPS: Mapping[Language, tuple[str, str]] = {"en": (". ", " "), "zh": ("。", "")}
"""What parts the parts of a label: where one ends without a mark, and where it ends with one."""


def write_labels(export: StudyExport, folder: Path) -> list[Path]:
    """Writes a line for each meme that was settled in both stages, its labels joined from their
    parts."""
    lines = []
    for item, said in settled_answers(export):
        row: dict[str, JsonValue] = {"meme_id": item.key, "language": item.language}
        row |= item.attributes
        row["emotion"] = said.get("emotion")
        row |= joined_parts(said, item.language)
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    if not lines:
        return []
    write_text(folder / FILE, "".join(lines))
    return [folder / FILE]


def joined_parts(said: Mapping[str, JsonValue], language: Language) -> dict[str, JsonValue]:
    """The labels that consist of several answers, None where none of these was given."""
    return {
        name: _joined([str(said[part]) for part in parts if said.get(part)], language)
        for name, parts in PARTS.items()
    }


def _joined(texts: Sequence[str], language: Language) -> str | None:
    """The parts of a label one after the other, each a sentence of its own; None of none."""
    unmarked, marked = _STOPS[language]
    *before, last = [text.strip() for text in texts] or [""]
    parted = [text + (marked if text.endswith(_ENDS) else unmarked) for text in before]
    return "".join([*parted, last]) or None
