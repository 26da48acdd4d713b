"""Chinese names by jieba's words and tags, surnames, titles and what stands around."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache

from deadpan.collecting.anonymise.chinese_given import given_odds, given_strength
from deadpan.collecting.anonymise.chinese_words import (
    COMMON,
    LAUGHTER,
    LONG,
    RARE,
    RUN,
    Token,
    is_known,
    is_listed,
    is_person,
    longest_word,
    tagger,
    tokens_of,
)
from deadpan.collecting.anonymise.patterns import words
from deadpan.collecting.anonymise.spans import Span, people_lists

_CALLED = re.compile(
    r"(?:(?:外号|绰号|小名|乳名|花名|大名|真名|本名|全名)(?:叫做?|是|为)|人称"
    r"|[叫喊称](?:[我他她]|他们?|大家)(?:做|作)?)(?P<it>[\u3400-\u9fff]{2,3}?)"
    r"(?=就[行好成可]|吧|呗|好了|[，,。.!！~？?]|$)"
)


def chinese_people(seen: str) -> Iterator[Span]:
    """Where names stand: with surname, as a nickname (老王, 阿强), with a title (李老师)."""
    for run in RUN.finditer(seen):
        end = 0
        found = [*_in_run(run[0]), *_called(run[0]), *_heading(seen, *run.span())]
        # Of two that begin together the likely one is taken, then the longer one.
        for span in sorted(found, key=lambda one: (one.start, not one.likely, -one.end)):
            if span.start >= end:
                start = run.start() + span.start
                yield Span(start, run.start() + span.end, span.sure, span.likely)
                end = span.end


def _may_name(run: str) -> bool:
    return any(character in _surnames() or character in "老小阿" for character in run) or any(
        surname in run for surname in people_lists("chinese")["compound"]
    )


def _called(run: str) -> Iterator[Span]:
    """外号叫大壮, 叫我二狗就行: any two or three characters; a plain word stays unless decided."""
    for found in _CALLED.finditer(run):
        name = found["it"]
        while len(name) > 2 and name[-1] in _not_last():
            name = name[:-1]
        if name[0] not in "我你他她什怎" and name not in words().roles:
            start = found.start("it")
            yield Span(start, start + len(name), False, not is_known(name))


def _heading(seen: str, start: int, end: int) -> Iterator[Span]:
    """苏木: at the head of a line; a plain word stays unless somebody decides."""
    name = seen[start:end]
    heads = seen[:start].rpartition("\n")[2].strip(" @") == "" and seen[end : end + 1] == ":"
    surname = _surname_of(name)
    plain = name in _ordinary() or tagger()[2].get(name, 0) >= COMMON
    if heads and surname and 0 < len(name) - len(surname) < 3 and not plain:
        yield Span(0, len(name), False, not _is_plain(name) and name[0] not in _weak())


def _in_run(run: str) -> Iterator[Span]:
    if not _may_name(run):
        return
    tokens = tokens_of(run)
    if len(tokens) == 1 and len(run) > LAUGHTER:
        return
    starts = {token.start: token for token in tokens}
    ends = {token.end for token in tokens}
    yield from _titled(run, tokens)
    yield from _nicknames(run, tokens, starts)
    for start in range(len(run) - 1):
        if start in starts or _is_made_up(run, tokens, start):
            end = _name_end(run, start, starts.get(start), ends)
            name = run[start:end]
            if len(name) > 1 and not _is_plain(name):
                context = _context(run, start, end)
                needed = 2 if is_listed(name) else _needed(name)
                if context >= needed:
                    yield Span(start, end, len(name) > 2 or context > 0)
            elif start in starts and _may_be_one(run, start):
                yield Span(start, start + 2, False, False)
    yield from _introduced(run)


def _needed(name: str) -> int:
    """How many sides have to speak for a name: more for a weak surname, fewer for a longer name."""
    if given_strength(name[len(_surname_of(name) or " ") :]) == 1:
        return 2
    return (2 if len(name) == 2 else 1) if name[0] in _weak() and len(name) < 4 else 0


def _is_plain(name: str) -> bool:
    """Whether it is, or begins with, a word that is no name."""
    least = len(_surname_of(name) or " ") + 1
    if name[least - 1 :] == "子":
        return True
    parts = [name[:length] for length in range(least, len(name) + 1)]
    return any(one in _ordinary() or (is_known(one) and not is_person(one)) for one in parts)


def _name_end(run: str, start: int, token: Token | None, ends: Set[int]) -> int:
    """Where a name with surname ends that begins here; its start where none does."""
    surname = _surname_of(run[start:])
    if surname is None or _is_counted(run, start):
        return start
    given = start + len(surname)
    if run[given : given + 1] in ("", *"了的着过们") or (
        surname == "祝" and run[given] in _surnames()
    ):
        return start
    if token and len(token.text) > len(surname):
        if len(token.text) > len(surname) + 2 or (
            is_known(token.text) and not is_person(token.text)
        ):
            return start
        if token.flag.startswith("nr"):
            return _end_of_tagged(run, token, given)
    if token and token.end == given and token.flag[0] in "mq" and surname in _weak():
        return start
    if given + 2 in ends and given_strength(run[given : given + 2]):
        return given + 2
    if len(surname) > 1 and _is_single(run, given):
        return given + 1
    # Not every surname is one here: the characters of a given name have to be rare.
    most = RARE if len(surname) == 1 else LONG
    if not _is_rare(run, given, most):
        return start
    if _goes_on(run, given + 1):
        return given + 2
    return given + 1 if _context(run, start, given + 1) else start


def _is_single(run: str, place: int) -> bool:
    """Whether a character after a surname of two is a given name: 司徒健在家."""
    after = run[place + 1 :]
    ends = not after or after.startswith(tuple(people_lists("chinese")["after"]))
    return given_odds(run[place]) >= (1.0 if ends else 2.0)


def _may_be_one(run: str, start: int) -> bool:
    """Whether a word may be a name for once: 方圆 at the head, and something follows that people do."""
    name = run[start : start + 2]
    if _surname_of(name) != name[0] or not is_known(name):
        return False
    follows = run[start + 2 :].startswith(tuple(people_lists("chinese")["done"]))
    seldom = name not in _ordinary() and tagger()[2].get(name, 0) < COMMON
    return seldom and follows and (start == 0 or _context(run, start, start + 2) == 2)


def _end_of_tagged(run: str, token: Token, given: int) -> int:
    """Where a name ends that jieba has found: 岑禾说 is cut, 范睿|璟 is joined."""
    end = token.end
    if end - given == 2 and run[end - 1] in _not_last() and not is_known(token.text):
        return end - 1
    return end + 1 if end - given == 1 and _goes_on(run, end) else end


def _goes_on(run: str, place: int) -> bool:
    """Whether a name goes on with a character: a rare one, or one that something follows which
    stands after names."""
    if _is_rare(run, place, LONG):
        return True
    after = tuple(people_lists("chinese")["after"])
    if given_strength(run[place - 1 : place + 1]) == 2 and run.startswith(after, place + 1):
        return True
    begins = run[place : place + 1] in ("", *_not_last()) or run.startswith(after, place)
    return not begins and not longest_word(run, place) and run.startswith(after, place + 1)


def _is_rare(run: str, place: int, most: int) -> bool:
    """Whether a character may belong to a given name: rare or usual there, and begins no word."""
    one = run[place : place + 1]
    return (
        one != ""
        and one not in _not_last()
        and (tagger()[2].get(one, 0) < most or one in people_lists("chinese")["given"])
        and not longest_word(run, place)
        and not any(run.startswith(word, place) for word in people_lists("chinese")["after"])
    )


def _is_counted(run: str, start: int) -> bool:
    """Whether the surname is a measure: 这张图, 一段路."""
    return run[start] in "张段项席章季管支束单包路班封楼方石金成路车" and bool(
        re.search(r"[这那哪一两二三四五六七八九十几每某半数多整上下]$", run[:start])
    )


def _is_made_up(run: str, tokens: Sequence[Token], start: int) -> bool:
    """Whether jieba joined here what no dictionary has, so that a name may begin inside."""
    token = next(one for one in tokens if one.start <= start < one.end)
    return not is_known(token.text)


def _titled(run: str, tokens: Sequence[Token]) -> Iterator[Span]:
    """A surname, or a short given name, with a title: 岑总, 强哥."""
    flags = {token.start: token for token in tokens}
    for found in _title_pattern().finditer(run):
        start, end = found.span()
        if any(
            run.startswith(word, found.start("title"))
            for word in people_lists("chinese")["title_words"]
        ):
            continue
        token = flags.get(start)
        surname = found["surname"]
        if token is None and not _is_made_up(run, tokens, start):
            continue
        if (
            token
            and token.text in (surname, found[0])
            and token.flag[0] in "pcdrm"
            and surname in _weak()
            and len(found["title"]) == 1
        ):
            continue
        if surname in "和向那都从应别要能多还何任连单时来全后却强通" and surname not in "何任":
            continue
        if found[0] in _ordinary():
            continue
        if is_known(found[0]) and not tagger()[1].get(found[0], "").startswith("nr"):
            continue
        if (
            token
            and len(token.text) > len(surname)
            and token.text != found[0]
            and is_known(token.text)
        ):
            continue
        yield Span(start, end, True)


def _nicknames(run: str, tokens: Sequence[Token], starts: Mapping[int, Token]) -> Iterator[Span]:
    """老, 小 or 阿 with a surname or a given name."""
    lists = people_lists("chinese")
    for found in re.finditer(r"[老小阿][\u3400-\u9fff]", run):
        start, name = found.start(), found[0]
        if start not in starts and not _is_made_up(run, tokens, start):
            continue
        word = longest_word(run, start)
        if any(run.startswith(one, start) for one in lists["not_nick"]) or len(word) > 2:
            continue
        if run[max(0, start - 1) : start + 2] in _ordinary():
            continue
        if name[0] == "阿":
            if name[1] not in lists["not_a"]:
                yield Span(start, found.end(), True)
        elif name[1] in _surnames() and (not is_known(name) or _context(run, *found.span()) == 2):
            yield Span(start, found.end(), not is_known(name) and not longest_word(run, start + 1))
        elif is_listed(name):
            continue
        elif name[1] in lists["nick_given"] and not longest_word(run, start + 1):
            yield Span(start, found.end(), False)


def _introduced(run: str) -> Iterator[Span]:
    """姓苗; 我叫 and a name that jieba cuts otherwise."""
    for found in re.finditer(r"(?:姓|免贵姓)(?P<it>[\u3400-\u9fff])", run):
        if found["it"] in _surnames() and not is_known("姓" + found["it"]):
            yield Span(*found.span("it"), True)
    names = "|".join([*people_lists("chinese")["compound"], f"[{''.join(_surnames())}]"])
    for found in re.finditer(
        rf"(?:我叫|名叫|叫做|名字叫|名字是|我是)(?P<it>(?:{names})[\u3400-\u9fff]{{1,2}})", run
    ):
        start, end = found.span("it")
        name = run[start:end]
        while len(name) > 1 and name[-1] in _not_last():
            name = name[:-1]
        word = longest_word(run, start)
        plain = any(name.startswith(one) for one in _ordinary())
        if len(name) > 1 and not plain and (not word or is_person(word)):
            yield Span(start, start + len(name), True)


def _context(run: str, start: int, end: int) -> int:
    """2 where both sides speak for a name, 1 where one does, 0 else; edges speak for it."""
    lists = people_lists("chinese")
    before = start == 0 or run[:start].endswith(tuple(lists["before"]))
    after = end == len(run) or run[end:].startswith(tuple(lists["after"]))
    return int(before) + int(after)


def _surname_of(text: str) -> str | None:
    compound = next(
        (one for one in people_lists("chinese")["compound"] if text.startswith(one)), None
    )
    return compound or (text[0] if text[0] in _surnames() else None)


@cache
def _surnames() -> frozenset[str]:
    return frozenset(people_lists("chinese")["surnames"])


@cache
def _weak() -> frozenset[str]:
    return frozenset(people_lists("chinese")["weak"])


@cache
def _not_last() -> frozenset[str]:
    return frozenset(people_lists("chinese")["not_last"])


@cache
def _ordinary() -> frozenset[str]:
    return frozenset(people_lists("chinese")["ordinary"])


@cache
def _titles() -> frozenset[str]:
    return frozenset(people_lists("chinese")["titles"])


@cache
def _title_pattern() -> re.Pattern[str]:
    lists = people_lists("chinese")
    titles = "|".join(sorted(lists["titles"], key=len, reverse=True))
    names = "|".join([*lists["compound"], f"[{''.join(_surnames())}]"])
    return re.compile(rf"(?P<surname>{names})(?P<title>{titles})")
