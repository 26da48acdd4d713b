"""A shortcut audit for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from deadpan.pipeline.robustness import Spread
from deadpan.pipeline.shortcuts import TaskAudit


def shortcuts_document(audits: Sequence[TaskAudit], spreads: Sequence[Spread]) -> dict[str, Any]:
    """Everything that was found, for programs."""
    return {
        "shortcuts": [row for one in audits for row in _rows(one)],
        "verdicts": [{**_about(one), **_told(one)} for one in audits],
        "variance": [
            {
                "benchmark": one.benchmark,
                "task": one.task,
                "model": one.model,
                "metric": one.metric.name,
                "n": one.components.n,
                "mean": one.components.mean,
                "standard_error": one.components.standard_error,
                "standard_error_items_alone": one.items_alone,
                "sources": [asdict(source) for source in one.sources],
                "components": [asdict(part) for part in one.components.parts],
            }
            for one in spreads
        ],
    }


def _about(one: TaskAudit) -> dict[str, Any]:
    return {
        "benchmark": one.benchmark,
        "task": one.task,
        "model": one.model,
        "metric": one.metric.name,
        "better": one.metric.better,
        "full": one.full.value,
        "low": one.full.low,
        "high": one.full.high,
        "n": one.full.n,
        "chance": one.chance.value if one.chance else None,
        "chance_by": one.chance.by if one.chance else None,
        "signature": one.full.signature,
    }


def _told(one: TaskAudit) -> dict[str, Any]:
    words = {"verdict": one.verdict, "arrangement": one.arrangement}
    share = {"needs_looking": one.needs_looking, "needs_looking_at_most": one.looks_at_most}
    return share | words


def _rows(one: TaskAudit) -> list[dict[str, Any]]:
    return [
        {
            **_about(one),
            "variant": shortcut.variant.value,
            "asked": shortcut.way,
            "lacks": shortcut.variant.lacks,
            "score": shortcut.difference.second,
            "full_on_shared": shortcut.difference.first,
            "difference": shortcut.difference.value,
            "difference_low": shortcut.difference.low,
            "difference_high": shortcut.difference.high,
            "p": shortcut.difference.p,
            "adjusted_p": shortcut.adjusted,
            "items": shortcut.difference.items,
            "share": shortcut.share,
            "share_low": shortcut.share_low,
            "share_high": shortcut.share_high,
        }
        for shortcut in one.shortcuts
    ]
