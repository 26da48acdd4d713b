"""Which of the results of a store or table are meant: of which benchmarks and tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from deadpan.base.errors import DeadpanError, meant


@dataclass(frozen=True)
class Filter:
    """Benchmarks and tasks, all where none is named; of several runs of a model and a task, all or
    the `latest`."""

    benchmarks: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    latest: bool = False

    def rows(self, table: pl.DataFrame) -> pl.DataFrame:
        """The rows of the benchmarks; a name that is not there raises, and so does a task's. The
        other tasks stay: a metric may look at them."""
        _require("--benchmark", self.benchmarks, table["benchmark"])
        if self.benchmarks:
            table = table.filter(pl.col("benchmark").is_in(self.benchmarks))
        _require("--task", self.tasks, table["task"])
        return table


def _require(option: str, named: Sequence[str], held: pl.Series) -> None:
    known = held.unique(maintain_order=True).to_list()
    for name in named:
        if name not in known:
            what = f"{option} {name}: there are results of {', '.join(known)}"
            raise DeadpanError(f"{what}{meant(name, known)}")
