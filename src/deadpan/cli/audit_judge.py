"""`deadpan audit judge`: how far a judge can be believed, by what people say of its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli import flags
from deadpan.cli.audit_judge_document import document
from deadpan.cli.audit_judge_printing import print_audit
from deadpan.cli.json_output import JsonOption, write_document
from deadpan.cli.output import say
from deadpan.cli.study_files import said_in_named
from deadpan.core.choices import read_choices
from deadpan.core.families import read_families
from deadpan.pipeline.judge_audit import AuditOptions, audit_judges
from deadpan.pipeline.judge_positions import position_leans
from deadpan.pipeline.judged_tables import tables_by_judge
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.rating import files_by_benchmark, read_study
from deadpan.pipeline.scoring_choices import scoring_options


@flags.grouped
def judge(
    sources: list[Path],
    people: Annotated[list[str], typer.Option()],
    chosen: flags.FilterFlags,
    scoring: flags.DrawFlags,
    judge: list[str] | None = None,
    metric: list[str] | None = None,
    width: Annotated[float | None, typer.Option(min=0)] = None,
    family: list[str] | None = None,
    choices: list[Path] | None = None,
    rater: list[str] | None = None,
    reader: str | None = None,
    check: Annotated[bool, typer.Option("--check")] = False,
    json: JsonOption = None,
) -> None:
    """Hold judges against people: agreement, leanings, retest, and scores corrected by people.

    People's ratings are read as `deadpan ratings` reads them: item, model, metric, rater, rating,
    on the scales of the judge. Of the rated answers it is said how far judge and people agree,
    beside how far people agree with each other; in what the judge leans; and what each score would
    be by people, with an interval that the judge's grades of all other answers make narrower. That
    takes the rated items for a random part of all. Several judges are a panel too.
    """
    how: dict[str, Any] = {"reader": reader, "reading": scoring.reading}
    tables = tables_by_judge(sources, judge or (), chosen.wanted, **how)
    names = list(dict.fromkeys(name for table in tables.values() for name in table["benchmark"]))
    able = [name for name in names if (judging := find(name).judging) and judging.verdicts]
    files = files_by_benchmark("--people", said_in_named(people, "ratings"), able, names)
    families = read_families(family or ())
    positions = position_leans(read_choices(choices), list(tables)) if choices else None
    documents = []
    for name, paths in files.items():
        benchmark = find(name)
        own = [table.filter(pl.col("benchmark") == name) for table in tables.values()]
        first = next((table for table in own if len(table)), own[0])
        options = scoring_options(
            [name],
            scoring.gate,
            scoring.metric_model,
            scoring.drawn,
            scoring.lexicon,
            scoring.reading,
        )
        study = read_study(benchmark, paths, first, raters=rater or ())
        wanted = AuditOptions(
            with_kept(options, first, say),
            tuple(metric or ()),
            families,
            chosen.wanted.tasks,
            check,
        )
        found = audit_judges(benchmark, study, tables, wanted)
        if metric and not found.corrected:
            raise DeadpanError(f"--metric {metric[0]}: no judged score of that name")
        print_audit(found, width, positions)
        documents.append(document(found, width, positions))
    write_document(json, {"audits": documents})
