"""What annotators settled, as lines of pairs.jsonl."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.files import write_text
from deadpan.benchmarks.cfms.studies.splitting import SEED, drawn_splits, split_lines
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.making import settled_answers

FILE = "labels.jsonl"
Row = dict[str, JsonValue]


def write_labels(export: StudyExport, folder: Path) -> list[Path]:
    """Writes a line for each post that was settled in all passes; what is not sarcastic has
    neither target nor explanation."""
    rows = label_rows(export)
    if not rows:
        return []
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_text(folder / FILE, "".join(lines))
    return [folder / FILE]


def label_rows(export: StudyExport) -> list[Row]:
    """The settled posts, each in the split that the data has it in, or else in one that is drawn
    of those that have none."""
    rows: list[Row] = []
    for item, said in settled_answers(export):
        target = said.get("target")
        rows.append(
            {
                "id": item.key,
                "language": item.language,
                "split": None,
                **item.attributes,
                "sarcastic": said.get("sarcastic") == "yes",
                "target": target["text"] if isinstance(target, dict) else target,
                "target_type": said.get("target_type"),
                "explanation": said.get("explanation"),
            }
        )
    drawn = drawn_splits(row for row in rows if not row["split"])
    return [row | {"split": row["split"] or drawn[str(row["id"])]} for row in rows]


def label_lines(export: StudyExport) -> Sequence[str]:
    """What the datasheet says of the splits."""
    rows = label_rows(export)
    if not rows:
        return ()
    if all(item.attributes.get("split") for item, _ in settled_answers(export)):
        return split_lines(rows)
    how = f"Drawn of the settled labels by seed {SEED}, language and label in proportion, in the"
    return [*split_lines(rows), "", f"{how} paper's shares: 1,956 / 420 / 420 of 2,796."]
