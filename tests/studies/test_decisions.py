"""What people said in a discussion, and as the third person, is in the exports too."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.pipeline.agreement import find_agreement
from deadpan.studies.results.agreement import study_agreement
from deadpan.studies.results.export_files import export_tables, write_export
from deadpan.studies.results.gathering import gather
from tests.studies.study_room import (
    Person,
    Room,
    a_study,
    chosen,
    explained,
    left,
    rated,
    served,
    words,
)

THIRD: dict[str, Any] = {"rule": "equal", "otherwise": ["discuss", "third"]}
TEXT = "My boss loves Mondays."
STUDY = Study.model_validate(
    {
        "name": "dry",
        "title": "Dry",
        "stages": [
            {
                "name": "look",
                "title": "Look",
                "people": 2,
                "settling": THIRD,
                "questions": [
                    {"kind": "single", "name": "dry", "title": "Dry?", "options": ["Yes", "No"]},
                    {
                        "kind": "text",
                        "name": "target",
                        "title": "At whom?",
                        "when": {"question": "dry", "values": ["Yes"]},
                    },
                    *(
                        {"title": one["name"], "compared": False, **one}
                        for one in (
                            {"kind": "text", "name": "why"},
                            {"kind": "slider", "name": "warmth", "highest": 10},
                            {"kind": "number", "name": "laughs", "highest": 9},
                            {"kind": "span", "name": "words", "of": ["text"]},
                            {"kind": "order", "name": "order", "options": ["a", "b"]},
                        )
                    ),
                ],
            }
        ],
    }
)


def _selected(start: int, end: int) -> str:
    return json.dumps({"part": "text", "start": start, "end": end, "text": TEXT[start:end]})


def _said(dry: str, at: int, **more: Any) -> dict[str, Any]:
    """Answers to every question, each person's their own."""
    own = {"why": f"Because {at}.", "warmth": at, "laughs": at + 1, "words": _selected(0, 2 + at)}
    return {"dry": dry, **own, "order": json.dumps(["a", "b"] if at % 2 else ["b", "a"]), **more}


def _decided(room: Room, third: dict[str, Any]) -> tuple[Person, ...]:
    """Two who cannot agree, one of whom thinks better of a reason, and a third who decides."""
    ann, bo = room.person("Ann"), room.person("Bo")
    chen = room.person("Chen", "adjudicator")
    ann.submit(ann.task() or "", **_said("Yes", 1, target="the boss"))
    bo.submit(bo.task() or "", **_said("No", 2))
    ann.answer(ann.task() or "", why="On second thoughts.")
    for person in (ann, bo):
        person.post(f"/t/{person.task()}/disagree")
    chen.submit(chen.task() or "", **third)
    return ann, bo, chen


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    items = [StudyItem(key="one", parts=(words(TEXT),))]
    yield from left(served(tmp_path / "study", STUDY, items))


def _table(folder: Path, name: str, form: str) -> list[dict[str, Any]]:
    path = folder / f"{name}.{form}"
    if form == "parquet":
        return pl.read_parquet(path).to_dicts()
    if form == "jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_what_was_said_in_a_discussion_and_as_the_third_is_in_the_files(
    form: str, room: Room, tmp_path: Path
) -> None:
    _decided(room, _said("Yes", 3, target="bosses"))
    write_export(gather(room.study), tmp_path, form)
    found: dict[tuple[str, str], dict[str, str]] = {}
    places: dict[str, str] = {}
    for row in _table(tmp_path, "decisions", form):
        assert (row["item"], row["stage"]) == ("one", "look")
        found.setdefault((row["person"], row["kind"]), {})[row["question"]] = str(row["value"])
        if row["question"] == "words":
            places[row["person"]] = row["place"]
    assert found["adjudicator-1", "third"] == {
        "dry": "Yes",
        "target": "bosses",
        "why": "Because 3.",
        "warmth": "3",
        "laughs": "4",
        "words": "My bo",
        "order": "a > b",
    }
    assert places["adjudicator-1"] == "text:0-5"
    assert found["rater-1", "discuss"]["why"] == "On second thoughts."
    sheet = (tmp_path / "datasheet.md").read_text("utf-8")
    files = [line.split("`")[1] for line in sheet.splitlines() if line.startswith("| `")]
    assert sorted(files) == sorted(one.stem for one in tmp_path.glob(f"*.{form}"))
    assert found["rater-2", "discuss"]["why"] == "Because 2." and len(found) == 3
    own = [row for row in _table(tmp_path, "annotations", form) if row["question"] == "why"]
    assert {row["annotator"]: row["value"] for row in own} == {
        "rater-1": "Because 1.",
        "rater-2": "Because 2.",
    }


