"""How much of what is planted in chats `deadpan data anonymise` replaces, and how much else.

    python bench/anonymising.py [before … neighbours] [--misses]

The sets are in bench/planted (planted_chats.py): one was written before the rules, others after.
A planted span counts as found where nothing of it is left, a replacement as right where it covers a
part of a planted span. "With review" takes every row of the review sheet for replaced, also those
that suggest to keep it; "sure" are replacements without a row.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.patterns import PLACEHOLDER, Kind
from deadpan.collecting.anonymise.records import clean_record
from deadpan.collecting.anonymise.text import Decide, Named, keep

SETS = (
    "before", "after", "fresh", "last", "final", "habits", "strangers", "newcomers", "later",
    "neighbours",
)  # fmt: skip
FOLDER = Path(__file__).with_name("planted")
Interval = tuple[int, int]


def replace_all(kind: Kind, found: str, shown: str, likely: bool = True) -> str:
    """Whatever has a row goes."""
    return shown


@dataclass(frozen=True)
class Always:
    """Decides the same about whatever is not sure."""

    decide: Decide

    def at(self, file: str, place: str, text: str) -> Decide:
        return self.decide

    def named(self, file: str, place: str) -> Named:
        return lambda found, shown: shown


@dataclass
class Tally:
    """What was planted and found, by language and kind, and what was replaced by language."""

    planted: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    replaced: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[tuple[str, str]] = field(default_factory=Counter)


def replaced_spans(before: str, after: str) -> list[tuple[int, int, str]]:
    """Which parts of a text the placeholders of another stand for."""
    pieces = PLACEHOLDER.split(after)
    marks = PLACEHOLDER.findall(after)
    pattern = "(.+?)".join(map(re.escape, pieces))
    found = re.fullmatch(pattern, before, re.DOTALL)
    assert found, (before, after)
    return [(*found.span(number), mark) for number, mark in enumerate(marks, 1)]


def measure(half: str, doubts: Doubts, show: bool = False) -> Tally:
    """The tally of a half."""
    tally = Tally()
    for line in (FOLDER / f"{half}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        speakers = row.get("speakers", [])
        record = {"language": row["language"], "speakers": speakers, "text": row["text"]}
        after = str(clean_record(record, lambda text: None, doubts).record["text"])
        spans = replaced_spans(row["text"], after)
        covered = {place for start, end, _ in spans for place in range(start, end)}
        gold = {place for start, end, _ in row["spans"] for place in range(start, end)}
        for start, end, kind in row["spans"]:
            hit = covered.issuperset(range(start, end))
            tally.planted[row["language"], kind] += 1
            tally.found[row["language"], kind] += hit
            if show and not hit:
                print(f"missed {kind:12} {row['text'][start:end]:24} {after}")
        for start, end, mark in spans:
            right = not gold.isdisjoint(range(start, end))
            kind = _kind(mark)
            tally.replaced[row["language"], kind] += 1
            tally.right[row["language"], kind] += right
            if show and not right:
                print(f"wrong  {mark:12} {row['text'][start:end]:24} {row['text']}")
    return tally


def _kind(mark: str) -> str:
    from deadpan.collecting.anonymise.patterns import words

    chinese = {word: kind for kind, word in words().chinese.items()}
    bare = re.sub(r"[\[\]\d]|(?<= )[A-Z](?=\])", "", mark).strip()
    return chinese.get(bare, bare)


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part}/{whole})" if whole else "–"


def _print(half: str, *tallies: Tally) -> None:
    columns = ["recall, precision", "with review", "sure"]
    print(f"\n{half}\n\n| language | kind | {' | '.join(columns)} |")
    print("| --- | --- | --- | --- | --- |")
    rows = (
        sorted(tallies[0].planted)
        + [(language, "all") for language in ("en", "zh")]
        + [("all", "all")]
    )
    for language, kind in rows:
        cells = []
        for tally in tallies:
            keys = [
                one
                for one in (*tally.planted, *tally.replaced)
                if language in (one[0], "all") and kind in (one[1], "all")
            ]
            keys = list(dict.fromkeys(keys))
            sums = [
                sum(some[one] for one in keys)
                for some in (tally.found, tally.planted, tally.right, tally.replaced)
            ]
            cells.append(f"{_ratio(*sums[:2])}, {_ratio(*sums[2:])}")
        print(f"| {language} | {kind} | {' | '.join(cells)} |")


if __name__ == "__main__":
    names = [one for one in sys.argv[1:] if not one.startswith("-")]
    for half in names or SETS:
        default = measure(half, Doubts(), show="--misses" in sys.argv)
        reviewed = measure(half, Doubts(decisions=Always(replace_all)))
        _print(half, default, reviewed, measure(half, Doubts(decisions=Always(keep))))
