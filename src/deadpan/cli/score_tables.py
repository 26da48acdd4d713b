"""Tables of scores in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.markup import escape
from rich.table import Table

from deadpan.base.printable import visible
from deadpan.cli import output
from deadpan.cli.tables import fits, interval, number, plain_table, print_table
from deadpan.core.measurement import SPREAD
from deadpan.core.metric import Metric
from deadpan.core.parts import MARK, part_of, score_notes, stopped_notes
from deadpan.core.score import Score, unavailable
from deadpan.core.signature import combine_signatures
from deadpan.metrics.statistics.intervals import best_apart

_NAMES = ("model", "task", "metric", "group")
_COUNTS = ("invalid", "truncated", "refused", "unscored", "not given")
Row = Mapping[str, str]


def print_scores(
    scores: Sequence[Score], groups: bool, about: Callable[[str], Metric] = Metric
) -> None:
    """A table of scores with counts, deviations behind ±, then their signature; `about` says of
    each metric which way is better and how many decimals it has. Scores over a part of the data are
    marked, and a footnote says how much it is."""
    asked = [one for one in scores if groups or one.group == "all"]
    columns = [*_NAMES[: 4 if groups else 3], "value", "95 % interval", "n", *_COUNTS]
    if all(one.low is None for one in asked):
        columns.remove("95 % interval")
    _print_rows(list(_rows(asked, about)), columns)
    signatures = [score.signature for score in scores if score.signature]
    for line in (*score_notes(scores), *stopped_notes(signatures)):
        output.print_line(line, "yellow")
    for line in unavailable(scores):
        output.say(line, "yellow")
    if signatures:
        output.print_line(f"signature: {combine_signatures(signatures)}", "dim")


def _rows(scores: Sequence[Score], about: Callable[[str], Metric]) -> Iterator[Row]:
    """What a table may say of each score, by column."""
    by_key = {(one.model, one.task, one.metric, one.group): one for one in scores}
    for one in scores:
        mean = one.metric.removesuffix(SPREAD)
        if mean != one.metric and (one.model, one.task, mean, one.group) in by_key:
            continue
        metric = about(one.metric)
        value = number(one.value, metric.decimals)
        spread = by_key.get((one.model, one.task, one.metric + SPREAD, one.group))
        if spread is not None and spread.value is not None:
            value += f" ± {number(spread.value, metric.decimals)}"
        model = f"{one.model} {MARK}" if part_of(one) else one.model
        names = (model, one.task, one.metric + metric.mark, one.group)
        counts = (*one.wrong_counts.values(), one.unscored, one.not_given)
        yield {
            **dict(zip(_NAMES, (escape(visible(name)) for name in names), strict=True)),
            "value": value,
            "95 % interval": interval(one, metric.decimals),
            "n": str(one.n),
            **dict(zip(_COUNTS, map(str, counts), strict=True)),
        }


def _print_rows(rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Prints rows in one table; where the terminal is too narrow for that, without counts that are
    0 everywhere, which is said, and then with a table below the name of each model."""
    if fits(_table(rows, columns)):
        return print_table(_table(rows, columns))
    none = [name for name in _COUNTS if all(row[name] == "0" for row in rows)]
    columns = [name for name in columns if name not in none]
    if fits(_table(rows, columns)):
        print_table(_table(rows, columns))
    else:
        for model in dict.fromkeys(row["model"] for row in rows):
            output.console.print(f"[bold]{model}[/bold]", soft_wrap=True, highlight=False)
            print_table(_table([row for row in rows if row["model"] == model], columns[1:]))
    if none:
        output.print_line(f"0 everywhere: {', '.join(none)}", "dim")


def _table(rows: Sequence[Row], columns: Sequence[str]) -> Table:
    named = [name for name in columns if name in _NAMES]
    table = plain_table(*named, numbers=[name for name in columns if name not in _NAMES])
    for row in rows:
        table.add_row(*(row[name] for name in columns))
    return table


def print_side_by_side(scores: Sequence[Score], about: Callable[[str], Metric] = Metric) -> None:
    """Overall scores with a row for each model and a column for each metric; the best of a column
    is bold where its interval lies apart from all others."""
    overall: dict[str, dict[str, Score]] = {}
    for one in scores:
        if one.group == "all":
            overall.setdefault(one.metric, {})[one.model] = one
    models = list(dict.fromkeys(one.model for one in scores if one.group == "all"))
    metrics = [about(name) for name in overall]
    arrows = [metric.title + metric.mark for metric in metrics]
    table = plain_table("model", numbers=arrows)
    best = {}
    for metric in metrics:
        known = {model: one for model, one in overall[metric.name].items() if one.value is not None}
        best[metric.name] = best_apart(known, metric)
    for model in models:
        cells = []
        for metric in metrics:
            score = overall[metric.name].get(model)
            text = number(score.value if score else None, metric.decimals)
            cells.append(f"[bold]{text}[/bold]" if best[metric.name] == model else text)
        table.add_row(escape(visible(model)), *cells)
    print_table(table)
