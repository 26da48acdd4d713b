"""Very large stores, scored in shards of items: texts are read, measured and let go.

Metrics are sums over items, so that shards add up to the scores of the whole table: what each item
adds is kept, for intervals and comparisons. Benchmarks that measure across items (JanusMM's answers
that are said again, ViMU's comparable videos and its map, MER-Bench's draws) have the columns
collected that scores need, and are measured at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks import find
from deadpan.core.measurement import Measurement
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.shards import DoesNotAddUp, MeasuredShards
from deadpan.core.signature import require_equal
from deadpan.pipeline.ablation import name_variants
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.results import Results
from deadpan.pipeline.table import join_judgements, table_of_tasks, task_signature
from deadpan.pipeline.table_files import COLUMNS

if TYPE_CHECKING:
    from deadpan.engine.sharding import StoreShards

LARGE = 50_000
"""Questions above which a store is read in shards."""
SHARD = 10_000
_UNSCORED = ("question", "reasoning")
"""Columns that no score is made of."""
_TEXTS = (*_UNSCORED, "answer", "parsed", "gold", "picture", "judgements", "read_as")
"""Columns that are let go once a shard was measured."""
_NAMES = (
    *("benchmark", "task", "version", "model", "language", "outcome", "reason"),
    *("judge", "signature"),
)
"""Columns in which few values stand many times."""


def streamed_runs(
    paths: Sequence[Path],
    reading: str | None = None,
    wanted: Filter = Filter(),  # noqa: B008
    most: int = LARGE,
) -> StreamedRuns | None:
    """The runs of stores that are too large to be read at once; None where they are not, or where
    all that was said has to be known first: what several judges said of the same answers."""
    if not is_large(paths, most):
        return None
    found = StreamedRuns(paths, reading, wanted)
    return found if found.is_judged_once else None


def is_large(paths: Iterable[Path], most: int = LARGE) -> bool:
    """Whether paths are stores, or runs of stores, that asked more questions than that."""
    from deadpan.engine.manifests import is_manifest, is_store, manifests_below

    own = list(paths)
    if not all(is_store(path) or is_manifest(path) for path in own):
        return False
    files = [file for found in manifests_below(own).values() for file in found]
    counts = [pl.scan_parquet(file, glob=False).select(pl.len()) for file in files]
    return sum(int(one.item()) for one in pl.collect_all(counts)) > most


@dataclass(frozen=True, eq=False)
class StreamedRuns:
    """The runs of stores, to be scored in shards of about so many answers."""

    paths: Sequence[Path]
    reading: str | None = None
    wanted: Filter = field(default_factory=Filter)
    size: int = SHARD

    @cached_property
    def _shards(self) -> StoreShards:
        from deadpan.engine.sharding import StoreShards

        found = StoreShards(self.paths, self.wanted.latest, self.size)
        if not found.runs:
            where = " ".join(map(str, self.paths))
            raise InputError(where, "holds no run", "Run `deadpan run` first.")
        return found

    @cached_property
    def _signatures(self) -> list[str]:
        return [task_signature(task, items, self.reading) for task, items in self._shards.runs]

    @cached_property
    def answers(self) -> pl.DataFrame:
        """What was asked of whom, a row for each run."""
        rows = [
            {"benchmark": task.benchmark, "task": task.task, "model": task.model, "scoring": None}
            for task, _ in self._shards.runs
        ]
        signed = pl.Series("signature", self._signatures)
        return self.wanted.rows(pl.DataFrame(rows).with_columns(signed))

    @property
    def is_judged_once(self) -> bool:
        """Whether one judge at most graded each model's answers to a task, by one wording; which of
        several counts, all that they said tells."""
        graded = [one[:3] for one in self._shards.judged]
        return len(set(graded)) == len(graded) and len({one[3] for one in self._shards.judged}) < 2

    def tables(self) -> Iterator[pl.DataFrame]:
        """The results table, a shard at a time."""
        benchmarks = self.answers["benchmark"].unique().to_list()
        counted: set[str] = set()
        for asked, judged in self._shards:
            table = table_of_tasks(asked, self._signatures, self.reading)
            if table is None:
                continue
            table = table.filter(pl.col("benchmark").is_in(benchmarks))
            if len(table):
                yield join_judgements(table, judged, None, counted=counted)

    def results(
        self, options: ScoringOptions, mix: bool = False, tasks: Sequence[str] = ()
    ) -> Results:
        """The results: scores, groups and intervals as of the whole table, whose texts they do
        without."""
        require_equal(self.answers.select("model", "signature").iter_rows(), mix)
        names = self.answers["benchmark"].unique(maintain_order=True).to_list()
        by_shard = {name for name in names if find(name).adds_up}
        try:
            table, measured = self._scored(options, by_shard)
        except DoesNotAddUp:
            table, measured = self._scored(options, set())
        return Results(table, options, mix, tasks=tuple(tasks), measured=measured)

    def _scored(
        self, options: ScoringOptions, by_shard: set[str]
    ) -> tuple[pl.DataFrame, Mapping[str, Sequence[Measurement | Score]]]:
        """The table without texts, and what was measured: of these benchmarks shard by shard."""
        kept: list[pl.DataFrame] = []
        collected: list[pl.DataFrame] = []
        shards = {name: MeasuredShards() for name in by_shard}
        spoken = self._shards.languages()
        types: dict[str, pl.DataType] = {}
        for table in self.tables():
            named = name_variants(table, self._signatures)
            for name, measured in shards.items():
                own = named.filter(pl.col("benchmark") == name)
                if len(own):
                    _require_types(own, types)
                    measured.add(find(name).measurements(own, options, spoken[name]))
            rest = table.filter(~pl.col("benchmark").is_in(list(by_shard)))
            collected += [_without(rest, _UNSCORED)] if len(rest) else []
            kept.append(_without(table, _TEXTS))
        whole = _joined(kept)
        for name in by_shard:
            held = whole.filter(pl.col("benchmark") == name)["language"].unique()
            if sorted(held) != spoken[name]:
                raise DoesNotAddUp(f"{name} has no answers in some language")
        shown = name_variants(whole)
        found: dict[str, Sequence[Measurement | Score]] = {}
        rest = name_variants(_joined(collected)) if collected else pl.DataFrame()
        for name in whole["benchmark"].unique(maintain_order=True):
            if name in by_shard:
                models = shown.filter(pl.col("benchmark") == name)["model"]
                found[name] = shards[name].joined(models.unique(maintain_order=True).to_list())
            else:
                own = rest.filter(pl.col("benchmark") == name)
                found[name] = list(find(name).measurements(own, options))
        return whole, found


def _without(table: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """The table without these columns and those that hold nothing, its names in little memory."""
    empty = [name for name in COLUMNS if table[name].null_count() == len(table)]
    told = table.drop(*{*columns, *empty} - {*_NAMES, "scoring"})
    return told.with_columns(pl.col(_NAMES).cast(pl.Categorical))


def _joined(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """One table of those of all shards, with all columns but the texts."""
    whole = pl.concat(tables, how="diagonal_relaxed").with_columns(pl.col(_NAMES).cast(pl.String))
    lacking = [name for name in COLUMNS if name not in whole.columns]
    return whole.with_columns(pl.lit(None, COLUMNS[name]).alias(name) for name in lacking)


def _require_types(table: pl.DataFrame, types: dict[str, pl.DataType]) -> None:
    """Raises where an attribute is of another type than in the shards before: the whole table has
    one that holds both."""
    for name, kind in table.schema.items():
        if kind != pl.Null and types.setdefault(name, kind) != kind:
            raise DoesNotAddUp(f"{name} is {kind} in some shards, {types[name]} in others")
