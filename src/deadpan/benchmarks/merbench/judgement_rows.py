"""Judgements made elsewhere: JSON lines of run, id, model, target and judgement → scores."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, JsonValue, StringConstraints, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import read_bytes
from deadpan.base.json_lines import json_lines
from deadpan.base.rows import checked_row
from deadpan.benchmarks.merbench.cases import Case
from deadpan.benchmarks.merbench.judge import BLOCKS, RF_VF
from deadpan.benchmarks.merbench.records import Meme, Target
from deadpan.benchmarks.merbench.scoring import Judged, judged, output_values
from deadpan.benchmarks.merbench.views import ALL_MODELS, Emitter
from deadpan.core.dataset import Dataset
from deadpan.core.judge import BrokenReply
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.parsing.judgements import only_object

_logger = logging.getLogger("deadpan")
TASK = "reappraisal"
EXTERNAL = "external"
_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Row(BaseModel):
    """A line of the file; `judgement` is the judge's reply, as an object or as text."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    run: int | _Name
    id: _Name
    model: _Name
    tgt_emo: Target
    judgement: JsonValue


@dataclass(frozen=True)
class Placed:
    """A row's run, the case it stands for, and its place in the file."""

    run: str
    case: Case
    where: str


def scores_of_judgements(path: Path, dataset: Dataset[Meme] | None = None) -> list[Score]:
    """Every metric of each model over the runs that the rows name, as mean and deviation; where
    the memes are known also for their groups, and for all models together by taxonomy.

    A judgement that breaks the schema is left out of its run and counted; a broken line raises.
    """
    placed = list(_placed(path, dataset))
    if broken := [one.where for one in placed if one.case.values is None]:
        told = "%d of %d judgements break the judge's schema and are left out, first %s"
        _logger.warning(told, len(broken), len(placed), broken[0])
    runs = list(dict.fromkeys(one.run for one in placed))
    signature = Signature(
        benchmark="merbench",
        task=TASK,
        version="1",
        n=len(placed),
        data=dataset.checksum if dataset else "none",
        prompts=EXTERNAL,
        judge=EXTERNAL,
        settings={"judgements": checksum(read_bytes(path)), "runs": str(len(runs))},
    )
    emit = Emitter(TASK, str(signature), judged_in_each_run=True)
    scores: list[Score] = []
    by_model: dict[str, list[Placed]] = {}
    for one in placed:
        by_model.setdefault(one.case.model, []).append(one)
    for model, own in by_model.items():
        scores += emit.runs(model, "all", _runs(own, runs))
        for group in sorted({group for one in own for group in one.case.groups}):
            scores += emit.runs(model, group, _runs(own, runs, group))
    scores += emit.runs(ALL_MODELS, "all", _runs(placed, runs))
    for group in sorted({group for one in placed for group in one.case.factors}):
        scores += emit.runs(ALL_MODELS, group, _runs(placed, runs, group))
    return scores


def _runs(
    placed: Sequence[Placed], runs: Sequence[str], group: str | None = None
) -> list[list[Case]]:
    """The cases of each run, of one group where it is named."""
    found: dict[str, list[Case]] = {run: [] for run in runs}
    for one in placed:
        if group is None or group in one.case.groups:
            found[one.run].append(one.case)
    return list(found.values())


def _placed(path: Path, dataset: Dataset[Meme] | None) -> Iterator[Placed]:
    memes = {meme.id: meme for meme in dataset.records} if dataset else {}
    seen: dict[tuple[str, str, str], str] = {}
    for where, value in json_lines(path, halves=True):
        row = checked_row(value, Row, where)
        first = seen.setdefault((str(row.run), row.id, row.model), where)
        if first != where:
            what = f"run {row.run} has {row.model}'s {row.id} twice (first in {first})"
            raise InputError(where, what, "Keep one judgement per run, id and model.")
        yield Placed(str(row.run), _case(row, memes, where), where)


def _case(row: Row, memes: Mapping[str, Meme], where: str) -> Case:
    meme = memes.get(row.id)
    if meme is not None and meme.tgt_emo != row.tgt_emo:
        what = f'got "{row.tgt_emo}"; {row.id} is to become "{meme.tgt_emo}"'
        raise InputError(f"{where} tgt_emo", what, "Correct the line, or check --data.")
    read = judgement_of(row)
    factors = meme.groups if meme else ()
    more = (f"det_emo={meme.det_emo}", f"language={meme.language}") if meme else ()
    return Case(
        item=row.id,
        model=row.model,
        usable=True,
        lack=None,
        values=output_values([read]) if read else None,
        factors=factors,
        groups=(*factors, *more),
    )


def judgement_of(row: Row) -> Judged | None:
    """The row's judgement; None where it breaks the judge's schema. Rationales enter no score, so
    that one may be missing, and so may any key be there that the schema does not have."""
    try:
        given = row.judgement
        value = only_object(given)[0] if isinstance(given, str) else given
        parts = RF_VF.checked(RF_VF.reply.model_validate(_trimmed(value))).parts
    except (BrokenReply, ValidationError):
        return None
    return judged(parts, row.tgt_emo)


def _trimmed(value: JsonValue) -> JsonValue:
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
