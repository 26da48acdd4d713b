"""Judgements made elsewhere: JSON lines of run, id, model, target and judgement → rows of the
results table, and their scores: each run that the lines name is a draw."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import polars as pl
from pydantic import BaseModel, ConfigDict, JsonValue, StringConstraints, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import read_bytes
from deadpan.base.rows import checked_row, json_lines
from deadpan.benchmarks.merbench.edits import MAIN, VERSION, EditedPicture, folder_of, original
from deadpan.benchmarks.merbench.judge import BLOCKS, RF_VF
from deadpan.benchmarks.merbench.metrics import COUNTS, FACTORS, GROUPS, edit_values
from deadpan.benchmarks.merbench.records import EMOTION, PAIRS, TARGET, TAXONOMY, Meme, Target
from deadpan.benchmarks.merbench.scoring import (
    ALL_MODELS,
    judged_metrics,
    measure_perceived,
    plain_units,
    pooled_signature,
)
from deadpan.core.answers import Answer, Answers, TaskAnswers
from deadpan.core.dataset import Dataset
from deadpan.core.judge import BrokenReply, Judgement
from deadpan.core.measurement import Measurement
from deadpan.core.metric import scored
from deadpan.core.signature import EXTERNAL, Signature, checksum
from deadpan.core.units import GroupBy, Units, comparable_items
from deadpan.parsing.judgements import only_object

_logger = logging.getLogger("deadpan")
_RUN = "run"
"""The attribute that says which run elsewhere a judgement is of; epochs number them."""
_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_SOURCES = {target: source for source, target in PAIRS.items()}
_NO_PICTURE = EditedPicture(path="", sha256="").model_dump_json()


class Line(BaseModel):
    """A line of the file; `judgement` is the judge's reply, as an object or as text."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    run: int | _Name
    id: _Name
    model: _Name
    tgt_emo: Target
    judgement: JsonValue


def judged_rows(
    path: Path, dataset: Dataset[Meme] | None = None, task: str | None = None
) -> list[dict[str, Any]]:
    """A row of the results table for each line, with what is known of its meme; of the main prompt,
    or of the variant that `task` names. A judgement that breaks the schema is `judge_failed`; a
    broken line raises."""
    memes = {meme.id: meme for meme in dataset.records} if dataset else {}
    place = folder_of(dataset) if dataset else Path()
    lines = dict(_lines(path, memes))
    runs = list(dict.fromkeys(str(line.run) for line in lines.values()))
    task = task or MAIN
    signatures = _signatures(path, task, list(lines.values()), len(runs), dataset)
    rows: dict[str, dict[str, Any]] = {}
    for where, line in lines.items():
        rows[where] = {
            **_known(memes.get(line.id), line, place),
            "benchmark": "merbench",
            "task": task,
            "version": str(VERSION),
            "model": line.model,
            "item": line.id,
            "epoch": runs.index(str(line.run)) + 1,
            "answer": _NO_PICTURE,
            "parsed": _NO_PICTURE,
            **_judged(line),
            "signature": signatures[line.model],
            f"attr.{_RUN}": str(line.run),
        }
    if broken := [where for where, row in rows.items() if row["judgements"] is None]:
        message = "%d of %d judgements break the judge's schema and are left out, first %s"
        _logger.warning(message, len(broken), len(rows), broken[0])
    return list(rows.values())


def _lines(path: Path, memes: Mapping[str, Meme]) -> Iterator[tuple[str, Line]]:
    """The lines by their place in the file."""
    seen: dict[tuple[str, str, str], str] = {}
    for where, value in json_lines(path, halves=True):
        line = checked_row(value, Line, where)
        first = seen.setdefault((str(line.run), line.id, line.model), where)
        if first != where:
            what = f"run {line.run} has {line.model}'s {line.id} twice (first in {first})"
            raise InputError(where, what, "Keep one judgement per run, id and model.")
        if (meme := memes.get(line.id)) and meme.tgt_emo != line.tgt_emo:
            what = f'got "{line.tgt_emo}"; {line.id} is to become "{meme.tgt_emo}"'
            raise InputError(f"{where} tgt_emo", what, "Correct the line, or check --data.")
        yield where, line


def _signatures(
    path: Path, task: str, lines: Sequence[Line], runs: int, dataset: Dataset[Meme] | None
) -> dict[str, str]:
    """Each model's signature: how many memes of its are judged, of those that the data has; of a
    file without data, of those that any model has."""
    memes: dict[str, dict[str, None]] = {}
    for line in lines:
        memes.setdefault(line.model, {})[line.id] = None
    total = len(dataset.records) if dataset else len({line.id for line in lines})
    signature = Signature(
        "merbench",
        task,
        str(VERSION),
        0,
        dataset.checksum if dataset else "none",
        EXTERNAL,
        judge=EXTERNAL,
        settings={"judgements": checksum(read_bytes(path)), "runs": str(runs)},
        total=total,
    )
    return {model: str(signature.over(list(own))) for model, own in memes.items()}


