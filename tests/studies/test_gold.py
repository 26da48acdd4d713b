"""Gold holds only what was settled, in one form, and says how."""

from __future__ import annotations

from typing import Any

import pytest

from deadpan.core.study.exports import Said, SettledItem, StudyExport
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Stage
from deadpan.studies.results.export_rows import gold_rows
from deadpan.studies.work.settling import Heard, settle

TEXT = Part(name="text", kind="text", text="My boss loves Mondays.")
ITEM = StudyItem(
    key="joke",
    parts=(TEXT,),
    outputs=tuple(Output(source=f"haiku-{at}", parts=(TEXT,)) for at in range(3)),
)
QUESTIONS: list[dict[str, Any]] = [
    {"kind": "single", "name": "funny", "options": ["Yes", "No"], "required": False},
    {"kind": "multiple", "name": "styles", "options": ["pun", "irony", "dry"]},
    {"kind": "likert", "name": "taste", "highest": 7, "tolerance": 1},
    {"kind": "best", "name": "best"},
    {"kind": "span", "name": "target", "of": ["text"]},
    {"kind": "order", "name": "order", "options": ["1", "2"]},
    {"kind": "text", "name": "why", "compared": False},
]
FIRST = {
    "funny": "Yes",
    "styles": ["irony", "dry"],
    "taste": 6,
    "best": 2,
    "target": {"text": "My boss", "part": "text", "start": 0, "end": 7},
    "order": ["2", "1"],
    "why": "Because.",
}
SECOND = {**FIRST, "taste": 7, "target": {"text": "My boss"}, "why": "It is dry."}
Gold = dict[str, tuple[object, object]]


def stage(people: int = 2, **settling: Any) -> Stage:
    questions = [{"title": one["name"], **one} for one in QUESTIONS]
    about = {"name": "s", "title": "S", "people": people, "questions": questions}
    return Stage.model_validate(about | {"settling": settling})


def said(rule: Stage, person: str, answers: dict[str, Any], kind: str, origin: str) -> list[Said]:
    return [
        Said(1, ITEM, "s", question, person, "rater", kind, answers[question.name], origin=origin)
        for question in rule.questions
        if question.name in answers
    ]


def rows(
    rule: Stage,
    *own: dict[str, Any],
    discussed: tuple[dict[str, Any], ...] = (),
    third: dict[str, Any] | None = None,
    origin: str = "person",
    by_lead: bool = False,
) -> list[dict[str, object]]:
    """The rows of gold after people have answered."""
    thirds = [third] if third else []
    decided = settle(rule, Heard(discussed or own, thirds, bool(discussed)))
    everything = [
        *((f"rater-{at}", one, "answer") for at, one in enumerate(own)),
        *((f"rater-{at}", one, "discuss") for at, one in enumerate(discussed)),
        *(("adjudicator-1", one, "third") for one in thirds),
    ]
    heard = [one for who, given, kind in everything for one in said(rule, who, given, kind, origin)]
    became = SettledItem(
        1, ITEM, "s", decided.state, decided.result, decided.reason, by_lead=by_lead
    )
    study = Study(name="own", title={"en": "Own"}, stages=(rule,))
    return list(gold_rows(StudyExport(study, 1, heard, [became], [], [])))


def gold(*given: Any, **more: Any) -> Gold:
    found = rows(*given, **more)
    return {str(row["question"]): (row["value"], row["by"]) for row in found}


def test_values_have_the_form_that_annotations_have() -> None:
    assert gold(stage(), FIRST, SECOND) == {
        "funny": ("Yes", "agreed"),
        "styles": ("irony;dry", "agreed"),
        "taste": (6.5, "tolerance"),
        "best": ("haiku-2", "agreed"),
        "target": ("My boss", "agreed"),
        "order": ("2 > 1", "agreed"),
        "why": ("", "differing"),
    }


def test_the_place_of_words_stands_beside_them() -> None:
    found = {row["question"]: row["place"] for row in rows(stage(), FIRST, FIRST)}
    assert found["target"] == "text:0-7" and found["why"] == ""


def test_what_is_not_compared_is_gold_where_all_say_it() -> None:
    assert gold(stage(), FIRST, FIRST)["why"] == ("Because.", "agreed")
    left = {name: value for name, value in FIRST.items() if name != "why"}
    assert gold(stage(), FIRST, left)["why"] == ("", "differing")


def test_what_somebody_was_not_asked_at_first_was_discussed() -> None:
    when = {"question": "funny", "values": ["Yes"]}
    asked = [{**one, "when": when} if one["name"] != "funny" else one for one in QUESTIONS]
    talk = Stage.model_validate(
        stage(otherwise=["discuss"]).model_dump()
        | {"questions": [{"title": one["name"], **one} for one in asked]}
    )
    both = {**FIRST, "why": "Dry, and of the boss."}
    found = gold(talk, {"funny": "No"}, FIRST, discussed=(both, both))
    assert found["target"] == ("My boss", "discussed")
    assert {by for _, by in found.values()} == {"discussed"}
    # What both said alike and then said otherwise is nobody's own either.
    other = {**FIRST, "taste": 1}
    found = gold(stage(otherwise=["discuss"]), FIRST, other, discussed=(both, both))
    assert found["why"] == ("Dry, and of the boss.", "discussed")
    assert found["funny"] == ("Yes", "agreed") and found["taste"] == (6, "discussed")


