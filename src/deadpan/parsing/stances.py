"""What an answer says to a yes-or-no question in English or Chinese: yes, no, or nothing clear.

A leading yes or no decides. Else an answer says it by a plain yes or no that is a clause of its
own, by a statement about the thing asked for ("is not sarcastic", 没有讽刺) or its opposite ("is
sincere"), or by its name as the first sentence. What stands after "final answer" (最终答案), or
corrects what was said, counts alone. One that says both, neither or only "perhaps" is unparseable:
nothing is guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from deadpan.base.files import read_text
from deadpan.parsing.declared import PATTERNS as GRAMMAR
from deadpan.parsing.declared import announced, settled, surest
from deadpan.parsing.patterns import Patterns, either
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import fold, normalize_text

_DATA = tomllib.loads(read_text(Path(__file__).with_name("stances.toml")))
_WHOLE = {word: said == "yes" for said, words in _DATA["whole"].items() for word in words}
_REACH = 120
"""How far back a clause is looked at, in characters."""


def _worded(thing: Mapping[str, Any]) -> Patterns:
    """The patterns about a thing, with its own words for yes and no beside those of all."""
    words = {
        f"either_{said}": either([*words, *thing.get(said, ())])
        for said, words in _DATA["words"].items()
    }
    return Patterns({**_DATA["patterns"], **words, **thing})


_PATTERNS = _worded({})


class Stance:
    """Reads what is said about the thing asked for, by the words of stances.toml."""

    def __init__(self, thing: Literal["sarcasm", "metaphor", "humour"]) -> None:
        self._patterns = _worded(_DATA[thing])

    def says(self, text: str) -> bool:
        """Whether it says yes; an answer that says both or nothing clear raises Unparseable."""
        found = surest(text, self._clearly)
        if found is not None:
            return found
        plain = self._unquoted(text)
        if not plain:
            raise Unparseable("expected yes or no (是 or 否); there is nothing")
        *_, last = _PATTERNS["finally"].split(plain)
        answer = self._settled(last if re.search(r"\w", last) else plain)
        *drafts, corrected = GRAMMAR["correction"].split(answer)
        if drafts and (found := self._clearly(corrected)) is not None:
            return found
        for announces in ("final", "announces", "concludes"):
            said = {self._clearly(one) for one in announced(answer, GRAMMAR[announces])} - {None}
            if said:
                return self._one({one for one in (*said, self._lead(answer)) if one is not None})
        return self._decided(answer)

    def named(self, text: str) -> frozenset[str]:
        """What the sentences of a text that speak of the thing, or say yes or no, may mean: True
        where they negate nothing, False where they do; nothing where one doubts or asks, or where
        they differ."""
        said = {
            self._may_mean(sentence)
            for sentence in _PATTERNS["sentence"].findall(_strip_marks(_ticked(text)))
            if self._speaks(sentence)
        }
        return frozenset(said if len(said) == 1 else ()) - {""}

    def _speaks(self, sentence: str) -> bool:
        """Whether a sentence names the thing in any form, or says yes or no."""
        forms = ("named", "mocks", "opposite", "stated", "denied")
        named = any(self._patterns[form].search(sentence) for form in forms)
        return named or bool(self.plain_answers(sentence))

    def _may_mean(self, sentence: str) -> str:
        """True or False, as a sentence negates nothing or something; nothing for a doubt."""
        doubts = (*(_PATTERNS[one] for one in _DOUBTS), GRAMMAR["hedges"], GRAMMAR["undecided"])
        plain = self.plain_answers(sentence)
        if "?" in sentence or len(plain) > 1 or any(one.search(sentence) for one in doubts):
            return ""
        negates = (_PATTERNS["negates"], _PATTERNS["chinese_not"], GRAMMAR["denies"])
        opposed = (self._patterns[one] for one in ("denied", "opposite"))
        is_no = False in plain or any(one.search(sentence) for one in (*negates, *opposed))
        return str(not is_no)

    def _settled(self, answer: str) -> str:
        """What an answer says for certain: of one that leaves it open ("it depends") what turns
        against that, and nothing said on one condition and otherwise on another."""
        answer = settled(answer)
        *before, rest = GRAMMAR["depends"].split(answer)
        if not before or self._lead(answer) is not None:
            return answer
        if not GRAMMAR["turns"].search(rest):
            raise Unparseable("expected yes or no (是 or 否); it leaves it open")
        return rest

    def _clearly(self, text: str) -> bool | None:
        """What a piece says; None where that is nothing clear."""
        try:
            return self._decided(self._unquoted(text))
        except Unparseable:
            return None

    def _decided(self, plain: str) -> bool:
        """What a text says by its leading yes or no, else by all of it."""
        answer = self._without_questions(plain)
        if (lead := self._lead(answer)) is not None:
            return lead
        return self._one(self._said(answer))

    def _one(self, said: set[bool]) -> bool:
        if len(said) > 1:
            raise Unparseable("it says both yes and no")
        if not said:
            raise Unparseable("expected yes or no (是 or 否); it says neither clearly")
        return said.pop()

    def _lead(self, answer: str) -> bool | None:
        """The yes or no that an answer opens with, unless its sentence, another yes or no of its
        own, or a conclusion says the opposite."""
        at = 0
        for clause in _PATTERNS["edge"].split(answer[:_LEAD]):
            if found := self._patterns["answer"].fullmatch(clause.strip()):
                break
            if re.search(r"\w", clause):
                return None
            at += len(clause)
        else:
            return None
        lead = found["yes"] is not None
        place = answer.index(clause, at) + len(clause)
        sentence = _PATTERNS["sentence"].match(answer, place)
        end = sentence.end() if sentence else place
        if answer[place : place + 1] in ".!?。\n":
            end = place
        said = self._one({lead} | self._said(answer[:end]))
        rest = _PATTERNS["sentence"].findall(answer[end:])
        others = [one for one in rest if self._is_plain(one) or _PATTERNS["concluding"].match(one)]
        return self._one({said}.union(*map(self._said, others)))

    def _is_plain(self, sentence: str) -> bool:
        """Whether a sentence is, or opens with, a plain yes or no."""
        clause = _PATTERNS["edge"].split(sentence.strip(" .!?。\n,"), maxsplit=1)[0]
        return self._patterns["answer"].fullmatch(clause.strip()) is not None

    def _said(self, answer: str) -> set[bool]:
        """All that a text says: plain answers, and what it states and denies."""
        denied = self._patterns["denied"]
        left = self._patterns["open"].sub(" ", answer)
        stated = denied.sub(" ", left)
        opposed = self._opposed(left)
        if not opposed:
            stated = self._patterns["taken_back"].sub(" ", stated)
        said = self.plain_answers(answer)
        said |= {False} if opposed or denied.search(left) else set()
        said |= {True} if self._is_stated(stated) else set()
        return said or ({False} if self._patterns["weakly_denied"].search(left) else set())

    def _opposed(self, left: str) -> bool:
        """Whether the opposite is stated in a clause that neither negates nor leaves it open."""
        return any(
            not _PATTERNS["negates"].search(before) and not _PATTERNS["hedge"].search(before)
            for found in self._patterns["opposite"].finditer(left)
            for before in [
                _PATTERNS["clause"].split(left[max(0, found.start() - _REACH) : found.end()])[-1]
            ]
        )

    def _unquoted(self, text: str) -> str:
        """The plain text without what it quotes, unless that names the thing or is all there is."""
        named = self._patterns["named"]
        whole = _ticked(text)
        left = _PATTERNS["quoted"].sub(lambda one: one[0] if named.search(one[1]) else " ", whole)
        return _strip_marks(left) or _strip_marks(whole)

    def _without_questions(self, text: str) -> str:
        """The text without whole questions about the thing, said again or left open."""
        return "".join(
            " " if sentence.endswith("?") and self._patterns["named"].search(sentence) else sentence
            for sentence in _PATTERNS["sentence"].findall(text)
        )

    def _is_stated(self, left: str) -> bool:
        """Whether the thing is the first sentence or is stated in a clause that negates nothing."""
        if self._patterns["alone"].match(left):
            return True
        for found in self._patterns["stated"].finditer(left):
            before = left[max(0, found.start() - _REACH) : found.start()]
            if not _PATTERNS["negates"].search(_PATTERNS["clause"].split(before)[-1]):
                return True
        return False

    def plain_answers(self, text: str) -> set[bool]:
        """What a text says by a plain yes or no that is a clause of its own; a hedged one is
        both."""
        answer = _strip_marks(_ticked(text))
        first = answer.split("\n")[0].strip(" .!。")
        said = {_WHOLE[first]} if first in _WHOLE else set()
        said |= {True} if answer.strip(" .!。") in _DATA["alone"]["yes"] else set()
        said |= {one["yes"] is not None for one in self._patterns["concludes"].finditer(answer)}
        for clause in map(str.strip, _PATTERNS["edge"].split(answer)):
            if found := self._patterns["answer"].fullmatch(clause):
                said.add(found["yes"] is not None)
            elif self._patterns["hedged_answer"].fullmatch(clause):
                said |= {True, False}
        return said


_DOUBTS = ("hedge", "unsure", "chinese_unsure", "untold")
_LEAD = 300
"""Characters in which a leading yes or no stands."""


def _ticked(text: str) -> str:
    """The normalized text; a tick or cross that is all of it is a yes or a no."""
    sign = fold(text).strip(" *_`.\n")
    return {"✓": "yes", "✗": "no"}.get(sign) or normalize_text(text)


def _strip_marks(text: str) -> str:
    """The text without the marks of Markdown, TeX and HTML, and without quotation marks."""
    text = re.sub(r"<[^<>\n]{1,30}>", "\n", re.sub(r"\\[a-z]{1,12}\{|[{}$]", " ", text))
    return re.sub(r"[*_`#>\"“”「」『』\\]+", "", text).strip(" \n")


SARCASM = Stance("sarcasm")
METAPHOR = Stance("metaphor")
HUMOUR = Stance("humour")
