"""Whether items fit the study that is made of them: what would ruin it raises before it begins."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.core.study.arranging import Order
from deadpan.core.study.choices import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Question, Study
from deadpan.core.study.words import WrongAnswer

_FIX = "Correct the item, or the study."


def require_fit(study: Study, items: Sequence[tuple[str, StudyItem]]) -> None:
    """Raises where items, each with its place, do not fit the study, or each other. Outputs of
    several sources may be items of one key, as each is rated by itself, and so may an item and the
    check that it is once more."""
    places: dict[object, str] = {}
    for where, item in items:
        identity = (item.key, item.kind, *(output.source for output in item.outputs))
        if identity in places:
            what = f"key: {item.key} is the key of {places[identity]} too"
            raise InputError(where, what, "Give every item a key of its own.")
        places[identity] = where
        gold = {} if item.kind == "main" else item.gold
        for what in (*_lacking(study, item), *_misfits(study, item, "gold", gold)):
            raise InputError(where, what, _FIX)
    if not any(item.kind == "main" for _, item in items):
        what = "there is nothing to ask about: every item is for practice or a check"
        raise DeadpanError(f'{what}; add some of "kind": "main"')


def require_own_fit(
    study: Study, items: Sequence[tuple[str, StudyItem]], place: str | Path
) -> None:
    """Raises also where drafts are no answers, or where a study that lies in a place has practice
    or checks, and no items for them."""
    require_fit(study, items)
    for where, item in items:
        for what in _misfits(study, item, "draft", item.draft):
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


def _lacking(study: Study, item: StudyItem) -> Iterator[str]:
    """What a question is about and the item lacks."""
    for question in _questions(study).values():
        if question.kind in ("best", "pairwise") and len(item.outputs) < 2:
            chosen = f"{question.name} chooses among outputs, and {item.key} has"
            yield f"{chosen} {len(item.outputs)}; expected two or more"


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
            yield f"{field}.{name}: got {got}; {_expected(asked[name], item, wrong)}"


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


def _expected(question: Question, item: StudyItem, wrong: WrongAnswer) -> str:
    if isinstance(question, Single | Order):
        known = ", ".join(json.dumps(one, ensure_ascii=False) for one in question.choices(item))
        return f"expected {'one' if isinstance(question, Single) else 'all'} of {known}"
    if labels := question.labels_known:
        return f"{wrong}: {', '.join(labels)}"
    return str(wrong)
