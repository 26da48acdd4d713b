"""The target that a phrase or a sentence names; None for words that name none."""

from __future__ import annotations

import re

from deadpan.parsing.replies import Unparseable
from deadpan.parsing.simplified import simplified
from deadpan.parsing.stances import SARCASM, folded

_THE_POST = (
    r"(?:(?:it|this|(?:the|this)\s+(?:post|picture|image|meme|caption|text|pair|author))\s+"
    r"|(?:这|该|此|本)?(?:一?[则篇条组张个])?(?:[帖贴][子文]?|图文对?|图片|内容|配文|作者|漫画)?(?:其实|实际上)?)"
)
_NAMES_IT = re.compile(
    r"(?:(?:the|its|this post's|the post's)\s+)?(?:(?:sarcas\w+|main|intended)\s+)?"
    r"(?:target|object|butt|answer)(?:\s+of\s+(?:(?:the|this|its)\s+)?(?:sarcasm|post|joke))?"
    r"\s+(?:is|are|was|seems to be|appears to be)\s*:?\s+"
    rf"|{_THE_POST}?(?:mocks|ridicules|satiri[sz]es|makes fun of|pokes fun at|is (?:mocking"
    r"|aimed at|directed at|making fun of))\s+"
    rf"|{_THE_POST}?(?:它|她|他)?的?(?:讽刺|嘲讽|反讽)?的?(?:对象|目标)(?:应该)?[是为][:：]?\s*"
    rf"|{_THE_POST}?(?:它|她|他)?(?:所|要|想)?(?:讽刺|嘲讽|反讽)(?:的是|了)(?![,，])[:：]?\s*"
    r"|答案是[:：]?\s*",
    re.I,
)
"""A sentence's words before the target that it names."""
_NONE = (
    r"(?:none|null|nil|n/?a|nothing|nobody|no one(?: in particular)?|not applicable"
    r"|not sarcastic|unknown|unclear"
    r"|(?:(?:it|this|that) is |it's )?not (?:clear|sure|certain|specified|stated)\b[^,.;]{0,40}"
    r"|(?:(?:i|we|it) )?(?:do not|don't|cannot|can't|could not|couldn't|am not|am unable to)"
    r" (?:know|tell|sure|certain|say|determine|identify|find|see|be (?:determined|identified))"
    r"\b[^,.;]{0,60}|i'm (?:not sure|unsure|unable to)\b[^,.;]{0,60}"
    r"|(?:there is |there's )?no (?:(?:clear|specific|particular|obvious|real|sarcastic) )*"
    r"(?:target|object|explanation|sarcasm|person)(?: (?:here|of|in|is|was)\b[^,.;]{0,40})?"
    r"|-+|空|未知|不适用|不涉及|不明确?的?|不清楚|不知道|不确定|未提及|未说明|没有?人?|暂?无"
    r"|(?:无法|不能|难以|没法)(?:确定|判断|识别|得知|看出|辨别)[^,。;]{0,14}"
    r"|(?:没有|无|暂无|并无|不存在)(?:具体|特定|明确|明显|任何|讽刺|嘲讽|的)*(?:对象|目标|解释|讽刺)"
    r"|不含?讽刺|非讽刺)的?"
)
_NOTHING = re.compile(rf"{_NONE}\s*(?:\(.*)?", re.S)
_NOTHING_FIRST = re.compile(rf"{_NONE}\s*(?:$|[.,;:()!?。、—]|\s-)")
_GOES_ON = re.compile(r"[;；.。,，]\s*(?:but\s+|但是?)?")
_OF_THE_POST = re.compile(
    r"(?:it|this|there|the (?:post|picture|image|text|caption)|not?|non)\b|[这该此它本没不无非未]"
)
_MARKS = " \"“”‘’'「」.。"


def is_nothing(said: str) -> bool:
    """Whether words say that there is nothing, and nothing else: none, 无, "N/A (sincere)"."""
    return _NOTHING.fullmatch(folded(said).strip(" .!。")) is not None


def target_named(said: str) -> str | None:
    """The target in a phrase, or in a sentence that names it; None where it names none."""
    opening = _NAMES_IT.match(simplified(said))
    named = said[opening.end() :].strip(_MARKS) if opening else said
    plain = folded(named).strip(" (")
    if not plain or _says_it_is_not(plain):
        return None
    if not _NOTHING_FIRST.match(plain):
        return named
    _, *rest = _GOES_ON.split(named, maxsplit=1)
    return target_named(rest[0]) if rest and _NAMES_IT.match(simplified(rest[0])) else None


def _says_it_is_not(plain: str) -> bool:
    """Whether a sentence says that the post is not sarcastic, in place of a target."""
    if not _OF_THE_POST.match(plain):
        return False
    try:
        return not SARCASM.says(plain)
    except Unparseable:
        return False
