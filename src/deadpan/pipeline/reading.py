"""Results of stores, tables and logs in one call."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.errors import DeadpanError
from deadpan.core.score import ScoringOptions
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.table import read_tables

if TYPE_CHECKING:
    pass
from deadpan.pipeline.results import Results


def read_results(
    *paths: str | Path | Sequence[str | Path],
    judge: str | None = None,
    reader: str | None = None,
    options: ScoringOptions | None = None,
    mix: bool = False,
) -> Results:
    """The results of answer stores, tables (.parquet, .jsonl) and Inspect logs; `judge` says whose
    grades count where several judged, `reader` whose readings of replies that the rules cannot
    read. What a table was scored by holds where `options` do not say otherwise. Warns where
    questions were never asked."""
    given: list[str | Path] = []
    for path in paths:
        given += [path] if isinstance(path, str | Path) else path
    if not given:
        raise DeadpanError("name an answer store, a results table or an Inspect log")
    table = read_tables(
        [Path(path) for path in given],
        judge,
        reader=reader,
        reading=options.reading if options else None,
    )
    results = Results(table, with_kept(options or ScoringOptions(), table), mix)
    if results.unfinished:
        warnings.warn(f"unfinished: {'; '.join(results.unfinished)}", stacklevel=2)
    return results
