"""Results written in the forms of other tools, with what has to be known before they are shared."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import InputError
from deadpan.base.files import read_text, write_text
from deadpan.core.measurement import Measurement
from deadpan.core.score import Score
from deadpan.core.signature import parse_signature
from deadpan.metrics.statistics.errors import ScoreKey, standard_errors
from deadpan.pipeline.results import Results
from deadpan.reports.exchange.every_eval_ever import Choices, Publisher, eval_records
from deadpan.reports.exchange.model_card import MARK, model_card
from deadpan.reports.exchange.public import data_source


def errors_of(results: Results) -> dict[ScoreKey, float]:
    """The standard error of every score that has one."""
    every: list[Measurement | Score] = [
        one for measured in results.measurements.values() for one in measured
    ]
    return standard_errors(every)


def write_eval_records(
    results: Results, out: Path, publisher: Publisher, choices: Choices
) -> list[Path]:
    """Writes Every Eval Ever records below a folder; where the aggregates lie."""
    now = int(datetime.now(UTC).timestamp())
    made = eval_records(results.sections(), errors_of(results), publisher, choices, now)
    return [record.write(out) for record in made]


def write_model_card(results: Results, out: Path, model: str, name: str = "") -> None:
    """Writes the card of a model; a file that somebody else wrote is not overwritten."""
    if out.suffix.lower() != ".md":
        raise InputError(out, f"no model card has the suffix {out.suffix!r}", "Expected .md.")
    text = model_card(results.sections(), model, name=name, generated=date.today().isoformat())
    if out.exists() and MARK not in read_text(out):
        raise InputError(out, "is there, and not made by this command", "Name another --out.")
    write_text(out, text)


def sharing_notes(results: Results, texts: bool) -> Iterator[str]:
    """What has to be known before results are shared: what texts they hold and whose data these
    are, and how many of the items are marked as potentially harmful."""
    for section in results.sections():
        benchmark = section.benchmark
        checksums = {parse_signature(text).data for text in section.table["signature"].unique()}
        kinds = {data_source(benchmark, one).kind: one for one in sorted(checksums)}
        if texts and set(kinds) != {"mini-set"}:
            licence = data_source(benchmark, next(iter(kinds.values()))).licence
            yield (
                f"{benchmark.name}: holds questions, references and replies; licence of the data: "
                f"{licence}. Share them only if you may; --no-text leaves them out"
            )
        name, value = benchmark.harmful
        column = f"attr.{name}"
        if texts and column in section.table.columns:
            marked = section.table.filter(pl.col(column) == value)["item"].n_unique()
            if marked:
                many = count_noun(marked, "item")
                yield f"{benchmark.name}: {many} marked as potentially harmful"
