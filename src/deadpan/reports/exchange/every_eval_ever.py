"""Every Eval Ever records (schema 0.3): one for each model and benchmark, with its scores, their
uncertainty, judges, settings and data, and beside it a file of its samples."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.base.files import write_text
from deadpan.base.printable import escaped_json
from deadpan.base.version import __version__
from deadpan.core.measurement import ALL
from deadpan.core.parts import items_of, parts_in
from deadpan.core.score import Score
from deadpan.core.signature import (
    PEOPLE,
    Signature,
    checksum,
    parse_signature,
    without_reasons,
)
from deadpan.metrics.statistics.errors import ScoreKey
from deadpan.metrics.statistics.intervals import BOOTSTRAP, SEQUENCE
from deadpan.metrics.statistics.quantiles import LEVEL
from deadpan.metrics.statistics.resampling import RESAMPLES
from deadpan.reports.caveats import STAND_IN
from deadpan.reports.exchange.eval_fields import (
    generation_config,
    judge_of,
    model_info,
    score_range,
    source_data,
)
from deadpan.reports.exchange.eval_samples import SCHEMA, result_id, sample_rows
from deadpan.reports.exchange.public import (
    PublicModel,
    data_source,
    public_model,
    public_signature,
)
from deadpan.reports.section import Section
from deadpan.reports.verdicts import OWN_SCORE

Relationship = Literal["first_party", "third_party", "collaborative", "other"]
_UNITS = {"fraction": "proportion"}
_COUNTS = ("n", "invalid", "truncated", "refused", "unscored", "not_given", "read")
_METHODS = {
    SEQUENCE: "confidence sequence, of the score over all items of the data; asking stopped by it"
}


@dataclass(frozen=True)
class Publisher:
    """Who gives the records, and what they are to the models' makers."""

    organization: str
    relationship: Relationship = "other"
    url: str = ""


@dataclass(frozen=True)
class Choices:
    """What goes into the records: the ids of models that have others, scores by group too, and
    whether texts of questions and replies."""

    ids: Mapping[str, str] = field(default_factory=dict)
    groups: bool = False
    texts: bool = True


@dataclass(frozen=True)
class Record:
    """One record: its files below a folder, and what they hold."""

    path: str
    aggregate: dict[str, Any]
    samples: Sequence[str]

    @property
    def samples_path(self) -> str:
        return f"{self.path}_samples.jsonl"

    def write(self, out: Path) -> Path:
        """Writes both files; where the aggregate lies."""
        if self.samples:
            write_text(out / self.samples_path, "".join(self.samples))
        path = out / f"{self.path}.json"
        write_text(path, escaped_json(json.dumps(self.aggregate, ensure_ascii=False, indent=1)))
        return path


def eval_records(
    sections: Sequence[Section],
    errors: Mapping[ScoreKey, float],
    publisher: Publisher,
    choices: Choices,
    retrieved: int,
) -> Iterator[Record]:
    """A record for each model of each section; people are no model and have none. `retrieved` is
    when, in seconds since 1970."""
    known = {model for section in sections for model in section.table["model"]}
    if unknown := [model for model in choices.ids if model not in known]:
        raise DeadpanError(
            f"--id {unknown[0]}: there are results of {', '.join(sorted(map(str, known)))}"
        )
    for section in sections:
        for model in section.table["model"].unique(maintain_order=True):
            if model != PEOPLE:
                made = _Maker(section, model, errors, publisher, choices, retrieved)
                yield made.record()


