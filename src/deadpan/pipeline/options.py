"""The choices made when scoring, checked against what the benchmarks take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.core.scoring_options import Draws, ScoringOptions
from deadpan.pipeline.table import TABLE_SUFFIXES


def scoring_options(
    benchmarks: Iterable[str],
    gate: str | None = None,
    models: Sequence[str] | None = None,
    draws: Draws | None = None,
) -> ScoringOptions:
    """The options, checked against what the benchmarks take."""
    known = [find(name) for name in benchmarks]
    gates = list(dict.fromkeys(one for benchmark in known for one in benchmark.gates))
    if gate is not None and not gates:
        raise DeadpanError(f"--gate {gate}: nothing here is gated; leave it out")
    if gate is not None and gate not in gates:
        raise DeadpanError(f"--gate {gate}: expected one of {', '.join(gates)}")
    taken = [
        one
        for benchmark in known
        for one in with_languages(benchmark.metric_models, benchmark.languages)
    ]
    if draws not in (None, Draws()) and not any(benchmark.draws_samples for benchmark in known):
        what = "--draw-seed, --draws and --draw-size"
        raise DeadpanError(f"{what}: nothing here is scored by samples")
    return ScoringOptions(gate, metric_models(models or (), taken), draws or Draws())


def with_languages(metrics: Iterable[str], languages: Sequence[str]) -> list[str]:
    """The metrics as `--metric-model` names them: for every language, and for each one."""
    return [
        named
        for metric in metrics
        for named in (metric, *(f"{metric}:{language}" for language in languages))
    ]


def metric_models(options: Sequence[str], taken: Sequence[str]) -> Mapping[str, str]:
    """The models by metric; a metric that takes none, or two models, raises."""
    chosen: dict[str, str] = {}
    for option in options:
        metric, _, model = option.partition("=")
        if metric not in taken or not model:
            expected = ", ".join(f"{name}=MODEL" for name in taken) or "none: no metric takes one"
            raise DeadpanError(f"--metric-model {option}: expected one of {expected}")
        if chosen.setdefault(metric, model) != model:
            raise DeadpanError(f"--metric-model {metric} is given twice, with different models")
    return chosen


def check_table(table: Path | None) -> None:
    """Raises for a table that could only fail to be written once every question was paid for."""
    if table is not None and table.suffix not in TABLE_SUFFIXES:
        expected = f"Use {' or '.join(TABLE_SUFFIXES)}."
        raise InputError(table, f"unknown table format {table.suffix}", expected)
