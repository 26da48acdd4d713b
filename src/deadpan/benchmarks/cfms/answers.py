"""Replies to CFMS's questions → what they say: nothing is guessed, a missing part is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, JsonValue

from deadpan.benchmarks.cfms.stances import METAPHOR, SARCASM, Stance
from deadpan.labelled import AnswerForm, without_thoughts
from deadpan.metrics.folding import folded
from deadpan.questions import Language
from deadpan.replies import Parse, Unparseable

Part = Literal["sarcastic", "target", "explanation"]
PARTS: tuple[Part, ...] = get_args(Part)
LABELS: Mapping[Language, tuple[str, str, str]] = MappingProxyType(
    {"en": ("Sarcastic", "Target", "Explanation"), "zh": ("是否讽刺", "讽刺对象", "讽刺解释")}
)
"""The labels that the joint prompts ask for, in the order of the parts."""


class JointAnswer(BaseModel):
    """The joint answer's form, for providers that can be held to one."""

    model_config = ConfigDict(extra="forbid")

    sarcastic: bool
    target: str | None
    explanation: str | None


_NAMES: Mapping[Part, tuple[str, ...]] = {
    "sarcastic": (
        *("sarcastic", "sarcasm", "is sarcastic", "is it sarcastic", "is it sarcastic?"),
        *("sarcastic or not", "contains sarcasm", "sarcasm present", "sarcasm identification"),
        *("sarcasm detection", "sarcasm label", "label", "judgement", "judgment", "verdict"),
        *("metaphor", "metaphorical", "uses metaphor", "是否讽刺", "是否有讽刺", "是否含有讽刺"),
        *("是否包含讽刺", "是否存在讽刺", "是否为讽刺", "有无讽刺", "讽刺", "讽刺判断", "讽刺识别"),
        *("判断", "判断结果", "是否隐喻", "是否有隐喻", "是否含有隐喻", "是否使用隐喻", "隐喻"),
    ),
    "target": (
        *("target", "sarcasm target", "sarcastic target", "target of sarcasm", "the target"),
        *("target of the sarcasm", "sarcasm's target", "object", "object of sarcasm"),
        *("讽刺对象", "讽刺的对象", "讽刺目标", "讽刺的目标", "对象", "目标", "嘲讽对象"),
    ),
    "explanation": (
        *("explanation", "sarcasm explanation", "sarcastic explanation", "reason", "reasoning"),
        *("rationale", "analysis", "讽刺解释", "讽刺的解释", "讽刺原因", "解释", "原因", "理由"),
        *("分析", "说明", "讽刺说明"),
    ),
}
_THE_ANSWER = ("answer", "final answer", "conclusion", "答案", "最终答案", "回答", "结论")
"""Labels of the part that a task is about, whichever that is."""


def _form(about: Part) -> AnswerForm:
    names: dict[str, tuple[str, ...]] = {
        part: (*_NAMES[part], *(_THE_ANSWER if part == about else ())) for part in PARTS
    }
    return AnswerForm(
        names=names,
        asked=tuple(label for labels in LABELS.values() for label in labels),
        main="explanation",
        one_line=frozenset({"sarcastic", "target"}),
    )


_FORMS: Mapping[Part, AnswerForm] = MappingProxyType({part: _form(part) for part in PARTS})
_NOTHING = re.compile(
    r"(?:none|null|nil|n/?a|nothing|no (?:target|explanation|sarcasm)|not applicable"
    r"|not sarcastic|-+|无|没有|暂无|空|不适用|不涉及|无对象|无解释|无讽刺对象|无讽刺解释|没有讽刺"
    r"|无讽刺|不讽刺|非讽刺|不含讽刺|没有讽刺对象)"
)
_LONGEST_TARGET = 300
_IS_THE_TARGET = re.compile(
    r"(?:(?:the|its|this post's|the post's)\s+)?(?:(?:sarcas\w+|main|intended)\s+)?"
    r"(?:target|object|butt|answer)(?:\s+of\s+(?:(?:the|this|its)\s+)?(?:sarcasm|post|joke))?"
    r"\s+(?:is|are|was|seems to be|appears to be)\s*:?\s+"
    r"|(?:这|该|此)?(?:篇|条|组)?(?:帖子|图文|图文对|内容)?的?(?:讽刺|嘲讽|反讽)?的?(?:对象|目标)[是为]:?\s*"
    r"|答案是:?\s*",
    re.I,
)
"""A sentence's words before the target that it names."""
_UNTOLD = re.compile(r"(?:not\b|unclear|unknown|no one|nobody|不|未|没)", re.I)


def joint(text: str) -> JsonValue:
    """All three parts; None for one that is not there. An answer without any part is none.

    Text without labels may still say clearly whether the pair is sarcastic.
    """
    read = _FORMS["sarcastic"].parts(text)
    if not read.found:
        says = SARCASM.says(without_thoughts(text))
        return {"sarcastic": says, "target": None, "explanation": None}
    said = read.part("sarcastic")
    return {
        "sarcastic": None if said is None else SARCASM.says(said),
        "target": _target_of(_given(read.part("target"))),
        "explanation": _given(read.part("explanation")),
    }


def choice(text: str, stance: Stance, name: str) -> JsonValue:
    """What the answer says to a yes-or-no question; both, or neither, is no answer."""
    said = _FORMS["sarcastic"].parts(text).part("sarcastic")
    return {name: stance.says(said or without_thoughts(text))}


def target(text: str) -> JsonValue:
    """The target named: the labelled part, else the only line of the answer, without the words of
    a sentence that says "the target is"."""
    named = _target_of(_required(text, "target", one_line=True))
    if named is None:
        raise Unparseable("the answer names no target")
    return {"target": named}


def explanation(text: str) -> JsonValue:
    """The explanation: the labelled part, else the whole text."""
    return {"explanation": _required(text, "explanation", one_line=False)}


def _required(text: str, part: Part, one_line: bool) -> str:
    """A part that the task is about; unlabelled text stands for it where nothing is labelled."""
    read = _FORMS[part].parts(text)
    said = _given(read.part(part))
    if said is None and not read.found:
        said = _given(read.bare)
    if said is None:
        raise Unparseable(f"the answer holds no {part}")
    if one_line and ("\n" in said or len(said) > _LONGEST_TARGET):
        raise Unparseable(f"expected the {part} in a short phrase; it is a text")
    return said.rstrip(" .。;；,，") if one_line else said


def _target_of(said: str | None) -> str | None:
    """The target in a phrase or in a sentence that names it; None where that says there is none."""
    opening = _IS_THE_TARGET.match(said) if said else None
    if said is None or opening is None:
        return said
    named = said[opening.end() :].strip(" \"“”‘’'「」.。")
    return None if not named or _UNTOLD.match(named) else _given(named)


def _given(said: str | None) -> str | None:
    """A part's text; None for words that say there is none."""
    if said is None or _NOTHING.fullmatch(folded(said).strip(" .。!！()（）").casefold()):
        return None
    return said


PARSERS: Mapping[str, Parse] = MappingProxyType(
    {
        "joint": joint,
        "identification": partial(choice, stance=SARCASM, name="sarcastic"),
        "target": target,
        "explanation": explanation,
        "metaphor": partial(choice, stance=METAPHOR, name="metaphor"),
        "metaphor_sarcasm": partial(choice, stance=SARCASM, name="sarcastic"),
    }
)
