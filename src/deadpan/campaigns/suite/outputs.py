"""What a campaign leaves: report, tables, plots, results, scores, and the file it was run from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

from deadpan.base.files import sha256_of, write_text
from deadpan.benchmarks import find
from deadpan.campaigns.suite.planning import Plan
from deadpan.campaigns.suite.reciting import recital_document, write_recited
from deadpan.campaigns.suite.running import SuiteRun
from deadpan.core.usage import Prices
from deadpan.pipeline.chance import asked_questions
from deadpan.pipeline.kept_options import keep_options
from deadpan.pipeline.published_audit import audit_paper
from deadpan.pipeline.shortcut_documents import shortcuts_document
from deadpan.pipeline.shortcut_plots import write_plots as write_shortcut_plots
from deadpan.pipeline.shortcuts import audit_shortcuts
from deadpan.pipeline.table_files import write_table

CHECKSUMS = "SHA256SUMS"


def write_outputs(run: SuiteRun) -> Path:
    """The folder of the files, each written whole or not at all; the checksums of all come last, so
    that a folder with them is complete. The same answers give the same files."""
    plan = run.plan
    out, today = plan.file.out, date.today().isoformat()
    prices = title_prices(plan)
    written = [*_report(run, out, prices, today)]
    if run.audited is not None:
        written += _shortcuts(run, out, prices)
    if run.recitals:
        written += _recitals(run, out)
    given_up = out / "given-up.json"
    given_up.unlink(missing_ok=True)
    if run.gave_up:
        write_text(given_up, _json(run.gave_up))
        written.append(given_up)
    if plan.file.suite.audits.published:
        written += _published(plan, out)
    write_text(out / "suite.yaml", plan.file.text)
    written.append(out / "suite.yaml")
    lines = [f"{sha256_of(path)}  {path.relative_to(out).as_posix()}\n" for path in sorted(written)]
    write_text(out / CHECKSUMS, "".join(lines))
    return out


def title_prices(plan: Plan) -> Prices:
    """The prices of models under their titles, before those by name."""
    named = {}
    for job in plan.jobs:
        if price := plan.prices.of(job.model.name):
            named[job.model.shown] = price
    return Prices((named, *plan.prices.tables))


def _report(run: SuiteRun, out: Path, prices: Prices, today: str) -> Iterator[Path]:
    from deadpan.reports import scores_list, write_plots, write_report
    from deadpan.reports.documents import latex_fragment

    suite, results = run.plan.file.suite, run.results
    folders = (suite.store, *(entry.data for entry in suite.benchmarks if entry.data is not None))
    sections = [replace(one, picture_folders=folders) for one in results.sections(prices)]
    yield from write_plots(sections, out / "plots")
    path = out / "report.html"
    yield from _with_pages(write_report(sections, path, generated=today, title=suite.title))
    for section in sections:
        path = out / "tables" / f"{section.benchmark.name}.tex"
        write_text(path, latex_fragment(section, today, suite.title))
        yield path
    write_table(keep_options(results.to_polars(), results.options), out / "results.parquet")
    yield out / "results.parquet"
    write_text(out / "scores.json", scores_list(sections))
    yield out / "scores.json"


def _with_pages(report: Path) -> Iterator[Path]:
    """A report, and the pages of samples beside it."""
    from deadpan.reports.sample_pages import samples_folder

    yield report
    yield from report.with_name(samples_folder(report)).glob("*.html")


def _shortcuts(run: SuiteRun, out: Path, prices: Prices) -> Iterator[Path]:
    """What scores rest on, by the audits' variants."""
    audited = run.audited
    if audited is None:
        return
    found = audit_shortcuts(audited, asked_questions([run.plan.file.suite.store]))
    path = out / "shortcuts.json"
    write_text(path, _json(shortcuts_document(found, ())))
    yield path
    yield from _with_pages(audited.report(out / "shortcuts.html", prices=prices))
    yield from write_shortcut_plots(audited, found, (), out / "shortcuts")


def _recitals(run: SuiteRun, out: Path) -> Iterator[Path]:
    """What models recite, and the items of it as tags."""
    path = out / "contamination.json"
    documents = [recital_document(audit, run.results) for audit in run.recitals]
    write_text(path, _json({"contamination": documents}))
    yield path
    yield from write_recited(run.recitals, out / "recited")


def _published(plan: Plan, out: Path) -> Iterator[Path]:
    """What does not add up in the numbers that the papers print."""
    rows: list[dict[str, Any]] = []
    for entry_name in plan.benchmarks:
        entry = next(job for job in plan.jobs if job.benchmark == entry_name)
        data = entry.evaluation.settings.data_of(entry_name)
        audit = audit_paper(find(entry_name), data)
        rows += [{"benchmark": entry_name, **asdict(one)} for one in audit.findings]
    path = out / "published.json"
    write_text(path, _json({"findings": rows}))
    yield path


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
