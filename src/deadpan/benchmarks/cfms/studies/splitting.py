"""Settled labels dealt into train, validation and test in the paper's proportions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from pydantic import JsonValue

from deadpan.core.study.making import allocation, draw

PAPER: Mapping[str, int] = {"train": 1956, "validation": 420, "test": 420}
"""How many of its 2,796 pairs each split of the paper has."""
SEED = 0
Row = Mapping[str, JsonValue]


def drawn_splits(rows: Iterable[Row]) -> dict[str, str]:
    """By id the split of each row, with language and label in proportion; the same whatever order
    the rows come in."""
    rng = Random(SEED)
    rest = sorted(rows, key=lambda row: str(row["id"]))
    sizes = allocation(PAPER, len(rest))
    found: dict[str, str] = {}
    for name in ("test", "validation"):
        if not sizes[name]:
            continue  # none of a few: drawing 0 would draw all
        chosen = {str(row["id"]) for row in draw(rng, rest, sizes[name], _stratum)}
        found |= dict.fromkeys(chosen, name)
        rest = [row for row in rest if row["id"] not in chosen]
    return found | {str(row["id"]): "train" for row in rest}


def split_lines(rows: Sequence[Row]) -> list[str]:
    """What a datasheet says of the splits: how large they are, by language and label."""
    strata = sorted({_stratum(row) for row in rows})
    named = " | ".join(strata)
    lines = ["## Splits", "", f"| split | posts | {named} |"]
    lines.append(f"| --- {'| ---: ' * (len(strata) + 1)}|")
    for name in dict.fromkeys([*PAPER, *(str(row["split"]) for row in rows)]):
        own = [_stratum(row) for row in rows if row["split"] == name]
        counts = " | ".join(str(own.count(stratum)) for stratum in strata)
        lines.append(f"| {name} | {len(own)} | {counts} |")
    return lines


def _stratum(row: Row) -> str:
    return f"{row['language']}, {'sarcastic' if row['sarcastic'] else 'not sarcastic'}"
