"""What an audit of judges found, for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from deadpan.cli.audit_judge_printing import LABELS
from deadpan.metrics.statistics.opinions import Estimated
from deadpan.pipeline.correcting import CorrectedScore
from deadpan.pipeline.judge_audit import JudgeAudit, ScaleAudit
from deadpan.pipeline.judge_positions import PositionLean


def document(
    found: JudgeAudit, width: float | None, positions: Sequence[PositionLean] | None
) -> dict[str, Any]:
    """All that was found, for programs."""
    return {
        "benchmark": found.benchmark,
        "scales": [_scale(one) for one in found.scales],
        "panels": [
            {
                "task": one.task,
                "scale": one.scale.name,
                "answers": one.answers,
                "alpha": asdict(one.alpha),
                "pairs": [
                    {"judges": list(pair), **_values(measured)}
                    for pair, measured in one.pairs.items()
                ],
                "disputed": [asdict(answer) for answer in one.disputed],
            }
            for one in found.panels
        ],
        "positions": [asdict(one) for one in positions or ()],
        "corrected": [_corrected(one, width) for one in found.corrected],
        "notes": found.notes,
    }


def _values(measured: Mapping[str, Estimated]) -> dict[str, Any]:
    return {name: asdict(one) for name, one in measured.items()}


def _scale(one: ScaleAudit) -> dict[str, Any]:
    made: dict[str, Any] = {"task": one.task, "scale": one.scale.name, "judge": one.judge}
    agreed = one.agreement
    if agreed is not None:
        made |= {
            "answers": agreed.answers,
            "items": agreed.items,
            "rated_by_several": agreed.repeated,
            "judge_with_people": _values(agreed.judge),
            "people_with_each_other": _values(agreed.people),
            "gap": asdict(agreed.gap),
            "verdict": agreed.verdict(one.judge),
        }
    if one.leanings is not None:
        made["leanings"] = [
            {**asdict(lean), "is_sure": lean.is_sure} for lean in one.leanings.leans
        ]
        made["by_length"] = [
            {"length": about, **asdict(estimated)} for about, estimated in one.leanings.quarters
        ]
        made["not_looked_at"] = list(one.leanings.notes)
    made["retest"] = (
        None if one.retest is None else asdict(one.retest) | {"share": one.retest.share}
    )
    return made


def _corrected(one: CorrectedScore, width: float | None) -> dict[str, Any]:
    most = one.plan.most
    counts = sorted({*(n for n in LABELS if n <= most), most})
    return {
        "task": one.task,
        "metric": one.metric.name,
        "model": one.model,
        "judge": one.judge,
        "judge_alone": {name: getattr(one.alone, name) for name in ("value", "low", "high")},
        "people_alone": asdict(one.people),
        "corrected": asdict(one.corrected),
        "judge_minus_people": asdict(one.bias) | {"adjusted": one.adjusted},
        "is_off": one.is_off,
        "rated": one.labels,
        "graded": one.graded,
        "worth": one.worth,
        "widths": {str(n): one.plan.width(n) for n in counts},
        "wished_width": width,
        "needed": one.plan.labels_for(width) if width else None,
        "answers_needed": one.plan.answers_for(width) if width else None,
        "by_ppi_python": None if one.library is None else asdict(one.library),
        "signature": one.alone.signature,
    }
