"""English words that name self-deprecation, and the negations that take them back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deadpan.benchmarks.janusmm.lexicon import Frozen, Words
from deadpan.parsing.labelled import either

_BEFORE = 160
_AFTER = 60
_GAP = (
    r"(?:\w+ly|a|bit|of|little|some|good|gentle|good-natured|light|light-hearted|also|both|even"
    r"|affectionate|wry)"
)
_OPPOSED = re.compile(r"\b(?:not|never)\b(?!.*\bbut\b)|\bothers?\b|\brather than\b|\binstead of\b")
_MORE_THAN = r"\bmore\s+(?:[\w-]+\s+){1,5}than"
_TOO = r"\btoo\s+[\w-]+\s+to"
_LIST = r"(?:[\w-]+,?\s+){1,4}(?:or|nor)"
_PAIR = r"(?:[\w-]+,?\s+){1,2}and(?:\s+(?:a|an|any))?"
_NEGATED = r"(?:\b(?:not|never|hardly)|n't)"


class EnglishLexicon(Frozen):
    """The English part of equivalents.json."""

    self: Words
    humour_after: Words
    humour: Words
    selves: Words
    owners: Words
    verbs: tuple[Words, ...]
    around: tuple[Words, ...]
    made_of: Words
    jokes: Words
    others: Words
    before: Words
    undone: Words
    fillers: Words
    still_named: Words
    after: Words
    no: Words
    yes: Words


class EnglishNaming:
    """Finds names in folded English text; built once from its lexicon."""

    def __init__(self, lexicon: EnglishLexicon) -> None:
        self._names = re.compile("|".join(_names(lexicon)))
        self._still = frozenset(lexicon.still_named)
        self._undone = frozenset(lexicon.undone)
        filler = rf"(?:\s+(?:{either(lexicon.fillers)}|\w+ly)\b)*"
        negator = rf"(?:{either(lexicon.before)}\b|\w+n't\b|\bcannot\b)"
        self._before = re.compile(
            rf"(?<![\w'-])(?P<negator>{negator})"
            rf"(?P<between>{filler}(?:\s+{_LIST})?{filler}|(?P<pair>\s+{_PAIR}))\s*$"
        )
        self._compared = re.compile(rf"(?:{_MORE_THAN}|{_TOO}){filler}\s*$")
        self._doubled = re.compile(rf"{_NEGATED}(?:\s+\w+ly)?\s*$")
        nouns = r"(?:\s+(?:humou?r|tone|intent|intention|joke|element|elements|aspect))?"
        no = either(lexicon.no)
        self._after = re.compile(
            rf"{nouns}(?:\s+{either(lexicon.after)}\b|\s*\?\s*{no}\b"
            rf"|\s*:\s*(?:{no}(?=\s*(?:[.,;!)¶]|$))|not\s+(?:present|applicable|found|detected)))"
        )
        self._confirmed = re.compile(rf"{nouns}\s*[?:]\s*{either(lexicon.yes)}\b")

    def naming(self, text: str) -> str | None:
        """The first naming that is not taken back; None where there is none."""
        for found in self._names.finditer(text):
            if not _OPPOSED.search(found[0]) and not self._taken_back(text, found):
                return found[0]
        return None

    def _taken_back(self, text: str, found: re.Match[str]) -> bool:
        rest = text[found.end() : found.end() + _AFTER]
        if self._confirmed.match(rest):
            return False
        if self._after.match(rest):
            return True
        prefix = text[max(0, found.start() - _BEFORE) : found.start()]
        prefix = re.sub(r"\b(?:non|un)-$", "not ", prefix)
        if self._compared.search(prefix):
            return True
        noun = found[0].startswith("self")
        return any(self._negates(prefix, negation, noun) for negation in _all(self._before, prefix))

    def _negates(self, prefix: str, negation: re.Match[str], noun: bool) -> bool:
        """Whether a negator reaches the name: not through "only", not negated itself.

        Of what "and" joins to something negated, only nouns are: "can't cook and mocks himself".
        """
        if negation["pair"] and not (noun and negation["negator"] in ("not", "no", "without")):
            return False
        if self._still & set(re.findall(r"\w+", negation["between"])):
            return False
        before = prefix[: negation.start()]
        if negation["negator"] in self._undone and self._doubled.search(before):
            return False
        return not (negation["negator"] == "other than" and re.search(r"\bno\w*\s*$", before))


def _all(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Every match, those that overlap too."""
    found = pattern.search(text)
    while found is not None:
        yield found
        found = pattern.search(text, found.start() + 1)


def _names(lexicon: EnglishLexicon) -> Iterator[str]:
    """Patterns of everything that names it."""
    selves = either(lexicon.selves)
    owner = rf"(?:{either(lexicon.owners)}|(?:the\s+)?\w+'s)"
    own = rf"{owner}\s+own\b(?!\s+(?:[\w-]+\s+)?{either(lexicon.others)}\b)"
    target = rf"(?:{selves}\b|{own})"
    humour = either(lexicon.humour)
    yield rf"\bself[-\s]{{0,2}}{either(lexicon.self)}\b"
    aimed = rf"\bself[-\s]?{either(lexicon.humour_after)}"
    yield rf"{aimed}[\s-]+(?:[\w-]+\s+){{0,2}}{humour}\b"
    yield rf"\b{humour}\b[^.;!?¶]{{0,20}}{aimed}\b"
    for forms in lexicon.verbs:
        for form in forms:
            verb = rf"\s+(?:{_GAP}\s+){{0,3}}".join(map(re.escape, form.split()))
            yield rf"\b{verb}\s+(?:{_GAP}\s+){{0,2}}{target}"
    for *turns, after in lexicon.around:
        yield rf"\b{either(turns)}\s+(?:{selves}\s+{after}|{after}\s+{selves})\b"
    made = r"(?:make|makes|making|made|turn|turns|turning|turned)"
    yield rf"\b{made}\s+{selves}\s+{either(lexicon.made_of)}\b"
    yield rf"\bbutt\s+of\s+{owner}\s+own\s+jokes?\b"
    aim = r"(?:at|on|of|about|against|towards?)"
    yield rf"\b{either(lexicon.jokes)}\b(?:\s+[\w-]+){{0,3}}?\s+{aim}\s+{target}"
    yield rf"\b{humour}\b[^.;!?¶]{{0,60}}?\bat\s+(?:{owner}\s+own|one's)\s+expense\b"
