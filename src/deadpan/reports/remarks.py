"""What stands below a table of scores: on which items it rests, and what has to be known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from deadpan.core.capabilities import TableLayout
from deadpan.reports.caveats import STAND_IN_NOTE
from deadpan.reports.marking import RATED_ONLY, RATED_ONLY_NOTE, brief_notes
from deadpan.reports.score_table import Column, Scores
from deadpan.reports.section import Section
from deadpan.reports.text import one_line


def compared_over(
    section: Section, columns: Sequence[Column], pairs: frozenset[tuple[str, str]], over: str
) -> str:
    """On what items our values rest, naming the columns where it is not the same for all; nothing
    of a benchmark that compares no models on shared items."""
    noun = section.benchmark.report.comparable.partition("=")[0]
    if not noun:
        return ""
    alone = len(set(section.table["model"])) == 1
    whole = f"all {noun} that {'the model' if alone else 'each model'} has answered"
    which = [
        column.heading for column in columns if column.key[2] == "all" and column.key[:2] in pairs
    ]
    if not which:
        return f"Over {whole}."
    if len(which) == len(columns):
        return f"Our models are compared {over}."
    return f"Our models are compared {over} ({'; '.join(which)}); other columns are over {whole}."


def tasks_of(columns: Sequence[Column]) -> set[str]:
    return {column.key[0] for column in columns}


def remarks_on(
    section: Section, layout: TableLayout, columns: Sequence[Column], ours: Mapping[str, Scores]
) -> Iterator[str]:
    """What has to be known of our scores: who judged where no model did, which models answered a
    part or nothing, what the layout says, and what comes with scores of people's ratings."""
    if any(column.stand_in for column in columns):
        yield f"† {STAND_IN_NOTE}."
    notes = brief_notes(section, tasks_of(columns), ours.keys())
    yield from (f"{one_line(note)}." for note in notes)
    if any(model.endswith(f" {RATED_ONLY}") for model in ours):
        yield RATED_ONLY_NOTE
    if layout.remark:
        yield one_line(layout.remark)
    shown = {(one.signature, one.task) for known in ours.values() for one in known.values()}
    for addition in section.additions:
        tasks = {task for signature, task in shown if signature in addition.signatures}
        yield from (one_line(text) for task, text in addition.remarks.items() if task in tasks)
