"""What a campaign would ask, as a table, and what models recite, in lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from rich.markup import escape

from deadpan.base.counting import count_noun
from deadpan.base.printable import visible
from deadpan.campaigns.suite.estimating import Estimate
from deadpan.campaigns.suite.planning import Plan
from deadpan.cli.audit_contamination import found_line
from deadpan.cli.output import say, warn
from deadpan.cli.tables import plain_table, print_table
from deadpan.engine.token_estimates import IMAGE_TOKENS
from deadpan.pipeline.contamination import ContaminationAudit

_UNKNOWN = "unknown"


def print_estimates(plan: Plan, found: Sequence[Estimate], max_cost: float | None) -> None:
    """A line for each model, benchmark and role; then the sums, and how they were made."""
    for line in plan.left_out:
        say(line, "yellow")
    numbers = ("calls", "to ask", "tokens in", "out", "cost", "time")
    table = plain_table("model", "benchmark", "role", numbers=numbers)
    for one in found:
        role = one.role if one.role == "model" else f"{one.role} {one.name}"
        named = (one.job.model.shown, one.job.title, role)
        table.add_row(*(escape(visible(text)) for text in named), *_cells(one))
    table.add_section()
    table.add_row("all", "", "", *_totals(found))
    print_table(table)
    say(
        f"~ is estimated: tokens by the length of the prompt (one for a Chinese character or four "
        f"letters, {IMAGE_TOKENS} for a picture or frame) and of an answer; without it, by what "
        "earlier answers in this store took. ≤ is at most: not every answer has to be judged. "
        "Tokens, cost and time are of what is to ask.",
        "dim",
    )
    cost = _sum(found, "cost")
    if max_cost is not None and cost is not None and cost > max_cost:
        say(f"about ${cost:.2f} is more than --max-cost {max_cost:g}", "yellow")


def say_recitals(audits: Sequence[ContaminationAudit]) -> bool:
    """What each model recites, a line each; whether calls failed, which is said."""
    for audit in audits:
        say(*found_line(audit))
        if audit.failed:
            again = "failed; the same command asks again"
            warn(f"{audit.benchmark}, recited: {count_noun(audit.failed, 'call')} {again}")
    return any(audit.failed for audit in audits)


def _cells(one: Estimate) -> tuple[str, ...]:
    about, most = "" if one.is_measured or not one.missing else "~", "≤" if one.is_most else ""
    asked = (f"{most}{one.calls:,}", f"{most}{one.missing:,}")
    if not one.missing:
        return (*asked, "0", "0", "$0", "0:00:00")
    tokens = (_count(one.input_tokens, about), _count(one.output_tokens, about))
    return (*asked, *tokens, _dollars(one.cost, about), _time(one.seconds))


def _totals(found: Sequence[Estimate]) -> tuple[str, ...]:
    about = "~" if any(one.missing and not one.is_measured for one in found) else ""
    calls = (f"{sum(one.calls for one in found):,}", f"{sum(one.missing for one in found):,}")
    tokens = [_count(_sum(found, name), about) for name in ("input_tokens", "output_tokens")]
    return (*calls, *tokens, _dollars(_sum(found, "cost"), about), _time(_sum(found, "seconds")))


def _sum(found: Sequence[Estimate], name: str) -> float | None:
    """The sum over what is to ask; None where a part is not known."""
    values = [getattr(one, name) for one in found if one.missing]
    return None if None in values else sum(values)


def _count(value: float | None, about: str) -> str:
    return _UNKNOWN if value is None else f"{about}{value:,.0f}"


def _dollars(value: float | None, about: str) -> str:
    if value is None:
        return _UNKNOWN
    return "$0" if value == 0 else f"{about}${value:,.2f}"


def _time(value: float | None) -> str:
    return _UNKNOWN if value is None else f"~{timedelta(seconds=round(value))}"


def estimate_document(found: Sequence[Estimate]) -> dict[str, Any]:
    """The same for programs; null is what is not known."""
    rows = [
        {
            "model": one.job.model.shown,
            "benchmark": one.job.benchmark,
            "asked": one.job.asked,
            "role": one.role,
            "name": one.name,
            "calls": one.calls,
            "missing": one.missing,
            "at_most": one.is_most,
            "input_tokens": one.input_tokens,
            "output_tokens": one.output_tokens,
            "measured": one.is_measured,
            "cost": one.cost,
            "seconds": one.seconds,
        }
        for one in found
    ]
    return {"estimates": rows}
