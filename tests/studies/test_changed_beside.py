"""A study that another process changes while it is served."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from deadpan.core.study.files import study_text
from deadpan.core.study.recruiting import recruiting_from
from deadpan.studies.lead.updating import update_study
from deadpan.studies.making.creating import open_study
from deadpan.studies.storage import opened
from deadpan.studies.storage.tables import AnswerRow
from tests.studies.study_room import a_study, explained, served


@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_new_words_are_taken_over_with_their_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    study = a_study(guidelines={"en": "Old words."})
    room = served(tmp_path / "study", study, [explained("k", titan="x")])
    ann = room.person("Ann")
    monkeypatch.setattr(opened, "LOOK_SECONDS", 0.0)
    task = str(ann.task())
    monkeypatch.setattr(opened, "LOOK_SECONDS", seconds)
    beside = open_study(tmp_path / "study")
    changed = study.model_copy(update={"guidelines": {"en": "New words."}})
    (tmp_path / "study.yaml").write_text(study_text(changed), "utf-8")
    assert update_study(beside, tmp_path / "study.yaml").version == 2
    beside.database.close()
    page = ann.get("/guidelines").text
    ann.answer(task, rating="4")
    with room.study.database.read() as session:
        (version,) = session.scalars(select(AnswerRow.version))
    # Until it has looked, the server goes on with the old words, and says so.
    found = ("New words." in page, "Old words." in page, version)
    assert found == ((True, False, 2) if not seconds else (False, True, 1))
    room.study.database.close()


def test_who_is_not_signed_in_sees_the_new_words_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "LOOK_SECONDS", 0.0)
    platform = recruiting_from("prolific")
    study = a_study(title={"en": "Old title"}, recruiting=platform)
    room = served(tmp_path / "study", study, [explained("k", titan="x")])
    visitor = room.browser()
    pages = ("/login", f"/join/{room.invited('Ann')}", "/start")
    beside = open_study(tmp_path / "study")
    for number, page in enumerate(pages):
        changed = study.model_copy(update={"title": {"en": f"Title {number}"}})
        (tmp_path / "study.yaml").write_text(study_text(changed), "utf-8")
        update_study(beside, tmp_path / "study.yaml")
        assert f"Title {number}" in visitor.get(page).text
    beside.database.close()
    room.study.database.close()
