"""Rewards of ways to choose demonstrations, in the terminal."""

from __future__ import annotations

import json as json_library
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from deadpan.cli.printing import console, number, say
from deadpan.demonstrations.comparison import Interval, mean_interval
from deadpan.demonstrations.rewards import PARTS, RewardParts, Weights
from deadpan.errors import DeadpanError
from deadpan.files import write_text
from deadpan.usage import Prices, cost_text, tokens_text, totals, usage_of

if TYPE_CHECKING:
    from deadpan.engine.demonstrated_runs import Arms


def print_parts(
    name: str, parts: Sequence[RewardParts | None], weights: Weights, seed: int, json: Path | None
) -> None:
    """The mean reward and its parts with intervals, and how many calls failed."""
    known = [one for one in parts if one is not None]
    if not known:
        raise DeadpanError("not one of the model's replies could be had; what was paid for is kept")
    rows = {"reward": mean_interval([weights.total(one) for one in known], seed)}
    for part in PARTS:
        values = [one.known[part] for one in known if part in one.known]
        if values:
            rows[part] = mean_interval(values, seed)
    table = _table("score", "mean", "95 % interval", "n")
    for kind, one in rows.items():
        table.add_row(kind, f"{one.mean:.3f}", _bounds(one), str(one.n))
    console.print(table)
    say(f"demonstrations: {name}; weights: {weights}", "dim")
    if len(known) < len(parts):
        say(f"{len(parts) - len(known)} of {len(parts)} calls failed and are left out", "yellow")
    if json is not None:
        document = {"demos": name, "scores": {kind: asdict(one) for kind, one in rows.items()}}
        write_text(json, json_library.dumps(document, indent=1) + "\n")
        say(f"wrote {json}")


def print_comparison(found: Arms, prices: Prices) -> None:
    """Scores by arm with differences to zero-shot, the benchmark's own figures, and cost."""
    table = _table("demonstrations", "score", "mean", "over zero-shot", "95 % interval", "n")
    for arm in found.arms:
        for kind, one in found.means[arm.name].items():
            more = found.differences.get(arm.name, {}).get(kind)
            table.add_row(
                escape(arm.name),
                kind,
                f"{one.mean:.3f}",
                f"{more.mean:+.3f}" if more else "",
                _bounds(more) if more else "",
                str(one.n),
            )
    console.print(table)
    figures = _table("demonstrations", "metric", "value")
    for arm in found.arms:
        for figure in arm.figures:
            if figure.group == "all" and figure.value is not None:
                figures.add_row(escape(arm.name), escape(figure.metric), number(figure.value))
    console.print(figures)
    for arm in found.arms:
        for usage in totals(usage_of(arm.table, prices)):
            told = f"{usage.calls:,} calls, {tokens_text(usage)}, {cost_text(usage)}"
            say(f"{arm.name}: {told}", "dim")
    for arm in found.arms:
        say(f"{arm.name}: {arm.table['signature'][0]}", "dim")


def _table(*headings: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    return table


def _bounds(one: Interval) -> str:
    return f"{one.low:+.3f} … {one.high:+.3f}"
