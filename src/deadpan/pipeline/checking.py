"""What can be measured on answers without a judge, added to the results."""

from __future__ import annotations

import polars as pl

from deadpan.benchmarks import find
from deadpan.core.capabilities import required
from deadpan.core.scoring_options import ScoringOptions
from deadpan.pipeline.judging import rows_to_judge
from deadpan.pipeline.reporter import SILENT, Reporter


def check_results(
    results: pl.DataFrame, options: ScoringOptions, reporter: Reporter = SILENT
) -> pl.DataFrame:
    """The results with the checks of each benchmark."""
    tables = []
    for (name,), rows in results.group_by("benchmark", maintain_order=True):
        edits = required(find(str(name)).edits, f"{name} has no checks")
        drawn = rows_to_judge(rows, options).select("model", "item").unique()
        with reporter.counting("checking", len(drawn)) as done:
            tables.append(edits.check(rows, options, done))
    return pl.concat(tables, how="diagonal_relaxed")
