"""A study's folder where files of what people said are expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.core.study.specification import Study
from deadpan.studies.results.gathering import gather
from tests.cli.conftest import Deadpan
from tests.studies import template_world
from tests.studies.every_kind import answered, every_kind, items
from tests.studies.robots import everybody, room_of, work_together

REVIEWED: dict[str, Any] = {
    "name": "reviewed",
    "title": "Reviewed",
    "produces": "ratings",
    "stages": [
        {
            "name": "rate",
            "title": "Rate",
            "people": 2,
            "settling": {"rule": "independent"},
            "review": {"question": "why", "points": [{"en": "clear"}, {"en": "true"}], "needed": 2},
            "questions": [
                {"kind": "likert", "name": "taste", "title": "Taste"},
                {"kind": "text", "name": "why", "title": "Why?"},
            ],
        }
    ],
}


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    """A study in which three people rated two answers."""
    made = template_world.make("janusmm/rating", sample="2")
    room = room_of(tmp_path / "study", made.study, [i for i in made.items if i.kind == "main"][:2])
    with everybody(*(room.joined(name) for name in ("Ann", "Bo", "Chen"))) as people:
        work_together(people)
    room.study.database.close()
    return tmp_path / "study"


def test_ratings_are_read_from_it(rated: Path, deadpan: Deadpan) -> None:
    run = deadpan("ratings", rated, "--benchmark", "janusmm")
    assert run.code == 0 and "by 3 raters" in run.out + run.err


def test_ratings_are_of_the_studys_benchmark(tmp_path: Path, deadpan: Deadpan) -> None:
    made = template_world.make("merbench/validation")
    items = [item for item in made.items if item.kind == "main"][:2]
    room = room_of(tmp_path / "study", made.study, items)
    with everybody(*(room.joined(name) for name in ("Ann", "Bo", "Chen"))) as people:
        work_together(people)
    room.study.database.close()
    run = deadpan("ratings", tmp_path / "study", "--json", tmp_path / "found.json")
    assert run.code == 0, run.err
    assert json.loads((tmp_path / "found.json").read_text("utf-8"))["benchmark"] == "merbench"


def test_what_it_has_not_is_said(rated: Path, deadpan: Deadpan) -> None:
    run = deadpan("choices", rated)
    assert run.code == 2
    assert "the study has no choices; it has ratings" in run.err


def test_ratings_of_ones_own_need_no_benchmark(tmp_path: Path, deadpan: Deadpan) -> None:
    with answered(tmp_path / "study", every_kind(benchmark="")):
        pass
    assert deadpan("study", "export", tmp_path / "study", "--format", "csv").code == 0
    for given in (tmp_path / "study", tmp_path / "study/export/ratings.csv"):
        for more in ((), ("--benchmark", "pixelhumor"), ("--benchmark", "cfms")):
            run = deadpan("ratings", given, *more)
            assert run.code == 0, run.err
            assert "times_chosen" in run.out and "best: 12 choices by 3 raters" in run.out + run.err
    run = deadpan("ratings", tmp_path / "study", "--plots", tmp_path / "plots")
    assert run.code == 2 and "--plots" in run.err


def test_what_waits_for_a_reviewer_is_said(tmp_path: Path, deadpan: Deadpan) -> None:
    study = Study.model_validate(REVIEWED)
    jokes = [
        one.model_copy(update={"outputs": one.outputs[:1]}) for one in items(tmp_path / "files", 3)
    ]
    room = room_of(tmp_path / "study", study, jokes)
    with everybody(room.joined("Ann"), room.joined("Bo")) as people:
        work_together(people)
    assert gather(room.study).waiting == 6
    run = deadpan("ratings", tmp_path / "study")
    said = "no ratings; it has times; 6 answered tasks wait for a reviewer"
    assert run.code == 2 and said in " ".join(run.err.split())
    run = deadpan("study", "agreement", tmp_path / "study")
    assert run.code == 2 and "no answer counts yet; 6 answered tasks wait" in run.err
    with everybody(room.joined("Judge", "adjudicator")) as people:
        work_together(people)
    assert gather(room.study).waiting == 0
    assert deadpan("ratings", tmp_path / "study").code == 0
    room.study.database.close()
