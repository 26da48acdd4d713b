"""What a study exports is what the commands for such files read."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.benchmarks import find
from deadpan.core.score import Score
from deadpan.core.study.exports import StudyExport
from deadpan.pipeline.agreement import find_agreement
from deadpan.pipeline.rating import rate_answers, rate_by_own_scales
from deadpan.studies.results.agreement import study_agreement
from deadpan.studies.results.export_files import write_export
from deadpan.studies.results.gathering import gather
from tests.studies.every_kind import QUESTIONS, SAMPLES, answered

NAMES = {one["name"] for one in QUESTIONS} - {"taste"} | {"first.taste", "second.taste"}


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyExport]:
    with answered(tmp_path_factory.mktemp("every") / "study") as room:
        yield gather(room.study)


def values(scores: list[Score]) -> dict[tuple[str, str, str], float | None]:
    return {(one.task, one.metric, one.group): one.value for one in scores}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_agreement_is_the_same_by_the_study_and_by_its_file(
    form: str, export: StudyExport, tmp_path: Path
) -> None:
    write_export(export, tmp_path, form)
    ours = values([one for one in study_agreement(export) if one.task != "ratings"])
    agreed = find_agreement(find("pixelhumor"), [tmp_path / f"annotations.{form}"])
    assert values(list(agreed.scores)) == ours
    assert {task for task, _, _ in ours} == NAMES
    assert not any("asks no question" in note for note in agreed.notes)


def test_every_kind_has_a_measure_that_fits_it(export: StudyExport) -> None:
    found = {(one.task, one.metric) for one in study_agreement(export)}
    named = {one.asked["name"]: one.measure for one in SAMPLES if one.asked in QUESTIONS}
    fitting = {("first.taste" if name == "taste" else name): one for name, one in named.items()}
    assert set(fitting.items()) <= found


def test_values_have_one_form(export: StudyExport, tmp_path: Path) -> None:
    write_export(export, tmp_path, "csv")
    with (tmp_path / "annotations.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    said: dict[str, set[str]] = {}
    kinds: dict[str, str] = {}
    for row in rows:
        said.setdefault(row["question"], set()).add(row["value"])
        kinds[row["question"]] = row["kind"]
    assert said["first.taste"] <= set("1234567")
    assert said["warmth"] <= {"0", "0.25", "1"}
    assert said["best"] <= {"haiku-0", "haiku-1"}
    assert all(value.startswith("[[0.0, 0.0, ") for value in said["where"])
    assert {"pun;irony", '["pun", "dry; very"]', '["[sic]"]'} & said["styles"]
    assert kinds["where"] == "boxes" and kinds["force"] == "weak < middle < strong"
    assert kinds["order"] == "order" and kinds["styles"] == "labels"
    assert "NA" not in said["regret"]  # what was not asked is no point of a scale


def test_choices_of_the_best_are_counted(export: StudyExport, tmp_path: Path) -> None:
    write_export(export, tmp_path, "csv")
    found = rate_answers(find("pixelhumor"), [tmp_path / "ratings.csv"])
    alone = rate_by_own_scales([tmp_path / "ratings.csv"])
    counts = [one for one in found.own if one.metric == "times_chosen" and one.group == "best"]
    # Three people chose about four jokes.
    assert sum(one.value or 0 for one in counts) == 12
    assert {one.model for one in counts} == {"haiku-0", "haiku-1"}
    by_study = [one for one in study_agreement(export) if one.task == "ratings"]
    for ours in (found.own, alone.own):
        assert [(one.model, one.metric, one.group, one.value) for one in ours] == [
            (one.model, one.metric, one.group, one.value) for one in by_study
        ]
