"""Where a text names options, and what it says of each: verdicts, denials, hedges, alternatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from deadpan.parsing.declared import PATTERNS

_REACH = 160
"""Characters before and behind an option that may deny it."""


_BIT = re.compile(r"\s{0,2}[=:]\s{0,2}([01])(?![\w.%/])")
"""A yes or no in digits."""


class Mention(NamedTuple):
    """An option where a text names it; `marked` where nothing else can be meant."""

    value: str
    start: int
    end: int
    marked: bool = True


def verdict(text: str, mention: Mention) -> bool | None:
    """The yes or no, tick or cross that a list gives an option, behind it or in its line; None
    where it gives none."""
    behind = text[mention.end : mention.end + _REACH]
    found = PATTERNS["verdict_after"].match(behind)
    if found is None and not _ticked_first(text, mention):
        found = PATTERNS["tick_after"].match(behind)
    if found is None and not mention.value.isdigit() and (bit := _BIT.match(behind)):
        return bit[1] == "1"
    if found is None:
        line = text[max(0, mention.start - 12) : mention.start].rpartition("\n")[2]
        found = PATTERNS["tick_before"].search(line)
        if found is None and not re.search(r"\w", re.sub(r"\d{1,2}[.)、:]", "", line)):
            found = _verdict_in(behind.partition("\n")[0])
    return None if found is None else found["yes"] is not None


def _ticked_first(text: str, mention: Mention) -> bool:
    """Whether the line of an option opens with a tick or cross, so that these stand before."""
    start = text.rfind("\n", 0, mention.start) + 1
    return re.match(r"[^\w\n✓✗]{0,8}[✓✗]", text[start : mention.start]) is not None


def _verdict_in(rest: str) -> re.Match[str] | None:
    """The verdict that is a part of its own in the rest of an entry."""
    parts = PATTERNS["entry_parts"].split(rest)
    if tick := PATTERNS["tick_before"].search(rest):
        return tick
    parts += rest.split()[-1:] if len(rest.split()) in (2, 3) else []
    return next((one for part in parts[1:] if (one := PATTERNS["verdict"].fullmatch(part))), None)


def polarity(clause: str, mention: Mention) -> bool | None:
    """Whether a clause affirms an option (True), denies it (False) or leaves it open (None)."""
    before = clause[max(0, mention.start - _REACH) : mention.start]
    *_, near = PATTERNS["reach"].split(before)
    if PATTERNS["denies"].search(near):
        return False
    behind = clause[mention.end : mention.end + _REACH]
    if PATTERNS["denied_after"].match(behind):
        return False
    hedged = PATTERNS["hedges"].search(near) or PATTERNS["hedged_after"].match(behind)
    if hedged or clause.rstrip().endswith("?"):
        return None
    return True


def is_alternative(clause: str, mentions: Sequence[Mention], at: int) -> bool:
    """Whether an option and the one before or behind it are alternatives."""
    one = mentions[at]
    pairs = [(other, one) for other in mentions[max(0, at - 1) : at]]
    pairs += [(one, other) for other in mentions[at + 1 : at + 2]]
    return any(
        first.value != second.value
        and PATTERNS["alternative"].fullmatch(clause, first.end, max(first.end, second.start))
        for first, second in pairs
    )


def denied_together(clause: str, mentions: Sequence[Mention]) -> bool:
    """Whether a list of options that begins with the first one is denied as a whole."""
    end = mentions[0].end
    for one in mentions[1:]:
        if not PATTERNS["joins"].fullmatch(clause, end, max(end, one.start)):
            break
        end = max(end, one.end)
    denied = PATTERNS["denied_together"].match(clause, end)
    # A comma joins a Chinese list only where 都 or the like sums it up.
    spread = "," in clause[mentions[0].end : end] and denied is not None and denied["zh"]
    return end > mentions[0].end and denied is not None and not spread


def clauses_of(plain: str, where: str) -> list[str]:
    """The sentences or clauses of a text, with the sign that ends them."""
    ends = [found.end() for found in PATTERNS[where].finditer(plain)]
    return [
        plain[start:end]
        for start, end in zip([0, *ends], [*ends, len(plain)], strict=True)
        if start < end
    ]


def heads(plain: str) -> list[str]:
    """The beginnings of a line: its first sentence, and up to an explanation; without brackets
    too."""
    whole = plain.strip()
    ends = PATTERNS["sentence_end"].search(whole)
    if ends and re.fullmatch(r"\W*[A-Za-z]", whole[: ends.start()]) and ends.end() < len(whole):
        ends = None
    if "\n" in whole or (ends and ends[0] == "?"):
        return []
    first = whole[: ends.start()] if ends else whole
    explained = PATTERNS["explains"].search(first)
    short = first[: explained.start()] if explained and explained.start() else first
    return list(dict.fromkeys((first, without_brackets(first), short, without_brackets(short))))


def without_brackets(text: str) -> str:
    """A text without what stands in brackets."""
    return re.sub(r"\([^()\n]{0,200}\)", " ", text)


def _require_patterns(label: str, patterns: Mapping[str, Sequence[str]]) -> None:
    expected = "expected names, loose or both: lists of patterns, in all languages together"
    given = patterns if isinstance(patterns, Mapping) else {repr(patterns): ()}
    if not given.keys() & {"names", "loose"} or given.keys() - {"names", "loose", "scope"}:
        raise ValueError(f'label "{label}": got {", ".join(given) or "nothing"}; {expected}')
    for kind in given.keys() & {"names", "loose"}:
        if isinstance(given[kind], str) or not all(isinstance(one, str) for one in given[kind]):
            raise ValueError(f'label "{label}": {kind} is {given[kind]!r}; {expected}')
    if not any(given.get(kind) for kind in ("names", "loose")):
        raise ValueError(f'label "{label}": its lists are empty; {expected}')


def label_finder(
    labels: Mapping[str, Mapping[str, Sequence[str]]],
) -> Callable[[str], list[Mention]]:
    """What finds labels by their patterns, `names` and `loose` ones; of two at one place the first
    label's. A label without patterns, or of another form, raises."""
    groups, values = [], {}
    for index, (label, patterns) in enumerate(labels.items()):
        _require_patterns(label, patterns)
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
