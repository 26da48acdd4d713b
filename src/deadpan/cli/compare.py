"""`deadpan compare`: which of several models is better, how sure that is, what it would take."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from deadpan.base.counting import count_noun
from deadpan.base.printable import visible
from deadpan.benchmarks import find
from deadpan.cli import flags
from deadpan.cli.deciding import ASKING, COMPARING, DecideFlags, decide
from deadpan.cli.json_output import JsonOption, write_document
from deadpan.cli.output import print_line, say
from deadpan.cli.tables import number, p_text, plain_table, print_table
from deadpan.core.measurement import ALL
from deadpan.core.signature import combine_signatures
from deadpan.metrics.statistics.comparing import Compared, Contest, best_first
from deadpan.metrics.statistics.intervals import FEWEST
from deadpan.pipeline.comparing import Wanted, compare_models, join_sources
from deadpan.pipeline.contamination.tags import read_tags, tag_results
from deadpan.pipeline.deciding import OPTION
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.results import Results
from deadpan.pipeline.scoring_choices import scoring_options
from deadpan.pipeline.table import read_tables

_MOST_PAIRS = 10
"""More pairs than these are in the JSON document alone."""


@flags.grouped
def compare(
    context: typer.Context,
    subjects: list[str],
    chosen: flags.FilterFlags,
    scoring: flags.DrawFlags,
    calls: flags.CallFlags,
    deciding: DecideFlags,
    metric: list[str] | None = None,
    group: str = ALL,
    difference: Annotated[float | None, typer.Option(min=0)] = None,
    recited: list[Path] | None = None,
    judge: str | None = None,
    reader: str | None = None,
    json: JsonOption = None,
) -> None:
    """Compare models on the items that they share: differences with intervals, and ranks.

    A, B, … are answer stores and results tables, whose models are compared, or names of models in
    them (in --store where no store or table is named). One model in two stores is two: a
    checkpoint against another, a prompt against another. With --until-decided A and B are models
    that are asked what --on names until it is sure which is better.
    """
    if deciding.until_decided:
        flags.refuse(context, f"with {OPTION}", COMPARING)
        decide(subjects, deciding, calls, scoring, metric or (), judge, json)
        return
    flags.refuse(context, f"without {OPTION}", ASKING)
    paths = [Path(one) for one in subjects if Path(one).exists()] or [calls.store]
    models = tuple(one for one in subjects if not Path(one).exists())
    how: dict[str, Any] = {"reader": reader, "reading": scoring.reading, "wanted": chosen.wanted}
    table = join_sources({path: read_tables([path], judge, **how) for path in paths})
    if recited:
        table = tag_results(table, read_tags(recited), for_all=True)
    names = table["benchmark"].unique(maintain_order=True).to_list()
    options = scoring_options(
        names, scoring.gate, scoring.metric_model, scoring.drawn, scoring.lexicon, scoring.reading
    )
    results = Results(table, with_kept(options, table, say), mix=True, tasks=chosen.wanted.tasks)
    found = compare_models(results, Wanted(models, tuple(metric or ()), group))
    for name, contests in found.contests.items():
        for contest in contests:
            _print_contest(name, contest, difference)
        signatures = [text for contest in contests for text in contest.signatures.values()]
        print_line(f"signature: {combine_signatures(signatures)}", "dim")
    for line in found.notes:
        say(line, "yellow")
    write_document(json, {"pairs": found.pairs(difference), "ranks": found.ranks()})


def _print_contest(benchmark: str, contest: Contest, wished: float | None) -> None:
    task, name, group = contest.key
    metric = find(benchmark).metric(name)
    where = "" if group == ALL else f", {group}"
    print_line(f"{benchmark}/{task} {metric.title}{where}{' ↓' * metric.is_lower_better}", "bold")
    if len(contest.ranks) > 2:
        table = plain_table("model", numbers=("score", "items", "rank"))
        for one in contest.ranks:
            rank = f"{one.best}" if one.best == one.worst else f"{one.best} to {one.worst}"
            score = number(one.value, metric.decimals)
            table.add_row(_name(one.model), score, f"{one.items:,}", rank)
        print_table(table)
    pairs = sorted(contest.pairs, key=lambda one: one.adjusted)
    for pair in pairs[:_MOST_PAIRS]:
        print_line(_verdict(pair, contest))
    if len(pairs) > _MOST_PAIRS:
        say(f"{len(pairs) - _MOST_PAIRS} more pairs: --json FILE has them all", "dim")
    if len(pairs) > 1:
        print_line("intervals are of each pair by itself", "dim")
    for line in _what_it_takes(contest, wished):
        print_line(line, "dim")


def _name(model: str) -> str:
    return escape(visible(model))


def _verdict(pair: Compared, contest: Contest) -> str:
    """A pair in words: `A is better than B: 0.612 against 0.520, …` or that it cannot be told."""
    metric = contest.metric
    pair = best_first(pair, metric)
    one, shown = pair.difference, partial(number, decimals=metric.decimals)
    ends = "" if one.low is None else f" [{shown(one.low)}, {shown(one.high)}]"
    told = f"{shown(one.first)} against {shown(one.second)}, difference {shown(one.value)}{ends}"
    told += f", {_p_words(pair, len(contest.pairs))}, {count_noun(one.items, 'item')}"
    first, second = visible(pair.first), visible(pair.second)
    if metric.better == "neither":
        return f"{first} and {second}: {told}"
    if not pair.is_sure:
        why = "too close to call" if one.items >= FEWEST else "on too few items to tell"
        return f"{first} and {second} are {why}: {told}"
    return f"{first} is better than {second}: {told}"


def _p_words(pair: Compared, tests: int) -> str:
    """The p-value that decides, and where several pairs were tested the one of this pair alone."""
    one = pair.difference
    least = one.p <= one.least_p

    def said(value: float) -> str:
        text = p_text(value)
        return f"≤ {text}" if least and not text.startswith("<") else text

    if tests == 1:
        return f"p {said(one.p)}"
    return f"p {said(pair.adjusted)} (Holm over {tests} pairs; {said(one.p)} alone)"


def _what_it_takes(contest: Contest, wished: float | None) -> list[str]:
    """What so many items show, and how many would show what is wished, or what was seen."""
    decimals = contest.metric.decimals
    known = [one.difference for one in contest.pairs if one.difference.visible is not None]
    if not known:
        return []
    lines = []
    seen = sorted(one.visible or 0.0 for one in known)
    least, most = number(seen[0], decimals), number(seen[-1], decimals)
    counts = sorted({one.items for one in known})
    of = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    between = f"{least} or more" if least == most else f"{least} to {most} by pair"
    lines.append(f"{of} items show a difference of {between}")
    open_pairs = [one.difference for one in contest.pairs if not one.is_sure]
    if wished:
        needed = max(one.items_needed(wished) or 0 for one in known)
        lines.append(f"about {needed:,} show one of {wished:g}")
    elif len(contest.pairs) == 1 and open_pairs and (one := open_pairs[0]).value:
        needed = one.items_needed(one.value) or 0
        lines.append(f"about {needed:,} show one as large as this")
    return ["; ".join(lines) + " (four times of five)"]
