"""What an answer says to a yes-or-no question in English or Chinese: yes, no, or nothing clear.

An answer says it by a plain yes or no that is a clause of its own, by a statement about the thing
asked for ("is not sarcastic", 没有讽刺) or by its name as the first sentence. All of it counts,
but what stands after "final answer" (最终答案) counts alone. One that says both, neither or only
"perhaps" is unparseable: nothing is guessed.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Literal

from deadpan.base.compatibility import compatibility_form
from deadpan.base.files import read_text
from deadpan.parsing.labelled import either
from deadpan.parsing.patterns import Patterns
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import simplify

_DATA = tomllib.loads(read_text(Path(__file__).with_name("stances.toml")))
_PLAIN = {
    **_DATA["patterns"],
    **{f"either_{said}": either(words) for said, words in _DATA["words"].items()},
}
_PATTERNS = Patterns(_PLAIN)
_WHOLE = {word: said == "yes" for said, words in _DATA["whole"].items() for word in words}
_EMOJI = frozenset({"So", "Sk", "Cf", "Mn", "Cs"})
"""Kinds of characters that only decorate."""
_REACH = 120
"""How far back a clause is looked at, in characters."""


class Stance:
    """Reads what is said about the thing asked for, by the words of stances.toml."""

    def __init__(self, thing: Literal["sarcasm", "metaphor"]) -> None:
        self._patterns = Patterns(_PLAIN | _DATA[thing])

    def says(self, text: str) -> bool:
        """Whether it says yes; an answer that says both or nothing clear raises Unparseable."""
        plain = self._unquoted(text)
        if not plain:
            raise Unparseable("expected yes or no (是 or 否); there is nothing")
        *_, last = _PATTERNS["finally"].split(plain)
        answer = self._without_questions(last if re.search(r"\w", last) else plain)
        denied = self._patterns["denied"]
        left = self._patterns["open"].sub(" ", answer)
        stated = self._patterns["taken_back"].sub(" ", denied.sub(" ", left))
        said = plain_answers(answer)
        said |= {False} if denied.search(left) else set()
        said |= {True} if self._is_stated(stated) else set()
        if len(said) > 1:
            raise Unparseable("it says both yes and no")
        if not said:
            raise Unparseable("expected yes or no (是 or 否); it says neither clearly")
        return said.pop()

    def _unquoted(self, text: str) -> str:
        """The plain text without what it quotes, unless that names the thing or is all there is."""
        named = self._patterns["named"]
        whole = normalize_text(text)
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


def plain_answers(text: str) -> set[bool]:
    """What a text says by a plain yes or no that is a clause of its own; a hedged one is both."""
    answer = _strip_marks(normalize_text(text))
    first = answer.split("\n")[0].strip(" .!。")
    said = {_WHOLE[first]} if first in _WHOLE else set()
    said |= {one["yes"] is not None for one in _PATTERNS["concludes"].finditer(answer)}
    for clause in map(str.strip, _PATTERNS["edge"].split(answer)):
        if found := _PATTERNS["answer"].fullmatch(clause):
            said.add(found["yes"] is not None)
        elif _PATTERNS["hedged_answer"].fullmatch(clause):
            said |= {True, False}
    return said


def normalize_text(text: str) -> str:
    """The text in lower case and compatibility form, in simplified characters, without emoji."""
    plain = compatibility_form(text).casefold().replace("’", "'")
    kept = (" " if unicodedata.category(sign) in _EMOJI else sign for sign in plain)
    return simplify("".join(kept))


def _strip_marks(text: str) -> str:
    """The text without the marks of Markdown, TeX and HTML, and without quotation marks."""
    text = re.sub(r"<[^<>\n]{1,30}>", "\n", re.sub(r"\\[a-z]{1,12}\{|[{}$]", " ", text))
    return re.sub(r"[*_`#>\"“”「」『』\\]+", "", text).strip(" \n")


SARCASM = Stance("sarcasm")
METAPHOR = Stance("metaphor")
