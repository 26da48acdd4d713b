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

Parts = dict[str, JsonValue]


def judgements_of(text: str | None) -> list[Parts]:
    """The judgements of a table's cell; what has not their form is left out."""
    try:
        found = json.loads(text or "null")
    except (ValueError, RecursionError):
        return []
    listed = found if isinstance(found, list) else []
    return [one for one in listed if isinstance(one, dict) and isinstance(one.get("parts"), dict)]


def shown_judgements(judgements: list[Parts]) -> list[dict[str, str | list[str]]]:
    """Each judgement's summary, its other parts, its reason and its flags, as text."""
    return [_texts(judgement) for judgement in judgements[:MOST]]


def judged_verdict(judgements: list[Parts]) -> str:
    """The judge's own verdict and total in a few words; several totals as their mean."""
    parts = [_parts(judgement) for judgement in judgements]
    verdicts = dict.fromkeys(
        _cut(one_line(readable(p["verdict"])), 40) for p in parts if "verdict" in p
    )
    totals = [float(t) for p in parts if isinstance(t := p.get("total"), int | float)]
    mean = ""
    if totals:
        value = f"{fmean(totals):.3g}".replace("-", "−")
        mean = f"{'mean ' if len(totals) > 1 else ''}total {value}"
    return " · ".join(text for text in (" / ".join(list(verdicts)[:3]), mean) if text) or "judged"


def _parts(judgement: Parts) -> Parts:
    parts = judgement["parts"]
    return parts if isinstance(parts, dict) else {}


def _texts(judgement: Parts) -> dict[str, str | list[str]]:
    parts, flags = _parts(judgement), judgement.get("flags")
    others = [
        f"{_words(name)} {_fields(value)}" for name, value in parts.items() if name not in _APART
    ]
    rationales = [
        f"{_words(name).capitalize()}: {readable(value[_RATIONALE])}"
        for name, value in parts.items()
        if isinstance(value, dict) and value.get(_RATIONALE)
    ]
    reason = "\n".join([readable(parts.get("reason", "")), *rationales]).strip()
    listed = flags if isinstance(flags, list) else []
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
    known = {name: one for name, one in value.items() if name != _RATIONALE and one is not None}
    if len(known) == 1:
        return readable(*known.values())
    return ", ".join(f"{_words(name)} {readable(one)}" for name, one in known.items())


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
