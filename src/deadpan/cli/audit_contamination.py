"""`deadpan audit contamination`: which items a model recites."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.printable import visible
from deadpan.benchmarks import find
from deadpan.cli import flags, output
from deadpan.cli.json_output import JsonOption, write_document
from deadpan.cli.output import print_line, say
from deadpan.cli.tables import number, plain_table, print_table
from deadpan.core.score import ScoringOptions
from deadpan.core.usage import read_prices

_MOST_SHOWN = 20
_LONGEST = 60


@flags.grouped
def contamination(
    benchmark: str,
    model: Annotated[str, typer.Option()],
    calls: flags.CallFlags,
    data: Path | None = None,
    limit: flags.LimitOption = None,
    again: str = "",
    out: Path | None = None,
    judge: str | None = None,
    prices: flags.PricesOption = None,
    json: JsonOption = None,
    quiet: flags.QuietOption = False,
) -> None:
    """Which items a model recites: it is given half of a text, and goes on with the other half.

    Captions, transcripts and what people wrote about items are cut in two, and no picture is shown.
    An item is flagged where the longest run of words (in Chinese of characters) that a reply shares
    with the true second half is longer than any that it shares with another item's, longer than
    copying the first half would give, and of six words or ten characters at least. That is a hint,
    and no proof; nothing is left out for it: --out FILE is a tag for `deadpan report --recited` and
    `deadpan compare --recited`.
    """
    from deadpan.pipeline.contamination import audit_contamination, audit_document
    from deadpan.pipeline.contamination.tags import recitation_effects, write_tags

    output.state.quiet = quiet
    settings = calls.settings(data=data, limit=limit, again=again)
    audit = audit_contamination(benchmark, model, settings, read_prices(prices), output.reporter())
    _print(audit)
    table = _results(calls.store, benchmark, judge)
    effects = []
    if table is not None and any(audit.items.values()):
        effects = recitation_effects(table, benchmark, model, audit.items, ScoringOptions())
        _print_effects(benchmark, effects)
    if out is not None:
        write_tags(out, audit)
        say(f"tags: {out} (deadpan report {calls.store} --recited {out})")
    document = audit_document(audit)
    document["effects"] = [one.document for one in effects]
    write_document(json, document)
    if audit.failed:
        say(f"{count_noun(audit.failed, 'call')} failed; the same command asks again", "yellow")
        raise typer.Exit(1)


def _results(store: Path, benchmark: str, judge: str | None) -> Any:
    """What the store has of the benchmark's runs; None where there are none."""
    from deadpan.pipeline.filters import Filter
    from deadpan.pipeline.table import read_tables

    try:
        return read_tables([store], judge, wanted=Filter((benchmark,), latest=True))
    except DeadpanError:
        return None


def _print(audit: Any) -> None:
    flagged = [one for one in audit.recitals if one.is_recited]
    if flagged:
        table = plain_table(
            "item",
            "text",
            numbers=("run", "of", "by chance", "ROUGE-L", "similar"),
            overflow="fold",
        )
        for one in sorted(flagged, key=lambda one: -one.run)[:_MOST_SHOWN]:
            cells = (str(one.run), str(one.length), str(one.threshold))
            measured = (number(one.rouge_l, 2), number(one.similarity, 2))
            table.add_row(escape(visible(one.item)[:_LONGEST]), one.kind, *cells, *measured)
        print_table(table)
        if len(flagged) > _MOST_SHOWN:
            say(f"{len(flagged) - _MOST_SHOWN} more: --json FILE has them all", "dim")
    for one in audit.chances:
        print_line(
            f"{one.texts}: {count_noun(one.count, 'text')}; the longest run by chance is "
            f"{one.threshold}, false flags {one.false_flags:.2%} (of {one.pairs:,} pairs)",
            "dim",
        )
    print_line(*found_line(audit))


def found_line(audit: Any) -> tuple[str, str]:
    """What a model recites, in one line, and how that is printed."""
    share, who = audit.share, f"{audit.benchmark}: {visible(audit.model)}"
    if share is None:
        return f"{who}: no text could be held against others: nothing can be said", "yellow"
    refused = sum(one.problem == "refused" for one in audit.recitals)
    besides = [f"{audit.short:,} texts too short"] if audit.short else []
    besides += [f"{refused:,} refused"] if refused else []
    recited = f"{sum(audit.items.values()):,} of {count_noun(len(audit.items), 'item')}"
    return (
        f"{who} recites {recited}, {share[0]:.1%} [{share[1]:.1%}, {share[2]:.1%}]"
        + (f" ({', '.join(besides)})" if besides else ""),
        "bold",
    )


def _print_effects(benchmark: str, effects: Any) -> None:
    if not effects:
        say("the store has no scores of this model on these items to compare", "dim")
        return
    table = plain_table(
        "task", "metric", numbers=("recited", "n", "others", "n ", "difference", "95 % interval")
    )
    for one in effects:
        decimals = find(benchmark).metric(one.metric).decimals
        ends = "–" if one.low is None else f"{one.low:.{decimals}f} to {one.high:.{decimals}f}"
        table.add_row(
            one.task,
            one.metric,
            number(one.recited, decimals),
            str(one.recited_items),
            number(one.others, decimals),
            str(one.other_items),
            number(one.difference, decimals),
            ends,
        )
    print_table(table)
