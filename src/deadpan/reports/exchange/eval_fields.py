"""Parts of an Every Eval Ever record: models, data, judges, and how answers were asked for."""

from __future__ import annotations

from math import isfinite
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.core.metric import Metric
from deadpan.core.parts import items_of, parts_in
from deadpan.core.score import Score
from deadpan.core.signature import EXTERNAL, Signature, parse_signature
from deadpan.reports.exchange.public import DataSource, PublicModel, public_signature
from deadpan.reports.section import Section

_ARGUMENTS = {"temperature": float, "top_p": float, "max_tokens": int}


def model_info(model: PublicModel) -> dict[str, Any]:
    found: dict[str, Any] = {"name": model.name, "id": model.id}
    if model.developer != "unknown":
        found["developer"] = model.developer
    if model.platform:
        found["inference_platform"] = model.platform
    if model.engine:
        found["inference_engine"] = {"name": model.engine}
    details = {"deployment_type": model.deployment, "model_availability": "unknown"}
    return {**found, "additional_details": details}


def score_range(metric: Metric) -> dict[str, Any]:
    if metric.range is None:
        return {}
    names = zip(("min_score", "max_score"), metric.range, strict=True)
    ends = {
        name: value if isfinite(value) else "-Infinity" if value < 0 else "Infinity"
        for name, value in names
    }
    return {"score_type": "continuous", **ends}


def source_data(source: DataSource, section: Section, score: Score) -> dict[str, Any]:
    items = items_of(score, parts_in(section.table))
    details = {"kind": source.kind, "checksum": source.checksum, "licence": source.licence}
    details["citation"] = section.benchmark.citation
    named = {"dataset_name": source.name, "additional_details": details}
    if source.hub:
        known = {"samples_number": items["of_items"] or items["items"]}
        told = {name: value for name, value in known.items() if value is not None}
        return {**named, "source_type": "hf_dataset", "hf_repo": source.hub, **told}
    if source.url:
        return {**named, "source_type": "url", "url": [source.url]}
    return {**named, "source_type": "other"}


def judge_of(section: Section, signature: Signature) -> str:
    """The judge of a signature as MODEL@WORDING, of answers that one judge graded."""
    if signature.judge in ("none", EXTERNAL):
        return ""
    judges = [part.rpartition("=")[2] for part in signature.judge.split(",")]
    return next((one for one in judges if one != "none"), "")


def generation_config(section: Section, signature: Signature) -> dict[str, Any]:
    """How answers were asked for, of those that were."""
    if signature.prompts == EXTERNAL:
        return {}
    arguments: dict[str, Any] = {}
    details: dict[str, str] = {"prompts_checksum": signature.prompts}
    for name, text in parse_signature(public_signature(str(signature))).settings.items():
        if name in _ARGUMENTS:
            try:
                arguments[name] = _ARGUMENTS[name](text)
                continue
            except ValueError:
                pass  # a score over tasks that were asked otherwise
        details[name] = text
    if signature.settings.get("reasoning_effort") not in (None, "none"):
        arguments["reasoning"] = True
    template = _template(section, signature)
    if template:
        arguments["prompt_template"] = template
    return {"generation_config": {"generation_args": arguments, "additional_details": details}}


def _template(section: Section, signature: Signature) -> str:
    """A task's own prompts, where these are what was asked."""
    try:
        prompts = section.benchmark.prompts(signature.task)
    except (DeadpanError, OSError):
        return ""
    if prompts.checksum != signature.prompts:
        return ""
    return "\n\n".join(f"{prompts.system[code]}\n\n{prompts.user[code]}" for code in prompts.user)