@dataclass(frozen=True)
class _Maker:
    """What one record is made of."""

    section: Section
    model: str
    errors: Mapping[ScoreKey, float]
    publisher: Publisher
    choices: Choices
    retrieved: int

    def record(self) -> Record:
        name, public = self.section.benchmark.name, self.public
        rows = self.section.table.filter(pl.col("model") == self.model)
        evaluation = f"{name}/{public.id}/{self.retrieved}"
        model = public.id.partition("/")[2] if public.developer != "unknown" else public.id
        parts = ("data", name, public.developer, model)
        path = "/".join([*map(_path_part, parts), self._name(rows)])
        samples, left_out = sample_rows(
            self.section, rows, evaluation, public.id, self.choices.texts
        )
        aggregate = {
            "schema_version": SCHEMA,
            "evaluation_id": evaluation,
            "retrieved_timestamp": str(self.retrieved),
            "source_metadata": self._source(),
            "eval_library": {"name": "deadpan", "version": self._version(rows)},
            "model_info": model_info(public),
            "evaluation_results": [self._result(score, rows) for score in self._scores()],
        }
        found = Record(path, aggregate, samples)
        if samples:
            aggregate["detailed_evaluation_results"] = _details(found, left_out, self.choices.texts)
        return found

    @property
    def public(self) -> PublicModel:
        return public_model(self.model, self.choices.ids.get(self.model, ""))

    def _name(self, rows: pl.DataFrame) -> str:
        """A UUID that is always the same for the same results."""
        signatures = sorted(rows["signature"].unique())
        whole = json.dumps([self.section.benchmark.name, self.model, self.public.id, signatures])
        return str(UUID(bytes=hashlib.sha256(whole.encode()).digest()[:16], version=4))

    def _version(self, rows: pl.DataFrame) -> str:
        versions = {parse_signature(text).deadpan for text in rows["signature"].unique()}
        return versions.pop() if len(versions) == 1 else __version__

    def _source(self) -> dict[str, Any]:
        given = {"source_organization_url": self.publisher.url} if self.publisher.url else {}
        return {
            "source_name": "Deadpan",
            "source_type": "evaluation_run",
            "source_organization_name": self.publisher.organization,
            "evaluator_relationship": self.publisher.relationship,
            **given,
        }

    def _scores(self) -> list[Score]:
        """The scores that are numbers; counts of the data's own items are none of the model's."""
        return [
            score
            for score in self.section.scores
            if score.model == self.model
            and score.value is not None
            and isfinite(score.value)
            and (self.choices.groups or score.group == ALL)
        ]

    def _result(self, score: Score, rows: pl.DataFrame) -> dict[str, Any]:
        signature = parse_signature(score.signature)
        where = "" if score.group == ALL else f" [{score.group}]"
        own = rows.filter(pl.col("task") == score.task)
        asked = signature if own.is_empty() else parse_signature(own["signature"][0])
        return {
            "evaluation_result_id": result_id(
                self.section.benchmark.name, score.task, score.metric, score.group
            ),
            "evaluation_name": f"{self.section.benchmark.name}/{score.task}{where}",
            "source_data": source_data(
                data_source(self.section.benchmark, signature.data), self.section, score
            ),
            "metric_config": self._metric(score, signature, asked),
            "score_details": {
                "score": score.value,
                "details": self._counts(score),
                **self._uncertainty(score, own),
            },
            **generation_config(self.section, asked),
        }

    def _counts(self, score: Score) -> dict[str, str]:
        known = {name: getattr(score, name) for name in _COUNTS}
        known |= items_of(score, parts_in(self.section.table))
        told = {name: str(value) for name, value in known.items() if value is not None}
        return told | {"signature": without_reasons(public_signature(score.signature))}

    def _metric(self, score: Score, signature: Signature, asked: Signature) -> dict[str, Any]:
        metric, benchmark = self.section.metric(score.metric), self.section.benchmark
        details = {"task": self.section.task_title(score.task), "group": score.group}
        if metric.source:
            details["defined_in"] = metric.source
        if metric.better == "neither":
            details["direction"] = "neither higher nor lower is better"
        found: dict[str, Any] = {
            "evaluation_description": f"{benchmark.title}: {self.section.task_title(score.task)}",
            "metric_id": f"{benchmark.name}.{metric.name}",
            "metric_name": metric.title,
            "metric_unit": _UNITS.get(metric.unit, metric.unit),
            "lower_is_better": metric.is_lower_better,
            **score_range(metric),
        }
        scored_by = parse_signature(without_reasons(public_signature(str(signature)))).settings
        own = {key: value for key, value in scored_by.items() if key not in asked.settings}
        if own:
            found["metric_parameters"] = own
        is_judged = self.section.is_judged(score.task, metric.name)
        judged = judge_of(self.section, signature) if is_judged else ""
        if judged.startswith(STAND_IN):
            details["graded_by"] = f"{judged}: it compares words, and is no model"
        elif judged:
            found["llm_scoring"] = self._llm_scoring(score.task, judged)
        return {**found, "additional_details": details}

    def _llm_scoring(self, task: str, judged: str) -> dict[str, Any]:
        """The judge of a task; which of its scores rest on the judge the schema does not ask."""
        name, _, wording = judged.partition("@")
        known = next((one.judge for one in self.section.benchmark.tasks if one.name == task), None)
        is_known = known is not None and (not wording or known.identity == wording)
        prompt = f"(by the wording {wording or 'of its own'})"
        if known is not None and is_known:
            prompt = "\n\n".join(
                f"{known.system[code]}\n\n{known.user[code]}" for code in known.user
            )
        judge: dict[str, Any] = {"model_info": model_info(public_model(name))}
        if known is not None and is_known:
            judge["temperature"] = known.temperature
        details = {"wording": wording} if wording else {}
        details["scope"] = "what no rule can grade of the task; its other scores are by rule"
        return {"judges": [judge], "input_prompt": prompt, "additional_details": details}

    def _uncertainty(self, score: Score, rows: pl.DataFrame) -> dict[str, Any]:
        found: dict[str, Any] = {}
        key = (score.model, score.task, score.metric, score.group)
        if key in self.errors:
            found["standard_error"] = {"value": self.errors[key], "method": "jackknife over items"}
        if score.low is not None and score.high is not None:
            ends: dict[str, Any] = {"lower": score.low, "upper": score.high}
            found["confidence_interval"] = ends | {
                "confidence_level": LEVEL,
                "method": _METHODS.get(score.interval, f"{score.interval} over items".strip()),
            }
            if score.interval == BOOTSTRAP:
                found["num_bootstrap_samples"] = RESAMPLES
        if found:
            found["num_samples"] = score.n
        column = f"{OWN_SCORE}{score.metric}"
        if score.group == ALL and column in rows.columns:
            values = rows[column].drop_nulls()
            deviation = values.std() if len(values) == score.n and score.n > 1 else None
            if isinstance(deviation, float):
                found["standard_deviation"] = deviation
        return {"uncertainty": found} if found else {}


def _path_part(text: str) -> str:
    """The text as one part of a path."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-")[:100]
    return plain or checksum(text)


def _details(record: Record, left_out: int, texts: bool) -> dict[str, Any]:
    whole = "".join(record.samples).encode()
    told = {"left_out": f"{left_out} answers without a score of their own"} if left_out else {}
    told |= {} if texts else {"texts": "questions, references and replies are left out"}
    found = {
        "format": "jsonl",
        "file_path": record.samples_path,
        "hash_algorithm": "sha256",
        "checksum": hashlib.sha256(whole).hexdigest(),
        "total_rows": len(record.samples),
    }
    return {**found, "additional_details": told} if told else found
