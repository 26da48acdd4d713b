"""A study's folder where files of what people said are expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Deadpan
from tests.studies import template_world
from tests.studies.every_kind import answered, every_kind
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
