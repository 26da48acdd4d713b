"""Reply text → a whole number: digits however they are marked, or a Chinese numeral."""

from __future__ import annotations

import re

from deadpan.base.compatibility import compatibility_form
from deadpan.parsing.replies import Unparseable

_NUMERAL = re.compile("[一二三四五六七八九]?十[一二三四五六七八九]?|[零一二三四五六七八九]")
_NUMERALS = {character: value for value, character in enumerate("零一二三四五六七八九")}
_NUMBER = re.compile(r"(?<![\da-z])[-−]?\d+(?:[.,:/]\d+)*(?![\da-z])", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(r"[-−]?(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})")
_EDGES = " \t\r\n\"'“”‘’「」`*_.。,，;；:：!！?？()（）[]【】"


def only_number(text: str) -> int:
    """The one whole number that a reply names, as often as it likes: `7`, `**1,200**`, `The answer
    is 7.`, `七`. None, several or a fraction raise Unparseable."""
    plain = compatibility_form(text)
    found = set(_NUMBER.findall(plain))
    if len(found) == 1 and _WHOLE.fullmatch(number := found.pop()):
        return int(number.replace(",", "").replace("−", "-"))
    if not found and _NUMERAL.fullmatch(bare := plain.strip(_EDGES)):
        return chinese_number(bare)
    said = " ".join(text.split())
    raise Unparseable(f"expected one whole number; got {said[:60]!r}")


def chinese_number(numeral: str) -> int:
    """The value of a numeral below 100; of one without 十 that of its first character."""
    tens, ten, units = numeral.partition("十")
    if not ten:
        return _NUMERALS[numeral[0]]
    return _NUMERALS.get(tens, 1) * 10 + _NUMERALS.get(units, 0)
