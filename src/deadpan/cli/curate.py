"""`deadpan curate`: from raw posts to a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand

from deadpan.base.counting import count_noun
from deadpan.base.errors import MissingExtra
from deadpan.base.printable import visible
from deadpan.cli import output
from deadpan.cli.flags import QuietOption
from deadpan.cli.json_output import JsonOption, json_text, write_document
from deadpan.cli.tables import plain_table, print_table

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
File = Annotated[Path, typer.Argument()]
_HERE = "local"


def with_address(arguments: Sequence[str]) -> list[str]:
    """Arguments in which `--ray` has an address: the one that follows, else this machine."""
    found: list[str] = []
    for at, one in enumerate(arguments):
        found.append(one)
        if one == "--ray":
            following = arguments[at + 1] if at + 1 < len(arguments) else ""
            is_address = following in ("auto", _HERE) or ":" in following
            found += [] if is_address and not following.startswith("-") else [_HERE]
    return found


class _RunCommand(TyperCommand):
    """`run`, whose `--ray` may stand by itself."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_address(args))


def require_curate() -> None:
    """Raises where the extra is not installed."""
    if not all(map(find_spec, ("daft", "sqlalchemy", "rapidocr"))):
        raise MissingExtra("curation", "curate")


@app.command()
def init(file: File, benchmark: str = "cfms") -> None:
    """Write a curation's file to begin with, every option in it."""
    require_curate()
    from deadpan.benchmarks import find
    from deadpan.curate.starting import start_curation

    start_curation(file, find(benchmark))
    output.say(f"written: {file}; edit it, then `deadpan curate run {file} --dry-run`")


@app.command()
def schema() -> None:
    """Print what a curation's file may say, as JSON schema for an editor."""
    from deadpan.core.study.schema import editor_schema
    from deadpan.curate.schema import Curation

    typer.echo(json_text(editor_schema(Curation)))


@app.command()
def keywords() -> None:
    """Print the lists of keywords and slang that `keywords: lists:` may name."""
    require_curate()
    from deadpan.curate.collect.keywords import known_lists

    for name, known in known_lists().items():
        output.print_line(f"{name}: {', '.join(known.words)}", "bold")
        output.print_line(known.note)


@app.command(cls=_RunCommand)
def run(
    file: File,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    workers: Annotated[int | None, typer.Option(min=1)] = None,
    ray: str | None = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> None:
    """Run a curation as far as it goes; the same command again continues where it stopped.

    Ends with 0 where the benchmark is released, 1 where it waits for people or for a model that
    failed, 2 for a file that cannot be run, 130 after Ctrl-C.
    """
    require_curate()
    output.state.quiet = quiet
    from deadpan.cli.curate_printing import print_counts, print_plan, showing_stages
    from deadpan.curate.configuration import read_curation
    from deadpan.curate.release.material import trial_of
    from deadpan.curate.running.batches import Runner, local_runner
    from deadpan.curate.running.planning import planned
    from deadpan.curate.running.run import run_curation

    curation = read_curation(file)
    if dry_run:
        plan = planned(curation)
        print_plan(plan)
        write_document(json, plan.document)
        return
    runner = local_runner() if workers is None else Runner(workers)
    if ray is not None:
        from deadpan.curate.running.cluster import cluster_runner

        runner = cluster_runner(ray, curation.base, curation.out)
    with showing_stages() as events:
        done = run_curation(curation, runner, events)
    document = print_counts(done.posts)
    for note in done.notes:
        output.say(note)
    if done.release is not None:
        output.say(f"released: {done.release}")
        if curation.curation.release.media == "files":
            trial = trial_of(curation.benchmark)
            output.say(f"deadpan run {curation.curation.benchmark} {trial} --data {done.release}")
    write_document(json, document | {"seconds": dict(done.seconds)})
    if done.waiting:
        output.warn(done.waiting)
        raise typer.Exit(1)


@app.command()
def status(file: File, json: JsonOption = None) -> None:
    """How far a curation is: what each stage dropped, flagged and left."""
    require_curate()
    from deadpan.cli.curate_printing import print_counts
    from deadpan.curate.configuration import read_curation
    from deadpan.curate.running.folder import WorkFolder
    from deadpan.curate.running.reporting import latest_posts

    work = WorkFolder(read_curation(file, is_run=False).out)
    posts = latest_posts(work)
    output.say(f"{count_noun(len(posts), 'post')}; done: {', '.join(work.current())}")
    write_document(json, print_counts(posts))


@app.command()
def explain(file: File, item: str) -> None:
    """Why a post was kept or dropped, stage by stage."""
    require_curate()
    from deadpan.curate.configuration import read_curation
    from deadpan.curate.running.folder import WorkFolder
    from deadpan.curate.running.reporting import explained

    table = plain_table("stage", "what")
    for stage, words in explained(WorkFolder(read_curation(file, is_run=False).out), item):
        table.add_row(stage, escape(visible(words)))
    print_table(table)
