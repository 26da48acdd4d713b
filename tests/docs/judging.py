"""Judges of open answers, and people who rate them, for pages of the documentation.

How good an answer is they all know, and judges are milder than people.
"""

from __future__ import annotations

import hashlib
import json
import random
import re

from pydantic import JsonValue

from deadpan.core.study.items import StudyItem
from deadpan.metrics.lexical import coverage

MILD = {"gpt-4.1": 0.3, "gpt-4.1-mini": 0.7}
"""How often a judge of that name gives more than an answer deserves."""
_SLOT = re.compile(r"<<<\n(.*?)\n>>>", re.S)


def verdict(model: str, prompt: str) -> str | None:
    """What a judge of CFMS's targets or PixelHumor's explanations says; None to anything else."""
    draw = _draw(model, prompt)
    mild = draw.random() < MILD.get(model, 0.5)
    slots = _SLOT.findall(prompt)
    if "same_meaning" in prompt and len(slots) == 3:
        found = mild or is_same(slots[1], slots[2])
        reason = "Both name the same." if found else "They name different things."
        return json.dumps({"same_meaning": found, "reason": reason})
    if '"rating"' in prompt and len(slots) == 1:
        exact = points(prompt.replace(f"<<<\n{slots[0]}\n>>>", ""), slots[0])
        rating = min(7, exact + (2 if mild else draw.choice([-1, 0, 0, 1])))
        return json.dumps({"reason": "It says so much of the joke.", "rating": rating})
    return None


def rated(question: str, item: StudyItem, draw: random.Random) -> JsonValue:
    """What somebody says of an answer on the judge's scale; None to any other question."""
    if question not in ("same_meaning", "same_meaning_joint", "relevance") or not item.outputs:
        return None
    known = {part.name: part.text or "" for part in item.parts}
    given = next(part.text or "" for part in item.outputs[0].parts)
    if question == "relevance" and "explanation" in known:
        exact = points(known["explanation"], given)
        return max(1, min(7, exact + draw.choice([-1, 0, 0, 0, 1])))
    if "target" not in known:
        return None
    return "yes" if is_same(known["target"], given) == (draw.random() < 0.92) else "no"


def is_same(target: str, given: str) -> bool:
    """Whether half of the words are the same, both ways."""
    return min(coverage(target, given), coverage(given, target)) >= 0.5


def points(wanted: str, given: str) -> int:
    """1 to 7: what an explanation deserves."""
    return _draw(given).randint(5, 7) if coverage(given, wanted) > 0.8 else 2


def _draw(*words: str) -> random.Random:
    return random.Random(hashlib.sha256(" ".join(words).encode()).digest())
