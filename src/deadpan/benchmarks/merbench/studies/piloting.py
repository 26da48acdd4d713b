"""What a pilot hands over: its export tells how its memes were resolved, and by which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_file
from deadpan.core.study.files import read_study
from deadpan.core.study.specification import Study
from deadpan.core.study_rows import require_text, study_rows, text_of

TEMPLATE = "merbench/construction"
_INSIDE = "export"
"""Where in its own folder a study is exported to."""
_GOLD = ("gold.jsonl", "gold.csv", "gold.parquet")
_FIX = "Give the folder that `deadpan study export` wrote of the pilot, or the pilot's own."


@dataclass(frozen=True)
class Pilot:
    """A pilot as it was exported: its words, those of its guidelines among them, as they were in
    the end; its memes; and of those on which every label was settled, the labels."""

    study: Study
    memes: frozenset[str]
    labels: Mapping[str, Mapping[str, str]]


def read_pilot(folder: Path, asked: Sequence[str]) -> Pilot:
    """The pilot whose export lies in a folder, or in the folder of the study itself; `asked` are
    the labels of a meme. What is no such export raises."""
    places = (folder, folder / _INSIDE)
    found = [place / name for place in places for name in _GOLD if is_file(place / name)]
    if not found:
        raise InputError(folder, f"holds no {' or '.join(_GOLD)}", _FIX)
    study = read_study(found[0].parent / "study.yaml")
    if study.template != TEMPLATE:
        what = f"is the export of {study.template or study.name}; expected one of {TEMPLATE}"
        raise InputError(found[0].parent, what, _FIX)
    memes: dict[str, dict[str, str]] = {}
    for where, cells in study_rows(found[0]):
        settled = memes.setdefault(require_text(cells, "item", where), {})
        if text_of(cells, "state") == "settled" and (value := text_of(cells, "value")):
            settled[text_of(cells, "question")] = value
    labels = {
        meme: {name: settled[name] for name in asked}
        for meme, settled in memes.items()
        if all(name in settled for name in asked)
    }
    return Pilot(study, frozenset(memes), labels)
