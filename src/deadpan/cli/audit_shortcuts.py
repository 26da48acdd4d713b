"""`deadpan audit shortcuts`: how much of a score needs looking, and what it hangs on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from deadpan.base.errors import DeadpanError
from deadpan.base.printable import visible
from deadpan.cli import flags, output
from deadpan.cli.json_output import JsonOption, write_document
from deadpan.cli.output import print_line, say
from deadpan.cli.tables import interval, number, plain_table, print_table
from deadpan.core.questions import MediaOptions
from deadpan.core.selection import exclusions
from deadpan.core.signature import combine_signatures
from deadpan.core.usage import read_prices
from deadpan.engine.requests import Sampling
from deadpan.pipeline.asking_otherwise import ask_ways, asked_ways, variants_named
from deadpan.pipeline.chance import asked_questions
from deadpan.pipeline.evaluating import Evaluation, select_tasks
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.results import Results
from deadpan.pipeline.robustness import Spread, find_spreads
from deadpan.pipeline.scoring_choices import scoring_options
from deadpan.pipeline.shortcut_documents import shortcuts_document
from deadpan.pipeline.shortcut_plots import write_plots
from deadpan.pipeline.shortcuts import Shortcut, TaskAudit, audit_shortcuts
from deadpan.pipeline.table import read_tables

_OF_ASKING = (
    *("variants", "paraphrases", "data", "limit", "exclude", "epochs", "frames", "longest_side"),
    *("transcriber", "temperature", "seed", "judge_epochs", "judge_sees", "self_judge"),
    *("sample", "sample_seed"),
    *("max_connections", "any_server", "prices", "max_retries", "timeout", "give_up"),
)
"""What is of no use where nothing is asked."""
_sampling = {"rich_help_panel": "Sampling"}


@flags.grouped
def shortcuts(
    context: typer.Context,
    subject: list[str],
    judging: flags.JudgeFlags,
    calls: flags.CallFlags,
    scoring: flags.ScoreFlags,
    chosen: flags.FilterFlags,
    part: flags.SampleFlags,
    model: str | None = None,
    variants: str = "",
    paraphrases: Annotated[bool, typer.Option("--paraphrases")] = False,
    data: Path | None = None,
    limit: flags.LimitOption = None,
    exclude: flags.ExcludeOption = None,
    epochs: Annotated[int, typer.Option(min=1)] = 1,
    frames: Annotated[int, typer.Option(min=1, max=256)] = 8,
    longest_side: Annotated[int, typer.Option(min=64, max=4096)] = 768,
    transcriber: str | None = None,
    temperature: Annotated[float | None, typer.Option(min=0.0, **_sampling)] = None,
    seed: Annotated[int | None, typer.Option(**_sampling)] = None,
    prices: flags.PricesOption = None,
    plots: Path | None = None,
    json: JsonOption = None,
    quiet: flags.QuietOption = False,
) -> None:
    """What a score rests on: the same questions without the picture, with a blank one, with another
    item's, without the words; with --paraphrases also what other words and orders do to it.

    Ends with 0 where everything was answered, 1 where failed questions remain, 2 for a command
    that cannot be run, 130 after Ctrl-C.
    """
    output.state.quiet = quiet
    stores = [Path(one) for one in subject if Path(one).exists()]
    if len(stores) == len(subject) and model is None:
        flags.refuse(context, "where nothing is asked", _OF_ASKING)
        results = _read(stores, judging.judge, scoring, chosen)
    else:
        flags.refuse(context, "where a model is asked", ("benchmark", "task", "latest"))
        showing = MediaOptions(frames=frames, longest=longest_side, transcriber=transcriber)
        settings = calls.settings(
            data=data,
            limit=limit,
            sample=part.drawn(context, limit),
            exclude=exclusions(exclude or ()),
            epochs=epochs,
            showing=showing,
            sampling=Sampling(temperature=temperature, seed=seed),
        )
        wanted = variants_named(variants)
        asked = select_tasks(subject, _asked_model(model, subject), settings, output.reporter())
        ways = asked_ways(asked, wanted, paraphrases)
        judging.check_use(context, ((name, task) for name in asked for task in asked[name]))
        options = scoring_options(
            asked,
            scoring.gate,
            scoring.metric_model,
            lexicons=scoring.lexicon,
            reading=scoring.reading,
        )
        judge, known = judging.judging(settings), read_prices(prices)
        evaluation = Evaluation(asked, str(model), settings, judge, options, known)
        results = ask_ways(evaluation, ways, output.reporter())
        stores = [calls.store]
    audits = audit_shortcuts(results, asked_questions(stores))
    spreads, notes = find_spreads(results)
    _print_audits(audits)
    _print_spreads(spreads)
    for line in notes:
        say(line, "yellow")
    signatures = [one.full.signature for one in audits]
    print_line(f"signature: {combine_signatures(signatures)}", "dim")
    if plots is not None:
        for path in write_plots(results, audits, spreads, plots):
            say(f"wrote {path}")
    write_document(json, shortcuts_document(audits, spreads))
    if any([output.say_failed(rows) for rows in results.tables.values()]):
        raise typer.Exit(1)


def _asked_model(model: str | None, subject: list[str]) -> str:
    if model is None:
        what = f"{' '.join(subject)}: no such store"
        raise DeadpanError(f"{what}; to ask, name a benchmark and --model MODEL")
    return model


def _read(
    stores: list[Path], judge: str | None, scoring: flags.ScoreFlags, chosen: flags.FilterFlags
) -> Results:
    """The results of stores, as they were asked."""
    how: dict[str, Any] = {"reading": scoring.reading, "wanted": chosen.wanted}
    table = read_tables(stores, judge, **how)
    names = table["benchmark"].unique(maintain_order=True).to_list()
    options = scoring_options(
        names, scoring.gate, scoring.metric_model, None, scoring.lexicon, scoring.reading
    )
    return Results(table, with_kept(options, table, say), tasks=chosen.wanted.tasks)


def _print_audits(audits: list[TaskAudit]) -> None:
    for one in audits:
        decimals, arrow = one.metric.decimals, " ↓" * one.metric.is_lower_better
        title = f"{one.benchmark}/{one.task} {one.metric.title}{arrow}, {one.model}"
        print_line(title, "bold")
        told = f"in full {number(one.full.value, decimals)} ({interval(one.full, decimals)})"
        if one.chance is not None:
            guessed = {"lowest": "the lowest there is"}.get(one.chance.by, one.chance.by)
            told += f"; chance {number(one.chance.value, decimals)} ({guessed})"
        print_line(f"{told}; {one.full.n:,} answers", "dim")
        columns = ("score", "lost", "95 % interval", "p (Holm)", "items", "share")
        table = plain_table("asked", numbers=columns)
        for shortcut in one.shortcuts:
            table.add_row(*_cells(shortcut, one))
        print_table(table)
        if one.verdict:
            print_line(f"→ {one.verdict}{_needed(one)}")
        if one.arrangement:
            print_line(f"→ {one.arrangement}")
        print_line("")


def _cells(shortcut: Shortcut, audit: TaskAudit) -> tuple[str, ...]:
    apart, decimals = shortcut.difference, audit.metric.decimals
    sign = -1 if audit.metric.is_lower_better else 1
    ends = sorted(sign * end for end in (apart.low, apart.high) if end is not None)
    between = f"{number(ends[0], decimals)} to {number(ends[1], decimals)}" if ends else "–"
    p = "< 0.001" if shortcut.adjusted < 0.001 else f"{shortcut.adjusted:.3f}"
    return (
        escape(visible(shortcut.way)),
        number(apart.second, decimals),
        number(sign * apart.value, decimals),
        between,
        p,
        f"{apart.items:,}",
        _percent(shortcut),
    )


def _percent(shortcut: Shortcut) -> str:
    """The share of what is above chance that is lost, with its interval."""
    if shortcut.share is None:
        return "–"
    ends = (shortcut.share_low, shortcut.share_high)
    told = [f"{100 * one + 0.0:.0f}" for one in ends if one is not None]
    return f"{100 * shortcut.share + 0.0:.0f} %" + (f" ({' to '.join(told)})" if told else "")


def _needed(audit: TaskAudit) -> str:
    share = audit.needs_looking
    if share is None or not audit.is_above_chance:
        return ""
    told = f"{100 * min(1.0, max(0.0, share)):.0f} %"
    if (most := audit.looks_at_most) is not None:
        told += f", at most {100 * min(1.0, most):.0f} %,"
    return f" ({told} of what is above chance needs looking)"


def _print_spreads(spreads: list[Spread]) -> None:
    if not spreads:
        return
    print_line("where the variance of single scores comes from", "bold")
    columns = ("variance", "error of the score", "seen")
    table = plain_table("task", "model", "source", numbers=columns)
    for one in spreads:
        for source in one.sources:
            table.add_row(
                escape(f"{one.benchmark}/{one.task}"),
                escape(visible(one.model)),
                source.name,
                f"{100 * source.share:.0f} %" + (" *" if source.is_negative else ""),
                number(source.error, one.metric.decimals + 1),
                f"{source.levels:,}",
            )
    print_table(table)
    if any(source.is_negative for one in spreads for source in one.sources):
        print_line("* an estimate below zero, which no variance is, counts as 0", "dim")
    print_line("")
