"""A study on a mini-set, small enough to be tried by one person in a few minutes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.core.benchmark import Benchmark
from deadpan.core.study.items import Output, StudyItem
from deadpan.core.study.making import changed
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import ROLES
from deadpan.core.study.templates import MadeStudy, StudySource, StudyTemplate
from deadpan.studies.lead.operations import invite_people
from deadpan.studies.making.catalogue import find_template
from deadpan.studies.making.creating import create_study
from deadpan.studies.making.examples import (
    MADE_UP,
    Example,
    example_table,
    read_examples,
    write_labels,
    write_pictures,
    write_wrong,
)
from deadpan.studies.making.media_parts import titles
from deadpan.studies.storage.media import private_folder
from deadpan.studies.storage.opened import OpenStudy

_SMALL = {
    "teams": "1",
    "batch": "4",
    "checked": "2",
    "practice": "2",
    "sessions": "1",
    "share": "1",
    "edits": "caption",
}
_ITEMS = 8
_EXAMPLES = "examples"
_FROM_EXAMPLES = {"labels", "pictures"}
"""Options that name what other commands wrote, of models' answers."""


def shows_examples(template: str) -> bool:
    """Whether a study is about answers, which are examples in a demo."""
    return _is_about_answers(find_template(template)[1])


def _is_about_answers(template: StudyTemplate) -> bool:
    names = {option.name for option in template.options}
    return template.takes_results or bool(names & _FROM_EXAMPLES)


def demo_study(template: str, folder: Path) -> tuple[OpenStudy, list[tuple[str, str]]]:
    """The study, and of each invitation whom it is for and its token: two raters, an adjudicator
    and a lead."""
    private_folder(folder)
    benchmark, found = find_template(template)
    made = _made(benchmark, found, folder / _EXAMPLES)
    main = [item for item in made.items if item.kind == "main"][:_ITEMS]
    others = [item for item in made.items if item.kind != "main"]
    items = [_named(item, benchmark) for item in (*others, *main)]
    created = create_study(folder, _titled(made.study, _is_about_answers(found)), items)
    people = [("rater one", "rater"), ("rater two", "rater")]
    people += [(role, role) for role in ROLES if role != "rater"]
    links = [link for name, role in people for link in invite_people(created.opened, [name], role)]
    return created.opened, links


def _made(benchmark: Benchmark[Any], template: StudyTemplate, folder: Path) -> MadeStudy:
    """The study of the mini-set, and of the examples where it is about answers."""
    dataset, table = benchmark.read(None), None
    chosen = dict(_SMALL)
    if _is_about_answers(template):
        examples = read_examples(benchmark)
        table = example_table(benchmark, dataset, examples)
        chosen |= _example_settings(benchmark, template, examples, table, folder)
    known = {option.name for option in template.options}
    settings = template.settings({name: chosen[name] for name in chosen if name in known})
    return template.made_from(StudySource(dataset, table, settings=settings))


def _example_settings(
    benchmark: Benchmark[Any],
    template: StudyTemplate,
    examples: Sequence[Example],
    table: pl.DataFrame,
    folder: Path,
) -> dict[str, str]:
    """Which of the examples are meant, and where what other commands would have written of them
    lies."""
    private_folder(folder)
    wrong = write_wrong(folder / "wrong.jsonl", examples)
    labels = write_labels(folder / "labels.jsonl", table, wrong, examples)
    pictures = write_pictures(folder / "pictures", benchmark.mini_set, examples)
    files = {"wrong": str(wrong), "labels": str(labels), "pictures": str(pictures)}
    answered = {one.task for one in examples}
    tasks = [
        value
        for option in template.options
        if option.name == "task"
        for value in option.values
        if value in answered
    ]
    return files | {"model": examples[0].source, "task": "".join(tasks[:1])}


def _titled(study: Study, has_examples: bool) -> Study:
    """The study, called a demo; whose answers are made up is said where people come in."""
    title = {code: titles("demo", title=words)[code] for code, words in study.title.items()}
    if not has_examples:
        return changed(study, title=title)
    made_up = titles("demo_made_up").items()
    about = {code: f"{study.about.get(code, '')} {words}".strip() for code, words in made_up}
    return changed(study, title=title, about=about)


def _named(item: StudyItem, benchmark: Benchmark[Any]) -> StudyItem:
    """The item; what a judge is said to have said in a task is called made up too."""
    tasks = {task.name for task in benchmark.tasks}
    outputs = tuple(
        Output(source=f"{MADE_UP}{one.source}", parts=one.parts) if one.source in tasks else one
        for one in item.outputs
    )
    return changed(item, outputs=outputs)
