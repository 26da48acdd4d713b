"""What a model would reply that knows how the memes of MER-Bench's mini-set become kind, and a
judge of edits who is mostly pleased."""

from __future__ import annotations

import base64
import json
import random
from functools import cache
from typing import Any, get_args

from deadpan.benchmarks.merbench import MERBENCH
from deadpan.benchmarks.merbench.records import Meme, Target
from deadpan.editing.reappraise.planning import picture_for_model

_SENT_BACK = ("A person looked at earlier replies", "经人审阅后被退回")


def reappraisal(
    form: dict[str, Any] | None, prompt: str, picture: str, draw: random.Random
) -> str | None:
    """What a meme shows, its plan, or what a judge says of an edit, as the form asks for; None
    where something else is asked."""
    asked = {*(form or {}).get("properties", {})}
    if "overall_emotion_classification" in asked:
        return json.dumps(_judged(prompt, draw))
    meme = _memes().get(picture) if "captions" in asked else None
    if meme is None:
        return None
    said = {
        "language": meme.language,
        "emotion": meme.det_emo,
        "visual_type": meme.visual_type,
        "sentiment_polarity": meme.sentiment_polarity,
        "layout_type": meme.layout_type,
        "description": meme.img_desc,
        "captions": meme.text.splitlines(),
    }
    if "target" in asked:
        new = meme.new_caption.splitlines()
        if any(words in prompt for words in _SENT_BACK):
            new[-1] = new[-1].replace("HUMAN", "SERVANT")
        said = {"target": meme.tgt_emo, "captions": new, "specification": meme.spec}
    return json.dumps(said, ensure_ascii=False)


def _judged(prompt: str, draw: random.Random) -> dict[str, Any]:
    target = min(get_args(Target), key=lambda one: (prompt.find(one) % len(prompt), one))

    def block(about: str, **fields: object) -> dict[str, Any]:
        return {"rationale": f"{about}: as far as the two pictures show.", **fields}

    def rated(about: str) -> dict[str, Any]:
        quality, accuracy = draw.randint(3, 5), draw.randint(3, 5)
        return block(about, generation_quality_1_5=quality, emotion_accuracy_1_5=accuracy)

    return {
        "visual_assessment": rated("The picture"),
        "text_assessment": rated("The words"),
        "layout_consistency": block("The layout", consistent=True),
        "overall_emotion_classification": block("The whole", label=target, other_emotion=None),
        "perceived_emotion_shift": block("The shift", magnitude_1_5=draw.randint(3, 5)),
        "overall_generation_quality": block(
            "The making", overall_generation_quality_1_5=draw.randint(3, 5)
        ),
    }


@cache
def _memes() -> dict[str, Meme]:
    """The mini-set's memes by the address that holds their picture in a request."""
    folder = MERBENCH.folder / "data"
    rows = json.loads((folder / "index_final.json").read_text("utf-8"))
    found = {}
    for meme in map(Meme.model_validate, rows):
        shown = picture_for_model(folder / "Original" / meme.id)
        found[f"data:{shown.mime};base64,{base64.b64encode(shown.data).decode()}"] = meme
    return found
