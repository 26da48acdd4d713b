"""What else stands in exports: hidden checks, batches, Label Studio's tasks."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from pydantic import JsonValue
from sqlalchemy import select

from deadpan.core.study.exports import StudyExport
from deadpan.core.study.items import Part, StudyItem, Turn
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.studies.lead.deciding import settle_by_lead
from deadpan.studies.people import accounts
from deadpan.studies.results.export_files import export_tables, write_export
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.tables import PersonRow, TaskRow
from tests.studies.every_kind import QUESTIONS, answered, items
from tests.studies.robots import everybody, room_of, work_together
from tests.studies.study_room import words

CHECKED: dict[str, Any] = {
    "name": "checked",
    "title": "Checked",
    "checks_every": 2,
    "teams": 1,
    "batches": {"size": 2, "checked": 0},
    "stages": [
        {
            "name": "label",
            "title": "Label",
            "people": 2,
            "questions": [
                {"kind": "single", "name": "funny", "title": "Funny?", "options": ["Yes", "No"]}
            ],
        }
    ],
}


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_checks_name_their_item_and_batches_their_team(tmp_path: Path) -> None:
    jokes = items(tmp_path / "files")
    check = {"key": "check-1", "kind": "check", "gold": {"funny": "Yes"}}
    everything = [*jokes, jokes[0].model_copy(update=check)]
    room = room_of(tmp_path / "study", Study.model_validate(CHECKED), everything)
    with everybody(room.joined("Ann", team=1), room.joined("Bo", team=1)) as people:
        work_together(people, lambda question, item, draw: "Yes")
    write_export(gather(room.study), tmp_path / "out", "csv")
    checks = table(tmp_path / "out/checks.csv")
    assert [tuple(row.values()) for row in checks] == [
        ("check-1", f"rater-{at}", "funny", "True") for at in (1, 2)
    ]
    named = {row["batch"] for row in table(tmp_path / "out/annotations.csv")}
    assert named == {"team 1 batch 1", "team 1 batch 2"}
    assert "`team 1 batch 2`" in (tmp_path / "out/datasheet.md").read_text("utf-8")
    assert {row["by"] for row in table(tmp_path / "out/gold.csv")} == {"agreed"}
    room.study.database.close()


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyExport]:
    with answered(tmp_path_factory.mktemp("every") / "study") as room:
        yield gather(room.study)


def test_label_studio_has_the_pictures_and_a_form_that_fits(
    export: StudyExport, tmp_path: Path
) -> None:
    written = write_export(export, tmp_path, "label-studio")
    tasks = json.loads((tmp_path / "label-studio.json").read_text("utf-8"))
    form = ElementTree.fromstring((tmp_path / "label-studio.xml").read_text("utf-8"))
    assert len(tasks) == 4
    for task in tasks:
        served = task["data"]["picture"].removeprefix("/data/local-files/?d=")
        assert tmp_path / served in written
        assert Image.open(tmp_path / served).format == "WEBP" and served.endswith(".webp")
        assert task["data"]["source_1"] == "haiku-0" and task["meta"]["people"][0] == "rater-1"
    tags = {tag.get("name"): tag for tag in form if tag.get("name")}
    needed = {tag.get("value", "")[1:] for tag in form if tag.get("value", "").startswith("$")}
    assert needed <= set(tasks[0]["data"])
    results = [one for task in tasks for own in task["annotations"] for one in own["result"]]
    for one in results:
        tag = tags[one["from_name"]]
        assert tag.tag.lower() == one["type"]
        assert tag.get("toName") == one["to_name"] and one["to_name"] in tags
        offered = {choice.get("value") for choice in tag}
        assert set(one["value"].get("choices", ())) <= offered
    asked = {one["from_name"].removeprefix("first.") for one in results}
    assert {one["name"] for one in QUESTIONS} <= asked
    boxes = [one["value"] for one in results if one["from_name"] == "where"]
    assert all(one["rectanglelabels"] == ["where"] and one["height"] == 100 for one in boxes)
    assert [choice.get("value") for choice in tags["mood"]] == ["joy", "awe"]
    assert {"$source_1", "$source_2"} <= {tag.get("value") for tag in form.iter("Header")}
    assert not any(own["ground_truth"] for task in tasks for own in task["annotations"])


def test_label_studio_has_the_pictures_of_the_last_stage(
    export: StudyExport, tmp_path: Path
) -> None:
    last, (first, *_) = export.study.stages[-1].name, sorted(export.files)

    def numbered(item: StudyItem) -> StudyItem:
        picture, *others = item.parts
        return item.model_copy(
            update={"parts": (picture.model_copy(update={"path": first}), *others)}
        )

    said = [
        replace(one, item=numbered(one.item)) if one.stage == last else one for one in export.said
    ]
    written = write_export(replace(export, said=said), tmp_path, "label-studio")
    for task in json.loads((tmp_path / "label-studio.json").read_text("utf-8")):
        served = task["data"]["picture"].removeprefix("/data/local-files/?d=")
        assert served.removeprefix("media/") == export.files[first].name
        assert tmp_path / served in written


MIXED: dict[str, Any] = {
    "name": "mixed",
    "title": "Mixed",
    "stages": [
        {
            "name": "look",
            "title": "Look",
            "people": 1,
            "questions": [
                {"kind": "single", "name": "funny", "title": "For $5?", "options": ["No", "$5"]},
                {
                    "kind": "multiple",
                    "name": "why_not",
                    "title": "Why not?",
                    "options": ["dull", "crude"],
                    "when": {"question": "funny", "values": ["No"]},
                    "otherwise": ["NA"],
                },
                {"kind": "span", "name": "target", "title": "At?", "of": ["text", "more"]},
            ],
        }
    ],
}


def test_label_studio_takes_dollars_and_items_of_different_parts(tmp_path: Path) -> None:
    """Label Studio 1.23 fails on a dialogue without turns, takes a dollar for a variable, and has a
    control for each text in which words are selected."""
    talk = Part(name="talk", kind="dialogue", turns=(Turn(speaker="A", text="So funny."),))
    mixed = [
        StudyItem(key="a", language="en", parts=(talk, words("Hear, hear."))),
        StudyItem(key="b", language="en", parts=(words("Ha."), words("Oh dear.", "more"))),
    ]
    room = room_of(tmp_path / "study", Study.model_validate(MIXED), mixed)

    def choose(question: Question, item: StudyItem, draw: random.Random) -> JsonValue:
        if question.name == "funny":
            return "$5"
        part = item.parts[-1]
        return {"part": part.name, "start": 0, "end": 2, "text": part.text[:2]}

    with everybody(room.joined("Ann")) as people:
        work_together(people, choose)
    write_export(gather(room.study), tmp_path / "out", "label-studio")
    room.study.database.close()
    form = ElementTree.fromstring((tmp_path / "out" / "label-studio.xml").read_text("utf-8"))
    tasks = json.loads((tmp_path / "out" / "label-studio.json").read_text("utf-8"))
    by_key = {task["meta"]["key"]: task for task in tasks}
    assert by_key["b"]["data"]["talk"] == [{"author": "", "text": ""}]
    controls = {tag.get("name"): tag.get("toName") for tag in form if tag.get("toName")}
    for task in tasks:
        for one in task["annotations"][0]["result"]:
            assert controls[one["from_name"]] == one["to_name"]
    asked = next(tag for tag in form if tag.get("name") == "why_not")
    assert [choice.get("value") for choice in asked] == ["dull", "crude", "NA"]
    (spoken,) = [tag for tag in form.iter("Choice") if "5" in str(tag.get("value"))]
    assert spoken.get("alias") == "$5" and "$5" not in str(spoken.get("value"))
    assert not any("$5" in str(tag.get("value")) for tag in form.iter("Header"))


def test_what_a_lead_settles_is_gold_by_the_lead(tmp_path: Path) -> None:
    study = Study.model_validate(CHECKED | {"batches": None, "checks_every": None})
    room = room_of(tmp_path / "study", study, items(tmp_path / "files", 1))
    said = iter(("Yes", "No"))
    with everybody(room.joined("Ann"), room.joined("Bo")) as people:
        work_together(people, lambda question, item, draw: next(said))
    (row,) = export_tables(gather(room.study))["gold"]
    assert (row["state"], row["value"]) == ("disputed", "")
    with room.study.database.write() as session:
        accounts.invite(session, room.study, "Dana", "lead")
        lead = session.scalars(select(PersonRow).where(PersonRow.role == "lead")).one()
        task = session.scalars(select(TaskRow).order_by(TaskRow.id)).first()
        assert task is not None
        settle_by_lead(session, room.study, lead, task.item, "label", task.id)
    (row,) = export_tables(gather(room.study))["gold"]
    assert (row["state"], row["value"], row["by"]) == ("settled", "Yes", "lead")
    room.study.database.close()
