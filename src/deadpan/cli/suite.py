"""`deadpan suite`: a whole campaign, from one file to tables and report."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from deadpan.base.errors import DeadpanError
from deadpan.campaigns.suite.outputs import title_prices, write_outputs
from deadpan.campaigns.suite.reading import read_suite
from deadpan.campaigns.suite.running import dry_run as plan_calls
from deadpan.campaigns.suite.running import run_suite, writing_alone
from deadpan.campaigns.suite.schema import Suite
from deadpan.cli import output
from deadpan.cli.flags import MaxCostOption, QuietOption
from deadpan.cli.json_output import JsonOption, write_document, write_json
from deadpan.cli.suite_printing import estimate_document, print_estimates, say_recitals
from deadpan.core.study.schema import editor_schema
from deadpan.pipeline.progress import ConsoleReporter


def suite(
    file: Annotated[Path | None, typer.Argument()] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    max_cost: MaxCostOption = None,
    schema: Annotated[bool, typer.Option("--schema")] = False,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> None:
    """Run a campaign: every model of a file on every benchmark, judged, audited, and written as
    report, tables and plots. The same command again continues where it stopped.

    Ends with 0 where everything was answered, 1 where failed questions remain, a model gave up or
    --max-cost was reached, 2 for a file that cannot be run, 130 after Ctrl-C.
    """
    output.state.quiet = quiet
    if schema:
        print(json_.dumps(editor_schema(Suite), ensure_ascii=False, indent=1))
        return
    if file is None:
        raise DeadpanError("name the campaign's file: deadpan suite paper.yaml")
    campaign = read_suite(file)
    if dry_run:
        plan, found = plan_calls(campaign)
        print_estimates(plan, found, max_cost)
        write_document(json, estimate_document(found))
        return
    console = Console(stderr=True, quiet=True) if quiet else output.errors
    reporter = ConsoleReporter(console, output.say, output.say_stopped)
    with writing_alone(campaign):
        done = run_suite(campaign, reporter, max_cost)
        output.say("writing the report, tables and plots")
        out = write_outputs(done)
    write_json(json, done.results.by_benchmark, as_list=True)
    failed = bool(done.gave_up)
    for name, rows in done.results.tables.items():
        output.say(name, "bold")
        failed |= output.say_failed(rows)
        failed |= output.say_broken_reader(rows)
        output.print_usage(rows, title_prices(done.plan))
    failed |= say_recitals(done.recitals)
    for title, why in done.gave_up.items():
        output.warn(f"{title} was given up: {why}", "red")
    output.say(f"report, tables, plots, results: {out.resolve()}")
    if failed:
        raise typer.Exit(1)
