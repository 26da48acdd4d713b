"""Which of a section's scores compare its models: those over the items that all have answered."""

from __future__ import annotations

from collections.abc import Sequence

from deadpan.core.score import Score
from deadpan.reports.section import Section

_GROUP = "videos=comparable"
_COUNT = "comparable_videos"


def compared_scores(
    section: Section, wanted: Sequence[tuple[str, str]]
) -> tuple[list[Score], frozenset[tuple[str, str]], str]:
    """The scores with the overall ones of `wanted` (task, metric) pairs over shared videos, where
    there are such and more than one model; which pairs those are; and a line that says so."""
    scores = list(section.scores)
    shared = [f for f in scores if f.group == _GROUP and (f.task, f.metric) in set(wanted)]
    pairs = frozenset((f.task, f.metric) for f in shared)
    if len({score.model for score in shared}) < 2:
        return scores, frozenset(), ""
    kept = [
        f.model_copy(update={"group": "all"}) if f.group == _GROUP else f
        for f in scores
        if (f.task, f.metric) not in pairs or f.group != "all"
    ]
    return kept, pairs, f"over the {_videos(scores, shared)} that all models have answered"


def _videos(scores: Sequence[Score], shared: Sequence[Score]) -> str:
    """How many videos that are: as counted, else by the questions behind the scores."""
    tasks = {score.task for score in shared}
    counted = [f for f in scores if f.metric == _COUNT and f.value is not None]
    of_tasks = [f for f in counted if f.task in tasks] or counted
    numbers = sorted({int(f.value or 0) for f in of_tasks} or {f.n for f in shared})
    return f"{' to '.join(str(n) for n in (numbers[0], numbers[-1])[: len(numbers)])} videos"
