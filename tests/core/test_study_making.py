"""What templates make studies with."""

from __future__ import annotations

from random import Random

import pytest
from pydantic import ValidationError

from deadpan.core.study.exports import SettledItem, StudyExport
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.making import (
    changed,
    draw,
    notes_on,
    settled_answers,
    with_checks,
    with_people,
)
from deadpan.core.study.specification import Study

STUDY = Study.model_validate(
    {
        "name": "toy",
        "title": "Toy",
        "stages": [
            {
                "name": name,
                "title": name,
                "role": role,
                "questions": [{"name": f"{name}_q", "kind": "likert", "title": "?"}],
            }
            for name, role in (("one", "rater"), ("two", "adjudicator"))
        ],
    }
)
ITEM = StudyItem(key="a", parts=(Part(name="text", kind="text", text="hi"),))


def test_a_sample_has_its_strata_in_proportion_and_keeps_the_order() -> None:
    records = [f"{'e' if number % 4 else 'z'}{number}" for number in range(40)]
    drawn = draw(Random(1), records, 8, lambda record: record[0])
    assert drawn == sorted(drawn, key=records.index)
    assert [one[0] for one in drawn].count("z") == 2
    assert draw(Random(1), records, 8, lambda record: record[0]) == drawn
    assert draw(Random(1), records, 0) == records == draw(Random(1), records, 99)


@pytest.mark.parametrize("count", range(1, 12))
def test_a_sample_is_as_large_as_asked_for(count: int) -> None:
    records = ["a"] * 5 + ["b"] * 4 + ["c"] * 3
    assert len(draw(Random(0), records, count, str)) == count


def test_people_are_raters_and_none_is_everybody() -> None:
    assert [stage.people for stage in with_people(STUDY, 5).stages] == [5, 2]
    assert [stage.people for stage in with_people(STUDY, 0).stages] == [None, 2]


def test_a_change_is_checked() -> None:
    with pytest.raises(ValidationError):
        changed(STUDY, teams=0)


def test_checks_are_spread_and_forgive_a_neighbour() -> None:
    checked = with_checks(STUDY, 30, 2)
    assert checked.checks_every == 10
    (question,) = checked.stages[0].questions
    assert question.agree(2, 1) and not question.agree(3, 1)
    assert with_checks(STUDY, 30, 0) == STUDY


def test_what_is_missing_or_tells_its_maker_is_said() -> None:
    picture = Part(name="picture", kind="picture", path="/nowhere/1.png")
    words = Part(name="text", kind="text", text="I am Qwen, and I laughed")
    output = Output(source="openrouter/Qwen2.5-VL", parts=(words,))
    found = [*notes_on([StudyItem(key="a", parts=(picture,), outputs=(output,))])]
    assert found[0] == "1 file of 1 is not there: /nowhere/1.png"
    assert found[1].startswith("1 output may tell who made it")
    assert [*notes_on([ITEM])] == []


def test_only_what_every_stage_settled_is_settled() -> None:
    def one(unit: int, stage: str, state: str) -> SettledItem:
        return SettledItem(unit, ITEM, stage, state, {f"{stage}_q": unit}, "")

    rows = [one(1, "one", "settled"), one(1, "two", "settled"), one(2, "one", "settled")]
    rows += [one(3, "one", "settled"), one(3, "two", "discarded")]
    export = StudyExport(STUDY, 1, [], rows, [], [])
    assert [said for _, said in settled_answers(export)] == [{"one_q": 1, "two_q": 1}]
    assert len([*settled_answers(export, ["one"])]) == 3
