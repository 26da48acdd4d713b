"""Judgements made elsewhere: JSON lines of run, id, model, target and judgement → scores."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, JsonValue, StringConstraints, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import read_bytes
from deadpan.base.rows import checked_row, json_lines
from deadpan.benchmarks.merbench.edits import MAIN
from deadpan.benchmarks.merbench.judge import BLOCKS, RF_VF
from deadpan.benchmarks.merbench.metrics import FACTORS, GROUPS, judgement_values
from deadpan.benchmarks.merbench.records import Meme, Target
from deadpan.benchmarks.merbench.scoring import ALL_MODELS, judged_metrics
from deadpan.core.dataset import Dataset
from deadpan.core.judge import BrokenReply
from deadpan.core.measurement import Measurement, scores_of
from deadpan.core.metric import Statistics
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.core.units import Units
from deadpan.parsing.judgements import only_object

_logger = logging.getLogger("deadpan")
_EXTERNAL = "external"
_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Row(BaseModel):
    """A line of the file; `judgement` is the judge's reply, as an object or as text."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    run: int | _Name
    id: _Name
    model: _Name
    tgt_emo: Target
    judgement: JsonValue


def scores_of_judgements(path: Path, dataset: Dataset[Meme] | None = None) -> list[Score]:
    """Every metric of each model over the runs that the rows name, as mean and deviation; where the
    memes are known also for their groups, and for all models together by taxonomy. A judgement that
    breaks the schema is left out of its run and counted; a broken line raises."""
    return scores_of(_measurements(path, dataset))


def _measurements(path: Path, dataset: Dataset[Meme] | None) -> Iterator[Measurement]:
    """An output has a judgement in each run: it is a unit in each, and each run is a draw."""
    memes = {meme.id: meme for meme in dataset.records} if dataset else {}
    rows = dict(_rows(path, memes))
    values = {where: _judgement(row) for where, row in rows.items()}
    if broken := [where for where, said in values.items() if said is None]:
        message = "%d of %d judgements break the judge's schema and are left out, first %s"
        _logger.warning(message, len(broken), len(rows), broken[0])
    runs = list(dict.fromkeys(str(row.run) for row in rows.values()))
    settings = {"judgements": checksum(read_bytes(path)), "runs": str(len(runs))}
    data = dataset.checksum if dataset else "none"
    signature = Signature(
        "merbench", MAIN, "1", len(rows), data, _EXTERNAL, judge=_EXTERNAL, settings=settings
    )
    by_model: dict[str, dict[str, Row]] = {}
    for where, row in rows.items():
        by_model.setdefault(row.model, {})[where] = row
    parts = [(model, own, GROUPS) for model, own in by_model.items()]
    for model, own, by in (*parts, (ALL_MODELS, rows, FACTORS)):
        known = [memes.get(row.id) for row in own.values()]
        units = Units(
            tuple((row.id, runs.index(str(row.run)) + 1) for row in own.values()),
            tuple("judge_failed" if values[where] is None else "answered" for where in own),
            tuple(
                tuple(f"{one.key}={getattr(meme, one.key)}" for one in by if meme) for meme in known
            ),
            by,
        )
        draws = np.array([[str(row.run) == run for row in own.values()] for run in runs], float)
        said = [values[where] for where in own]
        yield from judged_metrics(model, MAIN, units, said, str(signature), draws)


def _rows(path: Path, memes: Mapping[str, Meme]) -> Iterator[tuple[str, Row]]:
    """The rows by their place in the file."""
    seen: dict[tuple[str, str, str], str] = {}
    for where, value in json_lines(path, halves=True):
        row = checked_row(value, Row, where)
        first = seen.setdefault((str(row.run), row.id, row.model), where)
        if first != where:
            what = f"run {row.run} has {row.model}'s {row.id} twice (first in {first})"
            raise InputError(where, what, "Keep one judgement per run, id and model.")
        if (meme := memes.get(row.id)) and meme.tgt_emo != row.tgt_emo:
            what = f'got "{row.tgt_emo}"; {row.id} is to become "{meme.tgt_emo}"'
            raise InputError(f"{where} tgt_emo", what, "Correct the line, or check --data.")
        yield where, row


def _judgement(row: Row) -> Statistics | None:
    """What the row's judgement adds; None where it breaks the judge's schema. Rationales enter no
    score, so that one may be missing, and any key be there that the schema does not have."""
    try:
        given = row.judgement
        value = only_object(given)[0] if isinstance(given, str) else given
        parts = RF_VF.check(RF_VF.reply.model_validate(_trim(value))).parts
    except (BrokenReply, ValidationError):
        return None
    return judgement_values(parts, row.tgt_emo)


def _trim(value: JsonValue) -> JsonValue:
    """The judgement with the schema's keys alone, and empty rationales."""
    if not isinstance(value, dict):
        return value
    blocks: dict[str, JsonValue] = {}
    for name, fields in BLOCKS.items():
        block = value.get(name)
        if isinstance(block, dict):
            block = {key: block[key] for key in fields if key in block} | {"rationale": ""}
        blocks[name] = block
    return blocks
