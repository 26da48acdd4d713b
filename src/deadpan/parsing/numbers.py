"""Numbers in replies: digits, words and ordinals of both languages; panels, and orders of
panels."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from deadpan.base.compatibility import compatibility_form
from deadpan.base.files import read_text
from deadpan.parsing.declared import PATTERNS, Asked, decide
from deadpan.parsing.mentions import Mention, heads
from deadpan.parsing.options import Vocabulary
from deadpan.parsing.patterns import Patterns, either
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import fold

_NUMERALS = {character: value for value, character in enumerate("零一二三四五六七八九")}
_DATA = tomllib.loads(read_text(Path(__file__).with_name("numbers.toml")))
_WORDS = {word: value for value, word in enumerate(_DATA["words"], 1)}
_ORDINALS = {word: value for value, word in enumerate(_DATA["ordinals"], 1)}
_PATTERNS = Patterns(
    {**_DATA["patterns"], "word": either(_WORDS), "ordinal_word": either(_ORDINALS)}
)
_WHOLE = re.compile(r"[-−]?(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})")
_EDGES = " \t\r\n\"'“”‘’「」`*_.。,，;；:：!！?？()（）[]【】"
_CONTEXT = 40


def only_number(text: str) -> int:
    """The one whole number that a reply names, as often as it likes: `7`, `**1,200**`, `The answer
    is 7.`, `七`. None, several or a fraction raise Unparseable."""
    plain = compatibility_form(text)
    found = set(_PATTERNS["amount"].findall(plain))
    if len(found) == 1 and _WHOLE.fullmatch(number := found.pop()):
        return int(number.replace(",", "").replace("−", "-"))
    if not found and _PATTERNS["only_numeral"].fullmatch(bare := plain.strip(_EDGES)):
        return chinese_number(bare)
    said = " ".join(text.split())
    raise Unparseable(f"expected one whole number; got {said[:60]!r}")


def chinese_number(numeral: str) -> int:
    """The value of a numeral below 100; of one without 十 that of its first character."""
    tens, ten, units = numeral.replace("两", "二").partition("十")
    if not ten:
        return _NUMERALS[tens[0]]
    return _NUMERALS.get(tens, 1) * 10 + _NUMERALS.get(units, 0)


def number_value(number: str) -> int:
    """The value of a number in digits, an English word or a Chinese numeral."""
    plain = compatibility_form(number).casefold()
    return int(plain) if plain.isdigit() else _WORDS.get(plain) or chinese_number(plain)


def panels(plain: str) -> list[Mention]:
    """The numbers that may be panels' labels; marked where a text says that they are. What counts
    panels ("of 4", "a 4-panel comic", 四格漫画) is none."""
    found: list[Mention] = []
    for one in _PATTERNS["number"].finditer(plain):
        before, behind = (
            plain[max(0, one.start() - _CONTEXT) : one.start()],
            plain[one.end() : one.end() + _CONTEXT],
        )
        ordinal = one["ordinal"] or one["ordinal_word"]
        numbered = ordinal or before.endswith("第")
        if (not numbered and _PATTERNS["counts"].match(behind)) or _PATTERNS["counted"].search(
            before
        ):
            continue
        between = plain[found[-1].end : one.start()] if found else ""
        chained = bool(found) and found[-1].marked and _PATTERNS["joins"].fullmatch(between)
        lead = _PATTERNS["panel_before"].search(before)
        tail = _PATTERNS["panel_behind"].match(behind)
        marked = bool(chained or lead or tail)
        if (
            _PATTERNS["pronoun"].match(one[0])
            and not marked
            and (
                _PATTERNS["before_pronoun"].search(before)
                or _PATTERNS["behind_pronoun"].match(behind)
            )
        ):
            continue
        if one["ordinal_word"] is not None and not (
            marked or not re.search(r"\w", before + behind)
        ):
            continue
        start = one.start() - (len(before) - lead.start()) if lead and not chained else one.start()
        end = one.end() + (tail.end() if tail else 0)
        total = _PATTERNS["of_total"].match(plain, end)
        start = max(start, found[-1].end) if found else start
        found.append(
            Mention(
                str(_value(one)),
                start,
                total.end() if total else end,
                marked or one["ordinal"] is not None,
            )
        )
    return found


def _value(one: re.Match[str]) -> int:
    if one["digits"]:
        return int(one["digits"])
    if one["ordinal"]:
        return int(re.match(r"\d+", one["ordinal"])[0])  # type: ignore[index]
    if one["ordinal_word"]:
        return _ORDINALS[one["ordinal_word"].casefold()]
    if one["spelled"]:
        return _WORDS[one["spelled"].casefold()]
    return chinese_number(one["numeral"])


def order(plain: str) -> list[int] | None:
    """The panels in the order that a short text lists them; None where it is no such list."""
    bare = (
        _PATTERNS["place"]
        .sub(" ", re.sub(r"\((?!\s*\d{1,2}\s*\))[^()\n]{0,200}\)", " ", plain))
        .strip(_EDGES)
    )
    if re.fullmatch(r"[1-9]{2,9}", bare) and sorted(bare) == [str(n + 1) for n in range(len(bare))]:
        return [int(digit) for digit in bare]
    odd = ("relation", "unfinished")
    if any(_PATTERNS[name].search(plain) for name in odd) or re.search(r"[,→>-]\s*\Z", plain):
        return None
    if (listed := _enumerated(bare)) is not None:
        return listed
    span = _PATTERNS["range"].fullmatch(bare)
    if span and abs(int(span[1]) - int(span[2])) > 1:
        raise Unparseable("it gives a range of panels, and not their order")
    mentions = panels(bare)
    if any(one["digits"] for one in _PATTERNS["number"].finditer(bare)):
        mentions = [
            one
            for one in mentions
            if bare[one.start : one.end].strip() and re.search(r"\d", bare[one.start : one.end])
        ]
    left, at = [], 0
    for one in mentions:
        left.append(bare[at : one.start])
        at = one.end
    rest = " ; ".join([*left, bare[at:]])
    if not mentions or re.search(r"\w", _PATTERNS["order_filler"].sub(" ", rest)):
        return None
    return [int(one.value) for one in mentions]


def _enumerated(plain: str) -> list[int] | None:
    """The panels of a numbered list or a table, whose numbers count from 1."""
    pairs = [(int(a or b), int(c)) for a, b, c in _PATTERNS["entry"].findall(plain)]
    numbers = [place for place, _ in pairs]
    if len(pairs) < 2 or numbers != list(range(1, len(pairs) + 1)):
        return None
    left = _PATTERNS["order_filler"].sub(" ", _PATTERNS["entry"].sub(" ", plain))
    return [panel for _, panel in pairs] if not re.search(r"\d", left) else None


def order_in_prose(plain: str) -> list[int] | None:
    """The one order that a longer text gives: a list of panels, or panels that its words put one
    behind the other."""
    if _PATTERNS["unfinished"].search(plain):
        return None
    runs = [found for run in _runs(plain) if (found := order(run)) is not None and len(found) > 1]
    marked = [int(one.value) for one in panels(plain) if one.marked]
    if runs and all(run == runs[0] for run in runs) and set(marked) <= set(runs[0]):
        return runs[0]
    if not _PATTERNS["sequence"].search(plain) or _PATTERNS["relation"].search(plain):
        return None
    if len(marked) < 2 and len(_PATTERNS["sequence"].findall(plain)) > 1:
        # "First 3, then 1, finally 2" names each panel once.
        every = [int(one.value) for one in panels(plain)]
        marked = every if sorted(every) == list(range(1, len(every) + 1)) else marked
    return marked if len(marked) > 1 and len(set(marked)) == len(marked) else None


def _runs(plain: str) -> Iterator[str]:
    for one in _PATTERNS["run"].finditer(plain):
        yield one[0]


PANEL = Vocabulary(
    find=panels,
    filler=_PATTERNS["panel_filler"],
    decides=tuple(
        _PATTERNS[name] for name in ("panel_most", "panel_is", "panel_decides", "panel_thinks")
    ),
    ranks=_PATTERNS["panel_ranks"],
    prepares=_PATTERNS["panel_prepares"],
    several_in_prose=False,
    asked=Asked(tuple(_DATA["asked"]["panel"])),
)
"""Reads the panels that a reply names as its answer."""


class _Order:
    """Reads the one order of panels that a reply gives."""

    asked = Asked(tuple(_DATA["asked"]["order"]))

    def read(self, text: str) -> list[int] | None:
        """The panels in their order; None where there is none, or more than one. Rows that are
        numbered are read one behind the other."""
        plain = fold(text)
        rows = list(_PATTERNS["row"].finditer(plain))
        if len(rows) > 1:
            first = rows[0]
            behind = _PATTERNS["row"].sub(", ", plain[first.end() :])
            text = f"{plain[: first.start()]}\n{behind}"
        return decide(text, self)

    def strict(self, plain: str) -> list[int] | None:
        """The order of a text that is nothing but a list of panels."""
        return order(plain)

    def piece(self, plain: str) -> list[int] | None:
        """The order that a line opens with."""
        return next(
            (found for part in (plain, *heads(plain)) if (found := order(part)) is not None), None
        )

    def prose(self, plain: str) -> list[int] | None:
        """The one order that a text gives."""
        return order_in_prose(PATTERNS["example"].sub(" ", plain))


ORDER = _Order()
