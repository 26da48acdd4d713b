"""How many people a study takes at least."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.core.study.least_people import least_people, least_people_words
from deadpan.core.study.specification import Study
from tests.cli.conftest import Deadpan
from tests.cli.conftest import deadpan as deadpan
from tests.studies.template_world import make

FIRST = {
    "name": "first",
    "title": "First",
    "questions": [
        {"kind": "text", "name": "why", "title": "Why?"},
    ],
}
OTHERS = {**FIRST, "name": "second", "others": True}
THIRD = {"rule": "equal", "otherwise": ["discuss", "third"]}
REVIEW = {"question": "why", "points": [{"en": "clear"}], "needed": 1}


def study(*stages: object, **more: object) -> Study:
    return Study.model_validate({"name": "s", "title": "S", "stages": stages, **more})


@pytest.mark.parametrize(
    ("made", "least"),
    [
        (study(FIRST), {"rater": 2}),
        (study({**FIRST, "people": None}), {"rater": 1}),
        (study(FIRST, {**OTHERS, "others": False, "people": 3}), {"rater": 3}),
        (study(FIRST, OTHERS), {"rater": 4}),
        (study(FIRST, OTHERS, teams=3), {"rater": 6}),
        (study(FIRST, {**OTHERS, "people": 5}, teams=3), {"rater": 7}),
        (study({**FIRST, "settling": THIRD}), {"rater": 2, "adjudicator": 1}),
        (
            study({**FIRST, "settling": THIRD, "review": REVIEW}),
            {"rater": 2, "adjudicator": 2},
        ),
        (
            study({**FIRST, "settling": {**THIRD, "third_sees": True}, "review": REVIEW}),
            {"rater": 2, "adjudicator": 1},
        ),
        (study(FIRST, practice={"by_person": True}), {"rater": 2, "adjudicator": 1}),
        (study(FIRST, batches={"size": 5, "checked": 1}), {"rater": 2, "lead": 1}),
        (study({**FIRST, "role": "adjudicator", "people": 3}), {"adjudicator": 3}),
    ],
)
def test_least_people(made: Study, least: dict[str, int]) -> None:
    assert least_people(made) == least


def test_second_passes_take_other_people() -> None:
    words = least_people_words(make("cfms/labels", teams="1").study)
    assert words == "4 raters, 1 adjudicator"
    words = least_people_words(make("cfms/labels", teams="3").study)
    assert words == "6 raters (2 in each of 3 teams), 1 adjudicator"


def test_create_says_it(tmp_path: Path, deadpan: Deadpan) -> None:
    given = ("--set", "teams=1", "--set", "split=test", "--out", tmp_path / "study")
    run = deadpan("study", "create", "cfms/labels", *given)
    assert run.code == 0 and "it takes at least 4 raters, 1 adjudicator" in run.out
