"""The table of usage and cost: tested models and judges apart, in all and by task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deadpan.core.usage import HOW_TO_PRICE, Role, Usage, cost_text, totals, usage_of
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import NOTHING, one_line

ROLES: dict[Role, str] = {"model": "Tested models", "judge": "Judges"}


@dataclass(frozen=True)
class CostRow:
    """One line: tokens are those of the calls that reported them, `told` says how many did."""

    name: str
    task: str
    calls: str
    told: str
    read: str
    written: str
    cost: str


@dataclass(frozen=True)
class CostTable:
    """Lines per role in all and by task, and how to name a price where one is missing."""

    roles: list[tuple[str, list[CostRow]]]
    by_task: list[tuple[str, list[CostRow]]]
    missing: str


def cost_table(section: Section) -> CostTable:
    """What the section's results used and cost."""
    used = usage_of(section.table, section.prices)
    missing = not all(usage.priced for usage in used)
    return CostTable(
        _by_role(section, totals(used)), _by_role(section, used), HOW_TO_PRICE if missing else ""
    )


def _by_role(section: Section, used: Sequence[Usage]) -> list[tuple[str, list[CostRow]]]:
    names = distinct(usage.name for usage in used)
    ordered = sorted(used, key=lambda usage: names.index(usage.name))
    rows = [
        (title, [_row(section, usage) for usage in ordered if usage.role == role])
        for role, title in ROLES.items()
    ]
    return [(title, lines) for title, lines in rows if lines]


def _row(section: Section, usage: Usage) -> CostRow:
    known = usage.known > 0
    return CostRow(
        name=one_line(usage.name),
        task=one_line(section.task_title(usage.task)) if usage.task else "",
        calls=f"{usage.calls:,}",
        told=f"of {usage.known:,} calls" if 0 < usage.known < usage.calls else "",
        read=f"{usage.input_tokens:,}" if known else NOTHING,
        written=f"{usage.output_tokens:,}" if known else NOTHING,
        cost=cost_text(usage),
    )
