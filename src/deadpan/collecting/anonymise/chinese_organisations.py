"""Schools and employers in Chinese, by what they end in and by what stands before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from deadpan.collecting.anonymise.chinese_words import RUN, Token, is_known, tagger, tokens_of
from deadpan.collecting.anonymise.spans import Span, people_lists

_DETERMINERS = frozenset("一二两三这那哪某每个各我你他她大小好新老同几")
_TOWN = re.compile(r"(?:镇|乡|村|屯|寨)(?![长上里民政医中小静定痛压魂愁土巴居口下外子])")
_LONGEST = 12  # characters of a name before its ending


def find_organisations(seen: str) -> Iterator[Span]:
    """Where names of their own stand: 云溪大学, 鹿鸣科技, not 名牌大学 or 大公司."""
    for run in RUN.finditer(seen):
        for found in _organisation_pattern().finditer(run[0]):
            end = found.start("suffix")
            start = _own_name(tokens_of(run[0]), end)
            if start is None and not found["trade"]:
                start = _named_by_work(run[0][:end])
            if start is None and found["suffix"].endswith("有限公司"):
                start = _after_stop(tokens_of(run[0]), end)
            if start is None:
                continue
            if found["trade"] and not _works_at(run[0][:start]):
                continue
            yield Span(run.start() + start, run.start() + found.end(), False)


def find_towns(seen: str) -> Iterator[Span]:
    """Where names of towns and villages stand, after what stands before places: 老家枫林镇."""
    for run in RUN.finditer(seen):
        for found in _TOWN.finditer(run[0]):
            for length in (2, 3):
                start = found.start() - length
                before = run[0][: max(0, start)]
                placed = not before or before.endswith(
                    tuple(people_lists("chinese")["towns_after"])
                )
                name = run[0][start : found.start()] if start >= 0 else ""
                if name and placed and _is_own(name) and not is_known(name + found[0]):
                    yield Span(run.start() + start, run.start() + found.end(), False)
                    break


def _is_own(name: str) -> bool:
    """Whether no word of a name is one that only joins others."""
    tokens = tokens_of(name)
    return name[0] not in _DETERMINERS and all(
        token.flag[0] not in "vpruycdeomq" for token in tokens
    )


def _own_name(tokens: Sequence[Token], suffix: int) -> int | None:
    """Where a name of its own begins before a suffix; None where only common words do."""
    start, own = suffix, False
    for token in reversed(tokens):
        if token.start >= suffix:
            continue
        text = token.text if token.end <= suffix else token.text[: suffix - token.start]
        flag = token.flag
        if not own and text in _fields():
            start = token.start
            continue
        if text in _general() or suffix - token.start > _LONGEST:
            break
        if flag[0] in "vpruycdeo" and (is_known(text) or len(text) == 1):
            break
        if flag[0] == "m" and not text.startswith("第") and (len(text) > 1 or not own):
            break
        start = token.start
        named = not is_known(text) or tagger()[1].get(text, "n")[0] in "ntgz"
        own = own or (len(text) > 1 and named) or text.startswith("第")
    return start if own and start < suffix else None


def _after_stop(tokens: Sequence[Token], suffix: int) -> int | None:
    """Where the words before a suffix begin that no preposition or pronoun parts from it."""
    start = suffix
    for token in reversed(tokens):
        if token.end <= suffix:
            if token.flag[0] in "pruyceomq" or suffix - token.start > _LONGEST:
                break
            start = token.start
    return start if suffix - start > 1 else None


def _named_by_work(before: str) -> int | None:
    """Where a name of two to six characters begins that a word for working there stands before."""
    for length in range(2, 7):
        name, rest = before[-length:], before[:-length]
        if len(name) == length and rest and _works_at(rest):
            first = tokens_of(name)[0].text
            common = first in _general() or first[0] in _DETERMINERS
            return None if common else len(rest)
    return None


def _works_at(before: str) -> bool:
    """Whether a trade's name follows a word for working there."""
    return not before or before.endswith(tuple(people_lists("chinese")["working"]))


@cache
def _fields() -> frozenset[str]:
    lists = people_lists("chinese")
    return frozenset([*lists["trades"], *lists["fields"]])


@cache
def _general() -> frozenset[str]:
    return frozenset(people_lists("chinese")["general"])


@cache
def _organisation_pattern() -> re.Pattern[str]:
    lists = people_lists("chinese")
    return re.compile(
        rf"(?P<suffix>{'|'.join(lists['institutions'])}|(?P<trade>{'|'.join(lists['trades'])}))"
        rf"(?![^\W\d_a-zA-Z]*?(?:{'|'.join(lists['institutions'])}))"
    )
