"""What a judge said of an answer, as the sample browser shows it."""

from __future__ import annotations

import json
from statistics import fmean

from pydantic import JsonValue

from deadpan.reports.text import one_line, readable
from deadpan.visible import visible

MOST = 8
"""Judgements of one answer that are shown."""
LONGEST = 1200
_APART = ("total", "verdict", "reason")

Shown = dict[str, str | list[str]]


def judgements_of(text: str | None) -> list[dict[str, JsonValue]]:
    """The judgements of a table's cell; what has not their form is left out."""
    try:
        found = json.loads(text or "null")
    except (ValueError, RecursionError):
        return []
    listed = found if isinstance(found, list) else []
    return [one for one in listed if isinstance(one, dict) and isinstance(one.get("parts"), dict)]


def shown_judgements(judgements: list[dict[str, JsonValue]]) -> list[Shown]:
    """Each judgement's summary, its other parts, its reason and its flags, as text."""
    return [_shown(judgement) for judgement in judgements[:MOST]]


def judged_verdict(judgements: list[dict[str, JsonValue]]) -> str:
    """The judge's own verdict and total in a few words; several totals as their mean."""
    parts = [_parts(judgement) for judgement in judgements]
    verdicts = dict.fromkeys(
        _cut(one_line(readable(p["verdict"])), 40) for p in parts if "verdict" in p
    )
    totals = [float(t) for p in parts if isinstance(t := p.get("total"), int | float)]
    mean = f"{'mean ' if len(totals) > 1 else ''}total {_signed(fmean(totals))}" if totals else ""
    return " · ".join(text for text in (" / ".join(list(verdicts)[:3]), mean) if text) or "judged"


def _parts(judgement: dict[str, JsonValue]) -> dict[str, JsonValue]:
    parts = judgement["parts"]
    return parts if isinstance(parts, dict) else {}


def _shown(judgement: dict[str, JsonValue]) -> Shown:
    parts, flags = _parts(judgement), judgement.get("flags")
    listed = flags if isinstance(flags, list) else []
    others = [
        f"{one_line(name).replace('_', ' ')} {readable(value)}"
        for name, value in parts.items()
        if name not in _APART
    ]
    return {
        "summary": judged_verdict([judgement]),
        "parts": [_cut(one_line(part), 120) for part in others],
        "reason": _cut(visible(readable(parts.get("reason", ""))), LONGEST),
        "flags": [_cut(one_line(readable(flag)), 240) for flag in listed],
    }


def _signed(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
