"""Which options a reply names as its answer: labels, letters or panels, with negation and contrast.

A text is read as a list of options (lists.py), or as prose that says which ones it means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from deadpan.parsing.declared import PATTERNS, Asked, decide
from deadpan.parsing.lists import LONGEST_LIST, MOST, OptionLists
from deadpan.parsing.mentions import (
    Mention,
    clauses_of,
    denied_together,
    is_alternative,
    label_finder,
    polarity,
)
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import bulleted, fold, unmarked


@dataclass(frozen=True, kw_only=True)
class Vocabulary(OptionLists):
    """The options of a task, and what says in prose that they are meant. `prepares` says what an
    option is not meant by, `scopes` what limits an option to a part of the whole; the prose of a
    `consistent` answer affirms no other option."""

    decides: tuple[re.Pattern[str], ...]
    consistent: bool = False
    prepares: re.Pattern[str] | None = None
    scopes: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    asked: Asked = field(default_factory=Asked)

    @classmethod
    def worded(cls, given: Mapping[str, Any], several: bool) -> Vocabulary:
        """The vocabulary of labels that data words; what is lacking or of another form raises.

        `labels` holds for each label `names`, patterns that mean it wherever they stand, or `loose`
        ones, which do in a list of labels or a short answer only; `scope` is what before a label
        limits it to a part of the whole. `asked` are the names of what is asked for, as a reply may
        title its answer ("weather: rain"). `filler` is a pattern of what may stand beside labels in
        a mere list of them, `decides` are patterns of what says in prose that a label is meant, the
        surest first. `sums` are labels that two others make up, `consistent` whether the prose may
        name no other label. Patterns are for both languages, and simplified characters; the case
        counts in `filler` and `decides` unless they begin with `(?i)`.
        """
        _require_worded(given)
        sums = {frozenset(parts): label for label, parts in given.get("sums", {}).items()}
        return cls(
            find=label_finder(given["labels"]),
            filler=re.compile(given["filler"]),
            decides=tuple(map(re.compile, given["decides"])),
            several=several,
            size=len(given["labels"]),
            several_in_prose=several,
            consistent=given.get("consistent", False),
            sums=sums,
            scopes={
                label: re.compile(one["scope"])
                for label, one in given["labels"].items()
                if "scope" in one
            },
            asked=Asked(tuple(given["asked"])),
        )

    def read(self, text: str) -> list[str] | None:
        """The options that a reply names, each once, in their order; None where it names none."""
        try:
            found = decide(text if self.narrow else _kept(text), self)
        except Unparseable:
            rest = self._without_options(text)
            if rest is None or (found := decide(rest, self)) is None:
                raise
        if found is None:
            return None
        plain = unmarked(text)
        if self.every and len(found) == len(self.every) and PATTERNS["options_are"].search(plain):
            return None
        return None if self.consistent and self._contradicts(plain, found) else found

    def _without_options(self, text: str) -> str | None:
        """What stands around lines that list every option once, as the question does; None where
        no lines do."""
        lines = text.split("\n")[:MOST]
        opened = [
            found[0].value if found and self._opens(plain, found[0]) else None
            for plain in map(unmarked, lines)
            for found in [self.find(plain[:LONGEST_LIST])]
        ]
        size = self.size or 0
        for at in range(len(lines) - size + 1 if size > 1 else 0):
            listed = opened[at : at + size]
            if None not in listed and len({*listed}) == size:
                return "\n".join([*lines[:at], "", *lines[at + size :]])
        return None

    def _contradicts(self, plain: str, found: Sequence[str]) -> bool:
        """Whether the prose of a reply affirms another option than the one that it declares; what
        stands before a final answer is a draft."""
        *_, last = PATTERNS["correction"].split(plain)
        finals = list(PATTERNS["final"].finditer(last))
        said = {
            value
            for clause in clauses_of(last[finals[-1].end() :] if finals else last, "sentence_end")[
                :MOST
            ]
            for value, stands in self._stands(clause)
            if stands
        }
        return bool(said - set(found))

    def prose(self, plain: str) -> list[str] | None:
        """The options that sentences say are meant."""
        *before, plain = PATTERNS["undecided"].split(plain)
        if before and not PATTERNS["turns"].search(plain):
            return None
        plain = self._without_echoes(PATTERNS["between_two"].sub(" ", plain))
        if (every := self._all_but(plain)) is not None:
            return every
        if (judged := self.judged(plain)) is not None:
            return judged
        entries = self.entries(plain)
        if len(entries) > 1 and self.narrow:
            # What a list says of each option is no answer yet.
            plain = "\n".join(line for line in plain.split("\n") if line not in entries)
        elif len(entries) > 1 and (found := self.lines("\n".join(entries))) is not None:
            return found
        for where in ("clause_end", "sentence_end") if self.narrow else ("sentence_end",):
            if (found := self._affirmed(clauses_of(plain, where)[:MOST])) is not None:
                return found
        return self._summed(clauses_of(plain, "sentence_end")[:MOST]) if self.sums else None

    def _without_echoes(self, plain: str) -> str:
        """The text without sentences that only list all options, as the question does."""
        if not self.size or self.every:
            return plain
        return "".join(
            sentence
            for sentence in clauses_of(plain, "sentence_end")
            if len({one.value for one in self.find(sentence)}) < self.size
            or not self._is_enumeration(sentence)
        )

    def _is_enumeration(self, sentence: str) -> bool:
        """Whether nothing but signs and "or" stands between the options of a sentence."""
        return all(
            PATTERNS["enumerated"].fullmatch(sentence, one.end, max(one.end, other.start))
            for one, other in pairwise(self.find(sentence))
        )

    def _summed(self, clauses: Sequence[str]) -> list[str] | None:
        """The option that two others make up, where one clause alone names any and adds them."""
        named = [clause for clause in clauses if self._certain(clause)]
        if len(named) != 1 or not self.decides[0].search(named[0]):
            return None
        said = self._stands(named[0])
        whole = self.sums.get(frozenset(value for value, stands in said if stands))
        added = whole and len(said) == 2 and self.is_sum(named[0], self._certain(named[0]))
        return [whole] if added and whole else None

    def _all_but(self, plain: str) -> list[str] | None:
        """The options of a sentence that says all are right, or all but some."""
        if not self.every:
            return None
        for clause in clauses_of(plain, "sentence_end")[:MOST]:
            if found := PATTERNS["all_but"].search(clause):
                but = {one.value for one in self.find(found["en"] or found["zh"] or "")}
                return [one for one in self.every if one not in but] if but else None
            if PATTERNS["all_apply"].match(clause.strip()):
                return list(self.every)
        return None

    def _affirmed(self, clauses: Sequence[str]) -> list[str] | None:
        """The options that clauses with a word that decides affirm, or that stand against denied
        ones."""
        affirmed: list[tuple[str, list[str]]] = []
        denied: set[str] = set()
        for clause in clauses:
            said = self._stands(clause)
            denied |= {value for value, stands in said if stands is False}
            if self.narrow and self.prepares and len(said) == 1 and self.prepares.search(clause):
                # "Panel 2 sets it up, panel 3 pays it off."
                said = []
            affirmed.append((clause, [value for value, stands in said if stands is True]))
        for decides in (*self.decides, None):
            found = dict.fromkeys(
                value
                for clause, values in affirmed
                if decides is None or decides.search(clause)
                for value in values
            )
            stands = [value for value in found if value not in denied or not self.narrow]
            if stands and (decides is not None or denied):
                if self.size == len(stands) and not self._says_all(clauses):
                    return None
                single = self.several_in_prose or len(stands) == 1
                return stands if single or self._together(clauses, stands) else None
        return None

    def _says_all(self, clauses: Sequence[str]) -> bool:
        """Whether a text that names all options says that all are meant."""
        return bool(self.every) and any(map(PATTERNS["all_meant"].search, clauses))

    def _together(self, clauses: Sequence[str], values: Sequence[str]) -> bool:
        """Whether a clause names all of these in one breath: "Panels 2 and 4 do the most"."""
        if not self.several or self.prepares is None:
            return False
        for clause in clauses:
            mentions = [one for one in self.find(clause) if one.marked]
            if [one.value for one in mentions] == list(values) and any(
                decides.search(clause) for decides in self.decides
            ):
                pairs = pairwise(mentions)
                return not self.prepares.search(clause) and all(
                    PATTERNS["joined"].fullmatch(clause, one.end, max(one.end, other.start))
                    for one, other in pairs
                )
        return False

    def _stands(self, clause: str) -> list[tuple[str, bool | None]]:
        """The options that a clause names for certain, and whether it affirms them; None for one
        that it leaves open or gives as an alternative."""
        mentions = self._certain(clause)
        said: list[tuple[str, bool | None]] = []
        for at, one in enumerate(mentions):
            stands = polarity(clause, one)
            if (scope := self.scopes.get(one.value)) and scope.search(clause, 0, one.start):
                stands = None
            if denied_together(clause, mentions[at:]):
                stands = False
            elif stands and is_alternative(clause, mentions, at):
                stands = None
            said.append((one.value, stands))
        return said

    def _certain(self, clause: str) -> list[Mention]:
        """The options that nothing else can be meant by, and those that a list joins to them."""
        mentions = self.find(clause)[:50]
        sure = [one.marked for one in mentions]
        for order in (range(1, len(mentions)), range(len(mentions) - 1, 0, -1)):
            for at in order:
                first, second = mentions[at - 1], mentions[at]
                if sure[at - 1] != sure[at] and PATTERNS["joined"].fullmatch(
                    clause, first.end, max(first.end, second.start)
                ):
                    sure[at - 1] = sure[at] = True
        return [one for one, is_sure in zip(mentions, sure, strict=True) if is_sure]


def _require_worded(given: Mapping[str, Any]) -> None:
    """Raises where a part of a worded vocabulary is lacking, or of another form."""
    forms: dict[str, tuple[Any, str]] = {
        "labels": (Mapping, "a table of labels"),
        "asked": (list | tuple, "a list of names"),
        "filler": (str, "a pattern"),
        "decides": (list | tuple, "a list of patterns"),
    }
    for name, (form, expected) in forms.items():
        if not isinstance(value := given.get(name), form) or not value:
            raise ValueError(f"vocabulary: {name} is {value!r}; expected {expected}")


def _kept(text: str) -> str:
    """A text without what it lists as not meant, where it lists both: "Yes: A, C. No: B"."""
    plain = fold(bulleted(text))
    if not (PATTERNS["kept_list"].search(plain) and PATTERNS["rejected_list"].search(plain)):
        return text
    return PATTERNS["kept_list"].sub("\n", PATTERNS["rejected_list"].sub("\n", plain))
