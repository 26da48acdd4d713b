"""What a lead decides about items that others cannot settle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import BatchRow, ItemRow, ProgressRow, TaskRow
from tests.studies.filled import (
    SPECIFICATION,
    happened,
    main_items,
    place,
    plain_study,
    says,
    tasks,
)
from tests.studies.signed_in import Served

THIRD: dict[str, Any] = {"rule": "equal", "otherwise": ["third"]}
UNSETTLED: dict[str, Any] = {"rule": "equal", "otherwise": []}


def stages(settling: dict[str, Any]) -> list[dict[str, Any]]:
    """The stages, the first of which is settled another way."""
    first, second = SPECIFICATION["stages"]
    return [first | {"settling": settling}, second]


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Served.of(plain_study(tmp_path / "study", stages=stages(UNSETTLED)))


def disputed(served: Served) -> tuple[int, int, int]:
    """An item on which two people disagree, and their tasks."""
    item = main_items(served.study)[0]
    ada = says(served.study, "Ada", item, sound="adds")
    bo = says(served.study, "Bo", item, sound="absent", panel="3")
    assert place(served.study, item).state == "disputed"
    return item, ada, bo


def test_the_page_of_an_item_shows_everybodys_answers(served: Served) -> None:
    item, _, _ = disputed(served)
    page = served.browser("Lena").get(f"/lead/item/{item}").text
    assert "Ada" in page and "Bo" in page
    assert "Yes, and they help" in page and "Absent" in page
    assert page.count('class="differs"') == 1
    assert "answers differ" not in page  # nothing was discussed
    assert "no agreement" in page  # among what happened


def test_a_lead_settles_with_somebodys_answers(served: Served) -> None:
    item, _, bo = disputed(served)
    served.study.now.at += 60  # type: ignore[attr-defined]
    reply = served.browser("Lena").post(f"/lead/item/{item}/settle", stage="annotate", task=bo)
    assert reply.status_code == 200
    found = place(served.study, item)
    assert (found.state, found.result["sound"], found.result["panel"]) == ("settled", "absent", "3")
    assert place(served.study, item, "explain").state == "open"
    (event,) = happened(served.study, "settled")
    assert (event.person, event.about["task"]) == (1, bo)


def test_what_a_lead_settles_with_may_discard_it(tmp_path: Path) -> None:
    settling = UNSETTLED | {"verdict": "sound", "discards": ["absent"], "returns": ["idle"]}
    served = Served.of(plain_study(tmp_path / "study", stages=stages(settling)))
    item, ada, bo = disputed(served)
    lead = served.browser("Lena")
    assert lead.post(f"/lead/item/{item}/settle", stage="annotate", task=bo).status_code == 200
    assert place(served.study, item).state == "discarded"
    assert not tasks(served.study, item=item, stage="explain")
    assert lead.post(f"/lead/item/{item}/settle", stage="annotate", task=bo).status_code == 404
    assert lead.post(f"/lead/item/{item}/settle", stage="annotate", task=ada).status_code == 200
    assert place(served.study, item).state == "settled"


@pytest.mark.parametrize("task", ["", "0", "999", "-1", "one"])
def test_nothing_is_settled_with_what_is_nobodys_answer(served: Served, task: str) -> None:
    item, _, _ = disputed(served)
    lead = served.browser("Lena")
    reply = lead.post(f"/lead/item/{item}/settle", stage="annotate", task=task)
    assert reply.status_code == 404
    other = says(served.study, "Ada", main_items(served.study)[1])
    assert lead.post(f"/lead/item/{item}/settle", stage="annotate", task=other).status_code == 404
    assert place(served.study, item).state == "disputed"


def test_a_lead_discards_with_a_reason(served: Served) -> None:
    item, _, _ = disputed(served)
    lead = served.browser("Lena")
    path = f"/lead/item/{item}/discard"
    assert lead.post(path, stage="annotate", reason="  ").status_code == 404
    assert place(served.study, item).state == "disputed"
    assert (
        "blurred beyond reading"
        in lead.post(path, stage="annotate", reason="blurred beyond reading").text
    )
    found = place(served.study, item)
    assert (found.state, found.reason) == ("discarded", "blurred beyond reading")
    assert happened(served.study, "discarded")[0].about["reason"] == "blurred beyond reading"


def test_an_item_that_is_given_back_is_answered_again(served: Served) -> None:
    item, ada, bo = disputed(served)
    lead = served.browser("Lena")
    assert lead.post(f"/lead/item/{item}/reopen", stage="annotate", note="").status_code == 404
    lead.post(f"/lead/item/{item}/reopen", stage="annotate", note="Look at panel 2.")
    assert place(served.study, item).state == "open"
    assert {one.id: one.state for one in tasks(served.study, item=item)} == {
        ada: "open",
        bo: "open",
    }
    assert "Look at panel 2." in served.browser("Ada").get("/work").text
    says(served.study, "Ada", item, sound="idle")
    says(served.study, "Bo", item, sound="idle")
    assert place(served.study, item).result["sound"] == "idle"


def test_after_a_discussion_too(tmp_path: Path) -> None:
    study = plain_study(tmp_path / "study")
    served, item = Served.of(study), main_items(study)[0]
    for _ in range(2):
        says(study, "Ada", item, sound="adds")
        says(study, "Bo", item, sound="absent")
        for _ in range(3):
            says(study, "Ada", item, sound="adds")
            says(study, "Bo", item, sound="absent")
        assert place(study, item).state == "disputed"
        lead = served.browser("Lena")
        lead.post(f"/lead/item/{item}/reopen", stage="annotate", note="once more")
    says(study, "Ada", item, sound="idle")
    says(study, "Bo", item, sound="idle")
    assert place(study, item).result["sound"] == "idle"


def test_a_third_person_is_asked_again(tmp_path: Path) -> None:
    study = plain_study(tmp_path / "study", stages=stages(THIRD))
    served, item = Served.of(study), main_items(study)[0]
    judge = served.browser("Jo")
    for verdict in ("adds", "idle"):
        says(study, "Ada", item, sound="adds")
        says(study, "Bo", item, sound="absent")
        assert place(study, item).state == "third"
        assert judge.get("/work").url.path.startswith("/t/")
        says(study, "Jo", item, sound=verdict)
        assert place(study, item).result["sound"] == verdict
        lead = served.browser("Lena")
        lead.post(f"/lead/item/{item}/reopen", stage="annotate", note="once more")
    assert place(study, item).state == "open"


def test_nothing_is_taken_back_on_which_the_next_stage_is_built(served: Served) -> None:
    study, item = served.study, main_items(served.study)[0]
    says(study, "Ada", item)
    says(study, "Bo", item)
    lead = served.browser("Lena")
    again = {"stage": "annotate", "note": "once more"}
    assert lead.post(f"/lead/item/{item}/reopen", **again).status_code == 200
    assert served.rows(ProgressRow.__table__.select().where(ProgressRow.stage == "explain")) == []
    says(study, "Ada", item)
    says(study, "Bo", item)
    says(study, "Cy", item, "explain")
    assert lead.post(f"/lead/item/{item}/reopen", **again).status_code == 404
    assert place(study, item).state == "settled"
    page = lead.get(f"/lead/item/{item}").text
    assert f"/lead/item/{item}/discard" in page.split('id="stage-annotate"')[0]
    assert f"/lead/item/{item}/reopen" not in page


def test_an_item_that_all_have_skipped_is_told_and_given_back(served: Served) -> None:
    study, item = served.study, main_items(served.study)[0]
    people = [served.browser(name) for name in ("Ada", "Bo", "Cy")]
    for person in people:
        for _ in main_items(study):  # until it is that item's turn
            path = person.get("/work").url.path
            (task,) = tasks(study, token=path.removeprefix("/t/"))
            person.post(f"{path}/skip", reason="Not <b>shown</b>")
            if task.item == item:
                break
    lead = served.browser("Lena")
    assert "2 more people are needed for " in lead.get("/lead").text
    assert "Ada, Bo, Cy skipped it, and nobody else is left." in lead.get("/lead").text
    page = lead.get(f"/lead/item/{item}").text
    assert "nobody is left to give them" in page
    assert "Not &lt;b&gt;shown&lt;/b&gt;" in page
    lead.post(f"/lead/item/{item}/reopen", stage="annotate", note="It is repaired.")
    says(study, "Ada", item)
    says(study, "Bo", item)
    assert {one.state for one in tasks(study, item=item)} == {"submitted", "open"}
    assert place(study, item).claims == 3


def test_what_is_decided_ends_what_is_open(served: Served) -> None:
    study, item = served.study, main_items(served.study)[0]
    ada = says(study, "Ada", item)
    person = served.browser("Bo")
    while not (own := [one for one in tasks(study, state="open") if one.item == item]):
        path = person.get("/work").url.path
        (task,) = tasks(study, token=path.removeprefix("/t/"))
        if task.item != item:
            person.post(f"{path}/skip")
    lead = served.browser("Lena")
    lead.post(f"/lead/item/{item}/settle", stage="annotate", task=ada)
    assert [one.state for one in tasks(study, id=own[0].id)] == ["released"]
    assert person.post(f"/t/{own[0].token}/submit").status_code == 404


def test_on_postgresql_too(tmp_path: Path, postgres_url: str) -> None:
    changes = {"batches": {"size": 2, "checked": 1}, "stages": stages(UNSETTLED)}
    study = plain_study(tmp_path / "study", main=4, database=postgres_url, **changes)
    served, lead = Served.of(study), Served.of(study).browser("Lena")
    batch = first_batch(study)
    for item in batch:
        says(study, "Ada", item, sound="adds")
        says(study, "Bo", item, sound="absent")
    number = served.rows(select(BatchRow.id).where(BatchRow.state == "answered"))[0]
    lead.post(f"/lead/batch/{number}/return", note="again")
    for item in batch:
        says(study, "Ada", item, sound="adds")
        says(study, "Bo", item, sound="absent")
    assert "again" in lead.get(f"/lead/batch/{number}").text
    lead.post(f"/lead/batch/{number}/accept")
    assert [place(study, item).state for item in batch] == ["disputed", "disputed"]
    page = lead.get(f"/lead/item/{batch[0]}").text
    assert "no agreement" in page and "submitted" in page
    lead.post(f"/lead/item/{batch[0]}/reopen", stage="annotate", note="once more")
    lead.post(f"/lead/item/{batch[1]}/discard", stage="annotate", reason="broken")
    for path in ("/lead", "/lead/people", "/lead/items?q=MAIN&state=discarded", "/lead/batches"):
        assert lead.get(path).status_code == 200, path
    assert "Found: 1" in lead.get("/lead/items?q=MAIN&state=discarded").text
    assert lead.get("/lead/export/csv").status_code == 200


def first_batch(study: OpenStudy) -> list[int]:
    with study.database.read() as session:
        first = session.scalars(select(BatchRow.id).where(BatchRow.state == "open")).one()
        return list(session.scalars(select(ItemRow.id).where(ItemRow.batch == first)))


def test_a_list_of_items_by_state_stage_and_name(served: Served) -> None:
    item, _, _ = disputed(served)
    other = main_items(served.study)[1]
    says(served.study, "Ada", other)
    says(served.study, "Bo", other)
    lead = served.browser("Lena")
    assert "Found: 4" in lead.get("/lead/items").text
    found = lead.get("/lead/items?state=disputed").text
    assert f"/lead/item/{item}" in found and "Found: 1" in found
    assert "Found: 1" in lead.get("/lead/items?state=apart").text
    assert 'href="/lead/items?state=apart"' in lead.get("/lead").text
    assert "Found: 1" in lead.get("/lead/items?stage=explain").text
    assert "Found: 2" in lead.get("/lead/items?q=002").text
    assert served.rows(TaskRow.__table__.select().where(TaskRow.state == "open")) == []
