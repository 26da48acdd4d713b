"""`deadpan failures`: why models fail, labelled by people and a model, audited and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_there, write_text
from deadpan.base.printable import escaped_json
from deadpan.base.rows import write_rows
from deadpan.cli.flags import CallFlags, SelfJudgeOption, grouped
from deadpan.cli.json_output import JsonOption, json_text, write_json
from deadpan.cli.output import reporter, say, warn
from deadpan.cli.score_tables import print_scores
from deadpan.core.usage import read_prices
from deadpan.failures import audit as auditing
from deadpan.failures import labels as labelling
from deadpan.failures.cases import Case, draw_cases
from deadpan.failures.criteria import Criteria, FailureTypes, read_criteria, shipped_text
from deadpan.failures.finding import find_cases
from deadpan.metrics import lexical
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.judgements import require_other
from deadpan.pipeline.table import read_tables


@dataclass(frozen=True)
class RuleFlags:
    """Which answers are wrong."""

    wrong: list[str] | None = None
    badly_explained: str | None = None
    metric_model: list[str] | None = None
    benchmark: str | None = None
    task: list[str] | None = None
    latest: Annotated[bool, typer.Option("--latest")] = False

    def cases(self, tables: list[Path]) -> list[Case]:
        """The wrong answers of tables or stores, by rules that are said."""
        tasks = self.task or []
        named = (self.benchmark,) if self.benchmark else ()
        table = read_tables(tables, wanted=Filter(named, tuple(tasks), self.latest))
        models = self.metric_model or ()
        return find_cases(table, self.wrong or (), self.badly_explained, models, tasks, say)


app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.command("criteria")
def write_criteria(out: Path = Path("criteria.json")) -> None:
    """Write the types and their definitions to a file, to be edited and added to."""
    if is_there(out):
        raise DeadpanError(f"{out} is there already; choose another --out")
    write_text(out, shipped_text())
    say(f"wrote {out}")


@app.command()
@grouped
def sample(
    table: list[Path],
    rules: RuleFlags,
    share: Annotated[float, typer.Option(min=0, max=1)] = 0.1,
    seed: int = 0,
    criteria: Path | None = None,
    pictures: list[Path] | None = None,
    out: Path = Path("people.jsonl"),
) -> None:
    """Draw wrong answers for people to label: they fill in `type`, in the file or on its page.

    Refusals are not drawn: their type is known. The page beside the file shows each picture, its
    words, the gold and the whole answer, and saves what is chosen there as the same file.
    """
    types = read_criteria(criteria)
    cases = rules.cases(table)
    answered = [case for case in cases if case.outcome != "refused"]
    refused = count_noun(len(cases) - len(answered), "refusal")
    say(f"{count_noun(len(cases), 'failure')}, {refused} among them")
    if not answered:
        raise DeadpanError("every failure is a refusal: there is nothing to label")
    rows = [
        labelling.Sampled(**case.model_dump())
        for case in draw_cases(answered, _above_0(share), seed)
    ]
    labelling.write_unless_filled(out, rows, "type")
    say(f"wrote {len(rows)} of them to {out}: fill in type")
    _write_page(out, rows, "type", types, pictures)


@app.command()
@grouped
def label(
    table: list[Path],
    people: Annotated[Path, typer.Option()],
    judge: Annotated[str, typer.Option()],
    calls: CallFlags,
    rules: RuleFlags,
    criteria: Path | None = None,
    pictures: list[Path] | None = None,
    blind: Annotated[bool, typer.Option("--blind")] = False,
    self_judge: SelfJudgeOption = False,
    out: Path = Path("labels.jsonl"),
) -> None:
    """Label the rest with a model by the criteria; it may propose new types.

    The same command again asks only about what has no label yet. The model sees each picture that
    Deadpan prepared for a run, or that lies below a folder named with --pictures; with --blind, for
    a model without vision, none.
    """
    folders = _folders(table, pictures)
    sorter = FailureTypes(read_criteria(criteria), None if blind else folders)
    cases = rules.cases(table)
    given = labelling.people_labels(people, cases, sorter.criteria)
    require_other(dict.fromkeys(case.model for case in cases), judge, self_judge)
    with reporter().asking(judge, read_prices()) as events:
        labels = labelling.label_cases(cases, given, sorter, judge, calls.settings(), events)
    write_rows(out, labels)
    if judge == lexical.MODEL:
        say(f"{lexical.MODEL} compares words only: its labels say nothing about failures", "yellow")
    say(
        f"wrote {out}: "
        + ", ".join(f"{count} {how}" for how, count in labelling.statuses(labels).items())
    )
    _say_new_types(labels, out.with_suffix(".new_types.json"))
    if _say_failed(labels):
        raise typer.Exit(1)


@app.command()
def audit(
    labels: Path,
    share: Annotated[float, typer.Option(min=0, max=1)] = 0.2,
    seed: int = 0,
    criteria: Path | None = None,
    pictures: list[Path] | None = None,
    out: Path = Path("audit.jsonl"),
) -> None:
    """Draw labels of the model for people to check: they fill in `correct_type`, in the file or on
    its page."""
    types = read_criteria(criteria)
    found = labelling.read_labels(labels, types)
    if not any(one.by == "judge" and one.status == "labelled" for one in found):
        raise DeadpanError(f"{labels} holds no label of a model: there is nothing to audit")
    rows = auditing.to_audit(found, _above_0(share), seed)
    labelling.write_unless_filled(out, rows, "correct_type")
    say(f"wrote {count_noun(len(rows), 'label')} to {out}: fill in correct_type")
    _write_page(out, rows, "correct_type", types, pictures)


@app.command()
def merge(
    labels: Path,
    audit: Path,
    criteria: Path | None = None,
    out: Path = Path("final.jsonl"),
    json: JsonOption = None,
) -> None:
    """Put people's corrections into the labels, and tell how often the model was right."""
    types = read_criteria(criteria)
    final = auditing.merge_labels(labelling.read_labels(labels, types), audit, types)
    write_rows(out, final)
    say(f"wrote {out}")
    scores = auditing.audit_scores(final, types)
    print_scores(scores, groups=True, about=auditing.failure_metric)
    write_json(json, {final[0].benchmark: scores}, auditing.failure_metric)


