"""How many replies are read as a person reads them: per family, language and stage.

The replies are `tests/replies/*.jsonl`, written by people who did not know the parser; those of
the stage `after` were written when it was frozen, those of `last` when it was mended on these, and
each stage was measured before anything was mended on it (RESULTS.md). Nothing is ever mended on
those of `held-out`. Misread is what was answered
otherwise than expected, or where a person reads no answer or a refusal; a refusal taken for no
answer, or the reverse, is another outcome.

    python bench/replies.py [--show read|unread|misread|other] [--family NAME]
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from deadpan.benchmarks import find
from deadpan.core.questions import Grade, Reply
from deadpan.parsing.script import fold

FOLDER = Path(__file__).parents[1] / "tests" / "replies"
Verdict = Literal["read", "unread", "misread", "other"]
VERDICTS: tuple[Verdict, ...] = ("read", "unread", "misread", "other")
_MARKS = re.compile(r"[*_`#>|]+|^[ \t]*[-•·+][ \t]+", re.MULTILINE)
_EDGES = " \t\n\"'“”‘’「」『』《》.。,，;；:：!！?？()（）[]【】…~-–—"


@dataclass(frozen=True)
class Row:
    """A reply, what a person reads in it, and what the parser read."""

    family: str
    given: dict[str, Any]
    grade: Grade

    @property
    def verdict(self) -> Verdict:
        """How the reading compares with the person's."""
        expected = self.given["outcome"]
        if self.grade.outcome == "answered":
            right = expected == "answered" and self._agrees()
            return "read" if right else "misread"
        if expected == "answered":
            return "unread"
        return "read" if self.grade.outcome == expected else "other"

    def _agrees(self) -> bool:
        parsed, wanted = self.grade.parsed, self.given["expected"]
        match self.family:
            case "yes_no" if isinstance(parsed, dict):
                return list(parsed.values()) == [wanted]
            case "yes_no" | "labels":
                return parsed == [wanted]
            case "panel":
                return isinstance(parsed, list) and sorted(map(str, parsed)) == sorted(
                    map(str, wanted)
                )
            case "styles" | "letters":
                return isinstance(parsed, list) and sorted(map(str, parsed)) == sorted(wanted)
            case "naming":
                return isinstance(parsed, dict) and parsed["named"] == wanted
            case "target":
                said = _plain(parsed["target"]) if isinstance(parsed, dict) else None
                return said in {_plain(one) for one in (wanted, *self.given.get("accept", ()))}
            case "joint":
                return isinstance(parsed, dict) and self._same_parts(parsed, wanted)
            case "open" if isinstance(parsed, dict):
                return [*map(_plain, parsed.values())] == [_plain(wanted)]
        return bool(_plain(parsed) == _plain(wanted))

    def _same_parts(self, parsed: dict[str, Any], wanted: dict[str, Any]) -> bool:
        targets = {_plain(one) for one in (wanted["target"], *self.given.get("accept_target", ()))}
        return (
            parsed["sarcastic"] == wanted["sarcastic"]
            and _plain(parsed["target"]) in targets
            and _plain(parsed["explanation"]) == _plain(wanted["explanation"])
        )


def _plain(value: Any) -> Any:
    """A value with its texts folded: white space, markup and edge punctuation do not count."""
    if isinstance(value, str):
        text = _MARKS.sub("", re.sub(r"\s+", " ", fold(value)))
        return re.sub(r"\s+", "", text.strip(_EDGES)).casefold()
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return value


def rows(folder: Path = FOLDER) -> Iterator[Row]:
    """All replies of a folder, read by the parser."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            given = json.loads(line)
            benchmark, task = given["task"].split("/")
            grade = find(benchmark).parse(task, Reply(text=given["reply"]), given["language"])
            yield Row(path.stem, given, grade)


def table(found: Iterable[Row]) -> str:
    """The shares in percent, by family, language and stage."""
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    for one in found:
        family, language = one.family, one.given["language"]
        stage = one.given.get("stage", "")
        for key in (
            (family, language, stage),
            ("all", "en + zh", stage),
            ("all", "en + zh", "all"),
        ):
            counts.setdefault(key, Counter())[one.verdict] += 1
    lines = ["| family | language | stage | n | " + " | ".join(VERDICTS) + " |", "| --- " * 8 + "|"]
    for key in sorted(counts, key=lambda one: (one[0] == "all", one)):
        total = counts[key].total()
        shares = (f"{100 * counts[key][verdict] / total:.1f}" for verdict in VERDICTS)
        lines.append(f"| {' | '.join(key)} | {total} | {' | '.join(shares)} |")
    return "\n".join(lines)


def described(one: Row) -> str:
    """A row with what was expected and what was read."""
    given, grade = one.given, one.grade
    wanted = given["expected"] if given["outcome"] == "answered" else given["outcome"]
    got = grade.parsed if grade.outcome == "answered" else f"{grade.outcome}: {grade.reason}"
    head = f"{one.verdict} {given['task']} {given['language']}: {given['reply']!r}"
    return f"{head}\n  wanted {wanted!r}\n  got    {got!r}"


def main() -> None:
    """Prints the table, and the replies of one verdict."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--show", choices=(*VERDICTS, "failing"), help="print the replies with this verdict"
    )
    parser.add_argument("--family", help="this family only")
    parser.add_argument("--replies", type=Path, default=FOLDER, help="the folder of replies")
    options = parser.parse_args()
    found = [one for one in rows(options.replies) if options.family in (None, one.family)]
    for one in found:
        if options.show == one.verdict or (options.show == "failing" and one.verdict != "read"):
            print(described(one))
    print(table(found))


if __name__ == "__main__":
    main()
