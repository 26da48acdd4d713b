"""What a judge said of an answer, as the sample browser shows it."""

from __future__ import annotations

import json
import re
from statistics import fmean

from pydantic import JsonValue

from deadpan.base.printable import visible
from deadpan.reports.text import one_line, readable

MOST = 8
"""Judgements of one answer that are shown."""
LONGEST = 1200
_APART = ("total", "verdict", "reason")
_RATIONALE = "rationale"

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
        f"{_words(name)} {_fields(value)}" for name, value in parts.items() if name not in _APART
    ]
    rationales = [
        f"{_words(name).capitalize()}: {readable(value[_RATIONALE])}"
        for name, value in parts.items()
        if isinstance(value, dict) and value.get(_RATIONALE)
    ]
    reason = "\n".join([readable(parts.get("reason", "")), *rationales]).strip()
    return {
        "summary": judged_verdict([judgement]),
        "parts": [_cut(one_line(part), 120) for part in others],
        "reason": _cut(visible(reason), LONGEST),
        "flags": [_cut(one_line(readable(flag)), 240) for flag in listed],
    }


def _words(name: str) -> str:
    """A field's name as words, without the range at its end."""
    return re.sub(r"_1_\d$", "", one_line(name)).replace("_", " ")


def _fields(value: JsonValue) -> str:
    """A part's value; of a block its fields but the rationale, which stands below."""
    if not isinstance(value, dict):
        return readable(value)
    told = {name: one for name, one in value.items() if name != _RATIONALE and one is not None}
    if len(told) == 1:
        return readable(*told.values())
    return ", ".join(f"{_words(name)} {readable(one)}" for name, one in told.items())


def _signed(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
