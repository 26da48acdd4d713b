"""MER-Bench's judge of an edited meme beside its source, in four prompt variants (section V)."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, JsonValue, create_model

from deadpan.benchmarks.merbench.checks import check_edit
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
MAY_SEE = ("source-emotion", "caption", "specification")
"""What of a meme's record the judge can be told besides the target, which the paper's is not."""
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_FOLDER = Path(__file__).parent / "judge_prompts"
_PROMPTS = Prompts.read(_FOLDER, "reappraisal", _LANGUAGES)
_MORE = {name: Prompts.read(_FOLDER, name, _LANGUAGES).user for name in MAY_SEE}
_PLACES: Mapping[Language, tuple[str, str]] = {"en": ("above", "below"), "zh": ("上面", "下面")}
_ORDERS: Mapping[Language, tuple[str, str]] = {
    "en": (
        "In each block write the rationale first, then decide.",
        "In each block decide first, then write the rationale.",
    ),
    "zh": ("每个部分先写理由，再给出判断。", "每个部分先给出判断，再写理由。"),
}
_BLANKS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "rationale": "<text>",
        "consistent": "<true or false>",
        "label": "<one of the nine labels>",
        "other_emotion": "<null or text>",
        "": "<whole number from 1 to 5>",
    },
    "zh": {
        "rationale": "<文字>",
        "consistent": "<true 或 false>",
        "label": "<九个标签之一>",
        "other_emotion": "<null 或文字>",
        "": "<1 到 5 的整数>",
    },
}
"""What the form that is shown says in each field's place; ratings have no name of their own."""


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


def _blank_form(language: Language, rationale_first: bool) -> str:
    """The reply with its keys in order and what belongs there: no label and no number, which would
    pull replies towards it."""
    blanks, lines = _BLANKS[language], []
    for name, fields in BLOCKS.items():
        block = _in_order("rationale", {field: field for field in fields}, rationale_first)
        keys = [f'"{field}": {blanks.get(field, blanks[""])}' for field in block]
        lines.append(f' "{name}": {{{", ".join(keys)}}}')
    return "{\n" + ",\n".join(lines) + "\n}"


def _user(rationale_first: bool, pictures_first: bool, sees: Sequence[str]) -> dict[Language, str]:
    """The user prompt of a variant in both languages, with what else the judge sees."""
    return {
        language: text.replace("{place}", _PLACES[language][0 if pictures_first else 1])
        .replace("{order}", _ORDERS[language][0 if rationale_first else 1])
        .replace("{more}", "".join(f"\n{_MORE[name][language]}\n" for name in sees))
        .replace("{form}", _blank_form(language, rationale_first))
        for language, text in _PROMPTS.user.items()
    }


class MerBenchJudge(Judge):
    """Rates an edited meme in six blocks from both pictures and the target; the variants differ in
    order alone. The gate on emotion accuracy needs the target, which no reply tells: scoring checks
    it."""

    version = 2
    system: ClassVar = _PROMPTS.system
    max_tokens = 4096
    may_see = MAY_SEE

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
        reference's, the layout as the checks measure it; all else at the middle. It sees nothing
        else: what it gives compares with no judgement."""
        source, edited = (Path(picture.path) for picture in brief.pictures)
        read = " ".join(box.text for box in read_text(edited))
        wanted, replaced = brief.fields["reference_caption"], brief.fields["source_caption"]
        shared = coverage(wanted, read) if read.strip() else 0.0
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
        kept = check_edit(source, edited, wanted, read_text, replaced).layout_kept
        measured = "panels and caption regions, measured on both pictures"
        reply["layout_consistency"] = {"rationale": measured, "consistent": bool(kept)}
        return json.dumps(reply, ensure_ascii=False)


def _variant(short_name: str, more: Collection[str] = ()) -> MerBenchJudge:
    """The judge of a variant such as rf_vf, rationale first or last, pictures first or last, that
    sees more than the paper's."""
    first, shown_first = short_name.startswith("rf"), short_name.endswith("vf")

    class Variant(MerBenchJudge):
        name = f"merbench_{short_name}"
        reply = _form(first)
        pictures_first = shown_first
        sees = tuple(one for one in MAY_SEE if one in more)
        user: ClassVar = _user(first, shown_first, sees)

        def seeing(self, more: Collection[str]) -> MerBenchJudge:
            return _variant(short_name, more)

    return Variant()


RF_VF, RF_VL, RL_VF, RL_VL = map(_variant, ("rf_vf", "rf_vl", "rl_vf", "rl_vl"))
"""The first is the default."""
