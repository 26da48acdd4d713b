"""Who withdraws and wants their answers left out: no export holds their words."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.stages import Settling, Stage
from deadpan.core.study.text_questions import Text
from deadpan.studies.lead.operations import set_closed
from deadpan.studies.results.export_files import FORMATS, write_export
from deadpan.studies.results.gathering import gather
from tests.studies.study_room import a_study, explained, left, quick_passwords, served

ANOTHER = {"funny": "yes", "why": "A dry remark."}


@pytest.mark.parametrize("is_closed", [False, True])
def test_their_words_are_in_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_closed: bool
) -> None:
    quick_passwords(monkeypatch)
    stage = Stage(
        name="look",
        title={"en": "Look"},
        people=2,
        questions=(
            Single(name="funny", title={"en": "Funny?"}, options=["yes", "no"]),
            Text(name="why", title={"en": "Why?"}, compared=False),
        ),
        settling=Settling(rule="equal"),
    )
    room = served(tmp_path / "study", a_study(stage), [explained("one", model="A pun.")])
    ann, bo = room.person("Ann"), room.person("Bo")
    for person, words in ((ann, "The cat of my aunt."), (bo, "A dry remark.")):
        person.work(funny="yes", why=words)
    (before,) = gather(room.study).settled
    assert before.state == "settled" and "aunt" in str(before.result)
    set_closed(room.study, is_closed)
    ann.post("/withdraw", answers="leave_out")
    (after,) = gather(room.study).settled
    assert (after.state, after.result) == (("settled", ANOTHER) if is_closed else ("open", {}))
    for name in FORMATS:
        write_export(gather(room.study), tmp_path / name, name)
        for path in (tmp_path / name).rglob("*"):
            assert path.is_dir() or b"aunt" not in path.read_bytes(), path
    list(left(room))
