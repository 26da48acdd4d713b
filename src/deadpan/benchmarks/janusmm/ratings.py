"""People's ratings of JanusMM's answers: means, agreement, and IRC beside HUC."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks.janusmm.irc import Loader
from deadpan.benchmarks.janusmm.rating_files import read_item_scores, read_ratings
from deadpan.benchmarks.janusmm.rating_scores import (
    CONSISTENCY,
    Ratings,
    correlation_scores,
    rating_scores,
)
from deadpan.benchmarks.janusmm.scoring import irc_by_item
from deadpan.core.answers import Answers
from deadpan.core.capabilities import Rated
from deadpan.core.questions import Language
from deadpan.core.score import Score
from deadpan.metrics.text_scores import NOT_THERE, reason


def rated(
    file: Path, table: pl.DataFrame | None, parts: Mapping[str, Loader], irc: Path | None
) -> Rated:
    """The scores of a file of ratings; with ratings of HUC and IRC, of a file or measured on the
    rated results, their correlation too. That IRC cannot be measured is told."""
    known = {} if table is None else _languages(table)
    languages = {item: language for (_, item), language in known.items()}
    study = Ratings(read_ratings(file, known), languages)
    if not study.metrics:
        raise InputError(file, "every rating is missing", "Give a file with ratings.")
    has_huc = CONSISTENCY in [metric.name for metric in study.metrics]
    if irc is not None and not has_huc:
        raise InputError(file, f"holds no rating of {CONSISTENCY}", "Leave --irc out.")
    scores = rating_scores(study)
    notes = list(_dropped(scores))
    measured: dict[tuple[str, str], float] = {}
    if irc is not None:
        measured = read_item_scores(irc)
    elif has_huc and table is not None and {"initiator", "responder"} <= set(table["task"]):
        try:
            measured = irc_by_item(Answers(table), parts)
        except NOT_THERE as error:
            notes.append(f"IRC is {reason(error)}")
    if measured:
        scores += correlation_scores(study, measured)
    return Rated(scores, notes)


def _languages(table: pl.DataFrame) -> dict[tuple[str, str], Language]:
    """The language of each model's answer to each item."""
    rows = table.select("model", "item", "language").iter_rows()
    return {(model, item): language for model, item, language in rows}


def _dropped(scores: Sequence[Score]) -> Iterator[str]:
    """A line for each metric that lost answers to its raters' disagreement."""
    for score in scores:
        if score.metric == "dropped" and score.value:
            name = score.group.partition("=")[2]
            yield f"{name}: {score.value:g} of {score.n} answers dropped, raters disagree"
