"""The options of a text that lists them: alone, with a verdict on each, or as lines that each open
with one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from deadpan.parsing.declared import PATTERNS
from deadpan.parsing.mentions import (
    Mention,
    clauses_of,
    heads,
    is_alternative,
    polarity,
    verdict,
    without_brackets,
)
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import unmarked

LONGEST_LIST = 600
MOST = 2_000
"""Options in one text that are looked at."""
_EDGES = " .。!\n\"'“”[]()"
_SENTENCE = 40
"""Characters from which the rest of a line is a sentence, and no entry's remark."""
_BITS = re.compile(r"[=:]\s{0,2}[01](?![\w.%/])")
"""Verdicts in digits."""
_SHARE = re.compile(r"[^\w\n]{1,6}(?<!\d)\d{1,3}(?:\.\d{1,2})?\s?%")
"""How much of an option there is, in place of whether it is meant."""
_ENTRY = re.compile(
    r"\s*(?:[:|=(\[→]|[-–—]{1,2}>?(?=\s)|[–—]|[.):、](?![A-Za-z])"
    r"|,\s*(?:because|since|as|for)\b|,?\s*(?:因为|由于))"
)


@dataclass(frozen=True)
class OptionLists:
    """What finds options in unmarked text, what may stand beside them in a mere list of options,
    and what says that there is none. `every` are all options, where a reply may say "all but C";
    `ranks` is what orders or spans options in place of naming them ("3 > 1", "2-4"), `sums` are
    options that others make up together ("text and picture")."""

    find: Callable[[str], Sequence[Mention]]
    filler: re.Pattern[str]
    none: re.Pattern[str] | None = None
    several: bool = True
    several_in_prose: bool = True
    size: int | None = None
    between: re.Pattern[str] | None = None
    spoils: re.Pattern[str] | None = None
    every: tuple[str, ...] = ()
    ranks: re.Pattern[str] | None = None
    sums: Mapping[frozenset[str], str] = field(default_factory=dict)

    def strict(self, plain: str) -> list[str] | None:
        """The options of a text that is a list of them, with or without verdicts and
        explanations."""
        plain = self._sure(plain)
        for read in (self._listed, self.judged):
            if (found := read(plain)) is not None:
                return found
        bare = without_brackets(plain)
        if bare != plain and (found := self._listed(bare)) is not None:
            return found
        entries = self._split_entries(plain)
        return self.lines(entries) if "\n" in entries.strip() else None

    def piece(self, plain: str) -> list[str] | None:
        """The options of a text that may be an answer: read whole, or up to where it explains
        itself."""
        plain = self._sure(plain)
        if (found := self.strict(plain)) is not None:
            return found
        for part in (*heads(plain), *self._before_comma(plain)):
            if (found := self._listed(part)) is not None:
                whole = plain.strip()
                whole = whole if whole.startswith(part) else without_brackets(whole)
                return None if self._goes_on(whole[len(part) :], found) else found
        line = plain.partition("\n")[0][:LONGEST_LIST]
        if self._offers(line):
            raise Unparseable("it leaves open which option it means")
        if values := self._alone(line) or self._alone(without_brackets(line)):
            if self.several or len(values) in (1, self.size):
                return None
            raise Unparseable("it names several options")
        if not self.narrow and "\n" not in plain.strip() and PATTERNS["adds"].match(plain):
            return None
        return self.lines(plain)

    def _sure(self, plain: str) -> str:
        """A text without the options at the end of a list of sure ones that it leaves open: "A, B,
        possibly D"."""
        if self.narrow or len(plain) > LONGEST_LIST:
            return plain
        mentions = self.find(plain)
        for at, (before, one) in enumerate(pairwise(mentions), 2):
            hedge = PATTERNS["hedged_item"].fullmatch(plain, before.end, max(before.end, one.start))
            if hedge is None or not polarity(plain, before):
                continue
            end = one.end
            for other in mentions[at:]:
                if not PATTERNS["hedged_too"].fullmatch(plain, end, max(end, other.start)):
                    break
                end = other.end
            if over := PATTERNS["hedged_end"].match(plain, end):
                return plain[: hedge.end("sure")] + plain[over.end() :]
        return plain

    def _goes_on(self, rest: str, found: Sequence[str]) -> bool:
        """Whether what stands behind an answer in its line adds to it ("; there is also …"), or
        leans to another option ("but mainly …")."""
        turn = PATTERNS["adds" if self.several_in_prose else "leans"].match(rest)
        if turn is None:
            return False
        named = [
            one for one in self.find(rest[:LONGEST_LIST]) if one.marked and polarity(rest, one)
        ]
        return any(one.value not in found for one in named)

    def _split_entries(self, plain: str) -> str:
        """The text with a line for each entry that begins inside one."""
        if self.between is not None:
            return self.between.sub("\n", plain)
        if self.narrow or len(plain) > LONGEST_LIST:
            return plain
        starts = [
            one.end()
            for one in PATTERNS["entry_end"].finditer(plain)
            if (found := self.find(plain[one.end() :][:LONGEST_LIST]))
            and self._opens(plain[one.end() :].partition("\n")[0], found[0])
        ]
        parts = [plain[a:b].strip() for a, b in pairwise([0, *starts, len(plain)])]
        return plain if any(map(PATTERNS["adds"].match, parts)) else "\n".join(parts)

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
        if not (self.narrow and comma) or "\n" in plain.strip():
            return []
        mentions = [one for one in self.find(plain[:LONGEST_LIST]) if one.marked]
        inside = {one.value for one in mentions if one.start < len(head)}
        behind = {one.value for one in mentions if one.start > len(head) and polarity(plain, one)}
        return [head] if behind <= inside else []

    def _listed(self, plain: str) -> list[str] | None:
        """The options of a text that holds nothing else."""
        bare = plain.strip(_EDGES)
        if self.none is not None and self.none.fullmatch(bare):
            return []
        if self.every and PATTERNS["all_apply"].fullmatch(bare):
            return list(self.every)
        values = self._alone(plain)
        if not values:
            return None
        if (whole := self.sums.get(frozenset(values))) and self.is_sum(plain, self.find(plain)):
            return [whole]
        named = self.one(values)
        return None if named and self._echoes(named) else named

    def _alone(self, plain: str) -> list[str]:
        """The options of a text that holds nothing but filler beside them, each once."""
        if len(plain) > LONGEST_LIST or plain.rstrip().endswith("?") or "✗" in plain:
            return []
        if self.ranks is not None and self.ranks.search(plain):
            return []
        if self.size and (_BITS.search(plain) or len(_SHARE.findall(plain)) > 1):
            return []
        mentions = self.find(plain)
        left, at = [], 0
        for one in mentions:
            left.append(plain[at : one.start])
            at = one.end
        rest = PATTERNS["opinion"].sub(" ", " ; ".join([*left, plain[at:]]))
        if not mentions or re.search(r"\w", self.filler.sub(" ", rest)):
            return []
        return list(dict.fromkeys(one.value for one in mentions))

    def is_sum(self, text: str, mentions: Sequence[Mention]) -> bool:
        """Whether two options are added to each other and nothing follows but their end."""
        if len(mentions) != 2:
            return False
        first, second = mentions
        return bool(
            PATTERNS["added"].fullmatch(text, first.end, max(first.end, second.start))
            and PATTERNS["added_end"].match(text, second.end)
        )

    def _echoes(self, values: Sequence[str]) -> bool:
        """Whether all labels are named, as the question names them."""
        return bool(self.size) and not self.every and len({*values}) == self.size

    def judged(self, plain: str) -> list[str] | None:
        """The options with a yes, of a text that gives a verdict on several."""
        verdicts: dict[str, bool] = {}
        for one in self.find(plain)[:MOST]:
            said = verdict(plain, one)
            if said is not None and verdicts.setdefault(one.value, said) != said:
                return None
        if len(verdicts) < 2 or not any(verdicts.values()):
            return None
        return self.one([value for value, said in verdicts.items() if said])

    def lines(self, plain: str) -> list[str] | None:
        """The options that open the lines of a list, unless their line denies them."""
        found: dict[str, str] = {}
        opened = shares = 0
        for line in filter(str.strip, plain.split("\n")):
            if PATTERNS["row_rule"].match(line):
                continue
            mentions = self.find(line[:LONGEST_LIST])
            if not mentions or not self._opens(line, mentions[0]):
                return None
            if self.spoils and self.spoils.search(line, mentions[0].end):
                return None
            opened += 1
            shares += _SHARE.match(line, mentions[0].end) is not None
            said = verdict(line, mentions[0])
            if said is None and polarity(line, mentions[0]) is False:
                said = False
            if said is not False:
                found.setdefault(mentions[0].value, line[mentions[0].end :])
        if shares > 1:
            raise Unparseable("it gives shares of several options")
        if self.narrow and len(found) > 1:
            first, *rest = found.values()
            if not re.search(r"\w", first) and all(len(one) > _SENTENCE for one in rest):
                return None
            raise Unparseable("it lists several options")
        if self.size and len(found) == self.size:
            raise Unparseable("it lists every option")
        return self.one(list(found)) if opened and found else None

    def _opens(self, line: str, mention: Mention) -> bool:
        """Whether a line is an entry about the option that it opens with, or denies it at once."""
        denies = PATTERNS["denying_entry"].match(line)
        if denies and not re.search(
            r"\w", self.filler.sub(" ", line[denies.end() : mention.start])
        ):
            return True
        behind = line[mention.end : mention.end + 40]
        if behind.lstrip().startswith("、") and not line[mention.end - 1].isascii():
            # 画面、字幕 is a list; A、画面 is an entry.
            return False
        return self._opens_line(line, mention) and bool(
            _ENTRY.match(self.filler.sub("", behind)) or not behind.strip()
        )

    def entries(self, plain: str) -> list[str]:
        """The list lines in a text that are each about an option."""
        return [
            line
            for line in plain.split("\n")
            if PATTERNS["list_line"].match(line)
            and (found := self.find(line[:LONGEST_LIST]))
            and self._opens(line, found[0])
        ]

    def one(self, values: Sequence[str]) -> list[str] | None:
        """The options, each once; None for several where one is asked for."""
        kept = list(dict.fromkeys(values))
        return kept if self.several or len(kept) == 1 else None

    def named(self, text: str) -> frozenset[str]:
        """The options that a text has any form of, neither denied nor an alternative to another;
        those that others make up too."""
        found: set[str] = set()
        for clause in clauses_of(unmarked(text), "sentence_end")[:MOST]:
            mentions = self.find(clause)[:MOST]
            found |= {
                one.value
                for at, one in enumerate(mentions)
                if polarity(clause, one) is not False and not is_alternative(clause, mentions, at)
            }
        return frozenset(found | {whole for parts, whole in self.sums.items() if parts <= found})

    @property
    def narrow(self) -> bool:
        """Whether prose names one option only."""
        return not self.several_in_prose
