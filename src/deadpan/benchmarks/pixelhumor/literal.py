"""The released script's way to read Q3 and Q5: every integer, and every style name, that a reply
holds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from deadpan.base.compatibility import compatibility_form
from deadpan.parsing.numbers import chinese_number

_NUMERAL = r"([一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]{1,3})"
_CHINESE_NUMBER = re.compile(rf"第{_NUMERAL}[格幅张]|^{_NUMERAL}$")
_EDGES = " \t\r\n\"'“”‘’「」『』`*_.。,，;；:：!！?？()（）[]【】{}<>《》"


def integers(text: str) -> list[int]:
    """Every integer in a text; Chinese numerals count where no digit is written."""
    plain = compatibility_form(text)
    if digits := re.findall(r"\d+", plain):
        return [int(number) for number in digits if len(number) <= 9]
    folded = plain.casefold().strip(_EDGES)
    return [chinese_number(one[1] or one[2]) for one in _CHINESE_NUMBER.finditer(folded)]


def panels(text: str) -> list[str]:
    """Every integer in a text as a panel, each once."""
    return [str(number) for number in dict.fromkeys(integers(text))]


def labels_found(text: str, labels: Sequence[str], chinese: Mapping[str, str]) -> list[str]:
    """Every label that stands in a text, by its name or its Chinese one."""
    reply = compatibility_form(text).casefold()
    return [
        label
        for label in labels
        if re.search(rf"(?<![a-z]){re.escape(label.casefold())}(?![a-z])", reply)
        or chinese[label] in reply
    ]
