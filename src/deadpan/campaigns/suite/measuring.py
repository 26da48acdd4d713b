"""What a campaign's metrics measure with, as in the papers or as named, fetched where it can be."""

from __future__ import annotations

from collections.abc import Iterable

from deadpan.base.errors import DeadpanError
from deadpan.base.resources import find as find_resource
from deadpan.base.resources import is_present
from deadpan.benchmarks import find
from deadpan.campaigns.suite.schema import Suite
from deadpan.collecting.resources import get
from deadpan.core.score import ScoringOptions
from deadpan.pipeline.reporter import SILENT, Reporter

PAPER = "paper"


def options_of(suite: Suite, benchmarks: Iterable[str]) -> ScoringOptions:
    """How answers to the benchmarks are scored."""
    models: dict[str, str] = {}
    if suite.metrics.preset == PAPER:
        for name in benchmarks:
            models |= find(name).paper_models
    models |= suite.metrics.models
    return ScoringOptions(models=models, lexicons=dict(suite.metrics.lexicons))


def fetch_resources(
    suite: Suite, benchmarks: Iterable[str], reporter: Reporter = SILENT
) -> list[str]:
    """Fetches what the papers' metrics measure with and is not here; says what cannot be had, and
    gives it: its metrics have no number, and nothing takes its place."""
    if suite.metrics.preset != PAPER:
        return []
    known = [find(name) for name in benchmarks]
    named = [one for own in known for one in (*own.resources, *own.paper_models.values())]
    lacking = []
    for name in dict.fromkeys(named):
        if is_present(find_resource(name)):
            continue
        try:
            get(name)
        except DeadpanError as error:
            lacking.append(name)
            what = f"{name} cannot be had, and what it measures has no number"
            reporter.warn(f"{what}: {' '.join(str(error).split())}")
        else:
            reporter.note(f"{name}: fetched")
    for one in known:
        without = [
            f"{metric}:{language}"
            for metric in one.metric_models
            for language in one.languages
            if f"{metric}:{language}" not in {**one.paper_models, **suite.metrics.models}
            and metric not in suite.metrics.models
            and metric != "encoder"
        ]
        if without:
            named_so = ", ".join(without)
            reporter.warn(f"{one.name}: no model stands for the paper's {named_so}: no number")
    return lacking
