"""Whether a text names self-deprecation or an equivalent: lexicon and negation in both languages.
The words are data (equivalents.json). One naming that is not taken back is enough: an answer that
hedges ("perhaps self-mockery") or lists ("sarcasm or self-mockery") names it too."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.base.files import read_text
from deadpan.metrics.folding import folded
from deadpan.parsing.labelled import either

_QUOTES = str.maketrans("", "", '"“”„«»「」『』《》〈〉*`')
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_TRADITIONAL = str.maketrans(
    "調諷謔貶損開話們對並沒無別單僅還來說為這會於與種點過樣實個員覺認認視錯屬純體現達圖發簡帶當應",
    "调讽谑贬损开话们对并没无别单仅还来说为这会于与种点过样实个员觉认认视错属纯体现达图发简带当应",
)
_BLANKS = re.compile(r"[^\S\n]+")
_PARAGRAPH = re.compile(r" ?\n(?: ?\n| ?[-•+] | ?\d{1,3}[.)] )+")
_BROKEN_WORD = re.compile(r"(?<=\w)- ?\n ?(?=\w)")
_BREAK = "¶"
"""What stands for the end of a paragraph or a list item."""

Words = Mapping[str, tuple[str, ...]]


class Equivalents(BaseModel):
    """The lexicon of both languages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str
    en: Words
    zh: Words


@cache
def equivalents() -> Equivalents:
    """The lexicon that ships with the benchmark."""
    return Equivalents.model_validate_json(read_text(Path(__file__).with_name("equivalents.json")))


def naming(text: str) -> str | None:
    """The first words that name self-deprecation and are not taken back; None where there are none.
    Both languages are looked for whatever the question's was."""
    plain = _plain(text)
    return next((found for finder in _finders() if (found := finder.naming(plain))), None)


def _plain(text: str) -> str:
    """Width, case, dashes, quotes, emphasis and traditional characters folded; spaces single."""
    text = folded(text).casefold()
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    text = text.replace("’", "'").replace("‘", "'").translate(_DASHES).translate(_QUOTES)
    text = _BROKEN_WORD.sub("-", _BLANKS.sub(" ", text.translate(_TRADITIONAL)))
    return " ".join(_PARAGRAPH.sub(f" {_BREAK} ", text).split())


class _Finder(ABC):
    """Finds names in folded text of one language; its patterns are built once from the lexicon."""

    reach: tuple[int, int]
    """How many characters before and after a name may take it back."""
    names: re.Pattern[str]
    opposed: re.Pattern[str]
    """What inside a name says that somebody else is meant."""
    before: re.Pattern[str]
    after: re.Pattern[str]
    confirmed: re.Pattern[str]

    def naming(self, text: str) -> str | None:
        """The first naming that is not taken back; None where there is none."""
        for found in self.names.finditer(text):
            if not self.opposed.search(found[0]) and not self._taken_back(text, found):
                return found[0]
        return None

    def _taken_back(self, text: str, found: re.Match[str]) -> bool:
        rest = text[found.end() : found.end() + self.reach[1]]
        if self.confirmed.match(rest):
            return False
        if self.after.match(rest):
            return True
        return self.is_negated(
            text[max(0, found.start() - self.reach[0]) : found.start()], found[0]
        )

    @abstractmethod
    def is_negated(self, prefix: str, name: str) -> bool:
        """Whether what stands before a name negates it."""

    def negations(self, prefix: str) -> Iterator[re.Match[str]]:
        """Every match of `before`, those that overlap too."""
        found = self.before.search(prefix)
        while found is not None:
            yield found
            found = self.before.search(prefix, found.start() + 1)


