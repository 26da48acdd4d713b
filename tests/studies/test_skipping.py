"""Any item may be skipped, in practice and by a third person too; who skips everything has not
practised."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.specification import Practice
from deadpan.core.study.stages import Settling, Stage
from tests.studies.study_room import Room, a_study, explained, left, quick_passwords, served


def _room(folder: Path, practice: int, monkeypatch: pytest.MonkeyPatch) -> Room:
    quick_passwords(monkeypatch)
    stage = Stage(
        name="look",
        title={"en": "Look"},
        people=2,
        questions=(Single(name="funny", title={"en": "Funny?"}, options=["yes", "no"]),),
        settling=Settling(rule="equal", otherwise=("third",)),
    )
    tried = [
        explained(f"try{at}", model="A pun.").model_copy(
            update={"kind": "practice", "gold": {"funny": "yes"}}
        )
        for at in range(practice)
    ]
    study = a_study(stage, practice=Practice(rounds=2) if practice else None)
    return served(folder, study, [*tried, explained("one", model="A joke.")])


def test_in_practice_one_of_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = _room(tmp_path / "study", 2, monkeypatch)
    ann = room.person("Ann")
    first = ann.task()
    assert ann.post(f"/t/{first}/skip", reason="It distresses me").status_code == 303
    second = ann.task()
    assert second not in (None, first)
    ann.answer(str(second), funny="yes")
    ann.post(f"/t/{second}/submit")
    third = ann.task()
    assert third not in (None, first, second), "the practice is passed, and the study begins"
    list(left(room))


def test_who_skips_all_practice_has_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = _room(tmp_path / "study", 1, monkeypatch)
    ann = room.person("Ann")
    for _ in range(2):
        task = ann.task()
        assert task is not None
        ann.post(f"/t/{task}/skip")
    assert ann.task() is None and "practice" in ann.get("/work").text
    list(left(room))


def test_a_third_person_who_skips_makes_room_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = _room(tmp_path / "study", 0, monkeypatch)
    room.person("Ann").work(funny="yes")
    room.person("Bo").work(funny="no")
    chen, dana = room.person("Chen", "adjudicator"), room.person("Dana", "adjudicator")
    task = chen.task()
    assert task is not None and dana.task() is None
    chen.post(f"/t/{task}/skip", reason="I know the author")
    assert chen.task() is None and dana.task() is not None
    list(left(room))
