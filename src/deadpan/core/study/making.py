"""What templates make studies with: parts of a study changed, records drawn, and what of the items
its lead has to know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import floor
from pathlib import Path
from random import Random
from typing import TypeVar

import polars as pl
from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, meant
from deadpan.base.files import is_file
from deadpan.core.answers import Answer, Answers
from deadpan.core.outcomes import READ
from deadpan.core.study.exports import SettledItem, StudyExport
from deadpan.core.study.items import Output, StudyItem
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question, Stage
from deadpan.core.study.templates import StudySource
from deadpan.core.study.words import Frozen

T = TypeVar("T")
FrozenT = TypeVar("FrozenT", bound=Frozen)


def changed(part: FrozenT, **fields: object) -> FrozenT:
    """A part of a study with some fields otherwise, checked again."""
    return type(part).model_validate({**dict(part), **fields})


def with_stages(study: Study, change: Callable[[Stage], Stage]) -> Study:
    """The study with every stage changed."""
    return changed(study, stages=tuple(map(change, study.stages)))


def with_questions(study: Study, change: Callable[[Question], Question | None]) -> Study:
    """The study with every question changed, or left out where that gives none."""

    def stage_with(stage: Stage) -> Stage:
        asked = (change(question) for question in stage.questions)
        return changed(stage, questions=tuple(one for one in asked if one is not None))

    return with_stages(study, stage_with)


def with_people(study: Study, number: int) -> Study:
    """The study with that many raters for each item, everybody for 0; stages of other roles stay
    as they are."""
    return with_stages(
        study,
        lambda stage: changed(stage, people=number or None) if stage.role == "rater" else stage,
    )


def with_checks(study: Study, items: int, checks: int) -> Study:
    """The study with its hidden checks spread over the items. A rating next to the right one
    passes a check too."""
    if not checks:
        return study

    def tolerant(question: Question) -> Question:
        return changed(question, tolerance=1) if isinstance(question, Likert) else question

    every = max(2, items // (checks + 1))
    return with_questions(changed(study, checks_every=every), tolerant)


def draw(
    rng: Random, records: Sequence[T], count: int, stratum: Callable[[T], str] = lambda record: ""
) -> list[T]:
    """So many of the records, in the order they came in, strata in proportion; all of them for 0,
    or where there are no more."""
    if not 0 < count < len(records):
        return list(records)
    strata: dict[str, list[int]] = {}
    for place, record in enumerate(records):
        strata.setdefault(stratum(record), []).append(place)
    sizes = allocation({name: len(strata[name]) for name in sorted(strata)}, count)
    chosen = {place for name, size in sizes.items() for place in rng.sample(strata[name], size)}
    return [record for place, record in enumerate(records) if place in chosen]


def allocation(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """So many in the proportion of the sizes, by largest remainder, then in their order."""
    total = sum(sizes.values())
    exact = {name: size * count / total for name, size in sizes.items()}
    given = {name: floor(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: given[name] - exact[name])
    for name in by_remainder[: count - sum(given.values())]:
        given[name] += 1
    return given


def shuffled(rng: Random, values: Iterable[T]) -> list[T]:
    """The values in an order of chance."""
    found = list(values)
    rng.shuffle(found)
    return found


def results_of(source: StudySource, benchmark: str) -> Answers:
    """The answers to a benchmark that a study is made from; raises where there are none."""
    own = None if source.table is None else source.table.filter(pl.col("benchmark") == benchmark)
    if own is None or own.is_empty():
        raise DeadpanError(
            f"there is no answer to {benchmark} to make the study from; give --from the store or "
            f"the table of a run, such as deadpan run {benchmark} --model M --store answers"
        )
    return Answers(own)


def chosen_model(answers: Answers, given: str) -> str:
    """The model that is named, or the only one there is; else raises with those there are."""
    known = ", ".join(answers.models)
    if not given and len(answers.models) > 1:
        raise DeadpanError(f"--set model: the results are of several models; name one of {known}")
    if given and given not in answers.models:
        hint = meant(given, answers.models)
        raise DeadpanError(f"--set model={given}: expected one of {known}{hint}")
    return given or answers.models[0]


def first_epochs(answers: Iterable[Answer]) -> dict[str, Answer]:
    """Each item's answer of the first epoch in which one could be read, judged or not."""
    found: dict[str, Answer] = {}
    for answer in sorted(answers, key=lambda one: one.epoch):
        if answer.outcome in READ and answer.parsed is not None:
            found.setdefault(answer.item, answer)
    return found


def settled_items(export: StudyExport) -> Iterator[tuple[StudyItem, Mapping[str, SettledItem]]]:
    """Each item that anything became of, with what, by stage."""
    found: dict[int, dict[str, SettledItem]] = {}
    for one in export.settled:
        found.setdefault(one.unit, {})[one.stage] = one
    for stages in found.values():
        yield next(iter(stages.values())).item, stages


def settled_answers(
    export: StudyExport, stages: Iterable[str] = ()
) -> Iterator[tuple[StudyItem, Mapping[str, JsonValue]]]:
    """Each item that was settled in all of the stages, those of the study where none is named, with
    what was settled, by question."""
    wanted = list(stages) or [stage.name for stage in export.study.stages]
    for item, became in settled_items(export):
        own = [became[name] for name in wanted if name in became]
        if len(own) == len(wanted) and all(one.state == "settled" for one in own):
            yield item, {name: value for one in own for name, value in one.result.items()}


def notes_on(items: Sequence[StudyItem]) -> Iterator[str]:
    """What a lead has to know of the items: files that are not there, and outputs whose own words
    say who made them, which no page can hide."""
    files = {part.path for item in items for part in item.files}
    if missing := sorted(path for path in files if not is_file(Path(path))):
        are = "is" if len(missing) == 1 else "are"
        yield f"{count_noun(len(missing), 'file')} of {len(files)} {are} not there: {missing[0]}"
    telling = sum(names_its_maker(one) for item in items for one in item.outputs)
    if telling:
        yield f"{count_noun(telling, 'output')} may tell who made it: its words hold the name"


def names_its_maker(output: Output) -> bool:
    """Whether an output's words hold what its maker's name begins with, such as `qwen` of
    `openai/Qwen2.5-VL`."""
    begins = re.match(r"[^\W\d_]{3,}", output.source.rpartition("/")[2].casefold())
    said = "\n".join(text for part in output.parts for text in part.wordings).casefold()
    return begins is not None and bool(
        re.search(rf"(?<![a-z]){re.escape(begins[0])}(?![a-z])", said)
    )
