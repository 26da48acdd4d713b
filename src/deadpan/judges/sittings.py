"""Sittings: what came of asking a judge about an answer, kept so that none is paid for twice."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deadpan.cache import cache_folder
from deadpan.errors import InputError
from deadpan.files import write_text
from deadpan.judges.judge import Brief, BrokenReply, Judge
from deadpan.questions import Picture


class Sitting(BaseModel):
    """Every reply of a judge about one answer, the last of which counts, and what they used."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    replies: Annotated[tuple[str, ...], Field(min_length=1)]
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    kept: bool = False
    """Whether it was made by an earlier run."""


def place_of(judge: Judge, brief: Brief, model: str, epoch: int) -> Path:
    """Where a sitting is kept: by all that it depends on. Of pictures that is what they show, not
    where they lie, and an answer that is a picture counts as one."""
    about = brief.model_dump(mode="json")
    if brief.pictures:
        about |= {"answer": "", "pictures": [_shown(picture) for picture in brief.pictures]}
    whole = [judge.identity, about, model, epoch]
    key = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
    return cache_folder("judgements") / key[:2] / f"{key}.json"


def _shown(picture: Picture) -> str:
    """The hash of a picture's file; one that cannot be read stands for itself, as it will fail."""
    try:
        content = Path(picture.path).read_bytes()
    except OSError:
        return picture.path
    return hashlib.sha256(content).hexdigest() + picture.model_dump_json(exclude={"path"})


def kept(place: Path, judge: Judge) -> Sitting | None:
    """The sitting kept there; None where there is none, or not the whole of it, or where its last
    reply can no longer be used."""
    try:
        sitting = Sitting.model_validate_json(place.read_bytes())
        judge.read(sitting.replies[-1])
    except (OSError, ValidationError, BrokenReply):
        return None
    return sitting.model_copy(update={"kept": True})


def keep(place: Path, sitting: Sitting) -> None:
    """Keeps a sitting; where the disk is full it stays in the log alone."""
    try:
        write_text(place, sitting.model_dump_json())
    except InputError:
        return
