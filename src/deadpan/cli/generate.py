"""`deadpan generate`: draw pictures from a benchmark's gold, and count how people rate them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.cli.flags import DataOption, RetryFlags
from deadpan.cli.grouping import grouped
from deadpan.cli.output import JsonOption, console, say
from deadpan.cli.printing import print_scores, write_json
from deadpan.pipeline.reporter import counted

if TYPE_CHECKING:
    from deadpan.benchmarks.cfms.records import Pair
    from deadpan.editing.generation.study import Done, Generation, Order
    from deadpan.engine.calls import CallOptions

SHEET = "rating_sheet.csv"
_SHOWN = 20
_STUDIES = ("cfms",)


class DrawnSplit(StrEnum):
    """Whose pairs are drawn."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    METAPHOR = "metaphor"


@grouped
def generate(
    benchmark: Annotated[str, typer.Argument(help="The benchmark: cfms.")],
    retries: RetryFlags,
    illustrator: Annotated[
        str | None,
        typer.Option(help="openai-images/MODEL, google-images/MODEL or diffusers/NAME-OR-FOLDER."),
    ] = None,
    data: DataOption = None,
    split: Annotated[DrawnSplit, typer.Option(help="Whose pairs.")] = DrawnSplit.TEST,
    limit: Annotated[int | None, typer.Option(min=1, help="Draw the first N only.")] = None,
    descriptions: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help='What to draw: lines {"id": …, "description": …}.'),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="The model that describes pictures nobody has; an Inspect model name."),
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="Folder with another en/generation.txt, zh/generation.txt.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the pictures.")] = Path("generated"),
    ratings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="Draw nothing: count these ratings (item,judge,met)."
        ),
    ] = None,
    max_connections: Annotated[int, typer.Option(min=1, help="Pictures drawn at once.")] = 4,
    json: JsonOption = None,
) -> None:
    """Draw sarcastic pictures from gold: OUT/images, OUT/records and a sheet for people to rate.

    The same command again draws only what is missing, and keeps what is filled in. With --ratings,
    prints the share of pictures that meet the effect, for each judge and on average.
    """
    if benchmark not in _STUDIES:
        raise DeadpanError(f"{benchmark} has no generation study; expected {', '.join(_STUDIES)}")
    if ratings is not None:
        _count(benchmark, ratings, illustrator or "generated", json)
        return
    if illustrator is None:
        raise DeadpanError("say who draws with --illustrator, or what to count with --ratings")
    from deadpan.benchmarks.cfms.records import read_pairs
    from deadpan.editing import find_illustrator
    from deadpan.editing.generation.ratings import write_sheet
    from deadpan.editing.generation.study import Generation, orders, read_descriptions

    pairs = [pair for pair in read_pairs(data).of(split.value) if pair.row.sarcastic][:limit]
    if not pairs:
        raise DeadpanError(f"the split {split.value} has no sarcastic pair to draw")
    told = read_descriptions(descriptions) if descriptions else {}
    generation = Generation(find_illustrator(illustrator), out, max_connections)
    if model is not None:
        calls = retries.at_once(max_connections)
        told |= _described(
            [p for p in pairs if not _has_words(p, told)], model, retries.store, calls
        )
    done = _with_progress(generation, orders(pairs, told, prompts))
    write_sheet(out / SHEET, done)
    _say(done, out)
    if any(one.record.ending != "drawn" for one in done):
        raise typer.Exit(1)


def _has_words(pair: Pair, told: dict[str, str]) -> bool:
    return pair.name in told or pair.row.description is not None


def _described(
    pairs: Sequence[Pair], model: str, store: Path, calls: CallOptions
) -> dict[str, str]:
    from deadpan.editing.generation.study import descriptions
    from deadpan.engine.run import simple_asker

    with Progress(*_columns(), console=console) as progress:
        bar = progress.add_task("describing", total=len(pairs))
        return descriptions(
            pairs, simple_asker(model, store, calls), lambda _: progress.advance(bar)
        )


def _with_progress(generation: Generation, wanted: Sequence[Order]) -> list[Done]:
    with Progress(*_columns(), console=console) as progress:
        bar = progress.add_task("drawing", total=len(wanted))
        return generation.run(wanted, lambda _: progress.advance(bar))


def _columns() -> tuple[TextColumn, BarColumn, MofNCompleteColumn]:
    return TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()


def _say(done: Sequence[Done], out: Path) -> None:
    odd = [one.record for one in done if one.record.problem or one.record.notes]
    for record in odd[:_SHOWN]:
        what = record.problem or "; ".join(record.notes)
        say(f"{record.item}: {record.ending}: {what}", "yellow")
    if len(odd) > _SHOWN:
        say(f"… and {len(odd) - _SHOWN} more, all in {out / 'records'}", "yellow")
    counts = Counter(one.record.ending for one in done)
    listed = ", ".join(f"{count} {ending}" for ending, count in counts.items())
    reused = sum(one.reused for one in done)
    kept = f" ({reused} of them by an earlier run)" if reused else ""
    say(f"{counted(len(done), 'picture')}: {listed}{kept}")
    say(f"wrote {out / SHEET}: each judge fills in judge and met (1 or 0), then --ratings counts")


def _count(benchmark: str, path: Path, model: str, json: Path | None) -> None:
    from deadpan.editing.generation.ratings import generation_scores, read_ratings

    rated = read_ratings(path)
    if all(one.met is None for one in rated):
        raise InputError(path, "nothing is rated", "Fill in judge and met, 1 or 0.")
    scores = generation_scores(rated, model)
    print_scores(scores, groups=True, about=find(benchmark).metric)
    write_json(json, {benchmark: scores})
