"""What models recite of the benchmarks that a campaign asks them: counted, asked, written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from deadpan.base.files import folder_name
from deadpan.campaigns.suite.planning import Job
from deadpan.engine.asker import Asker
from deadpan.engine.requests import Request
from deadpan.engine.run import open_asker
from deadpan.engine.segments import short_label
from deadpan.pipeline.contamination import (
    ContaminationAudit,
    audit_contamination,
    audit_document,
)
from deadpan.pipeline.contamination.asking import cut_texts, recital_requests
from deadpan.pipeline.contamination.tags import recitation_effects, write_tags
from deadpan.pipeline.reporter import Reporter
from deadpan.pipeline.results import Results


def prepare_recital(job: Job) -> tuple[Asker, list[Request]]:
    """Who asks, and a request for each text."""
    model, settings = job.evaluation.model, job.evaluation.settings
    texts, _ = cut_texts(job.benchmark, settings)
    requests = recital_requests(job.benchmark, model, texts, settings)
    return open_asker(model, settings), requests


def recite(job: Job, reporter: Reporter) -> ContaminationAudit:
    """What the model recites, under its title; what the store has is not asked again."""
    own = job.evaluation
    audit = audit_contamination(job.benchmark, own.model, own.settings, own.prices, reporter)
    return replace(audit, model=job.model.shown)


def recital_document(audit: ContaminationAudit, results: Results) -> dict[str, Any]:
    """An audit as JSON, with what the model scores on recited items and on others."""
    effects = []
    if any(audit.items.values()):
        about = (audit.benchmark, audit.model, audit.items)
        effects = recitation_effects(results.table, *about, results.options)
    return audit_document(audit) | {"effects": [one.document for one in effects]}


def write_recited(audits: Sequence[ContaminationAudit], folder: Path) -> Iterator[Path]:
    """A file of tags for each audit, by benchmark and title; titles that read alike as names of
    files are numbered."""
    taken: set[str] = set()
    for audit in audits:
        plain = name = short_label(f"{audit.benchmark}.{folder_name(audit.model)}")
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{plain}-{number}"
        taken.add(name.casefold())
        path = folder / f"{name}.csv"
        write_tags(path, audit)
        yield path
