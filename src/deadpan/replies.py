"""Reply → grade: failed calls, filters and refusals are told apart before any parsing."""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic import JsonValue

from deadpan.questions import Grade, Reply


class Unparseable(ValueError):
    """A reply that does not hold an answer in the task's vocabulary; the message says why."""


Parse = Callable[[str], JsonValue]

_CANNOT = r"(?:can['’]?t|cannot|can not|won['’]?t|(?:am|['’]?m) (?:unable|not able) to)"
_VERBS = (
    r"(?:help(?! (?:\w+ing|but|it)\b)|assist|comply|provide|answer|discuss|analy[sz]e|describe"
    r"|identify|engage|fulfil|continue|do (?:that|this)|process|support|view)"
)
_REFUSALS = (
    rf"i(?:['’]?m| am) (?:very |so )?(?:sorry|afraid)\b[^.!?]{{0,40}}?\bi ?{_CANNOT} {_VERBS}",
    rf"(?:sorry|apologies),? (?:but )?i ?{_CANNOT} {_VERBS}",
    rf"i apologi[sz]e,? but i ?{_CANNOT} {_VERBS}",
    rf"i ?{_CANNOT} {_VERBS}",
    r"as an ai\b[^.!?]{0,60}\b(?:can['’]?t|cannot|not able|unable)",
    r"(?:很?抱歉|对不起|不好意思)[，,。！! ]*[^。！？\n]{0,20}?(?:无法|不能|不可以|没有?办法)",
    r"我(?:无法|不能|没有?办法)(?:协助|帮助|回答|提供|处理|分析|描述|满足|讨论|完成)",
    r"作为(?:一个|一名)?(?:人工智能|ai)[^。！？\n]{0,30}(?:无法|不能)",
)
_REFUSAL = re.compile(rf"\W*(?:{'|'.join(_REFUSALS)})")


def is_refusal(text: str) -> bool:
    """Whether a reply opens as a refusal, in English or Chinese."""
    return _REFUSAL.match(" ".join(text.casefold().split())) is not None


def graded(reply: Reply, parse: Parse) -> Grade:
    """The grade of a reply; nothing is guessed where `parse` raises Unparseable."""
    if reply.error is not None:
        return Grade(outcome="failed", reason=reply.error)
    text = reply.text or ""
    if reply.stop == "content_filter":
        return Grade(outcome="refused", reason="stopped by the provider's content filter")
    if is_refusal(text):
        return Grade(outcome="refused", reason="the reply opens as a refusal")
    try:
        return Grade(outcome="answered", parsed=parse(text))
    except Unparseable as error:
        return Grade(outcome="invalid", reason=str(error))
