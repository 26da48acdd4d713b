"""Chinese words that name self-deprecation, and the negations that take them back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deadpan.benchmarks.janusmm.lexicon import Frozen, Words
from deadpan.parsing.labelled import either

_BEFORE = 40
_AFTER = 20
_INSIDE = r"[^,。;!?¶、]"
_ELSEWHERE = r"(?!他人|别人|对方|社会|大家|那些)"
_ASPECT = r"(?:的)?(?:意味|成分|意思|意图|色彩|元素|倾向|含义|性质)?"
_JOINED = r"(?:[\u4e00-\u9fff]{1,6}?(?:、|和|或者|或|与|以及|及))+"
_SHORT = frozenset("不没无非未")
_RHETORICAL = ("何尝", "岂", "难道", "难道这", "莫", "无", "得", "除", "若")
_NOT_NEGATION = re.compile(r"没(?:想到|料到|错)|不得不|无非|莫非")


class ChineseLexicon(Frozen):
    """The Chinese part of equivalents.json."""

    terms: Words
    verbs: Words
    between: Words
    selves: Words
    taken: Words
    others: Words
    before: Words
    undone: Words
    doubled: Words
    fillers: Words
    still_named: Words
    after: Words
    no: Words
    yes: Words


class ChineseNaming:
    """Finds names in folded Chinese text; built once from its lexicon."""

    def __init__(self, lexicon: ChineseLexicon) -> None:
        self._names = re.compile("|".join(_names(lexicon)))
        self._others = re.compile(rf"{either(lexicon.selves)}的?{either(lexicon.others)}")
        self._still = lexicon.still_named
        self._undone = frozenset(lexicon.undone)
        self._doubled = lexicon.doubled
        fillers = rf"(?:{either(lexicon.fillers)}|\s)*"
        self._before = re.compile(
            rf"(?P<negator>{either(lexicon.before)})"
            rf"(?P<between>{fillers}(?P<list>{_JOINED}{fillers})?)$"
        )
        no = either(lexicon.no)
        self._after = re.compile(
            rf"{_ASPECT}(?:{either(lexicon.after)}(?=[,。;!¶\s]|$)"
            rf"|\s*\?\s*{no}|\s*:\s*{no}(?=[,。;!¶.]|$))"
        )
        self._confirmed = re.compile(rf"{_ASPECT}\s*[?:]\s*{either(lexicon.yes)}")

    def naming(self, text: str) -> str | None:
        """The first naming that is not taken back; None where there is none."""
        for found in self._names.finditer(text):
            if not self._others.search(found[0]) and not self._taken_back(text, found):
                return found[0]
        return None

    def _taken_back(self, text: str, found: re.Match[str]) -> bool:
        rest = text[found.end() : found.end() + _AFTER]
        if self._after.match(rest):
            return True
        if self._confirmed.match(rest):
            return False
        prefix = text[max(0, found.start() - _BEFORE) : found.start()]
        starts = (self._before.match(prefix, at) for at in range(len(prefix)))
        return any(self._negates(prefix, negation) for negation in starts if negation)

    def _negates(self, prefix: str, negation: re.Match[str]) -> bool:
        """Whether a negator reaches the name: no "not only", no double or rhetorical negation."""
        negator, between = negation["negator"], negation["between"]
        if negation["list"] and (negator in _SHORT or between.startswith(self._still)):
            return False
        before = prefix[: negation.start()]
        if negator in self._undone and before.endswith(self._doubled):
            return False
        if negator != "无" and before.endswith(_RHETORICAL):
            return False
        return not _NOT_NEGATION.match(prefix, negation.start())


def _names(lexicon: ChineseLexicon) -> Iterator[str]:
    """Patterns of everything that names it."""
    selves, verbs = either(lexicon.selves), either(lexicon.verbs)
    long_verbs = either(verb for verb in lexicon.verbs if len(verb) > 1)
    others = either(lexicon.others)
    yield either(lexicon.terms)
    yield rf"{verbs}{either(lexicon.between)}?{selves}(?!的?{others})"
    yield rf"对{selves}{_INSIDE}{{0,8}}?{long_verbs}{_ELSEWHERE}"
    yield rf"拿{selves}{_INSIDE}{{0,8}}?{either(lexicon.taken)}"
    yield rf"开[了着起]?{selves}的?玩笑"
    yield rf"以{selves}{_INSIDE}{{0,6}}?为(?:笑料|乐|梗|靶子|笑点|笑柄)"
    yield rf"把{selves}{_INSIDE}{{0,6}}?当[成作]?(?:笑料|笑话|段子|梗|笑柄)"
