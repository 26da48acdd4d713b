"""What ties the printed numbers of JanusMM's paper together."""

from __future__ import annotations

from collections.abc import Iterator

from deadpan.core.relations import Relation, Sheet
from deadpan.metrics.arithmetic.claims import above, quoted
from deadpan.metrics.arithmetic.formulas import DIFFERENCE, SMALLEST, correlation
from deadpan.metrics.arithmetic.rules import AtMost, Follows, Within
from deadpan.metrics.arithmetic.shares import OneSize

_LANGUAGES = ("language=zh", "language=en")


def relations(sheet: Sheet) -> Iterator[Relation]:
    """Accuracies of the same memes, lengths in order, the correlation, and claims of the text."""
    memes = sheet.cell(table="abstract", model="gold", task="data", metric="memes")
    for language in _LANGUAGES:
        accuracies = tuple(sheet.select(table="1", metric="accuracy", group=language))
        yield OneSize(accuracies, int(memes.printed), 100, "memes")
    for language in _LANGUAGES:
        both = [
            one
            for metric in ("irc", "huc")
            for one in sheet.select(table="2", metric=metric, group=language)
        ]
        said = {"table": "section 5.2", "model": "all models", "task": "dual"}
        claim = sheet.cell(**said, metric="correlation", group=language)
        words = "Pearson's r of table 2's IRC and HUC, ten models"
        yield Follows((claim,), tuple(both), correlation(), kind="correlation", words=words)
    yield from _lengths(sheet)
    yield from _claims(sheet)


def _lengths(sheet: Sheet) -> Iterator[Relation]:
    for row in sheet.rows("group", table="5"):
        for metric, mean in row.items():
            if metric.endswith("_mean"):
                name = metric.removesuffix("_mean")
                words = "between smallest and largest"
                yield Within(mean, row[f"{name}_min"], row[f"{name}_max"], words=words)


def _claims(sheet: Sheet) -> Iterator[Relation]:
    yield from quoted(sheet)
    english = tuple(sheet.select(table="1", metric="accuracy", group="language=en"))
    claim = {"table": "section 5.1", "task": "recognition"}
    lowest = sheet.cell(**claim, model="the lowest", metric="accuracy", group="language=en")
    yield Follows(
        (lowest,), english, SMALLEST, kind="smallest", words="smallest of table 1, English"
    )
    model = "Claude-3.7-Sonnet"
    gap = sheet.cell(**claim, model=model, metric="accuracy_gap")
    parts = tuple(
        sheet.cell(table="1", model=model, task="recognition", metric="accuracy", group=language)
        for language in _LANGUAGES
    )
    words = f"table 1: {parts[0].printed} less {parts[1].printed}"
    yield Follows((gap,), parts, DIFFERENCE, kind="difference", words=words)
    yield from _two_sides(sheet)
    for metric in ("mg", "sr", "du", "pe"):
        said = {"table": "appendix G", "model": "all models", "task": "ratings"}
        ends = [sheet.cell(**said, metric=f"{metric}_{end}") for end in ("lowest", "highest")]
        for one in sheet.select(table="3", metric=metric):
            words = f"appendix G: {metric.upper()} from {ends[0].printed} to {ends[1].printed}"
            yield Within(one, ends[0], ends[1], words=words)


def _two_sides(sheet: Sheet) -> Iterator[Relation]:
    """The responder's side is said to be the better one, by BARTScore and by ratings."""
    for one in sheet.select(table="2", task="responder", metric="bartscore"):
        key = {"table": "2", "model": one.model, "metric": "bartscore", "group": one.group}
        yield above(one, sheet.cell(**key, task="initiator"), "section 5.2")
    for one in sheet.select(table="3", metric="pe"):
        other = next(
            each
            for each in sheet.select(table="3", model=one.model, metric="ec")
            if each.group == one.group
        )
        words = f"section 5.2 puts it below {other.printed} (EC)"
        yield AtMost(one, (other,), words=words)
