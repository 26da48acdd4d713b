"""What a store tells of earlier calls: tokens, seconds, what was judged, and what it all cost."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import polars as pl

from deadpan.core.usage import Prices
from deadpan.engine.budget import price_of
from deadpan.engine.manifests import JUDGEMENTS, READINGS, Kind
from deadpan.engine.reading import JudgedTask, judged_tasks
from deadpan.engine.store import AnswerStore

_ROLE = {JUDGEMENTS: ".judge-", READINGS: ".reader-"}
_PLACE = r"\.\d{6,}-[0-9a-f]{8}$"


class Means(NamedTuple):
    """What calls of one kind take on average."""

    input_tokens: float
    output_tokens: float
    seconds: float | None


@dataclass(frozen=True)
class KnownAnswers:
    """The answers of a store, read once."""

    folder: Path

    @cached_property
    def rows(self) -> pl.DataFrame:
        """Everything that was ever answered, with the label of its task."""
        label = pl.col("segment").str.replace(_PLACE, "").alias("label")
        return AnswerStore(self.folder).rows().with_columns(label)

    @cached_property
    def judged(self) -> list[JudgedTask]:
        """What was judged."""
        return judged_tasks([self.folder]) if self.folder.exists() else []

    @cached_property
    def read(self) -> list[JudgedTask]:
        """What a reader read."""
        return judged_tasks([self.folder], READINGS) if self.folder.exists() else []

    def means(self, benchmark: str, task: str, name: str, kind: Kind | None = None) -> Means | None:
        """What a call to a task took in the mean, of the one who is asked, else of all who were
        asked the same; None where nobody was, or nobody's tokens were told."""
        of_task = pl.col("label").str.starts_with(f"{benchmark}-{task}.")
        roles = [pl.col("label").str.contains(mark, literal=True) for mark in _ROLE.values()]
        if kind is None:
            in_role = ~pl.any_horizontal(roles)
        else:
            in_role = pl.col("label").str.contains(_ROLE[kind], literal=True)
        told = pl.col("error").is_null() & pl.col("input_tokens").is_not_null()
        every = self.rows.filter(of_task & in_role & told)
        plain = pl.col("model").str.split("@").list.first()
        own = every.filter(plain == name)
        rows = every if own.is_empty() else own
        if rows.is_empty():
            return None
        tokens = (_mean(rows["input_tokens"]), _mean(rows["output_tokens"]))
        return Means(*tokens, None if own.is_empty() else _seconds(own))

    def seconds(self, name: str) -> float | None:
        """How long a call to somebody took in the mean; None where none is known."""
        plain = pl.col("model").str.split("@").list.first()
        return _seconds(self.rows.filter((plain == name) & pl.col("error").is_null()))

    def spent(
        self, tasks: Iterable[tuple[str, str]], who: Collection[str], prices: Prices
    ) -> tuple[float, dict[str, float]]:
        """What every answer of these models, judges and readers to these tasks cost, whenever it
        was asked for; and what the dearest of each did."""
        begins = [f"{benchmark}-{task}." for benchmark, task in tasks]
        if not begins or not self.folder.exists():
            return 0.0, {}
        of_task = pl.any_horizontal(pl.col("label").str.starts_with(one) for one in begins)
        plain = pl.col("model").str.split("@").list.first()
        rows = self.rows.filter(of_task).with_columns(model=plain)
        total, dearest = 0.0, dict[str, float]()
        for (model,), own in rows.group_by("model"):
            price = price_of(str(model), prices) if model in who else None
            if price is None:
                continue
            tokens = own.select(pl.col("input_tokens", "output_tokens").fill_null(0)).iter_rows()
            costs = [price.of(read, written) for read, written in tokens]
            total += sum(costs)
            dearest[str(model)] = max(costs)
        return total, {model: cost for model, cost in dearest.items() if cost}


def _mean(values: pl.Series) -> float:
    return float(values.fill_null(0).mean() or 0.0)  # type: ignore[arg-type]


def _seconds(rows: pl.DataFrame) -> float | None:
    known = rows["seconds"].drop_nulls()
    return None if known.is_empty() else float(known.mean())  # type: ignore[arg-type]
