"""`deadpan generate`: draw pictures from a benchmark's gold, and count how people rate them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli import output
from deadpan.cli.flags import RetryFlags, grouped
from deadpan.cli.json_output import JsonOption, write_json
from deadpan.cli.output import say
from deadpan.cli.people import print_ratings, write_plots
from deadpan.pipeline.rating import rate_answers

if TYPE_CHECKING:
    from deadpan.editing.generation import Done

SHEET = "rating_sheet.csv"
_STUDIES = ("cfms",)


class DrawnSplit(StrEnum):
    """Whose pairs are drawn."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    METAPHOR = "metaphor"


@grouped
def generate(
    benchmark: str,
    retries: RetryFlags,
    illustrator: str | None = None,
    data: Path | None = None,
    split: DrawnSplit = DrawnSplit.TEST,
    limit: Annotated[int | None, typer.Option(min=1)] = None,
    descriptions: Path | None = None,
    model: str | None = None,
    prompts: Path | None = None,
    out: Path = Path("generated"),
    judge: list[str] | None = None,
    ratings: list[Path] | None = None,
    plots: Path | None = None,
    max_connections: Annotated[int, typer.Option(min=1)] = 4,
    json: JsonOption = None,
) -> None:
    """Draw sarcastic pictures from gold: OUT/images, OUT/records and a sheet for people to rate.

    The same command again draws only what is missing, and keeps what is filled in. With --ratings,
    prints the share of pictures that meet the effect, for each judge and on average, generator by
    generator.
    """
    if benchmark not in _STUDIES:
        raise DeadpanError(f"{benchmark} has no generation study; expected {', '.join(_STUDIES)}")
    if ratings:
        found = rate_answers(find(benchmark), ratings, model=illustrator or "generated")
        print_ratings(found, find(benchmark).metric)
        write_plots(benchmark, found, plots)
        write_json(json, {benchmark: found.scores})
        return
    if illustrator is None:
        raise DeadpanError("say who draws with --illustrator, or what to count with --ratings")
    from deadpan.benchmarks.cfms.records import read_pairs
    from deadpan.editing import find_illustrator
    from deadpan.editing import generation as study
    from deadpan.editing.generation.rating_sheet import write_sheet
    from deadpan.engine.run import simple_asker

    pairs = [pair for pair in read_pairs(data).of(split.value) if pair.row.sarcastic][:limit]
    if not pairs:
        raise DeadpanError(f"the split {split.value} has no sarcastic pair to draw")
    known = study.read_descriptions(descriptions) if descriptions else {}
    generation = study.Generation(find_illustrator(illustrator), out, max_connections)
    if model is not None:
        lacking = [one for one in pairs if one.name not in known and one.row.description is None]
        asker = simple_asker(model, retries.store, retries.at_once(max_connections))
        with output.advancing_bar("describing", len(lacking)) as progress:
            known |= study.descriptions(lacking, asker, progress)
    orders = study.orders(pairs, known, prompts)
    with output.advancing_bar("drawing", len(orders)) as progress:
        done = generation.run(orders, progress)
    write_sheet(out / SHEET, done, judge or ())
    _say(done, out, judge or ())
    if any(one.record.ending != "drawn" for one in done):
        raise typer.Exit(1)


def _say(done: Sequence[Done], out: Path, judges: Sequence[str]) -> None:
    odd = [one.record for one in done if one.record.problem or one.record.notes]
    lines = [f"{one.item}: {one.ending}: {one.problem or '; '.join(one.notes)}" for one in odd]
    output.say_first(lines, str(out / "records"))
    output.say_endings("picture", [(one.record.ending, one.reused) for one in done])
    filled = "a column" if judges else "judge and met"
    count = shlex.join(["deadpan", "generate", "cfms", "--ratings", str(out / SHEET)])
    say(f"wrote {out / SHEET}: each judge fills in {filled} (1 or 0); count them: {count}")
