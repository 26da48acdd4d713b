"""`deadpan view`: every answer of stores and tables in a browser, live, with tags and notes."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from deadpan.base.counting import count_noun
from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.cli.flags import DrawFlags, FilterFlags, grouped
from deadpan.cli.output import say, warn
from deadpan.core.score import ScoringOptions
from deadpan.failures.criteria import read_criteria
from deadpan.pipeline.growing import Choices, GrowingTable
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.scoring_choices import scoring_options
from deadpan.viewing.exporting import Exports
from deadpan.viewing.exports import Typed
from deadpan.viewing.marks import Marks
from deadpan.web.serving import LOOPBACK, address, hosts_of, is_loopback, open_port, serve

PORT = 8377


@grouped
def view(
    sources: list[Path],
    chosen: FilterFlags,
    scoring: DrawFlags,
    judge: str | None = None,
    reader: str | None = None,
    pictures: list[Path] | None = None,
    criteria: Path | None = None,
    who: str = "",
    export: Path | None = None,
    labels: Path | None = None,
    host: str = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535)] = PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser")] = True,
) -> None:
    """Look through every answer in a browser: filter, search, compare, tag.

    Answers of a run that goes on appear by themselves. Tags and notes are kept beside the store or
    table (notes/answers.jsonl); those that are types of failure (--criteria, as `deadpan failures`
    has them) are exported, by a button or with --export, as a sheet for `deadpan failures label`.

    Only this machine can open it, and only with the address that is printed: it holds a token.
    The pages need the extra called web; --export and --labels do not.
    """
    for folder in pictures or ():
        if not folder.is_dir():
            raise InputError(f"--pictures {folder}", "no such folder", "Check the path.")
    folders = [*(pictures or ()), *(source for source in sources if source.is_dir())]
    choices = Choices(judge, reader, scoring.reading, chosen.wanted)
    growing = GrowingTable(sources, choices)
    types, marks = read_criteria(criteria), Marks(sources)
    options = _options(scoring)

    def answers() -> pl.DataFrame | None:
        growing.look()
        return growing.table()

    exports = Exports(marks, types, answers, options, folders)
    if export is not None or labels is not None:
        _write(exports, export, labels, chosen)
        return
    from deadpan.web.serving import require_web

    require_web("deadpan view")
    from deadpan.viewing.app import View, view_app
    from deadpan.viewing.media import Media
    from deadpan.viewing.snapshots import Snapshots
    from deadpan.viewing.watching import Watch
    from deadpan.web.guard import Access

    listening = open_port(host, port)
    with listening:
        say("reading the answers …")
        about = (choices, scoring)
        watch = Watch(Snapshots(sources, growing, options, about, chosen.wanted.tasks))
        access = Access(listening.getsockname()[1], hosts_of(host))
        title = " ".join(map(str, sources))
        given = criteria is not None
        made = View(watch, marks, Media(folders), types, access, exports, title, who, given)
        if not is_loopback(host):
            warn(f"--host {host}: others can reach this; whoever has the address can read and tag")
        where = address(host, access)
        if not watch.snapshot.answers:
            warn(f"{title} holds no run yet: answers appear once `deadpan run` writes there")
        held = watch.snapshot.answers
        say(f"{count_noun(held, 'answer') if held else 'waiting for answers'}: {where}")
        say("Ctrl-C ends it.")
        serve(view_app(made), listening, lambda: _open(where) if browser else None)


def _options(scoring: DrawFlags) -> Callable[[pl.DataFrame], ScoringOptions]:
    """How a table is scored: by what is said, else as it was scored before."""

    def of(table: pl.DataFrame) -> ScoringOptions:
        names = table["benchmark"].unique(maintain_order=True).to_list()
        made = scoring_options(
            names,
            scoring.gate,
            scoring.metric_model,
            scoring.drawn,
            scoring.lexicon,
            scoring.reading,
        )
        return with_kept(made, table)

    return of


def _open(where: str) -> None:
    if not webbrowser.open(where):
        say("no browser could be opened: open the address yourself")


def _write(exports: Exports, export: Path | None, labels: Path | None, chosen: FilterFlags) -> None:
    """Writes tags and notes: all of them (.csv), or those that are types of failure (.jsonl)."""
    for path, suffixes in ((export, (".csv", ".jsonl")), (labels, (".jsonl",))):
        if path is not None and path.suffix not in suffixes:
            what = f"got the suffix {path.suffix!r}; expected {' or '.join(suffixes)}"
            raise InputError(path, what, "Choose another name.")
    if export is not None and export.suffix == ".csv":
        write_text(export, exports.file("all", "")[2])
        say(
            f"wrote {count_noun(len(exports.marks.all()), 'answer')} with tags or notes to {export}"
        )
    elif export is not None:
        benchmark = exports.benchmark(chosen.benchmark or ())
        sheet = exports.sheet(benchmark)
        write_text(export, sheet.lines)
        said = f"wrote {count_noun(len(sheet.rows), 'failure')} to {export}"
        say(f"{said}: deadpan failures label STORE --benchmark {benchmark} --people {export}")
        _say_left_out(sheet)
    if labels is not None:
        benchmark = exports.benchmark(chosen.benchmark or ())
        made = exports.labels(benchmark)
        write_text(labels, made.lines)
        count = count_noun(len(made.rows), "label")
        say(f"wrote {count} to {labels}: deadpan failures report {labels}")
        _say_left_out(made)


def _say_left_out(made: Typed[Any]) -> None:
    if made.not_wrong:
        warn(f"{count_noun(made.not_wrong, 'answer')} with a type left out: not wrong by rule")
    if made.refused:
        warn(f"{count_noun(made.refused, 'refusal')} left out: their type is known")
