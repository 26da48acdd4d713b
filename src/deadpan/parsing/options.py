"""Which options a text names as its answer: labels, letters or panels, with negation and contrast.

A text is read as a list of options and nothing else, as a list with a verdict on each, as lines that
each open with an option, or as prose that says which ones it means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from deadpan.parsing.declared import PATTERNS, Asked, decide
from deadpan.parsing.script import unmarked

_REACH = 160
"""Characters before and behind an option that may deny it."""
_LONGEST_LIST = 600
_MOST = 2_000
"""Options in one text that are looked at."""


class Mention(NamedTuple):
    """An option where a text names it; `marked` where nothing else can be meant."""

    value: str
    start: int
    end: int
    marked: bool = True


@dataclass(frozen=True)
class Vocabulary:
    """What finds options in unmarked text, what may stand beside them in a mere list of options, what
    says in prose that they are meant, and what says that there is none."""

    find: Callable[[str], Sequence[Mention]]
    filler: re.Pattern[str]
    decides: tuple[re.Pattern[str], ...]
    none: re.Pattern[str] | None = None
    several: bool = True
    several_in_prose: bool = True
    asked: Asked = Asked()

    @classmethod
    def worded(cls, given: Mapping[str, Any], several: bool) -> Vocabulary:
        """The vocabulary of labels that data words: asked, filler, decides and labels."""
        return cls(
            find=label_finder(given["labels"]),
            filler=re.compile(given["filler"]),
            decides=tuple(map(re.compile, given["decides"])),
            several=several,
            several_in_prose=several,
            asked=Asked(tuple(given["asked"])),
        )

    def read(self, text: str) -> list[str] | None:
        """The options that a reply names, each once, in their order; None where it names none."""
        found = decide(text, self._piece, self.asked)
        return found if found is not None else self._prose(unmarked(text))

    def _piece(self, plain: str) -> list[str] | None:
        """The options of a text that may be an answer: read whole, or up to where it explains itself."""
        for part in heads(plain):
            for way in (self._listed, self._judged, self._lines):
                if (found := way(part)) is not None:
                    return found
        return None

    def _listed(self, plain: str) -> list[str] | None:
        """The options of a text that holds nothing else."""
        if len(plain) > _LONGEST_LIST:
            return None
        if self.none is not None and self.none.fullmatch(plain.strip(" .。!\n\"'“”[]()")):
            return []
        mentions = self.find(plain)
        left, at = [], 0
        for one in mentions:
            left.append(plain[at : one.start])
            at = one.end
        rest = " ; ".join([*left, plain[at:]])
        if not mentions or re.search(r"\w", self.filler.sub(" ", rest)):
            return None
        return self._one([one.value for one in mentions])

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
            opened += 1
            said = verdict(line, mentions[0])
            if said is None and polarity(line, mentions[0]) is False:
                said = False
            if said is not False:
                found.append(mentions[0].value)
        return self._one(found) if opened and found else None

    def _opens(self, line: str, mention: Mention) -> bool:
        """Whether a line is an entry about the option that it opens with."""
        before = re.sub(r"\d{1,2}[.)、:]", " ", line[: mention.start])
        behind = line[mention.end : mention.end + 40]
        return not re.search(r"\w", self.filler.sub(" ", before)) and bool(
            _ENTRY.match(self.filler.sub("", behind)) or not behind.strip()
        )

    def _prose(self, plain: str) -> list[str] | None:
        """The options that sentences say are meant."""
        if (judged := self._judged(plain)) is not None:
            return judged
        if (entries := self._entries(plain)) is not None:
            return entries
        clauses = [
            (clause, said)
            for clause in _clauses(plain, "clause_end" if self._narrow else "sentence_end")[:_MOST]
            if (said := self._said(clause))
        ]
        for decides in self.decides:
            found = [value for clause, said in clauses if decides.search(clause) for value in said]
            if found:
                stands = list(dict.fromkeys(found))
                return stands if self.several_in_prose or len(stands) == 1 else None
        return None

    @property
    def _narrow(self) -> bool:
        return not self.several_in_prose

    def _said(self, clause: str) -> list[str]:
        """The options that a clause affirms."""
        mentions = [one for one in self.find(clause) if one.marked][:50]
        return [one.value for one in mentions if polarity(clause, one)]

    def _entries(self, plain: str) -> list[str] | None:
        """The options of the list lines in a text, where there are two or more such lines."""
        entries = [line for line in plain.split("\n") if PATTERNS["list_line"].match(line)]
        heads = [line for line in entries if (found := self.find(line[:_LONGEST_LIST])) and self._opens(line, found[0])]
        return self._lines("\n".join(heads)) if len(heads) >= 2 else None

    def _one(self, values: Sequence[str]) -> list[str] | None:
        kept = list(dict.fromkeys(values))
        return kept if self.several or len(kept) == 1 else None


_ENTRY = re.compile(r"\s*(?:[:|=(\[→]|[-–—]{1,2}>?|[.):、](?!\w))")


def verdict(text: str, mention: Mention) -> bool | None:
    """The yes or no, tick or cross that a list gives an option; None where it gives none."""
    behind = text[mention.end : mention.end + _REACH]
    found = PATTERNS["verdict_after"].match(behind) or PATTERNS["tick_after"].match(behind)
    if found is None:
        line = text[max(0, mention.start - 12) : mention.start].rpartition("\n")[2]
        found = PATTERNS["tick_before"].search(line)
    return None if found is None else found["yes"] is not None


def polarity(clause: str, mention: Mention) -> bool | None:
    """Whether a clause affirms an option (True), denies it (False) or leaves it open (None)."""
    before = clause[max(0, mention.start - _REACH) : mention.start]
    *_, near = PATTERNS["reach"].split(before)
    if PATTERNS["denies"].search(near):
        return False
    if PATTERNS["denied_after"].match(clause[mention.end : mention.end + _REACH]):
        return False
    if PATTERNS["hedges"].search(near) or clause.rstrip().endswith("?"):
        return None
    return True


def _clauses(plain: str, where: str) -> list[str]:
    """The sentences or clauses of a text, with the sign that ends them."""
    ends = [found.end() for found in PATTERNS[where].finditer(plain)]
    return [plain[start:end] for start, end in zip([0, *ends], [*ends, len(plain)], strict=True) if start < end]


def heads(plain: str) -> list[str]:
    """A text, and its beginnings: without brackets, its first sentence, and up to an explanation."""
    whole = plain.strip()
    found = [whole, re.sub(r"\([^()\n]{0,200}\)", " ", whole)]
    if "\n" not in whole:
        ends = PATTERNS["sentence_end"].search(whole)
        first = whole[: ends.start()] if ends else whole
        explained = PATTERNS["explains"].search(first)
        found += [first, first[: explained.start()] if explained and explained.start() else first]
        found.append(re.sub(r"\([^()\n]{0,200}\)", " ", found[-1]))
    return list(dict.fromkeys(found))


def label_finder(labels: Mapping[str, Mapping[str, Sequence[str]]]) -> Callable[[str], list[Mention]]:
    """What finds labels by their patterns, `names` and `loose` ones; of two at one place the first label's."""
    groups, values = [], {}
    for index, (label, patterns) in enumerate(labels.items()):
        for kind, marked in (("names", True), ("loose", False)):
            if listed := patterns.get(kind):
                name = f"{kind}{index}"
                values[name] = (label, marked)
                groups.append((marked, f"(?P<{name}>{'|'.join(listed)})"))
    ordered = [pattern for _, pattern in sorted(groups, key=lambda one: not one[0])]
    compiled = re.compile("(?i)" + "|".join(ordered))

    def find(plain: str) -> list[Mention]:
        return [
            Mention(values[one.lastgroup][0], one.start(), one.end(), values[one.lastgroup][1])
            for one in compiled.finditer(plain)
            if one.lastgroup
        ]

    return find
