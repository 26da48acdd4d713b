"""Replies to CFMS's questions → what they say: nothing is guessed, a missing part is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, JsonValue

from deadpan.benchmarks.cfms.targets import is_nothing, target_named
from deadpan.core.questions import Language
from deadpan.parsing.labelled import AnswerForm, Parts
from deadpan.parsing.replies import Parse, Unparseable
from deadpan.parsing.stances import METAPHOR, SARCASM, Stance, plain_answers

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


def _asked_in_chinese(*words: str) -> Iterator[str]:
    """The labels of a yes or no about a thing of that name: 讽刺, 是否讽刺, 有无讽刺意味 …"""
    verbs = (
        "",
        "有",
        "含",
        "含有",
        "包含",
        "存在",
        "为",
        "是",
        "属于",
        "使用",
        "使用了",
        "运用",
        "运用了",
    )
    for word in words:
        yield from (word, f"{word}判断", f"{word}识别", f"{word}检测", f"{word}与否")
        for ask, verb in product(("是否", "有无", "有没有"), (*verbs, "带有", "具有", "构成")):
            yield from (f"{ask}{verb}{word}", f"{ask}{verb}{word}意味")


_NAMES: Mapping[str, tuple[str, ...]] = {
    "sarcastic": (
        *("sarcastic", "sarcasm", "is sarcastic", "is it sarcastic", "is it sarcastic?"),
        *("is this post sarcastic", "sarcastic or not", "contains sarcasm", "has sarcasm"),
        *("is sarcasm", "sarcasm present", "sarcasm identification", "sarcasm detection"),
        *("sarcasm detected", "sarcasm label", *_asked_in_chinese("讽刺", "反讽")),
    ),
    "metaphor": (
        *("metaphor", "metaphors", "metaphorical", "is metaphor", "is metaphorical"),
        *("uses metaphor", "uses a metaphor", "contains metaphor", "contains a metaphor"),
        *("has metaphor", "metaphor present", "metaphor used", "metaphor detection"),
        *("metaphor detected", "metaphor label", *_asked_in_chinese("隐喻", "比喻")),
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
_VERDICT = (
    *(
        "label",
        "classification",
        "judgement",
        "judgment",
        "verdict",
        "判断",
        "判断结果",
        "我的判断",
    ),
    *("分类", "结果"),
)
"""Labels of a yes or no, whichever a task asks for."""
_THE_ANSWER = ("answer", "my answer", "conclusion", "答案", "我的答案", "回答", "结论")
"""Labels of the part that a task is about, whichever that is."""
_FINAL = (
    *("final answer", "my final answer", "final verdict", "final judgement", "final judgment"),
    *("final conclusion", "最终答案", "最终回答", "最终判断", "最终结论", "最后答案"),
)
_LONGEST_TARGET = 300


def _form(about: str, *asked: str) -> AnswerForm:
    is_label = about in ("sarcastic", "metaphor")
    verdict = {"sarcastic": (*_NAMES["sarcastic"], *_VERDICT)}
    return AnswerForm(
        names=_NAMES if is_label else {**_NAMES, **verdict},
        asked=(*(label for labels in LABELS.values() for label in labels), *asked),
        main="explanation",
        one_line=frozenset({"sarcastic", "metaphor", "target"}),
        about=about,
        general=(*_THE_ANSWER, *(_VERDICT if is_label else ())),
        final=_FINAL,
        once=frozenset({"sarcastic", "metaphor", "target"}),
    )


_FORMS: Mapping[str, AnswerForm] = MappingProxyType(
    {
        "sarcastic": _form("sarcastic"),
        "metaphor": _form("metaphor", "Metaphor", "隐喻"),
        "target": _form("target"),
        "explanation": _form("explanation", "解释"),
    }
)


def joint(text: str) -> JsonValue:
    """All three parts; None for one that is not there, or for a label that does not say clearly. An
    answer without any part is none."""
    read = _FORMS["sarcastic"].parts(text)
    named, explained = read.part("target"), _given(read.part("explanation"))
    found: dict[str, JsonValue] = {
        "sarcastic": None,
        "target": target_named(named) if named else None,
        "explanation": explained,
    }
    try:
        found["sarcastic"] = _says(read, SARCASM, "sarcastic", text)
    except Unparseable:
        if found["target"] is None and explained is None:
            raise
    return found


def choice(text: str, stance: Stance, name: str) -> JsonValue:
    """What the answer says to a yes-or-no question; both, or neither, is no answer."""
    read = _FORMS[name].parts(text)
    if name not in read.said and (reasons := read.part("explanation")):
        return {name: stance.says(_together(read.before, reasons))}
    return {name: _says(read, stance, name, text)}


def _says(read: Parts, stance: Stance, name: str, text: str) -> bool:
    """What the labels of a stance and the text below them say together, or where there are none the
    unlabelled text. A plain answer before the labels counts too."""
    labelled = read.said.get(name)
    if not labelled:
        # "Sarcastic" alone looks like a label with nothing under it.
        unlabelled = _together(read.before, read.bare)
        return stance.says(unlabelled or ("" if read.found else text))
    says = stance.says(_together(*labelled, read.bare))
    opening = (read.before or "").split("\n")[0]
    if (not says) in plain_answers(opening):
        raise Unparseable("it says both yes and no")
    return says


def target(text: str) -> JsonValue:
    """The target named: the labelled part, else the line before all labels or the only line of the
    answer, without the words of a sentence that says "the target is"."""
    read = _FORMS["target"].parts(text)
    said = read.part("target") or read.before or (None if read.found else read.bare)
    named = target_named(said) if said else None
    if named is None:
        raise Unparseable("the answer names no target")
    if "\n" in named or len(named) > _LONGEST_TARGET:
        raise Unparseable("expected the target in a short phrase; it is a text")
    return {"target": named.rstrip(" .。;；,，")}


def explanation(text: str) -> JsonValue:
    """The explanation: the part under a label that was asked for, else all text that belongs to no
    other part; a line that only leads up to it ("Here it is:") is left out."""
    read = _FORMS["explanation"].parts(text)
    leads_up = "explanation" in read.asked or (read.before or "").endswith((":", "："))
    before = None if leads_up else read.before
    said = _given(_together(before, read.part("explanation"), read.bare))
    if said is None:
        raise Unparseable("the answer holds no explanation")
    return {"explanation": said}


def _together(*texts: str | None) -> str:
    return "\n".join(text for text in texts if text)


def _given(said: str | None) -> str | None:
    """A part's text; None for words that say there is none."""
    return None if not said or is_nothing(said) else said


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
