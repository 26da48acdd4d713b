"""The `deadpan` command: one thin file per command."""

from __future__ import annotations

import logging

import typer

from deadpan.base.printable import visible
from deadpan.base.version import __version__
from deadpan.cli import (
    agreement,
    data,
    demo,
    export,
    failures,
    fewshot,
    finetune,
    generate,
    irc,
    listing,
    ratings,
    reappraise,
    report,
    resources,
    run,
    runs,
    score,
)
from deadpan.cli.ending import INTERRUPTED, end_with
from deadpan.cli.printing import errors, is_quiet, reset_output, was_told_of_stop

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
app.command("runs")(runs.runs)
app.command("report")(report.report)
app.command("reappraise")(reappraise.reappraise)
app.command("generate")(generate.generate)
app.command("agreement")(agreement.agreement)
app.command("ratings")(ratings.ratings)
app.command("irc")(irc.irc)
app.add_typer(data.app, name="data")
app.add_typer(export.app, name="export")
app.add_typer(failures.app, name="failures")
app.add_typer(fewshot.app, name="fewshot")
app.add_typer(finetune.app, name="finetune")
app.add_typer(resources.app, name="resources")


@app.callback(invoke_without_command=True)
def _about(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    reset_output()
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Runs a command; an error is printed without a trace, unless DEADPAN_DEBUG is set and it is
    none that the user can act on.

    Ends with 0 where all is done, 1 where something failed and remains, 2 for a command that cannot
    be run, 130 after Ctrl-C.
    """
    _listen_to_logs()
    try:
        app()
    except SystemExit as left:
        if left.code == INTERRUPTED and not was_told_of_stop():
            errors.print("stopped", style="yellow")
        raise
    except Exception as error:
        end_with(error)


class _Warnings(logging.Handler):
    """Prints what is logged as a line on stderr, control characters spelled out."""

    def emit(self, record: logging.LogRecord) -> None:
        if not is_quiet() or record.levelno >= logging.ERROR:
            text = visible(f"{record.levelname.lower()}: {record.getMessage()}")
            errors.print(text, style="yellow", markup=False, highlight=False)


def _listen_to_logs() -> None:
    """Our own warnings are printed; those of libraries about single calls stand in the answers."""
    ours = logging.getLogger("deadpan")
    ours.handlers[:] = [_Warnings()]
    ours.propagate = False
    for name in ("inspect_ai", "httpx", "httpx2", "openai", "anthropic"):
        logging.getLogger(name).setLevel(logging.ERROR)
