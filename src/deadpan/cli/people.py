"""`deadpan agreement`, `ratings` and `irc`: annotators, raters, and a metric against rewording."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.base.errors import InputError
from deadpan.benchmarks import find
from deadpan.cli.output import JsonOption, console, plain_table, print_scores, say, write_json
from deadpan.core.capabilities import require
from deadpan.core.score import Score, ScoringOptions, unavailable
from deadpan.core.signature import combine_signatures
from deadpan.pipeline.evaluating import chosen_lexicons, metric_models, scoring_options
from deadpan.pipeline.table import read_tables

_MOST_NAMED = 20
_MOVES = ("{:.1f}", "{:.1f}", "{:+.1f}", "{:.1f}", "{:.0%}")
"""How the values of a rewording are printed."""


def agreement(
    benchmark: str,
    data: Path | None = None,
    gold: Path | None = None,
    json: JsonOption = None,
) -> None:
    """Agreement per question (exact, overlap, Krippendorff's alpha), and gold from the votes."""
    found = find(benchmark)
    votes = require(found.votes, f"{benchmark} has no raw votes")
    scores = votes.agreement(data)
    print_scores(scores, groups=True, about=found.metric)
    if gold is not None:
        compared = votes.write_gold(data, gold)
        say(f"wrote {gold}")
        if compared.cells:
            say(f"{compared.equal} of {compared.cells} cells equal the released gold")
        for place in compared.differing[:_MOST_NAMED]:
            say(f"differs: {place}", "yellow")
    write_json(json, {benchmark: scores})


def ratings(
    file: Path,
    table: list[Path] | None = None,
    irc: Path | None = None,
    metric_model: list[str] | None = None,
    lexicon: list[str] | None = None,
    benchmark: str = "janusmm",
    json: JsonOption = None,
) -> None:
    """Agreement per metric, and the mean rating (1 to 100) of each model and language."""
    options = scoring_options([benchmark], models=metric_model, lexicons=lexicon)
    rows = read_tables(table).filter(pl.col("benchmark") == benchmark) if table else None
    if table and rows is not None and rows.is_empty():
        where = " ".join(map(str, table))
        raise InputError(where, f"holds no result of {benchmark}", "Give the rated results.")
    rated = require(find(benchmark).ratings, f"{benchmark} has no ratings by people")
    found = rated.scores(file, rows, options, irc)
    print_scores(found.scores, groups=True, about=find(benchmark).metric)
    for note in found.notes:
        say(note, "yellow")
    write_json(json, {benchmark: found.scores})


def irc(
    file: Annotated[Path | None, typer.Argument()] = None,
    metric_model: list[str] | None = None,
    lexicon: list[str] | None = None,
    json: JsonOption = None,
) -> None:
    """How IRC and its parts move under paraphrases, and under contradictions, of one side.

    C_R is measured by a sentence encoder: --metric-model encoder=NAME, or encoder:zh=NAME for one
    language; encoder=lexical compares spelling, where no encoder can be had. C_E is measured by
    NRC and NTUSD; --lexicon zh=dutir compares classes of emotions in Chinese.
    """
    from deadpan.benchmarks.janusmm import JANUSMM
    from deadpan.benchmarks.janusmm.irc import irc_parts
    from deadpan.benchmarks.janusmm.robustness import (
        EMBEDDED,
        read_pairs,
        robustness_scores,
        word_keeping_notes,
    )
    from deadpan.metrics.text_scores import ENCODER

    models = metric_models(metric_model or (), [(ENCODER, JANUSMM.languages)])
    pairs = read_pairs(file or EMBEDDED)
    options = ScoringOptions(
        models=models, lexicons=chosen_lexicons(lexicon or (), [JANUSMM.lexicons])
    )
    parts = irc_parts(options, [pair.language for pair in pairs])
    scores = robustness_scores(pairs, parts)
    _print_moves(scores)
    for line in word_keeping_notes(scores):
        say(line, "yellow")
    for line in unavailable(scores):
        say(line, "yellow")
    say(f"signature: {combine_signatures(score.signature for score in scores)}", "dim")
    write_json(json, {"janusmm": scores})


def _print_moves(scores: Sequence[Score]) -> None:
    """A line for each language, kind of rewording and metric; dashes where it is unavailable."""
    from deadpan.benchmarks.janusmm.robustness import CLOSE, KINDS, LANGUAGE

    numbers = ("before", "after", "move", "|move|", f"within {CLOSE:g}", "n")
    table = plain_table("language", "kind", "metric", numbers=numbers)
    rows: dict[tuple[str, str, str], list[Score]] = {}
    for score in scores:
        if score.group.startswith(LANGUAGE):
            key = (score.group, score.model, score.metric.partition("_")[0])
            rows.setdefault(key, []).append(score)
    order = list(KINDS)
    for row in sorted(rows, key=lambda row: (row[0], order.index(row[1]))):
        group, kind, metric = row
        values = zip(_MOVES, rows[row], strict=True)
        table.add_row(
            *(group.removeprefix(LANGUAGE), kind, metric),
            *("–" if one.value is None else form.format(one.value) for form, one in values),
            str(rows[row][0].n),
        )
    console.print(table)