def test_whoever_settled_it_is_said() -> None:
    other = {**FIRST, "funny": "No"}
    talk = stage(otherwise=["discuss"])
    found = gold(talk, FIRST, other, discussed=(FIRST, FIRST))
    assert found["funny"] == ("Yes", "discussed") and found["styles"][1] == "agreed"
    third = gold(stage(otherwise=["third"]), FIRST, other, third=other)
    assert third["funny"] == ("No", "third") and third["styles"][1] == "agreed"
    votes = gold(stage(rule="votes", otherwise=["third"]), FIRST, other, third=FIRST)
    assert votes["funny"] == ("Yes", "voted")
    assert gold(stage(people=1), FIRST)["why"] == ("Because.", "alone")
    assert gold(stage(), FIRST, FIRST, origin="draft")["funny"] == ("Yes", "draft")
    assert {by for _, by in gold(stage(), FIRST, SECOND, by_lead=True).values()} == {"lead"}


def test_what_is_not_compared_is_the_third_persons_where_they_decided() -> None:
    other = {**FIRST, "funny": "No", "why": "It is not."}
    third = {**other, "why": "I know it."}
    rule = stage(otherwise=["third"])
    assert gold(rule, FIRST, other, third=third)["why"] == ("I know it.", "third")
    silent = {name: value for name, value in third.items() if name != "why"}
    assert gold(rule, FIRST, other, third=silent)["why"] == ("", "differing")
    by_votes = stage(rule="votes", otherwise=["third"])
    assert gold(by_votes, FIRST, other, third=third)["why"] == ("", "differing")
    assert gold(by_votes, FIRST, other, third=other)["why"] == ("It is not.", "voted")


def depending(rule: str = "equal", **more: Any) -> Stage:
    """A stage in which one question depends on another, and a third on that."""
    questions = [
        {"kind": "single", "name": "dry", "options": ["Yes", "No"], **more},
        {"kind": "single", "name": "at", "options": ["boss", "self"]}
        | {"when": {"question": "dry", "values": ["Yes"]}},
        {"kind": "text", "name": "which", "compared": False}
        | {"when": {"question": "at", "values": ["boss"]}},
    ]
    titled = [{"title": one["name"], **one} for one in questions]
    settling = {"rule": rule, "otherwise": ["third"]}
    about = {"name": "s", "title": "S", "people": 2, "questions": titled, "settling": settling}
    return Stage.model_validate(about)


MEANT, PLAIN = {"dry": "Yes", "at": "boss", "which": "hers"}, {"dry": "No"}


@pytest.mark.parametrize(("rule", "by"), [("equal", "third"), ("votes", "voted")])
def test_what_is_not_asked_given_what_was_settled_does_not_differ(rule: str, by: str) -> None:
    unasked = ("", "unasked")
    found = gold(depending(rule), MEANT, PLAIN, third=PLAIN)
    assert found == {"dry": ("No", by), "at": unasked, "which": unasked}
    other = {"dry": "Yes", "at": "self"}
    found = gold(depending(), MEANT, PLAIN, third=other)
    assert found == {"dry": ("Yes", "third"), "at": ("self", "third"), "which": unasked}


def test_what_depends_on_something_that_differs_differs_too() -> None:
    rule = depending(compared=False)
    at = rule.questions[1].model_copy(update={"compared": False})
    rule = rule.model_copy(update={"questions": (rule.questions[0], at)})
    assert gold(rule, PLAIN, {"dry": "Yes", "at": "boss"}) == {
        "dry": ("", "differing"),
        "at": ("", "differing"),
    }


def test_where_no_majority_decided_the_third_person_did() -> None:
    keeping = [{"funny": one} for one in ("Yes", "No", "No", "Yes")]
    rule = stage(4, rule="majority", verdict="funny", discards=["No"], otherwise=["third"])
    assert gold(rule, *keeping, third={"funny": "Perhaps"})["funny"] == ("Perhaps", "third")
    assert gold(rule, *keeping, third={"funny": "Yes"})["funny"] == ("Yes", "third")


def test_the_way_in_which_most_keep_an_item_was_voted() -> None:
    rule = stage(3, rule="objection", verdict="funny")
    found = gold(rule, {"funny": "Yes"}, {"funny": "No"}, {"funny": "No"})
    assert found["funny"] == ("No", "voted")


def test_of_what_is_not_settled_only_the_state_is_said() -> None:
    (row,) = rows(stage(), FIRST, {**FIRST, "funny": "No"})
    assert (row["state"], row["question"], row["value"]) == ("disputed", "", "")
    objecting = stage(rule="objection", verdict="funny", discards=["No"])
    (row,) = rows(objecting, FIRST, {**FIRST, "funny": "No"})
    assert (row["state"], row["question"], row["value"]) == ("discarded", "", "")
