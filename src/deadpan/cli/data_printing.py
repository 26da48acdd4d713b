"""What describes a data set, printed: a line for each count, share or length and its group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.markup import escape

from deadpan.base.printable import visible
from deadpan.cli.output import print_line
from deadpan.cli.tables import number, plain_table, print_table
from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.core.signature import combine_signatures

_EXTENTS = ("mean", "min", "max")
_Line = tuple[str, str]
"""What is counted, and of which group."""


def print_data(scores: Sequence[Score], about: Callable[[str], Metric]) -> None:
    """A table of the scores that describe data, mean, least and most of a length in one line; what
    a line shares with the one before it is not said again, and a language that is the only one is
    not said at all."""
    only = _only_language(scores)
    lines: dict[_Line, dict[str, Score]] = {}
    for score in scores:
        stem, _, extent = score.metric.rpartition("_")
        named = (stem, extent) if stem and extent in _EXTENTS else (score.metric, "")
        line = (named[0], _without(score.group, only))
        lines.setdefault(line, {}).setdefault(named[1], score)
    counted = {line: found for line, found in lines.items() if "" in found}
    measured = {line: found for line, found in lines.items() if "" not in found}
    for part, names in ((counted, ("",)), (measured, _EXTENTS)):
        if part:
            _print_lines(part, names, about)
    if only:
        print_line(f"all in {only}", "dim")
    print_line(f"signature: {combine_signatures(one.signature for one in scores)}", "dim")


def _print_lines(
    lines: dict[_Line, dict[str, Score]], names: Sequence[str], about: Callable[[str], Metric]
) -> None:
    """The lines with a column for each name, those of one thing together."""
    table = plain_table("what", "group", numbers=[*(one or "value" for one in names), "of"])
    things = list(dict.fromkeys(what for what, _ in lines))
    before = ""
    for what, group in sorted(lines, key=lambda line: things.index(line[0])):
        found = lines[what, group]
        title = "" if what == before else what.replace("_", " ")
        cells = [
            number(found[one].value, about(found[one].metric).decimals) if one in found else ""
            for one in names
        ]
        n = next(iter(found.values())).n
        table.add_row(*(escape(visible(text)) for text in (title, group)), *cells, str(n))
        before = what
    print_table(table)


def _only_language(scores: Sequence[Score]) -> str:
    """The one language that groups name; nothing where they name several, or none."""
    parts = {part for score in scores for part in score.group.split(",")}
    named = [part for part in parts if part.startswith("language=")]
    return named[0].partition("=")[2] if len(named) == 1 else ""


def _without(group: str, language: str) -> str:
    """A group without the language where it is the only one; empty for all."""
    parts = [part for part in group.split(",") if part != f"language={language}"]
    return "" if parts in ([], ["all"]) else ",".join(parts)
