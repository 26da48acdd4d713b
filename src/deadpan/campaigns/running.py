"""Evaluations one after the other, into one table; a model that gives up stops no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import polars as pl

from deadpan.base.errors import DeadpanError, NotWritten
from deadpan.engine.budget import OverBudget
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.results import Results
from deadpan.pipeline.stopping import Until, run_until


@dataclass(frozen=True)
class CampaignResults:
    """The results of all models together, what else is told of them, and why models gave up, by
    name."""

    results: Results
    lines: tuple[str, ...] = ()
    gave_up: dict[str, str] = field(default_factory=dict)


def run_all(
    evaluations: Sequence[Evaluation],
    reporter: Reporter = SILENT,
    until: Until | None = None,
    texts: bool = True,
) -> CampaignResults:
    """Asks each model in turn. Where there are several, all are tried first, and whoever cannot be
    had raises before anything is asked; one that gives up later is said, and the others are asked.
    None left raises. Without `texts`, very many answers of one model are scored in shards."""
    try_all(evaluations)
    found: list[Results] = []
    lines: list[str] = []
    errors: dict[str, DeadpanError] = {}
    for one in evaluations:
        try:
            results, more = _run(one, reporter, until, texts or len(evaluations) > 1)
        except (NotWritten, OverBudget):
            raise
        except DeadpanError as error:
            if len(evaluations) == 1:
                raise
            errors[one.model] = error
            reporter.warn(f"{one.model} is given up, its answers so far are kept: {error}")
            continue
        found.append(results)
        lines += more
    if not found:
        raise next(iter(errors.values()))
    gave_up = {model: str(error) for model, error in errors.items()}
    return CampaignResults(_together(found), tuple(lines), gave_up)


def _run(
    evaluation: Evaluation, reporter: Reporter, until: Until | None, texts: bool
) -> tuple[Results, Sequence[str]]:
    if until is None:
        return evaluation.run(reporter, texts), ()
    stopped = run_until(evaluation, until, reporter)
    return stopped.results, stopped.lines


def _together(found: Sequence[Results]) -> Results:
    if len(found) == 1:
        return found[0]
    tables = [one.table for one in found]
    return Results(pl.concat(tables, how="diagonal_relaxed"), found[0].options)


def try_all(evaluations: Sequence[Evaluation]) -> None:
    """Raises with all that keeps judges and readers, then models, from being had; a single model is
    tried when it is asked."""
    _require([one.check for one in evaluations])
    if len(evaluations) > 1:
        _require([one.try_model for one in evaluations])


def _require(checks: Sequence[Callable[[], None]]) -> None:
    """Raises with all that the checks raise, each line once."""
    wrong: dict[str, None] = {}
    for check in checks:
        try:
            check()
        except OverBudget:
            raise
        except DeadpanError as error:
            wrong[str(error)] = None
    if wrong:
        raise DeadpanError("\n".join(wrong))
