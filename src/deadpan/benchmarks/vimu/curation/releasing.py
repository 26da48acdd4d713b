"""Settled posts as ViMU's rows, and the files of a release in the layout that is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from pydantic import JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import rows as released
from deadpan.benchmarks.vimu.curation.candidates import video_of
from deadpan.benchmarks.vimu.curation.questions import Line, drafted_lines
from deadpan.benchmarks.vimu.records import FILES
from deadpan.core.curation import Post, ReleasedFiles, split_folder
from deadpan.core.record_files import line_problem

SOURCE = "media_file"
"""Where a row tells the name of its video in the work folder."""
_FIELDS = {
    "oe": ("qa", "taxonomy"),
    "eg": ("question", "instruction", "options", "ground_truth", "open_ended_question"),
    "ss": ("mcq_tasks",),
}
"""What tells the lines of the three files apart where they are merged into one."""
_FORMS: Mapping[str, type[released.VideoRow]] = {
    "oe": released.OpenEndedRow,
    "eg": released.EvidenceChoiceRow,
    "ss": released.StructureRow,
}
_FIX = "Draft the post again, or have people settle it."


def row_of(post: Post, settled: Mapping[str, JsonValue]) -> Line:
    """The post's row by what was settled: the lines that a review keeps of it, merged, or its
    draft. A question that the review did not keep is null; one without any raises."""
    film = video_of(post)
    if "annotation" in settled:
        lines = drafted_lines(post.id, settled, post.written_in)
    else:
        lines = _parted(post.id, settled)
    if not lines:
        raise InputError(post.where, "no question was drafted, or none is kept", _FIX)
    for name, line in lines.items():
        try:
            _FORMS[name].model_validate(line)
        except ValidationError as error:
            raise line_problem(f"{post.where} {name}", error) from None
    qa = lines["oe"]["qa"] if "oe" in lines else None
    difficulty = qa.get("difficulty") if isinstance(qa, dict) else None
    return {
        "id": post.id,
        "language": post.written_in,
        "difficulty": difficulty or "unknown",
        "transcript": post.transcript or None,
        "url": post.url or film.url,
        **dict.fromkeys(_FIELDS),
        **lines,
        SOURCE: film.file,
    }


def _parted(item: str, settled: Mapping[str, JsonValue]) -> dict[str, Line]:
    """By file the lines that were merged into one."""
    found: dict[str, Line] = {}
    for name, fields in _FIELDS.items():
        if fields[0] in settled:
            own = {field: settled[field] for field in fields if settled.get(field) is not None}
            found[name] = {"video_id": item, **own}
    return found


def files(rows: Sequence[Mapping[str, JsonValue]]) -> ReleasedFiles:
    """metadata/*.jsonl and videos/; a split that is not the test split has them in a folder of its
    own, which can be read by itself. A file that would hold nothing cannot be read, and raises."""
    texts: dict[str, list[str]] = {}
    media: dict[str, str] = {}
    for row in rows:
        folder = PurePosixPath(split_folder(str(row["split"])))
        evidence = {"video_id": row["id"], "frames": [], "transcript": row["transcript"]}
        for file, line in zip(FILES, (evidence, *(row[name] for name in _FIELDS)), strict=True):
            lines = texts.setdefault(str(folder / "metadata" / file), [])
            if line is not None:
                lines.append(json.dumps(line, ensure_ascii=False) + "\n")
        source = str(row[SOURCE])
        name = f"{row['id']}{PurePosixPath(source).suffix}"
        media[str(folder / "videos" / name)] = source
    for name, lines in texts.items():
        if not lines:
            fix = "Have people review all tasks, or keep more videos in the split."
            raise InputError(name, "no question of its kind is kept, and the file is needed", fix)
    return ReleasedFiles({name: "".join(lines) for name, lines in texts.items()}, media)
