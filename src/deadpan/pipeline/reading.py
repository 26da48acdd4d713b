"""Results of stores, tables and logs in one call."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

from deadpan.base.errors import DeadpanError
from deadpan.core.score import ScoringOptions
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.results import Results
from deadpan.pipeline.streaming import streamed_runs
from deadpan.pipeline.table import read_tables


def read_results(
    *paths: str | Path | Sequence[str | Path],
    judge: str | None = None,
    reader: str | None = None,
    options: ScoringOptions | None = None,
    mix: bool = False,
    texts: bool = True,
) -> Results:
    """The results of answer stores, tables (.parquet, .jsonl) and Inspect logs; `judge` says whose
    grades count where several judged, `reader` whose readings of replies that the rules cannot
    read. What a table was scored by holds where `options` do not say otherwise. Without `texts`,
    very large stores are read in shards: their scores are the same, and their table holds how
    answers ended and not what they say. Warns where questions were never asked."""
    given: list[str | Path] = []
    for path in paths:
        given += [path] if isinstance(path, str | Path) else path
    if not given:
        raise DeadpanError("name an answer store, a results table or an Inspect log")
    files, reading = [Path(path) for path in given], options.reading if options else None
    streamed = None
    if not texts and judge is None and reader is None and not mix:
        streamed = streamed_runs(files, reading)
    if streamed is not None:
        results = streamed.results(options or ScoringOptions())
    else:
        table = read_tables(files, judge, reader=reader, reading=reading)
        results = Results(table, with_kept(options or ScoringOptions(), table), mix)
    if results.unfinished:
        warnings.warn(f"unfinished: {'; '.join(results.unfinished)}", stacklevel=2)
    return results
