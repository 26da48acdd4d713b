"""What judges said of an answer, as the sample browser shows it."""

from __future__ import annotations

import json
import re
from statistics import fmean
from typing import Any

from pydantic import JsonValue

from deadpan.base.printable import visible
from deadpan.reports.text import one_line, readable

_JUDGEMENTS = 8
"""Judgements of one answer that are shown."""


def judgements_of(text: str | None) -> list[dict[str, Any]]:
    """The judgements of a table's cell; what has not their form is left out."""
    try:
        found = json.loads(text or "null")
    except (ValueError, RecursionError):
        return []
    listed = found if isinstance(found, list) else []
    return [one for one in listed if isinstance(one, dict) and isinstance(one.get("parts"), dict)]


def shown_judgements(judgements: list[dict[str, Any]]) -> list[dict[str, str | list[str]]]:
    """Each judgement's summary, its other parts, its reason and its flags, as text."""
    shown: list[dict[str, str | list[str]]] = []
    for judgement in judgements[:_JUDGEMENTS]:
        parts, flags = judgement["parts"], judgement.get("flags")
        others = [
            f"{_words(name)} {_fields(value)}"
            for name, value in parts.items()
            if name not in ("total", "verdict", "reason")
        ]
        rationales = [
            f"{_words(name).capitalize()}: {readable(value['rationale'])}"
            for name, value in parts.items()
            if isinstance(value, dict) and value.get("rationale")
        ]
        reason = "\n".join([readable(parts.get("reason", "")), *rationales]).strip()
        listed = flags if isinstance(flags, list) else []
        shown.append(
            {
                "summary": judged_verdict([judgement]),
                "parts": [shorten(one_line(part), 120) for part in others],
                "reason": shorten(visible(reason), 1200),
                "flags": [shorten(one_line(readable(flag)), 240) for flag in listed],
            }
        )
    return shown


def judged_verdict(judgements: list[dict[str, Any]]) -> str:
    """The judge's own verdict and total in a few words; several totals as their mean."""
    parts = [judgement["parts"] for judgement in judgements]
    verdicts = dict.fromkeys(
        shorten(one_line(readable(p["verdict"])), 40) for p in parts if "verdict" in p
    )
    totals = [float(t) for p in parts if isinstance(t := p.get("total"), int | float)]
    mean = ""
    if totals:
        value = f"{fmean(totals):.3g}".replace("-", "−")
        mean = f"{'mean ' if len(totals) > 1 else ''}total {value}"
    return " · ".join(text for text in (" / ".join(list(verdicts)[:3]), mean) if text) or "judged"


def _words(name: str) -> str:
    """A field's name as words, without the range at its end."""
    return re.sub(r"_1_\d$", "", one_line(name)).replace("_", " ")


def _fields(value: JsonValue) -> str:
    """A part's value; of a block its fields but the rationale, which stands below."""
    if not isinstance(value, dict):
        return readable(value)
    known = {name: one for name, one in value.items() if name != "rationale" and one is not None}
    if len(known) == 1:
        return readable(*known.values())
    return ", ".join(f"{_words(name)} {readable(one)}" for name, one in known.items())


def shorten(text: str, most: int, more: str = "") -> str:
    """The text, cut where it is longer, and what is said behind it then."""
    return text if len(text) <= most else f"{text[:most]}…{more}"