@app.command()
def report(
    labels: Path,
    criteria: Path | None = None,
    plot: Path | None = None,
    json: JsonOption = None,
) -> None:
    """The types each model's failures have, and how far the model's labels are right; --plot draws
    them (.svg, .png or .html)."""
    types = read_criteria(criteria)
    found = labelling.read_labels(labels, types)
    scores = [*auditing.distribution(found, types), *auditing.audit_scores(found, types)]
    print_scores(scores, groups=True, about=auditing.failure_metric)
    write_json(json, {found[0].benchmark: scores}, auditing.failure_metric)
    if plot is not None:
        from deadpan.failures.figure import failure_plot, write_plot

        write_plot(failure_plot(found, types), plot)
        say(f"wrote {plot}")


def _folders(tables: list[Path], pictures: list[Path] | None) -> tuple[Path, ...]:
    """The folders whose pictures may be shown: those named, and the stores."""
    return (*(pictures or ()), *(table for table in tables if table.is_dir()))


def _write_page(
    out: Path,
    rows: Sequence[Case],
    field: str,
    types: Criteria,
    pictures: list[Path] | None,
) -> None:
    """Writes the page of a sheet beside it."""
    from deadpan.failures.sheet import sheet_page

    page = out.with_suffix(".html")
    write_text(page, sheet_page(rows, field, types, out.name, pictures or ()))
    say(f"wrote {page}: the same with pictures, to be filled in and saved there")


def _above_0(share: float) -> float:
    if share == 0:
        raise DeadpanError("--share 0 draws nothing; expected more than 0, at most 1")
    return share


def _say_failed(labels: list[labelling.Label]) -> bool:
    """Counts the labels that could not be had, by why, with an example each; whether any is so."""
    failed = [one for one in labels if one.status == "judge_failed"]
    unasked = [one for one in failed if labelling.could_not_be_asked(one)]
    broken = [one for one in failed if one not in unasked]
    for group, what in ((unasked, "could not be asked for"), (broken, "got no usable reply")):
        if group:
            one = group[0]
            counted = f"{count_noun(len(group), 'label')} {what}"
            warn(f"{counted}, for example {one.item} ({one.task}): {one.reason}")
    if failed:
        say("Run the same command again to ask for them again.", "yellow")
    return bool(failed)


def _say_new_types(labels: list[labelling.Label], path: Path) -> None:
    """Names the types the model proposed, and writes them in the form that criteria have."""
    found = labelling.proposals(labels)
    if not found:
        path.unlink(missing_ok=True)
        return
    rows = [proposal.model_dump() for proposal in found]
    write_text(path, escaped_json(json_text(rows)))
    for proposal in found:
        what = f"new type {proposal.name} ({proposal.title})"
        say(f"{what}: {count_noun(proposal.count, 'case')}", "yellow")
    say(f"wrote {path}: put those you accept into the criteria, and label again", "yellow")
