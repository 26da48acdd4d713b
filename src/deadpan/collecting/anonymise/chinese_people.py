"""Chinese names by jieba's words and tags, surnames, titles and what stands around."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from deadpan.collecting.anonymise.chinese_given import (
    context,
    full_names,
    looks_given,
    surname_of,
    surnames,
)
from deadpan.collecting.anonymise.chinese_words import (
    COMMON,
    LAUGHTER,
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
    r"|[叫喊称](?:[我他她]|他们?|大家)(?:做|作)?"
    r"|(?:我|名字?|[儿孙]子|女儿|闺女|娃|宝宝|[弟妹哥姐]+|同[事学桌]|室友|闺蜜|老[板师公婆])(?:大名|小名)?叫(?:做|作)?)"
    r"(?P<it>[\u3400-\u9fff]{2,3}?)"
    r"(?=就[行好成可]|吧|呗|好了|[，,。.!！~？?]|$)"
)


_SOUNDS = frozenset("哈呵嘿嘻呜啊哎嗯哦噢唉呀哇嘤汪喵咚滴嘟啦吧好对是不没了的一")


def chinese_people(seen: str) -> Iterator[Span]:
    """Where names stand: with surname, as a nickname (老王, 阿强), with a title (李老师)."""
    for run in RUN.finditer(seen):
        inside = [*_in_run(run[0]), *_called(run[0]), *_pet_names(run[0])]
        found = [*inside, *_heading(seen, *run.span())]
        for span in _apart(found):
            yield span._replace(start=run.start() + span.start, end=run.start() + span.end)


def _apart(found: Sequence[Span]) -> list[Span]:
    """Those that do not overlap: the likely ones first, of them the one that begins first."""
    taken: list[Span] = []
    for span in sorted(found, key=lambda one: (not one.likely, one.start)):
        if all(span.end <= one.start or span.start >= one.end for one in taken):
            taken.append(span)
    return sorted(taken)


def _may_name(run: str) -> bool:
    return any(character in surnames() or character in "老小阿" for character in run) or any(
        surname in run for surname in people_lists("chinese")["compound"]
    )


def _called(run: str) -> Iterator[Span]:
    """外号叫大壮, 叫我二狗就行: any two or three characters; a plain word stays unless decided."""
    for found in _CALLED.finditer(run):
        name = found["it"]
        while len(name) > 2 and name[-1] in _not_last():
            name = name[:-1]
        if (
            name[0] not in "我你他她什怎啥不人得个了"
            and name[-1] not in "了啥么"
            and name not in words().roles
        ):
            start = found.start("it")
            yield Span(start, start + len(name), False, not is_known(name))


def _heading(seen: str, start: int, end: int) -> Iterator[Span]:
    """苏木: at the head of a line; a plain word stays unless somebody decides."""
    name = seen[start:end]
    heads = seen[:start].rpartition("\n")[2].strip(" @") == "" and seen[end : end + 1] == ":"
    surname = surname_of(name)
    plain = name in _ordinary() or tagger()[2].get(name, 0) >= COMMON
    if heads and surname and 0 < len(name) - len(surname) < 3 and not plain:
        yield Span(0, len(name), False, not is_known(name) and name[0] not in _weak())


def _in_run(run: str) -> Iterator[Span]:
    if not _may_name(run):
        return
    tokens = tokens_of(run)
    if len(tokens) == 1 and len(run) > LAUGHTER:
        return
    starts = {token.start: token for token in tokens}
    yield from _titled(run, tokens)
    yield from _nicknames(run, tokens, starts)
    yield from full_names(run)
    yield from _given_names(run)
    yield from _introduced(run)


def _given_names(run: str) -> Iterator[Span]:
    """我弟沐阳把: a given name alone, after a word for a person; 若曦说 is for people to decide."""
    kin = tuple(people_lists("chinese")["kin"])
    for start in range(len(run) - 1):
        if looks_given(run[start : start + 2]) and context(run, start, start + 2) == 2:
            cued = run[:start].endswith(kin)
            if cued or start == 0:
                yield Span(start, start + 2, False, cued)


def _pet_names(run: str) -> Iterator[Span]:
    """带糖糖和果果: a character twice where names stand; stays unless somebody decides."""
    for found in re.finditer(r"([\u3400-\u9fff])\1", run):
        start, end = found.span()
        is_pet = found[1] not in _SOUNDS and not is_known(found[0])
        if is_pet and context(run, start, end) == 2:
            yield Span(start, end, False, False)


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
        if surname == "单" and len(found["title"]) > 1:
            yield Span(start, end, False)
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
        elif name[1] in surnames() and (not is_known(name) or context(run, *found.span()) == 2):
            yield Span(start, found.end(), not is_known(name) and not longest_word(run, start + 1))
        elif is_listed(name):
            continue
        elif name[1] in lists["nick_given"] and not longest_word(run, start + 1):
            yield Span(start, found.end(), False)


def _introduced(run: str) -> Iterator[Span]:
    """姓苗; 我叫 and a name that jieba cuts otherwise."""
    for found in re.finditer(r"(?:姓|免贵姓)(?P<it>[\u3400-\u9fff])", run):
        if found["it"] in surnames() and not is_known("姓" + found["it"]):
            yield Span(*found.span("it"), True)
    names = "|".join([*people_lists("chinese")["compound"], f"[{''.join(surnames())}]"])
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
def _title_pattern() -> re.Pattern[str]:
    lists = people_lists("chinese")
    titles = "|".join(sorted(lists["titles"], key=len, reverse=True))
    names = "|".join([*lists["compound"], f"[{''.join(surnames())}]"])
    return re.compile(rf"(?P<surname>{names})(?P<title>{titles})")