def _known(meme: Meme | None, line: Line, place: Path) -> dict[str, Any]:
    """What the data say of a line's meme; without them its emotions alone, which go in pairs."""
    if meme is None:
        texts = ("source", "source_caption", "reference_caption", "specification")
        gold: dict[str, str] = dict.fromkeys(texts, "")
        gold |= {"source_emotion": _SOURCES[line.tgt_emo], TARGET: line.tgt_emo}
        unknown = dict.fromkeys((f"attr.{name}" for name in (*TAXONOMY, EMOTION)), "")
        return {"language": "en", "gold": json.dumps(gold), **unknown}
    source = str(original(place, meme))
    return {
        "language": meme.language,
        "gold": json.dumps({**meme.brief, "source": source}, ensure_ascii=False),
        "picture": source,
        **{f"attr.{name}": getattr(meme, name) for name in (*TAXONOMY, EMOTION)},
    }


def _judged(line: Line) -> dict[str, Any]:
    """How a line's judgement ended. Rationales enter no score, so that one may be missing, and any
    key be there that the schema does not have."""
    given = line.judgement
    try:
        value = only_object(given)[0] if isinstance(given, str) else given
        judgement = RF_VF.check(RF_VF.reply.model_validate(_trim(value)))
    except (BrokenReply, ValidationError) as error:
        why = str(error.errors()[0]["msg"]) if isinstance(error, ValidationError) else str(error)
        reason = f"the judgement breaks the judge's schema: {why}"
        return {"outcome": "judge_failed", "reason": reason, "judgements": None}
    parts = Judgement(parts=judgement.parts).model_dump(mode="json")
    return {"outcome": "answered", "judgements": json.dumps([parts], ensure_ascii=False)}


def _trim(value: JsonValue) -> JsonValue:
    """The judgement with the schema's keys alone, and no rationale that is not text."""
    if not isinstance(value, dict):
        return value
    blocks: dict[str, JsonValue] = {}
    for name, fields in BLOCKS.items():
        block = value.get(name)
        if isinstance(block, dict):
            said = block.get("rationale")
            block = {key: block[key] for key in fields if key in block}
            block |= {"rationale": said if isinstance(said, str) else ""}
        blocks[name] = block
    return blocks


def split_runs(table: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The edits of a table, and the judgements in it that were made elsewhere, in runs."""
    name = f"attr.{_RUN}"
    if name not in table.columns:
        return table, table.clear()
    return table.filter(pl.col(name).is_null()), table.filter(pl.col(name).is_not_null())


def measure_runs(table: pl.DataFrame) -> Iterator[Measurement]:
    """Every metric of each model over the runs that the judgements name, as mean and deviation;
    where the memes are known also for their groups, and for all models together by taxonomy. An
    output has a judgement in each run: it is a unit in each."""
    for (task,), rows in table.group_by("task", maintain_order=True):
        answers = Answers(rows)
        made = {model: answers.of(model)[str(task)] for model in answers.models}
        signatures = {model: own.signature for model, own in made.items()}
        shared = comparable_items({model: {one.item for one in own} for model, own in made.items()})
        for model, own in made.items():
            yield _comparable_count(model, own, shared)
            yield from _measure(model, str(task), list(own), GROUPS, own.signature)
        every = [one for own in made.values() for one in own]
        pooled = pooled_signature(str(task), signatures)
        yield from _measure(ALL_MODELS, str(task), every, FACTORS, pooled)


def _comparable_count(model: str, own: TaskAnswers, shared: frozenset[str]) -> Measurement:
    """How many memes of a model are judged of every model."""
    memes = list(dict.fromkeys(one.item for one in own))
    counted = [scored(meme in shared) for meme in memes]
    return Measurement(model, own.task, COUNTS[0], plain_units(memes), counted, own.signature)


def _measure(
    model: str, task: str, own: Sequence[Answer], by: tuple[GroupBy, ...], signature: str
) -> Iterator[Measurement]:
    units = Units.of(own, by)
    unknown = [not one.attributes[EMOTION] for one in own]
    groups = (() if lacks else of for lacks, of in zip(unknown, units.groups, strict=True))
    units = Units(units.keys, units.outcomes, tuple(groups), by)
    runs = sorted({one.epoch for one in own})
    draws = np.array([[one.epoch == run for one in own] for run in runs], float)
    statistics = [edit_values(one) for one in own]
    yield from judged_metrics(model, task, units, statistics, signature, draws)
    yield from measure_perceived(model, task, units, [[one] for one in own], signature, draws)
