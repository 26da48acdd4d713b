"""Settled posts as rows of pairs.jsonl, and the files of a release."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.rows import quote
from deadpan.benchmarks.cfms.curation.candidates import known_fields
from deadpan.benchmarks.cfms.records import FILE, SPLITS, PairRow
from deadpan.core.curation import Post, ReleasedFiles
from deadpan.core.drafting import picture_of
from deadpan.core.record_files import line_problem

SOURCE = "media_file"
"""Where a row tells the name of its picture in the work folder; no field of the release."""
_OF_SARCASM = ("target", "target_type", "explanation")
_FIX = "Draft the post again, or have people settle it."
Row = dict[str, JsonValue]


def row_of(post: Post, settled: Mapping[str, JsonValue]) -> Row:
    """The post's row of pairs.jsonl but for its split, by what was settled of it; what the picture
    shows is as it was drafted. Labels that are missing or contradict each other raise."""
    picture = picture_of(post)
    labels = {name: settled.get(name) for name in ("sarcastic", *_OF_SARCASM, "metaphor")}
    if not labels["sarcastic"]:
        labels |= dict.fromkeys(_OF_SARCASM)
    row: Row = {**known_fields(post, picture), **labels}
    if described := settled.get("description") or post.draft.get("description"):
        row["description"] = described
    try:
        checked = PairRow.model_validate({**row, "split": "test"})
    except ValidationError as error:
        raise line_problem(post.where, error) from None
    for name in _OF_SARCASM if checked.sarcastic else ():
        if getattr(checked, name) is None:
            what = "is missing; expected a value, as the pair is sarcastic"
            raise InputError(f"{post.where} {name}", what, _FIX)
    return {**row, SOURCE: picture.file}


def files(rows: Sequence[Mapping[str, JsonValue]]) -> ReleasedFiles:
    """pairs.jsonl with all splits, of which only the test split is evaluated, and the pictures."""
    lines = []
    media: dict[str, str] = {}
    for row in rows:
        if row["split"] not in SPLITS:
            what = f"got {quote(row['split'])}; expected one of {', '.join(SPLITS)}"
            raise InputError(f"{row['id']} split", what, "Name the splits so.")
        own = {name: value for name, value in row.items() if name in PairRow.model_fields}
        lines.append(json.dumps(own, ensure_ascii=False) + "\n")
        media[str(row["image"])] = str(row[SOURCE])
    return ReleasedFiles({FILE: "".join(lines)}, media)
