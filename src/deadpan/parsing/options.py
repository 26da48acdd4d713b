"""Which options a text names as its answer: labels, letters or panels, with negation and contrast.

A text is read as a list of options and nothing else, as a list with a verdict on each, as lines
that each open with an option, or as prose that says which ones it means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from deadpan.parsing.declared import PATTERNS, Asked, decide
from deadpan.parsing.mentions import (
    Mention,
    clauses_of,
    denied_together,
    heads,
    is_alternative,
    label_finder,
    polarity,
    verdict,
    without_brackets,
)
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import unmarked

_LONGEST_LIST = 600
_MOST = 2_000
"""Options in one text that are looked at."""


@dataclass(frozen=True)
class Vocabulary:
    """What finds options in unmarked text, what may stand beside them in a mere list of options,
    what says in prose that they are meant, and what says that there is none. `every` are all
    options, where a reply may say "all but C"; `prepares` says what an option is not meant by."""

    find: Callable[[str], Sequence[Mention]]
    filler: re.Pattern[str]
    decides: tuple[re.Pattern[str], ...]
    none: re.Pattern[str] | None = None
    several: bool = True
    several_in_prose: bool = True
    consistent: bool = False
    size: int | None = None
    between: re.Pattern[str] | None = None
    spoils: re.Pattern[str] | None = None
    prepares: re.Pattern[str] | None = None
    every: tuple[str, ...] = ()
    asked: Asked = field(default_factory=Asked)

    @classmethod
    def worded(cls, given: Mapping[str, Any], several: bool) -> Vocabulary:
        """The vocabulary of labels that data words: asked, filler, decides and labels."""
        return cls(
            find=label_finder(given["labels"]),
            filler=re.compile(given["filler"]),
            decides=tuple(map(re.compile, given["decides"])),
            several=several,
            size=len(given["labels"]),
            several_in_prose=several,
            consistent=given.get("consistent", False),
            asked=Asked(tuple(given["asked"])),
        )

    def read(self, text: str) -> list[str] | None:
        """The options that a reply names, each once, in their order; None where it names none."""
        found = decide(text, self)
        if found is None:
            return None
        plain = unmarked(text)
        if self.every and len(found) == len(self.every) and PATTERNS["options_are"].search(plain):
            return None
        return None if self.consistent and self._contradicts(plain, found) else found

    def _contradicts(self, plain: str, found: Sequence[str]) -> bool:
        """Whether the prose of a reply affirms another option than the one that it declares."""
        *_, last = PATTERNS["correction"].split(plain)
        said = {
            value
            for clause in clauses_of(last, "sentence_end")[:_MOST]
            for value, stands in self._stands(clause)
            if stands
        }
        return bool(said - set(found))

    def strict(self, plain: str) -> list[str] | None:
        """The options of a text that is a list of them, with or without verdicts and
        explanations."""
        for part in dict.fromkeys((plain, without_brackets(plain))):
            if (found := self._listed(part)) is not None:
                return found
        if (found := self._judged(plain)) is not None:
            return found
        entries = self.between.sub("\n", plain) if self.between else plain
        return self._lines(entries) if "\n" in entries.strip() else None

    def piece(self, plain: str) -> list[str] | None:
        """The options of a text that may be an answer: read whole, or up to where it explains
        itself."""
        if (found := self.strict(plain)) is not None:
            return found
        for part in (*heads(plain), *self._before_comma(plain)):
            if (found := self._listed(part)) is not None:
                return found
        if self._offers(plain.partition("\n")[0][:_LONGEST_LIST]):
            raise Unparseable("it leaves open which option it means")
        return self._lines(plain)

    def _offers(self, line: str) -> bool:
        """Whether a line opens with alternatives: "4 or 2"."""
        mentions = self.find(line)[:2]
        return (
            len(mentions) == 2
            and self._opens_line(line, mentions[0])
            and bool(polarity(line, mentions[0]))
            and is_alternative(line, mentions, 0)
        )

    def _opens_line(self, line: str, mention: Mention) -> bool:
        before = re.sub(r"\d{1,2}[.)、:]", " ", line[: mention.start])
        return not re.search(r"\w", self.filler.sub(" ", before))

    def _before_comma(self, plain: str) -> list[str]:
        """Where one option is asked for, a line up to its first comma, if no other option stands
        behind it."""
        head, comma, _ = plain.partition(",")
        if not (self._narrow and comma) or "\n" in plain.strip():
            return []
        mentions = [one for one in self.find(plain[:_LONGEST_LIST]) if one.marked]
        inside = {one.value for one in mentions if one.start < len(head)}
        behind = {one.value for one in mentions if one.start > len(head) and polarity(plain, one)}
        return [head] if behind <= inside else []

    def _listed(self, plain: str) -> list[str] | None:
        """The options of a text that holds nothing else."""
        if len(plain) > _LONGEST_LIST or plain.rstrip().endswith("?") or "✗" in plain:
            return None
        if self.none is not None and self.none.fullmatch(plain.strip(" .。!\n\"'“”[]()")):
            return []
        if self.every and PATTERNS["all_apply"].fullmatch(plain.strip(" .。!\n\"'“”[]()")):
            return list(self.every)
        mentions = self.find(plain)
        left, at = [], 0
        for one in mentions:
            left.append(plain[at : one.start])
            at = one.end
        rest = " ; ".join([*left, plain[at:]])
        if not mentions or re.search(r"\w", self.filler.sub(" ", rest)):
            return None
        named = self._one([one.value for one in mentions])
        return None if named and self._echoes(named) else named

    def _echoes(self, values: Sequence[str]) -> bool:
        """Whether all labels are named, as the question names them."""
        return bool(self.size) and not self.every and len({*values}) == self.size

    def _judged(self, plain: str) -> list[str] | None:
        """The options with a yes, of a text that gives a verdict on several."""
        verdicts: dict[str, bool] = {}
        for one in self.find(plain)[:_MOST]:
            said = verdict(plain, one)
            if said is not None and verdicts.setdefault(one.value, said) != said:
                return None
        if len(verdicts) < 2 or not any(verdicts.values()):
            return None
        return self._one([value for value, said in verdicts.items() if said])

    def _lines(self, plain: str) -> list[str] | None:
        """The options that open the lines of a list, unless their line denies them."""
        found: list[str] = []
        opened = 0
        for line in filter(str.strip, plain.split("\n")):
            if PATTERNS["row_rule"].match(line):
                continue
            mentions = self.find(line[:_LONGEST_LIST])
            if not mentions or not self._opens(line, mentions[0]):
                return None
            if self.spoils and self.spoils.search(line, mentions[0].end):
                return None
            opened += 1
            said = verdict(line, mentions[0])
            if said is None and polarity(line, mentions[0]) is False:
                said = False
            if said is not False:
                found.append(mentions[0].value)
        if self._narrow and len(set(found)) > 1:
            raise Unparseable("it lists several options")
        if self.size and len(set(found)) == self.size:
            raise Unparseable("it lists every option")
        return self._one(found) if opened and found else None

    def _opens(self, line: str, mention: Mention) -> bool:
        """Whether a line is an entry about the option that it opens with."""
        behind = line[mention.end : mention.end + 40]
        return self._opens_line(line, mention) and bool(
            _ENTRY.match(self.filler.sub("", behind)) or not behind.strip()
        )

    def prose(self, plain: str) -> list[str] | None:
        """The options that sentences say are meant."""
        *before, plain = PATTERNS["undecided"].split(plain)
        if before and not PATTERNS["turns"].search(plain):
            return None
        if (every := self._all_but(plain)) is not None:
            return every
        if (judged := self._judged(plain)) is not None:
            return judged
        if (entries := self._entries(plain)) is not None:
            return entries
        for where in ("clause_end", "sentence_end") if self._narrow else ("sentence_end",):
            if (found := self._affirmed(clauses_of(plain, where)[:_MOST])) is not None:
                return found
        return None

    def _all_but(self, plain: str) -> list[str] | None:
        """The options of a sentence that says all are right, or all but some."""
        if not self.every:
            return None
        for clause in clauses_of(plain, "sentence_end")[:_MOST]:
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
            affirmed.append((clause, [value for value, stands in said if stands is True]))
        for decides in (*self.decides, None):
            found = dict.fromkeys(
                value
                for clause, values in affirmed
                if decides is None or decides.search(clause)
                for value in values
            )
            stands = [value for value in found if value not in denied or not self._narrow]
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
            if [one.value for one in mentions] == list(values) and self.decides[0].search(clause):
                pairs = pairwise(mentions)
                return not self.prepares.search(clause) and all(
                    PATTERNS["joined"].fullmatch(clause, one.end, max(one.end, other.start))
                    for one, other in pairs
                )
        return False

    @property
    def _narrow(self) -> bool:
        return not self.several_in_prose

    def _stands(self, clause: str) -> list[tuple[str, bool | None]]:
        """The options that a clause names for certain, and whether it affirms them; None for one
        that it leaves open or gives as an alternative."""
        mentions = self._certain(clause)
        said: list[tuple[str, bool | None]] = []
        for at, one in enumerate(mentions):
            stands = polarity(clause, one)
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

    def _entries(self, plain: str) -> list[str] | None:
        """The options of the list lines in a text, where there are two or more such lines."""
        entries = [line for line in plain.split("\n") if PATTERNS["list_line"].match(line)]
        heads = [
            line
            for line in entries
            if (found := self.find(line[:_LONGEST_LIST])) and self._opens(line, found[0])
        ]
        return self._lines("\n".join(heads)) if len(heads) >= 2 else None

    def _one(self, values: Sequence[str]) -> list[str] | None:
        kept = list(dict.fromkeys(values))
        return kept if self.several or len(kept) == 1 else None


_ENTRY = re.compile(r"\s*(?:[:|=(\[→]|[-–—]{1,2}>?(?=\s)|[–—]|[.):、](?![A-Za-z]))")
