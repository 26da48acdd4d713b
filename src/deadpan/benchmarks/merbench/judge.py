"""MER-Bench's judge of an edited meme beside its source, in four prompt variants (section V)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, JsonValue, create_model

from deadpan.core.judge import Brief, BrokenReply, Judge, Judged, Judgement
from deadpan.core.questions import Language, Prompts
from deadpan.media.ocr import read_text
from deadpan.metrics.lexical import coverage

Label = Literal["angry", "sad", "tense", "bored", "calm", "happy", "excited", "relaxed", "other"]
OTHER = "other"
HIGHEST_OFF_TARGET = 2
"""The most that an emotion accuracy may be where the edited meme misses the target."""

NO_RATIONALE_OF_ITS_OWN = "a block has no rationale of its own"

_Rating = Annotated[int, Field(ge=1, le=5)]
_ASSESSMENT = {"generation_quality_1_5": (_Rating, ...), "emotion_accuracy_1_5": (_Rating, ...)}
BLOCKS: Mapping[str, Mapping[str, tuple[Any, Any]]] = {
    "visual_assessment": _ASSESSMENT,
    "text_assessment": _ASSESSMENT,
    "layout_consistency": {"consistent": (bool, ...)},
    "overall_emotion_classification": {
        "label": (Label, ...),
        "other_emotion": (str | None, None),
    },
    "perceived_emotion_shift": {"magnitude_1_5": (_Rating, ...)},
    "overall_generation_quality": {"overall_generation_quality_1_5": (_Rating, ...)},
}
_PROMPTS = Prompts.read(Path(__file__).parent / "judge_prompts", "reappraisal", ("en", "zh"))
_PLACES: Mapping[Language, tuple[str, str]] = {"en": ("above", "below"), "zh": ("上面", "下面")}
_ORDERS: Mapping[Language, tuple[str, str]] = {
    "en": (
        "In each block write the rationale first, then decide.",
        "In each block decide first, then write the rationale.",
    ),
    "zh": ("每个部分先写理由，再给出判断。", "每个部分先给出判断，再写理由。"),
}


def _in_order(rationale: Any, fields: Mapping[str, Any], rationale_first: bool) -> dict[str, Any]:
    """A block with its rationale before or after its other fields."""
    named = {"rationale": rationale}
    return {**named, **fields} if rationale_first else {**fields, **named}


def _form(rationale_first: bool) -> type[Judged]:
    """The reply's form: a block for each dimension."""
    blocks: dict[str, Any] = {}
    for name, fields in BLOCKS.items():
        ordered = _in_order((str, ...), fields, rationale_first)
        blocks[name] = create_model(name.title().replace("_", ""), __base__=Judged, **ordered), ...
    form: type[Judged] = create_model("Reappraisal", __base__=Judged, **blocks)
    return form


def _reply(
    quality: int, accuracy: int, label: str, other: str | None, rationale: str, first: bool = True
) -> dict[str, Any]:
    """A reply that says the same in all blocks."""
    values = {
        "generation_quality_1_5": quality,
        "emotion_accuracy_1_5": accuracy,
        "consistent": True,
        "label": label,
        "other_emotion": other,
        "magnitude_1_5": 3,
        "overall_generation_quality_1_5": quality,
    }
    return {
        name: _in_order(rationale.format(name), {field: values[field] for field in fields}, first)
        for name, fields in BLOCKS.items()
    }


def _user(rationale_first: bool, pictures_first: bool) -> dict[Language, str]:
    """The user prompt of a variant in both languages, with an example whose keys are in the order
    asked for."""
    example = _reply(4, 2, "calm", None, "…", rationale_first)
    return {
        language: text.replace("{place}", _PLACES[language][0 if pictures_first else 1])
        .replace("{order}", _ORDERS[language][0 if rationale_first else 1])
        .replace("{example}", json.dumps(example, ensure_ascii=False, indent=1))
        for language, text in _PROMPTS.user.items()
    }


class MerBenchJudge(Judge):
    """Rates an edited meme in six blocks; the variants differ in order alone. The gate on emotion
    accuracy needs the target, which no reply tells: scoring checks it."""

    version = 1
    system: ClassVar = _PROMPTS.system
    max_tokens = 4096

    def check(self, reply: Judged) -> Judgement:
        """The blocks as given; `other_emotion` must be there with `other`, and only then. A
        rationale that is empty, or another block's, is flagged."""
        parts: dict[str, dict[str, JsonValue]] = reply.model_dump()
        emotion = parts["overall_emotion_classification"]
        named = str(emotion["other_emotion"] or "").strip()
        if emotion["label"] == OTHER and not named:
            raise BrokenReply(f'label is "{OTHER}" and other_emotion does not name the emotion')
        if emotion["label"] != OTHER and emotion["other_emotion"] is not None:
            raise BrokenReply(f'other_emotion must be null where label is not "{OTHER}"')
        rationales = {str(block["rationale"]).strip() for block in parts.values()} - {""}
        flags = () if len(rationales) == len(BLOCKS) else (NO_RATIONALE_OF_ITS_OWN,)
        return Judgement(parts={name: dict(block) for name, block in parts.items()}, flags=flags)

    def stand_in(self, brief: Brief) -> str:
        """The caption's ratings from the words that OCR reads in the edited meme and that are the
        reference's; all else at the middle, the layout taken as kept. It sees nothing else: what
        it gives compares with no judgement."""
        read = " ".join(box.text for box in read_text(Path(brief.pictures[-1].path)))
        shared = coverage(brief.fields["reference_caption"], read) if read.strip() else 0.0
        quality = 1 + round(4 * shared)
        rationale = "{}: the stand-in reads words only"
        if hit := shared >= 0.5:
            reply = _reply(3, 3, brief.fields["target_emotion"], None, rationale)
        else:
            reply = _reply(3, HIGHEST_OFF_TARGET, OTHER, "not seen", rationale)
        reply["text_assessment"] |= {
            "rationale": "words shared with the reference caption",
            "generation_quality_1_5": quality,
            "emotion_accuracy_1_5": quality if hit else min(quality, HIGHEST_OFF_TARGET),
        }
        return json.dumps(reply, ensure_ascii=False)


def _variant(short_name: str) -> MerBenchJudge:
    """The judge of a variant such as rf_vf: rationale first or last, pictures first or last."""
    first, shown_first = short_name.startswith("rf"), short_name.endswith("vf")

    class Variant(MerBenchJudge):
        name = f"merbench_{short_name}"
        reply = _form(first)
        user: ClassVar = _user(first, shown_first)
        pictures_first = shown_first

    return Variant()


RF_VF, RF_VL, RL_VF, RL_VL = map(_variant, ("rf_vf", "rf_vl", "rl_vf", "rl_vl"))
"""The first is the default."""
