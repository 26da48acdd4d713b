"""A study's folder where files of what people said are expected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Deadpan
from tests.studies import template_world
from tests.studies.robots import everybody, room_of, work_together


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


def test_errors_name_the_study_and_no_file_that_is_gone(rated: Path, deadpan: Deadpan) -> None:
    run = deadpan("ratings", rated, "--benchmark", "merbench")
    assert run.code == 2
    assert str(rated) in run.err.replace("\n", "") and "deadpan-said" not in run.err


def test_what_it_has_not_is_said(rated: Path, deadpan: Deadpan) -> None:
    run = deadpan("choices", rated)
    assert run.code == 2
    assert "the study has no choices; it has ratings" in run.err
