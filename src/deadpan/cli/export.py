"""`deadpan export`: answers and scores in the forms of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.cli.flags import DrawFlags, FilterFlags, grouped
from deadpan.cli.output import say
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.results import Results
from deadpan.pipeline.scoring_choices import scoring_options
from deadpan.pipeline.table import read_tables

app = typer.Typer(no_args_is_help=True, add_completion=False)
TextOption = Annotated[bool, typer.Option("--no-text")]


class Evaluator(StrEnum):
    """What the evaluator is to the maker of a model."""

    FIRST_PARTY = "first_party"
    THIRD_PARTY = "third_party"
    COLLABORATIVE = "collaborative"
    OTHER = "other"


@app.callback()
def _export() -> None:
    """Answers in the forms of other tools."""


def _results(
    sources: Sequence[Path],
    chosen: FilterFlags,
    scoring: DrawFlags,
    judge: str | None,
    reader: str | None,
) -> Results:
    """The results of stores and tables, of which some are wanted."""
    table = read_tables(
        sources, judge, reader=reader, reading=scoring.reading, wanted=chosen.wanted
    )
    names = table["benchmark"].unique(maintain_order=True).to_list()
    options = scoring_options(
        names, scoring.gate, scoring.metric_model, scoring.drawn, scoring.lexicon, scoring.reading
    )
    return Results(table, with_kept(options, table, say), tasks=chosen.wanted.tasks)


@app.command("inspect")
@grouped
def export_inspect(
    stores: list[Path],
    chosen: FilterFlags,
    out: Path = Path("inspect-logs"),
) -> None:
    """Write Inspect logs, a file for each task and model: inspect view --log-dir OUT."""
    from deadpan.engine.inspect_logs import export_logs

    wanted = chosen.wanted
    written = export_logs(stores, out, wanted.benchmarks, wanted.tasks, wanted.latest)
    say(f"wrote {count_noun(len(written), 'log')} to {out}: inspect view --log-dir {out}")


@app.command("every-eval-ever")
@grouped
def export_every_eval_ever(
    sources: list[Path],
    chosen: FilterFlags,
    scoring: DrawFlags,
    organization: Annotated[str, typer.Option()],
    relationship: Evaluator = Evaluator.OTHER,
    url: str = "",
    identity: Annotated[list[str] | None, typer.Option("--id")] = None,
    groups: Annotated[bool, typer.Option("--groups")] = False,
    no_text: TextOption = False,
    judge: str | None = None,
    reader: str | None = None,
    out: Path = Path("every-eval-ever"),
) -> None:
    """Write Every Eval Ever records (schema 0.3), one for each model and benchmark.

    Beside each lie its samples, a row an answer. Both are where the project's repository has them:
    OUT/data/BENCHMARK/DEVELOPER/MODEL. Pictures, folders and addresses are left out.
    """
    from deadpan.pipeline.exchanging import sharing_notes, write_eval_records
    from deadpan.reports.exchange.every_eval_ever import Choices, Publisher

    results = _results(sources, chosen, scoring, judge, reader)
    publisher = Publisher(organization, relationship.value, url)
    choices = Choices(_ids(identity or ()), groups, not no_text)
    written = write_eval_records(results, out, publisher, choices)
    for line in sharing_notes(results, not no_text):
        say(line, "yellow")
    say(f"wrote {count_noun(len(written), 'record')} below {out}")


def _ids(given: Sequence[str]) -> dict[str, str]:
    """Models with the ids they are known by, of MODEL=ID."""
    found = {}
    for one in given:
        model, equals, own = one.rpartition("=")
        if not equals or not model or not own:
            raise DeadpanError(f"--id {one}: expected MODEL=ID, such as vllm/x=Qwen/Qwen2.5-VL-7B")
        found[model] = own
    return found


@app.command("wandb")
@grouped
def export_wandb(
    sources: list[Path],
    chosen: FilterFlags,
    scoring: DrawFlags,
    project: Annotated[str, typer.Option()],
    entity: str | None = None,
    name: str | None = None,
    offline: Annotated[bool, typer.Option("--offline")] = False,
    no_text: TextOption = False,
    judge: str | None = None,
    reader: str | None = None,
    out: Path | None = None,
) -> None:
    """Log scores with their intervals, and samples, as tables of a Weights & Biases run."""
    from deadpan.pipeline.exchanging import errors_of, sharing_notes
    from deadpan.reports.exchange.wandb_tables import Place, log_tables

    results = _results(sources, chosen, scoring, judge, reader)
    place = Place(project, entity, name, offline, out)
    where = log_tables(results.sections(), errors_of(results), place, not no_text)
    for line in sharing_notes(results, not no_text):
        say(line, "yellow")
    say(f"logged to {where}" + (f": wandb sync {where}" if offline else ""))


@app.command("model-card")
@grouped
def export_model_card(
    sources: list[Path],
    chosen: FilterFlags,
    scoring: DrawFlags,
    model: Annotated[str, typer.Option()],
    name: str = "",
    judge: str | None = None,
    reader: str | None = None,
    out: Path = Path("model-card.md"),
) -> None:
    """Write Markdown for a model card: the model-index that model hubs read, and a section with
    scores, intervals, data, judge, signatures and commands. A card of your own is not
    overwritten."""
    from deadpan.pipeline.exchanging import write_model_card

    results = _results(sources, chosen, scoring, judge, reader)
    write_model_card(results, out, model, name)
    say(f"model card: {out}")