class _English(_Finder):
    reach = (160, 60)
    opposed = re.compile(
        r"\b(?:not|never)\b(?!.*\bbut\b)|\bothers?\b|\brather than\b|\binstead of\b"
    )
    doubled = re.compile(r"(?:\b(?:not|never|hardly)|n't)(?:\s+\w+ly)?\s*$")

    def __init__(self, words: Words) -> None:
        any_of = {name: either(listed) for name, listed in words.items()}
        self.names = re.compile("|".join(_english_names(words["verbs"], any_of)))
        self.still_named = frozenset(words["still_named"])
        self.undone = frozenset(words["undone"])
        filler = rf"(?:\s+(?:{any_of['fillers']}|\w+ly)\b)*"
        listed = r"(?:[\w-]+,?\s+){1,4}(?:or|nor)"
        self.before = re.compile(
            rf"(?<![\w'-])(?P<negator>(?:{any_of['before']}\b|\w+n't\b|\bcannot\b))"
            rf"(?P<between>{filler}(?:\s+{listed})?{filler}"
            r"|(?P<pair>\s+(?:[\w-]+,?\s+){1,2}and(?:\s+(?:a|an|any))?))\s*$"
        )
        self.compared = re.compile(
            rf"(?:\bmore\s+(?:[\w-]+\s+){{1,5}}than|\btoo\s+[\w-]+\s+to){filler}\s*$"
        )
        nouns = r"(?:\s+(?:humou?r|tone|intent|intention|joke|element|elements|aspect))?"
        self.after = re.compile(
            rf"{nouns}(?:\s+{any_of['after']}\b|\s*\?\s*{any_of['no']}\b|\s*:\s*(?:{any_of['no']}"
            r"(?=\s*(?:[.,;!)¶]|$))|not\s+(?:present|applicable|found|detected)))"
        )
        self.confirmed = re.compile(rf"{nouns}\s*[?:]\s*{any_of['yes']}\b")

    def is_negated(self, prefix: str, name: str) -> bool:
        prefix = re.sub(r"\b(?:non|un)-$", "not ", prefix)
        if self.compared.search(prefix):
            return True
        is_noun = name.startswith("self")
        return any(self._reaches(prefix, one, is_noun) for one in self.negations(prefix))

    def _reaches(self, prefix: str, negation: re.Match[str], is_noun: bool) -> bool:
        """Whether a negator reaches the name: not through "only", not negated itself. Of what "and"
        joins to something negated, only nouns are: "can't cook and mocks himself"."""
        if negation["pair"] and not (is_noun and negation["negator"] in ("not", "no", "without")):
            return False
        if self.still_named & set(re.findall(r"\w+", negation["between"])):
            return False
        before = prefix[: negation.start()]
        if negation["negator"] in self.undone and self.doubled.search(before):
            return False
        return not (negation["negator"] == "other than" and re.search(r"\bno\w*\s*$", before))


def _english_names(verbs: tuple[str, ...], any_of: Mapping[str, str]) -> Iterator[str]:
    """Patterns of everything that names it."""
    selves, humour, others = any_of["selves"], any_of["humour"], any_of["others"]
    owner = rf"(?:{any_of['owners']}|(?:the\s+)?\w+'s)"
    target = rf"(?:{selves}\b|{owner}\s+own\b(?!\s+(?:[\w-]+\s+)?{others}\b))"
    gap = (
        r"(?:\w+ly|a|bit|of|little|some|good|gentle|good-natured|light|light-hearted|also|both"
        r"|even|affectionate|wry)"
    )
    yield rf"\bself[-\s]{{0,2}}{any_of['self']}\b"
    aimed = rf"\bself[-\s]?{any_of['humour_after']}"
    yield rf"{aimed}[\s-]+(?:[\w-]+\s+){{0,2}}{humour}\b"
    yield rf"\b{humour}\b[^.;!?¶]{{0,20}}{aimed}\b"
    for form in verbs:
        verb = rf"\s+(?:{gap}\s+){{0,3}}".join(map(re.escape, form.split()))
        yield rf"\b{verb}\s+(?:{gap}\s+){{0,2}}{target}"
    yield rf"\b{any_of['around']}\s+(?:{selves}\s+down|down\s+{selves})\b"
    made = r"(?:make|makes|making|made|turn|turns|turning|turned)"
    yield rf"\b{made}\s+{selves}\s+{any_of['made_of']}\b"
    yield rf"\bbutt\s+of\s+{owner}\s+own\s+jokes?\b"
    aim = r"(?:at|on|of|about|against|towards?)"
    yield rf"\b{any_of['jokes']}\b(?:\s+[\w-]+){{0,3}}?\s+{aim}\s+{target}"
    yield rf"\b{humour}\b[^.;!?¶]{{0,60}}?\bat\s+(?:{owner}\s+own|one's)\s+expense\b"


