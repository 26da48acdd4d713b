"""`deadpan irc`: how IRC moves when answers are put in other words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.benchmarks.janusmm.irc import irc_parts
from deadpan.benchmarks.janusmm.robustness import (
    CLOSE,
    EMBEDDED,
    KINDS,
    LANGUAGE,
    read_pairs,
    robustness_scores,
)
from deadpan.cli.flags import MetricModelOption
from deadpan.cli.output import JsonOption, console, say
from deadpan.cli.printing import write_json
from deadpan.core.score import Score, unavailable
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.signature import combined
from deadpan.metrics.text_scores import ENCODER
from deadpan.pipeline.options import metric_models, with_languages

_FORMATS = ("{:.1f}", "{:.1f}", "{:+.1f}", "{:.1f}", "{:.0%}")
"""How `VALUES` are printed."""


def irc(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="JSON lines of reworded pairs; our own when left out."),
    ] = None,
    metric_model: MetricModelOption = None,
    json: JsonOption = None,
) -> None:
    """How IRC and its parts move under paraphrases, and under contradictions, of one side.

    C_R is measured by a sentence encoder: --metric-model encoder=NAME, or encoder:zh=NAME for one
    language; encoder=lexical compares spelling, where no encoder can be had.
    """
    taken = with_languages([ENCODER], JANUSMM.languages)
    options = ScoringOptions(models=metric_models(metric_model or (), taken))
    pairs = read_pairs(file or EMBEDDED)
    scores = robustness_scores(pairs, irc_parts(options, [pair.language for pair in pairs]))
    _print_moves(scores)
    for line in unavailable(scores):
        say(line, "yellow")
    say(f"signature: {combined(score.signature for score in scores)}", "dim")
    write_json(json, {"janusmm": scores})


def _print_moves(scores: Sequence[Score]) -> None:
    """A line for each language, kind of rewording and metric; dashes where it is unavailable."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("language", "kind", "metric"):
        table.add_column(heading)
    for heading in ("before", "after", "move", "|move|", f"within {CLOSE:g}", "n"):
        table.add_column(heading, justify="right")
    rows: dict[tuple[str, str, str], list[Score]] = {}
    for score in scores:
        if score.group.startswith(LANGUAGE):
            metric, _, _ = score.metric.partition("_")
            rows.setdefault((score.group, score.model, metric), []).append(score)
    for row in sorted(rows, key=lambda row: (row[0], row[1] != KINDS[0])):
        group, kind, metric = row
        values = zip(_FORMATS, rows[row], strict=True)
        table.add_row(
            *(group.removeprefix(LANGUAGE), kind, metric),
            *("–" if one.value is None else form.format(one.value) for form, one in values),
            str(rows[row][0].n),
        )
    console.print(table)
