"""Settled memes as records of index_final.json, and the files of a release."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench.curation.candidates import DRAFTED
from deadpan.benchmarks.merbench.curation.drafting import caption_of
from deadpan.benchmarks.merbench.edits import ORIGINAL
from deadpan.benchmarks.merbench.records import INDEX, PAIRS, Meme
from deadpan.core.curation import Post, ReleasedFiles, split_folder
from deadpan.core.drafting import picture_of
from deadpan.core.record_files import line_problem

SOURCE = "media_file"
"""Where a row tells the name of its picture in the work folder; no field of the release."""
_FIX = "Draft the post again, or have people settle it."
Row = dict[str, JsonValue]


def row_of(post: Post, settled: Mapping[str, JsonValue]) -> Row:
    """The meme's record by what was settled of it, but for its `id`, which is the post's; in the
    release it is that of `gen_id`, the name of its picture. A field that is missing, or a target
    that does not belong to the emotion, raises."""
    picture = picture_of(post)
    name = post.file_name(picture)
    said = {field: settled.get(field, post.draft.get(field)) for field in DRAFTED}
    given = {field: value for field, value in said.items() if value is not None}
    row: Row = {"id": post.id, "gen_id": name, "text": caption_of(post), **given}
    try:
        meme = Meme.model_validate({**row, "id": name})
    except ValidationError as error:
        raise line_problem(post.where, error) from None
    if PAIRS[meme.det_emo] != meme.tgt_emo:
        what = f'got "{meme.tgt_emo}"; expected "{PAIRS[meme.det_emo]}", as it is {meme.det_emo}'
        raise InputError(f"{post.where} tgt_emo", what, _FIX)
    return {**row, "language": meme.language, SOURCE: picture.file}


def files(rows: Sequence[Mapping[str, JsonValue]]) -> ReleasedFiles:
    """index_final.json with the test split and its pictures in Original/; each other split is a
    data folder of the same form in `splits`."""
    records: dict[str, list[Row]] = {"": []}
    media: dict[str, str] = {}
    for row in rows:
        place = split_folder(str(row["split"]))
        own = {name: row[name] for name in Meme.model_fields} | {"id": row["gen_id"]}
        records.setdefault(place, []).append(own)
        media[f"{place}{ORIGINAL}/{row['gen_id']}"] = str(row[SOURCE])
    texts = {
        f"{place}{INDEX}": json.dumps(own, ensure_ascii=False, indent=2) + "\n"
        for place, own in records.items()
    }
    return ReleasedFiles(texts, media)
