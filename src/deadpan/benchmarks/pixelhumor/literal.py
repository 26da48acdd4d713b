"""The released script's way to read Q3, Q5 and Q7: every integer, and every style name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import JsonValue

from deadpan.base.compatibility import compatibility_form
from deadpan.benchmarks.pixelhumor.answers import CHINESE
from deadpan.benchmarks.pixelhumor.records import STYLES
from deadpan.parsing.numbers import chinese_number
from deadpan.parsing.replies import Parse, Unparseable

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


def _panels(text: str) -> JsonValue:
    if found := [str(number) for number in dict.fromkeys(integers(text))]:
        return [*found]
    raise Unparseable("expected a panel number; there is none")


def _order(text: str) -> JsonValue:
    if found := integers(text):
        return [*found]
    raise Unparseable("expected panel numbers; there is none")


def _styles(text: str) -> JsonValue:
    reply = compatibility_form(text).casefold()
    found: list[JsonValue] = [
        label
        for label in STYLES
        if re.search(rf"(?<![a-z]){re.escape(label.casefold())}(?![a-z])", reply)
        or CHINESE[label] in reply
    ]
    if not found:
        raise Unparseable(f"expected at least one of {', '.join(STYLES)}; there is none")
    return found


PARSERS: Mapping[str, Parse] = {"panel": _panels, "style": _styles, "panel_order": _order}
