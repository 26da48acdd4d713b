"""Sittings: what came of asking a judge about an answer, kept so that none is paid for twice."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from deadpan.cache import cache_folder
from deadpan.errors import InputError
from deadpan.files import write_text
from deadpan.judges.judge import Brief, Judge


class Sitting(BaseModel):
    """Every reply of a judge about one answer, the last of which counts, and what they used."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    replies: tuple[str, ...]
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    kept: bool = False
    """Whether it was made by an earlier run."""


def place_of(judge: Judge, brief: Brief, model: str, epoch: int) -> Path:
    """Where a sitting is kept: by all that it depends on."""
    whole = [judge.identity, brief.model_dump(mode="json"), model, epoch]
    key = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
    return cache_folder("judgements") / key[:2] / f"{key}.json"


def kept(place: Path) -> Sitting | None:
    """The sitting kept there; None where there is none, or not the whole of it."""
    try:
        sitting = Sitting.model_validate_json(place.read_bytes())
    except (OSError, ValidationError):
        return None
    return sitting.model_copy(update={"kept": True})


def keep(place: Path, sitting: Sitting) -> None:
    """Keeps a sitting; where the disk is full it stays in the log alone."""
    try:
        write_text(place, sitting.model_dump_json())
    except InputError:
        return
