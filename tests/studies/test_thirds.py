"""Items on which two share nothing: all are offered to adjudicators, in whichever team or batch
they lie; and where those are too few that is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.studies.results.status import study_status
from deadpan.studies.storage.tables import BatchRow
from tests.cli.conftest import Deadpan
from tests.cli.conftest import deadpan as deadpan
from tests.studies.study_room import Person, Room, a_study, left, rated, served, words

ITEMS = 8


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    asked = Single(name="how", title={"en": "How?"}, options=["a", "b", "c", "d"])
    settling = {"rule": "votes", "otherwise": ["third", "third"]}
    stage = rated(people=2, questions=(asked,), settling=settling)
    study = a_study(stage, teams=2, batches={"size": 2, "checked": 1})
    items = [StudyItem(key=f"joke-{at}", parts=(words("Ha."),)) for at in range(ITEMS)]
    yield from left(served(tmp_path / "study", study, items))


def decided(room: Room, lead: Person, what: str) -> bool:
    """Whether a batch waited, and the lead accepted or returned all that did."""
    with room.study.database.read() as session:
        query = select(BatchRow.id).where(BatchRow.state == "answered")
        waiting = list(session.scalars(query))
    for batch in waiting:
        lead.post(f"/lead/batch/{batch}/{what}", note="Look again.")
    return bool(waiting)


def test_one_adjudicator_is_offered_every_item_and_a_second_is_asked_for(
    room: Room, deadpan: Deadpan
) -> None:
    pairs = [(room.person(f"Ann {at}", team=at), room.person(f"Bo {at}", team=at)) for at in (1, 2)]
    chen, lead = room.person("Chen", "adjudicator"), room.person("Dana", "lead")
    third = 0
    for round_ in range(ITEMS):
        for first, second in pairs:
            first.work(how="a")
            second.work(how="b")
        if not decided(room, lead, "return" if round_ == 0 else "accept"):
            break
        third += len(chen.work(how="c"))
    assert third == ITEMS and study_status(room.study).stages == {"rate": {"third": ITEMS}}
    told = f"invite 1 more adjudicator: nobody is left for {ITEMS} items of Rate"
    assert told in deadpan("study", "status", room.study.folder).out.replace(" reading en", "")
    assert f"where items wait: {ITEMS}." in lead.get("/lead").text
    assert len(room.person("Eve", "adjudicator").work(how="c")) == ITEMS
    assert study_status(room.study).stages == {"rate": {"settled": ITEMS}}
    assert "invite" not in deadpan("study", "status", room.study.folder).out
