"""What friends make of a name: 伟哥 and 阿伟 of 张伟, Mike and Mikey of Michael."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from deadpan.collecting.anonymise.chinese_words import is_known
from deadpan.collecting.anonymise.english_words import is_word
from deadpan.collecting.anonymise.patterns import words
from deadpan.collecting.anonymise.spans import people_lists

_BEFORE = "老小阿大"
_LONGEST_CLIP = 5
_NICKNAME = re.compile(r"[a-z]{2,5}(?:ie|y|ey|s|z|i|o|a|ster|ers)|[a-z]{3}")
_CLIPPED = re.compile(r"[a-z]*[aeiouy][a-z]*[^aeiouy]|[a-z]{2,}[aio]")


def chinese_nicknames(name: str, surname: str) -> Iterator[str]:
    """老张, 张姐, 阿伟, 伟哥, 伟子, 伟伟; plain words (朵朵, 明明) are among them."""
    given = name[len(surname) :]
    lists = people_lists("chinese")
    for part in dict.fromkeys([surname, *given]):
        yield from (part + title for title in lists["titles"])
        if len(part) == 1:
            yield part * 2
            yield from (part + last for last in lists["endearments"])
        yield from (first + part for first in _BEFORE)
    if len(given) == 2:
        yield given


def is_plain_nickname(form: str) -> bool:
    """Whether a nickname is a word too, as 朵朵 and 小曲 are; 小王 and 伟哥 are none."""
    lists = people_lists("chinese")
    if form[-1:] in lists["titles"] or not is_known(form):
        return False
    strong = form[1:] in lists["surnames"] and form[1:] not in lists["weak"]
    return form[0] not in _BEFORE or not strong or form in lists["not_nick"]


def english_nicknames(first: str) -> Iterator[str]:
    """Short forms of a first name in lower case: listed ones, and its beginning (tab, tabs,
    tabby)."""
    name = first.casefold()
    yield from _short_forms().get(name, ())
    for length in range(3, min(_LONGEST_CLIP, len(name) - 2) + 1):
        clip = name[:length]
        if not _CLIPPED.fullmatch(clip):
            continue
        formed = [clip, clip + "s", clip + "y", clip + "ie", clip + "ey", clip + clip[-1] + "y"]
        yield from (one for one in formed if one != name and one not in words().roles)


def may_be_nickname(word: str, first: str) -> bool:
    """Whether a word begins as a first name does and ends as nicknames do: Mags of Marguerite."""
    plain, name = word.casefold(), first.casefold()
    return (
        len(name) > 3
        and plain != name
        and plain[:2] == name[:2]
        and _NICKNAME.fullmatch(plain) is not None
        and plain not in words().roles | words().ordinary
    )


def is_clip_word(form: str) -> bool:
    """Whether a short form is a word of the language, and none of the listed ones."""
    return is_word(form) and not any(form in shorts for shorts in _short_forms().values())


@cache
def _short_forms() -> dict[str, tuple[str, ...]]:
    lines = people_lists("english")["short_forms"].strip().splitlines()
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        longs, shorts = (part.split() for part in line.split(":"))
        for one in longs:
            found[one] = (*found.get(one, ()), *shorts)
    return found
