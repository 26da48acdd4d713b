"""Settled memes as rows of memes.jsonl, and the files of a release."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.benchmarks.janusmm.curation.candidates import known_fields
from deadpan.benchmarks.janusmm.records import FILE, REASONINGS, MemeRow
from deadpan.benchmarks.janusmm.studies.gold import joined_parts
from deadpan.core.curation import Post, ReleasedFiles, split_folder
from deadpan.core.drafting import picture_of
from deadpan.core.record_files import line_problem

SOURCE = "media_file"
"""Where a row tells the name of its picture in the work folder; no field of the release."""
_OF_SIDES = (*REASONINGS[1:], "receiver_reply")
_FIX = "Draft the post again, or have people settle it."
Row = dict[str, JsonValue]


def row_of(post: Post, settled: Mapping[str, JsonValue]) -> Row:
    """The post's row of memes.jsonl, by what was settled of it. What annotators wrote both sides of
    is self-deprecating; symbols are as they were drafted. Labels that are missing raise."""
    picture = picture_of(post)
    known = known_fields(post, picture)
    known["dialogue"] = [turn.model_dump(exclude_defaults=True) for turn in known["dialogue"]]
    labels = dict(settled) if "thinking" in settled else joined_parts(settled, post.written_in)
    is_own = bool(settled.get("self_deprecating", labels.get(REASONINGS[1]) is not None))
    row: Row = {**known, "self_deprecating": is_own, "emotion": settled.get("emotion")}
    row["thinking"] = labels.get("thinking")
    row |= {name: labels.get(name) if is_own else None for name in _OF_SIDES}
    symbols = settled.get("cultural_symbols", post.draft.get("cultural_symbols"))
    if symbols is not None:
        row["cultural_symbols"] = symbols
    try:
        MemeRow.model_validate_json(json.dumps(row))
    except ValidationError as error:
        raise line_problem(post.where, error) from None
    for name in REASONINGS if is_own else ():
        if row[name] is None:
            what = "is missing; expected text, as the meme is self-deprecating"
            raise InputError(f"{post.where} {name}", what, _FIX)
    return {"id": post.id, **row, SOURCE: picture.file}


def files(rows: Sequence[Mapping[str, JsonValue]]) -> ReleasedFiles:
    """memes.jsonl with the test split and its pictures; each other split is a data folder of the
    same form in `splits`."""
    texts: dict[str, str] = {FILE: ""}
    media: dict[str, str] = {}
    for row in rows:
        place = split_folder(str(row["split"]))
        own = {name: value for name, value in row.items() if name in MemeRow.model_fields}
        line = json.dumps(own, ensure_ascii=False) + "\n"
        texts[f"{place}{FILE}"] = texts.get(f"{place}{FILE}", "") + line
        media[f"{place}{row['image']}"] = str(row[SOURCE])
    return ReleasedFiles(texts, media)
