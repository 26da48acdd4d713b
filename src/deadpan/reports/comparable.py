"""Which of a section's figures compare its models: those over the items that all have answered."""

from __future__ import annotations

from collections.abc import Sequence

from deadpan.core.score import Figure
from deadpan.reports.section import Section

_GROUP = "videos=comparable"
_COUNT = "comparable_videos"


def compared_figures(
    section: Section, wanted: Sequence[tuple[str, str]]
) -> tuple[list[Figure], frozenset[tuple[str, str]], str]:
    """The figures with the overall ones of `wanted` (task, metric) pairs over shared videos, where
    there are such and more than one model; which pairs those are; and a line that says so."""
    figures = list(section.figures)
    shared = [f for f in figures if f.group == _GROUP and (f.task, f.metric) in set(wanted)]
    pairs = frozenset((f.task, f.metric) for f in shared)
    if len({figure.model for figure in shared}) < 2:
        return figures, frozenset(), ""
    kept = [
        f.model_copy(update={"group": "all"}) if f.group == _GROUP else f
        for f in figures
        if (f.task, f.metric) not in pairs or f.group != "all"
    ]
    return kept, pairs, f"over the {_videos(figures, shared)} that all models have answered"


def _videos(figures: Sequence[Figure], shared: Sequence[Figure]) -> str:
    """How many videos that are: as counted, else by the questions behind the figures."""
    tasks = {figure.task for figure in shared}
    counted = [f for f in figures if f.metric == _COUNT and f.value is not None]
    of_tasks = [f for f in counted if f.task in tasks] or counted
    numbers = sorted({int(f.value or 0) for f in of_tasks} or {f.n for f in shared})
    return f"{' to '.join(str(n) for n in (numbers[0], numbers[-1])[: len(numbers)])} videos"
