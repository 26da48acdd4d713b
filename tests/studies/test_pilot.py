"""MER-Bench from find over resolve to label: a pilot's disagreements, what experts made of them,
and what the next study takes over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.making import changed
from deadpan.core.study.specification import Study
from deadpan.core.study_rows import study_rows
from deadpan.studies.making.catalogue import make_study, own_template
from deadpan.studies.making.creating import create_study
from deadpan.studies.results.export_files import export_tables, write_export
from deadpan.studies.results.gathering import gather
from tests.studies.study_room import Person, Room, left, served
from tests.studies.template_world import data, make

LABELS = {
    "det_emo": "sad",
    "visual_type": "Cartoon_Anime",
    "sentiment_polarity": "Negative",
    "layout_type": "SinglePanel_Meme",
}
UNCLEAR = "Is tiredness sad, or bored?"
SAID = "She only yawns <b>."
GUIDELINES = "# Emotion\nTiredness alone is **bored**."


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue("postgres_url") if request.param != "sqlite" else ""
    return found


@pytest.fixture
def room(tmp_path: Path, url: str) -> Iterator[Room]:
    made = make("merbench/construction", sample="4", people="2")
    yield from left(served(tmp_path / "pilot", made.study, made.items, database=url))


def _labels(person: Person, **others: str) -> str:
    task = person.task()
    assert task is not None
    person.submit(task, **LABELS | others)
    return task


def _piloted(room: Room) -> None:
    """Two people label four memes. They differ on one, cannot agree, and an expert decides; the
    lead puts into the guidelines what came of it."""
    ann, bo = room.person("Ann"), room.person("Bo")
    expert, lead = room.person("Chen", "adjudicator"), room.person("Dana", "lead")
    first = _labels(ann, det_emo="bored", unclear=UNCLEAR)
    assert first and "Ask a model" not in ann.get(f"/t/{first}").text
    for _ in range(3):
        _labels(ann)
    while "Talk it over" not in bo.get(f"/t/{bo.task()}").text:
        _labels(bo)
    task = ann.task()
    ann.post(f"/t/{task}/say", text=SAID)
    for person in (ann, bo):
        person.post(f"/t/{person.task()}/disagree")
    bo.work(**LABELS)
    task = expert.task() or ""
    page = expert.get(f"/t/{task}").text
    assert UNCLEAR in page and "She only yawns &lt;b&gt;." in page and "The other" not in page
    expert.submit(task, **LABELS | {"det_emo": "bored"})
    lead.post("/lead/guidelines", en=GUIDELINES)


def _exported(room: Room, folder: Path, form: str = "csv") -> StudyExport:
    export = gather(room.study)
    write_export(export, folder, form, own_template(room.study.study))
    return export


def test_from_find_over_resolve_to_label(room: Room, tmp_path: Path, url: str) -> None:
    _piloted(room)
    export = _exported(room, tmp_path / "out")
    (resolved,) = {one.item.key for one in export.settled if one.result.get("det_emo") == "bored"}
    rows = [row for _, row in study_rows(tmp_path / "out" / "disagreements.csv")]
    assert {(row["item"], row["question"], row["settled"], row["by"]) for row in rows} == {
        (resolved, "det_emo", "bored", "third")
    }
    told = {row["annotator"]: (row["value"], row["words"], row["said"]) for row in rows}
    assert told == {"rater-1": ("bored", UNCLEAR, SAID), "rater-2": ("sad", "", "")}

    settings = {"phase": "label", "pilot": str(tmp_path / "out"), "people": "3", "practice": "10"}
    made = make("merbench/construction", **settings)
    study: Study = made.study
    assert study.guidelines["en"] == GUIDELINES and "源情绪" in study.guidelines["zh"]
    assert all(stage.guidelines == {} for stage in study.stages), "the pilot's own section"
    assert study.stages[0].people == 3 and not study.stages[0].opinions
    assert study.name != room.study.study.name, "both may be in one database"
    practised = {item.key: item for item in made.items if item.kind == "practice"}
    labelled = {item.key for item in made.items if item.kind == "main"}
    piloted = {one.item.key for one in export.settled}
    assert set(practised) == piloted and len(piloted) == 4
    assert labelled == {meme.id for meme in data("merbench").records} - piloted
    assert practised[resolved].gold == LABELS | {"det_emo": "bored"}
    assert "bored; cartoon or anime" in practised[resolved].feedback["en"]
    assert "无聊；卡通或动漫" in practised[resolved].feedback["zh"]
    assert study.practice is not None and made.notes == []
    created = create_study(tmp_path / "labels", study, made.items, url)
    created.opened.database.close()


def test_what_the_lead_added_to_the_pilots_section_is_kept_without_its_heading(
    tmp_path: Path,
) -> None:
    made = make("merbench/construction", sample="4", people="2")
    (stage,) = made.study.stages
    told = {"en": f"{stage.guidelines['en']}\n{GUIDELINES}\n", "zh": "# 试标阶段\n疲惫不算难过。"}
    study = changed(made.study, stages=(changed(stage, guidelines=told),))
    for room in left(served(tmp_path / "pilot", study, made.items)):
        _piloted(room)
        _exported(room, tmp_path / "out")
    (found,) = make(
        "merbench/construction", phase="label", pilot=str(tmp_path / "out")
    ).study.stages
    assert found.guidelines == {"en": f"{GUIDELINES}\n", "zh": "疲惫不算难过。\n"}


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_any_form_and_the_studys_own_folder_will_do(form: str, tmp_path: Path) -> None:
    made = make("merbench/construction", sample="4", people="2")
    for room in left(served(tmp_path / "pilot", made.study, made.items)):
        _piloted(room)
        _exported(room, tmp_path / "pilot" / "export", form)
    found = make("merbench/construction", phase="label", pilot=str(tmp_path / "pilot"))
    assert found.study.guidelines["en"] == GUIDELINES
    assert sum(item.kind == "practice" for item in found.items) == 4


def test_what_nobody_resolved_is_not_practised_on_and_told(tmp_path: Path) -> None:
    made = make("merbench/construction", sample="4", people="2")
    for room in left(served(tmp_path / "pilot", made.study, made.items)):
        ann, bo = room.person("Ann"), room.person("Bo")
        ann.work(**LABELS)
        shared = _labels(bo)
        assert shared
        _exported(room, tmp_path / "out")
        found = make("merbench/construction", phase="label", pilot=str(tmp_path / "out"))
    piloted = {item.key for item in made.items}
    assert sum(item.kind == "practice" for item in found.items) == 1
    assert not piloted & {item.key for item in found.items if item.kind == "main"}
    assert found.notes == [
        "3 memes of the pilot are not settled: they are neither practised on nor labelled"
    ]


class TestWrongPilots:
    def test_a_folder_without_an_export(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"holds no gold.jsonl .*deadpan study export"):
            make("merbench/construction", phase="label", pilot=str(tmp_path))

    def test_another_studys(self, tmp_path: Path) -> None:
        (tmp_path / "gold.csv").write_text("item,question,value,state\n", "utf-8")
        other = "name: other\ntitle: Other\nstages: [{name: one, title: One, questions: [\n"
        other += "  {kind: text, name: why, title: Why}]}]\n"
        (tmp_path / "study.yaml").write_text(other, "utf-8")
        with pytest.raises(InputError, match="is the export of other; expected one of merbench/"):
            make("merbench/construction", phase="label", pilot=str(tmp_path))

    def test_before_there_is_one(self, tmp_path: Path) -> None:
        with pytest.raises(DeadpanError, match="add --set phase=label"):
            make("merbench/construction", pilot=str(tmp_path))


def test_only_the_expert_may_ask_a_model_in_a_pilot() -> None:
    (stage,) = make_study("merbench/construction", given={"sample": "4"}).study.stages
    asked = {kind: stage.has_opinions(kind) for kind in ("answer", "discuss", "third", "practice")}
    assert asked == {"answer": False, "discuss": False, "third": True, "practice": False}


def test_answers_that_stand_by_themselves_are_no_disagreements(tmp_path: Path) -> None:
    made = make("janusmm/rating")
    for room in left(served(tmp_path / "rated", made.study, made.items[:1])):
        for person, rating in (("Ann", "1"), ("Bo", "5")):
            names = ("MG", "DU", "PE", "EC", "SR", "HUC")
            room.person(person).work(**dict.fromkeys(names, rating))
        assert "disagreements" not in export_tables(gather(room.study))
