"""A study's folder where files of what people said are expected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from deadpan.core.study.specification import Study
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.tables import TaskRow
from tests.cli.conftest import Deadpan
from tests.studies import template_world
from tests.studies.every_kind import answered, every_kind, items
from tests.studies.robots import everybody, room_of, work_together
from tests.studies.study_room import Person, Room, explained, left, served

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


def test_errors_name_the_study_and_no_file_that_is_gone(tmp_path: Path, deadpan: Deadpan) -> None:
    # JanusMM's scale goes from 1 to 5, this study's further.
    wide = {"kind": "likert", "name": "MG", "title": "MG", "lowest": 10, "highest": 15}
    stage = {**REVIEWED["stages"][0], "review": None, "questions": [wide]}
    made = {**REVIEWED, "benchmark": "janusmm", "stages": [stage]}
    room = room_of(
        tmp_path / "study", Study.model_validate(made), [explained("one", model="A pun.")]
    )
    with everybody(*(room.joined(name) for name in ("Ann", "Bo"))) as people:
        work_together(people)
    room.study.database.close()
    run = deadpan("ratings", tmp_path / "study")
    assert run.code == 2
    told = run.err.replace("\n", "")
    assert str(tmp_path / "study") in told and "deadpan-said" not in told


def test_agreement_is_there_for_each_metric(rated: Path, deadpan: Deadpan) -> None:
    """JanusMM's scales have groups of their own: nothing of them is over `all`."""
    run = deadpan("study", "agreement", rated)
    rows = [line.split() for line in run.out.splitlines() if "metric=" in line]
    alphas = [row[3] for row in rows if row[2] == "alpha"]
    assert alphas == [f"metric={name}" for name in ("MG", "DU", "PE", "EC", "SR", "HUC")]
    assert {row[0] for row in rows} == {"overall"} and "language=" not in run.out
    more = deadpan("study", "agreement", rated, "--groups").out
    assert template_world.MODELS[0] in more and "language=" in more
    deadpan("study", "export", rated, "--out", rated / "out")
    assert "metric=HUC | alpha" in (rated / "out/datasheet.md").read_text("utf-8")


def _choose(room: Room, person: Person, wanted: Mapping[str, str]) -> None:
    """Chooses of each item the output of a source, wherever it stands on this person's page."""
    while task := person.task():
        with room.study.database.read() as session:
            row = session.scalars(select(TaskRow).where(TaskRow.token == task)).one()
            item = room.study.item(session, row.item, row.stage)
        sources = [one.source for one in item.outputs]
        shown = room.study.outputs_shown(person.number, row.item, item)
        person.submit(task, preferred=str(shown.index(sources.index(wanted[item.key]))))


def test_a_preference_is_counted_by_comics_as_in_the_paper(
    tmp_path: Path, deadpan: Deadpan
) -> None:
    """Both chose one explanation of the first comic; of the second each another one, and the third
    person decided: five votes about two comics."""
    asked = {"kind": "best", "name": "preferred", "title": "Best?"}
    settling = {"rule": "equal", "otherwise": ["third"]}
    stage = {"name": "choose", "title": "Choose", "people": 2, "settling": settling}
    made = {**REVIEWED, "benchmark": "pixelhumor", "stages": [{**stage, "questions": [asked]}]}
    comics = [explained(name, human="A pun.", model="A joke.") for name in ("one", "two")]
    room = served(tmp_path / "study", Study.model_validate(made), comics)
    _choose(room, room.person("Ann"), {"one": "human", "two": "human"})
    _choose(room, room.person("Bo"), {"one": "human", "two": "model"})
    _choose(room, room.person("Judge", "adjudicator"), {"two": "human"})
    list(left(room))
    counted = {}
    for command in (("study", "agreement"), ("ratings",)):
        run = deadpan(*command, tmp_path / "study")
        assert run.code == 0 and "times_chosen" not in run.out, run.err
        rows = [line.split() for line in run.out.splitlines() if "times_selected" in line]
        counted[command] = {row[0]: [one for one in row if one.isdecimal()][:2] for row in rows}
    assert counted["study", "agreement"] == counted["ratings",]
    assert counted["ratings",] == {"human": ["2", "2"], "model": ["0", "2"]}


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


def test_export_says_what_is_left_out_and_why(tmp_path: Path, deadpan: Deadpan) -> None:
    """A meme that everybody kept: its emotion was revised, and its target was not."""
    made = template_world.make("merbench/stages", edits="none")
    angry = next(item for item in made.items if item.draft["det_emo"] == "angry")
    for room in left(served(tmp_path / "study", made.study, [angry])):
        ann = room.person("Ann")
        why = {"det_emo": "tense", "emotion_reason": "He sweats."}
        ann.submit(ann.task() or "", emotion_verdict="revise", **why)
        ann.submit(ann.task() or "", plan_verdict="accept")
    run = deadpan("study", "export", tmp_path / "study")
    assert run.code == 0, run.err
    told = " ".join((run.out + run.err).split())
    assert (
        "1 item is left out (1 the target does not belong to the emotion that was settled" in told
    )
    assert "left_out.json" in told
