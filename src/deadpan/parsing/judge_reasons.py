"""Why a judge's reply cannot be used, in the language of its prompt."""

from __future__ import annotations

import re

from deadpan.core.questions import Language

_CHINESE = tuple(
    (re.compile(said), put)
    for said, put in {
        r"it is empty": "内容为空",
        r"it is a refusal": "内容是拒绝作答",
        r"it holds no complete JSON object": "其中没有完整的 JSON 对象",
        r"it holds (\d+) JSON objects instead of one": r"其中有 \1 个 JSON 对象，应只有一个",
        r"it holds too many braces to be one JSON object": "其中花括号过多，不像一个 JSON 对象",
        r"it gives (.+) more than once": r"其中 \1 出现了不止一次",
        r"the reply has ([\d,]+) characters": r"共有 \1 个字符",
        r"expected at most ([\d,]+)": r"最多应为 \1 个",
        r"(.+): is missing": r"\1：缺少此项",
        r"(.+): is not asked for": r"\1：没有要求此项",
        r"the object: expected an object": "应为一个对象",
        r"(.+): expected an object": r"\1：应为对象",
        r"(.+): expected a whole number": r"\1：应为整数",
        r"(.+): expected text": r"\1：应为文字",
    }.items()
)


def reason_in(language: Language, why: str) -> str:
    """The reason in a language, part by part; what is not in our words stays as it is."""
    return "；".join(map(_in_chinese, why.split("; "))) if language == "zh" else why


def _in_chinese(part: str) -> str:
    matches = ((said.fullmatch(part), put) for said, put in _CHINESE)
    return next((found.expand(put) for found, put in matches if found), part)
