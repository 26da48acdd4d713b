"""Whether items fit the study that is made of them: what would ruin it raises before it begins."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.core.study.asked_parts import lacking, unknown_parts
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.core.study.words import WrongAnswer

_FIX = "Correct the item, or the study."


def require_fit(study: Study, items: Sequence[tuple[str, StudyItem]]) -> None:
    """Raises where items, each with its place, do not fit the study, or each other. Outputs of
    several sources may be items of one key, as each is rated by itself, and so may an item and the
    check that it is once more."""
    places: dict[object, str] = {}
    for where, item in items:
        identity = (item.key, item.kind, *sorted(output.source for output in item.outputs))
        if identity in places:
            what = f"key: {item.key} is the key of {places[identity]} too"
            raise InputError(where, what, "Give every item a key of its own.")
        places[identity] = where
        gold = {} if item.kind == "main" else item.gold
        for what in (
            *lacking(study, item),
            *_misfits(study, item, "gold", gold),
            *_unpractised(study, item),
        ):
            raise InputError(where, what, _FIX)
    if not any(item.kind == "main" for _, item in items):
        what = "there is nothing to ask about: every item is for practice or a check"
        raise DeadpanError(f'{what}; add some of "kind": "main"')


def require_own_fit(
    study: Study, items: Sequence[tuple[str, StudyItem]], place: str | Path
) -> None:
    """Raises also where a study that lies in a place names parts that no item has, where drafts are
    no answers, and where practice or checks have no items, or items without a right answer."""
    for what in unknown_parts(study, [item for _, item in items]):
        raise InputError(place, what, "Correct the name, or the items.")
    require_fit(study, items)
    for where, item in items:
        for what in (*_misfits(study, item, "draft", item.draft), *_unmarked(study, item)):
            raise InputError(where, what, _FIX)
    kinds = {item.kind for _, item in items}
    if study.practice and "practice" not in kinds:
        what = "practice: there is no item to practise on, so everybody would pass"
        fix = 'Add items of "kind": "practice", or take practice out.'
        raise InputError(place, what, fix)
    if study.checks_every and "check" not in kinds:
        fix = 'Add items of "kind": "check", or take checks_every out.'
        raise InputError(place, "checks_every: there is no item to check with", fix)


def with_read_gold(study: Study, item: StudyItem) -> StudyItem:
    """A practice item or a check with its gold in the form that answers have, such as labels
    in the order of the options; main items have none."""
    if item.kind == "main":
        return item
    asked = _questions(study)
    gold = {name: _read(asked[name], value, item) for name, value in item.gold.items()}
    return item.model_copy(update={"gold": gold})


def _unpractised(study: Study, item: StudyItem) -> Iterator[str]:
    """What a practice item lacks for the stages that are practised: what they build on."""
    known = [stage.name for stage in study.stages]
    for name in item.stage_feedback:
        if name not in known:
            expected = f"expected one of {', '.join(known)}{meant(name, known)}"
            yield f"stage_feedback.{name}: the study has no such stage; {expected}"
    for stage in study.practised if item.kind == "practice" else ():
        for before in (study.stage(name) for name in stage.builds_on):
            if not before or before.name in item.stage_feedback:
                continue
            if not any(before.question(name) for name in item.gold):
                asked = ", ".join(one.name for one in before.questions)
                shown = f"practice of stage {stage.name} shows what {before.name} settled"
                expected = f"a right answer to one of {asked}, or stage_feedback.{before.name}"
                yield f"gold: {shown}; expected {expected}"


def _unmarked(study: Study, item: StudyItem) -> Iterator[str]:
    """The stages in which an item has no right answer, and would be passed by everybody: of checks,
    and of practice that no person looks at."""
    is_marked = study.practice is not None and not study.practice.by_person
    marked = {"check": study.stages[:1], "practice": study.practised if is_marked else ()}
    for stage in marked.get(item.kind, ()):
        if not any(stage.question(name) for name in item.gold):
            asked = ", ".join(one.name for one in stage.questions)
            what = f"gold: has nothing for stage {stage.name}, so everybody would pass"
            other = ", or practice that is by_person: true" if item.kind == "practice" else ""
            yield f"{what}; expected a right answer to one of {asked}{other}"


def _misfits(
    study: Study, item: StudyItem, field: str, answers: Mapping[str, JsonValue]
) -> Iterator[str]:
    """The answers of a field that the study's questions do not take."""
    asked = _questions(study)
    for name, value in answers.items():
        if name not in asked:
            known = f"expected one of {', '.join(asked)}{meant(name, asked)}"
            yield f"{field}.{name}: the study asks no such question; {known}"
            continue
        try:
            _read(asked[name], value, item)
        except WrongAnswer as wrong:
            got = json.dumps(value, ensure_ascii=False)
            yield f"{field}.{name}: got {got}; {asked[name].expected(item, wrong)}"


def _read(question: Question, value: JsonValue, item: StudyItem) -> JsonValue:
    """The answer as it is kept; what a question is otherwise is one too. A wrong one raises."""
    is_otherwise = question.when is not None and value == question.otherwise
    return value if is_otherwise else question.read(value, item)


def _questions(study: Study) -> dict[str, Question]:
    """The questions by name; of one that several stages ask, what the first has."""
    found: dict[str, Question] = {}
    for stage in study.stages:
        for question in stage.questions:
            found.setdefault(question.name, question)
    return found
