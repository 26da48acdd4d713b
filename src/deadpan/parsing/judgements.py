"""A judge's reply → its judgement: one JSON object that keeps the schema, or what is wrong."""

from __future__ import annotations

from collections import Counter

from pydantic import JsonValue, ValidationError

from deadpan.base.errors import WrongReturn, told_value
from deadpan.core.judge import BrokenReply, Judge, Judgement
from deadpan.parsing.json_objects import Fields, find_objects
from deadpan.parsing.replies import LONGEST_REPLY, is_refusal, split_reasoning, too_long

PROSE = "text around the JSON"
_MOST_BRACES = 300
"""Places where an object may begin that are looked at."""


def read_judgement(judge: Judge, text: str) -> Judgement:
    """The judgement of a reply; raises BrokenReply where the schema is not kept."""
    value, alone = only_object(text)
    try:
        judgement = judge.check(judge.reply.model_validate(value))
    except ValidationError as error:
        problems = (
            f"{'.'.join(map(str, one['loc'])) or 'the object'}: {_plainly(one['type'], one['msg'])}"
            for one in error.errors(include_url=False, include_input=False)
        )
        raise BrokenReply("; ".join(problems)) from None
    if not isinstance(judgement, Judgement):
        expected = "a Judgement, as Judgement(parts=reply.model_dump())"
        raise WrongReturn(judge.check, told_value(judgement), expected)
    flags = judgement.flags if alone else (*judgement.flags, PROSE)
    return judgement.model_copy(update={"flags": flags})


_PLAIN = {
    "missing": "is missing",
    "extra_forbidden": "is not asked for",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "int_type": "expected a whole number",
    "string_type": "expected text",
}


def _plainly(kind: str, message: str) -> str:
    """What is wrong with a field, in words that tell what to write."""
    said = message.removeprefix("Value error, ").replace("Input should be", "expected", 1)
    return _PLAIN.get(kind) or said


def only_object(text: str) -> tuple[JsonValue, bool]:
    """The one JSON object of a reply after its reasoning, and whether it stood alone (a code fence
    may frame it); none or several raise BrokenReply."""
    bare = _strip_fence(split_reasoning(text).answer.strip())
    if len(bare) > LONGEST_REPLY:
        raise BrokenReply(too_long(bare))
    error = BrokenReply("it holds too many braces to be one JSON object")
    found = list(find_objects(bare, _MOST_BRACES, _no_key_twice, error))
    if len(found) == 1:
        start, end, value = found[0]
        return value, not bare[:start].strip() and not bare[end:].strip()
    if found:
        raise BrokenReply(f"it holds {len(found)} JSON objects instead of one")
    if not bare:
        raise BrokenReply("it is empty")
    if is_refusal(bare):
        raise BrokenReply("it is a refusal")
    raise BrokenReply("it holds no complete JSON object")


def _strip_fence(text: str) -> str:
    """A text without the code fence that frames it."""
    opened = text.removeprefix("```")
    if opened != text:
        opened = opened.removeprefix("json")
    return opened.removesuffix("```").strip()


def _no_key_twice(pairs: Fields) -> dict[str, JsonValue]:
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise BrokenReply(f"it gives {', '.join(twice)} more than once")
    return dict(pairs)