def test_agreement_is_not_measured_on_it(room: Room, tmp_path: Path) -> None:
    _decided(room, _said("Yes", 3, target="bosses"))
    export = gather(room.study)
    write_export(export, tmp_path, "csv")
    by_file = find_agreement(find("pixelhumor"), [tmp_path / "annotations.csv"]).scores
    ours = {(one.task, one.metric, one.group): one.value for one in study_agreement(export)}
    assert {(one.task, one.metric, one.group): one.value for one in by_file} == ours
    assert not any("adjudicator" in group for _, _, group in ours)
    with pytest.raises(DeadpanError, match='got "discuss"'):
        find_agreement(find("pixelhumor"), [tmp_path / "decisions.csv"])


def test_gold_takes_what_the_third_said_of_what_is_not_compared(room: Room) -> None:
    _decided(room, _said("Yes", 3, target="bosses"))
    rows = export_tables(gather(room.study))["gold"]
    assert {row["question"]: (row["value"], row["by"]) for row in rows} == {
        "dry": ("Yes", "third"),
        "target": ("bosses", "third"),
        "why": ("Because 3.", "third"),
        "warmth": (3, "third"),
        "laughs": (4, "third"),
        "words": ("My bo", "third"),
        "order": ("a > b", "third"),
    }


def test_what_a_decision_leaves_unasked_is_no_disagreement(room: Room) -> None:
    _decided(room, _said("No", 3))
    tables = export_tables(gather(room.study))
    (target,) = [row for row in tables["gold"] if row["question"] == "target"]
    assert (target["value"], target["by"]) == ("", "unasked")
    assert {row["question"] for row in tables["disagreements"]} == {"dry"}
    said = [row for row in tables["annotations"] if row["question"] == "target"]
    assert [row["value"] for row in said] == ["the boss"], "what she said stays"


def test_until_it_is_decided_it_is_one(room: Room) -> None:
    ann, bo = room.person("Ann"), room.person("Bo")
    ann.submit(ann.task() or "", **_said("Yes", 1, target="the boss"))
    bo.submit(bo.task() or "", **_said("No", 2))
    rows = export_tables(gather(room.study))["disagreements"]
    assert {row["question"] for row in rows} == {"dry", "target"}


def test_a_rating_that_was_talked_over_has_its_note_once(tmp_path: Path) -> None:
    stage = rated(people=2, settling=THIRD)
    items = [explained("one", model="A pun.")]
    for room in left(served(tmp_path / "study", a_study(stage, produces="ratings"), items)):
        ann, bo = room.person("Ann"), room.person("Bo")
        ann.submit(ann.task() or "", rating=2, why="It is.")
        bo.submit(bo.task() or "", rating=6, why="It is.")
        ann.submit(ann.task() or "", rating=6)
        tables = export_tables(gather(room.study))
        assert [(row["rating"], row["note"]) for row in tables["ratings"]] == [
            (2, "It is."),
            (6, "It is."),
        ]
        ended = [row["value"] for row in tables["decisions"] if row["question"] == "rating"]
        assert ended == [6, 6] and "annotations" not in tables


def test_a_choice_that_was_talked_over_counts_once_and_its_reason_is_kept(tmp_path: Path) -> None:
    why = rated().questions[1].model_copy(update={"compared": False})
    better = chosen("pairwise", people=2, settling=THIRD)
    stage = better.model_copy(update={"questions": (*better.questions, why)})
    items = [explained("one", model="A pun.", other="Irony.")]
    for room in left(served(tmp_path / "study", a_study(stage, produces="choices"), items)):
        ann, bo = room.person("Ann"), room.person("Bo")
        hers = room.study.outputs_shown(ann.number, 1, items[0])
        his = room.study.outputs_shown(bo.number, 1, items[0])
        ann.submit(ann.task() or "", best=hers.index(0), why="It is short.")
        bo.submit(bo.task() or "", best=his.index(1), why="It is long.")
        ann.submit(ann.task() or "", best=hers.index(1))
        tables = export_tables(gather(room.study))
        assert sorted(row["choice"] for row in tables["choices"]) == ["model", "other"]
        assert [
            (row["annotator"], row["question"], row["value"]) for row in tables["annotations"]
        ] == [
            ("rater-1", "why", "It is short."),
            ("rater-2", "why", "It is long."),
        ]