class _Chinese(_Finder):
    reach = (40, 20)
    short = frozenset("不没无非未")
    rhetorical = ("何尝", "岂", "难道", "难道这", "莫", "无", "得", "除", "若")
    no_negation = re.compile(r"没(?:想到|料到|错)|不得不|无非|莫非")

    def __init__(self, words: Words) -> None:
        any_of = {name: either(listed) for name, listed in words.items()}
        any_of["long_verbs"] = either(verb for verb in words["verbs"] if len(verb) > 1)
        self.names = re.compile("|".join(_chinese_names(any_of)))
        self.opposed = re.compile(rf"{any_of['selves']}的?{any_of['others']}")
        self.still_named, self.doubled = words["still_named"], words["doubled"]
        self.undone = frozenset(words["undone"])
        fillers = rf"(?:{any_of['fillers']}|\s)*"
        joined = r"(?:[\u4e00-\u9fff]{1,6}?(?:、|和|或者|或|与|以及|及))+"
        self.before = re.compile(
            rf"(?P<negator>{any_of['before']})"
            rf"(?P<between>{fillers}(?P<list>{joined}{fillers})?)$"
        )
        aspect = r"(?:的)?(?:意味|成分|意思|意图|色彩|元素|倾向|含义|性质)?"
        self.after = re.compile(
            rf"{aspect}(?:{any_of['after']}(?=[,。;!¶\s]|$)"
            rf"|\s*\?\s*{any_of['no']}|\s*:\s*{any_of['no']}(?=[,。;!¶.]|$))"
        )
        self.confirmed = re.compile(rf"{aspect}\s*[?:]\s*{any_of['yes']}")

    def is_negated(self, prefix: str, name: str) -> bool:
        return any(self._reaches(prefix, one) for one in self.negations(prefix))

    def _reaches(self, prefix: str, negation: re.Match[str]) -> bool:
        """Whether a negator reaches the name: no "not only", no double or rhetorical negation."""
        negator, between = negation["negator"], negation["between"]
        if negation["list"] and (negator in self.short or between.startswith(self.still_named)):
            return False
        before = prefix[: negation.start()]
        if negator in self.undone and before.endswith(self.doubled):
            return False
        if negator != "无" and before.endswith(self.rhetorical):
            return False
        return not self.no_negation.match(prefix, negation.start())


def _chinese_names(any_of: Mapping[str, str]) -> Iterator[str]:
    """Patterns of everything that names it."""
    selves, inside = any_of["selves"], r"[^,。;!?¶、]"
    elsewhere = r"(?!他人|别人|对方|社会|大家|那些)"
    yield any_of["terms"]
    yield rf"{any_of['verbs']}{any_of['between']}?{selves}(?!的?{any_of['others']})"
    yield rf"对{selves}{inside}{{0,8}}?{any_of['long_verbs']}{elsewhere}"
    yield rf"拿{selves}{inside}{{0,8}}?{any_of['taken']}"
    yield rf"开[了着起]?{selves}的?玩笑"
    yield rf"以{selves}{inside}{{0,6}}?为(?:笑料|乐|梗|靶子|笑点|笑柄)"
    yield rf"把{selves}{inside}{{0,6}}?当[成作]?(?:笑料|笑话|段子|梗|笑柄)"


@cache
def _finders() -> tuple[_Finder, ...]:
    return _English(equivalents().en), _Chinese(equivalents().zh)
