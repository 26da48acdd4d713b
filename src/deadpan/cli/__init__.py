"""The `deadpan` command: one thin file per command."""

from __future__ import annotations

import sys

import typer

from deadpan import __version__
from deadpan.cli import (
    agreement,
    data,
    demo,
    demos,
    failures,
    finetune,
    generate,
    irc,
    listing,
    ratings,
    reappraise,
    report,
    resources,
    run,
    score,
)
from deadpan.cli.printing import errors, hush
from deadpan.errors import DeadpanError
from deadpan.visible import visible

_INTERRUPTED = 130
"""What Typer makes of Ctrl-C."""

app = typer.Typer(
    name="deadpan",
    help="Does a multimodal model get it? Humour, sarcasm, self-mockery and subtext.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("demo")(demo.demo)
app.command("list")(listing.list_benchmarks)
app.command("run")(run.run)
app.command("score")(score.score)
app.command("report")(report.report)
app.command("reappraise")(reappraise.reappraise)
app.command("generate")(generate.generate)
app.command("agreement")(agreement.agreement)
app.command("ratings")(ratings.ratings)
app.command("irc")(irc.irc)
app.add_typer(data.app, name="data")
app.add_typer(demos.app, name="demos")
app.add_typer(failures.app, name="failures")
app.add_typer(finetune.app, name="finetune")
app.add_typer(resources.app, name="resources")


@app.callback(invoke_without_command=True)
def _about(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    hush(False)
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Runs a command; an error that the user can act on is printed without a trace, exit 2."""
    try:
        app()
    except DeadpanError as error:
        errors.print(f"error: {visible(str(error))}", style="red", markup=False, highlight=False)
        sys.exit(2)
    except SystemExit as left:
        if left.code == _INTERRUPTED:
            errors.print("stopped; run the same command again to continue", style="yellow")
        raise
