"""`deadpan audit published`: a benchmark's paper against itself, and against its data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import require
from deadpan.core.published import read_published
from deadpan.core.relations import DATA, Cell, Relation, Sheet
from deadpan.core.score import Score
from deadpan.metrics.arithmetic.auditing import Audit, audit
from deadpan.metrics.arithmetic.formulas import SAME
from deadpan.metrics.arithmetic.rules import GOLD, Follows


def audit_paper(benchmark: Benchmark[Any], data: Path | None = None) -> Audit:
    """What does not add up in the numbers that a benchmark's paper prints; with a data folder in
    the released layout, also against what it gives."""
    lack = f"{benchmark.name} has no published.csv to audit"
    published = require(read_published(benchmark.folder), lack)
    sheet = published.sheet(() if data is None else data_cells(benchmark, data))
    tie = benchmark.analyses.published
    tied = list(tie(sheet)) if tie else []
    return audit(sheet, [*tied, *_against_data(sheet, tied)])


def data_cells(benchmark: Benchmark[Any], data: Path) -> list[Cell]:
    """Whatever describes the data and how far annotators agree, as cells."""
    scores: list[Score] = []
    if benchmark.analyses.stats:
        scores += benchmark.analyses.stats(benchmark.read(data))
    if benchmark.votes and benchmark.votes.agreement:
        scores += benchmark.votes.agreement(data)
    return [
        Cell(DATA, one.model, one.task, one.metric, one.group, repr(one.value), half=0.0)
        for one in scores
        if one.value is not None
    ]


def _against_data(sheet: Sheet, tied: Iterable[Relation]) -> Iterator[Relation]:
    """Each printed number that the data gives too, unless the benchmark has tied both itself."""
    done = {(one.cells[0], other) for one in tied for other in one.cells[1:]}
    given = {(one.model, one.task, one.metric, one.group): one for one in sheet.select(table=DATA)}
    for cell in sheet:
        gold = given.get((cell.model, cell.task, cell.metric, cell.group))
        if cell.is_printed and gold is not None and (cell, gold) not in done:
            words = f"the released data: {float(gold.printed):.6g}"
            yield Follows((cell,), (gold,), SAME, kind=GOLD, words=words)
