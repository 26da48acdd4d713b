"""A lead checks random items of a batch, and accepts or returns it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from deadpan.studies.storage.tables import BatchRow, ItemRow
from tests.studies.filled import happened, main_items, place, plain_study, says, tasks
from tests.studies.signed_in import Served

BATCHES: dict[str, Any] = {"size": 3, "checked": 2, "questions": ["sound"]}


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Served.of(plain_study(tmp_path / "study", main=6, batches=BATCHES))


def batches(served: Served) -> list[BatchRow]:
    found: list[BatchRow] = served.rows(select(BatchRow).order_by(BatchRow.number))
    return found


def items_of(served: Served, batch: int) -> list[int]:
    """The items of a batch, by its number from 1."""
    with served.study.database.read() as session:
        wanted = batches(served)[batch - 1].id
        rows = session.scalars(select(ItemRow.id).where(ItemRow.batch == wanted))
        return sorted(rows)


def answered(served: Served, batch: int = 1, **said: Any) -> BatchRow:
    """A batch that two people have answered."""
    for item in items_of(served, batch):
        says(served.study, "Ada", item, **said)
        says(served.study, "Bo", item, **said)
    return batches(served)[batch - 1]


def test_what_was_drawn_is_shown_with_both_answers(served: Served) -> None:
    lead = served.browser("Lena")
    first = batches(served)[0].id
    assert "Accept the batch" not in lead.get(f"/lead/batch/{first}").text
    batch = answered(served)
    assert (batch.state, len(batch.checked)) == ("answered", 2)
    assert "Batches to check: 1" in lead.get("/lead").text
    assert "to be checked" in lead.get("/lead/batches").text
    page = lead.get(f"/lead/batch/{batch.id}").text
    for item in batch.checked:
        assert f'name="item" value="{item}"' in page
    assert page.count("Are there sound effects?") == 2
    assert "Do you get the joke?" not in page


def test_a_batch_that_is_accepted_settles_and_releases_the_next(served: Served) -> None:
    batch = answered(served)
    lead = served.browser("Lena")
    assert place(served.study, items_of(served, 1)[0]).state == "open"
    assert lead.post(f"/lead/batch/{batch.id}/accept").url.path == "/lead/batches"
    assert [one.state for one in batches(served)] == ["accepted", "open"]
    assert {place(served.study, item).state for item in items_of(served, 1)} == {"settled"}
    assert happened(served.study, "batch accepted")[0].person == 1
    assert lead.post(f"/lead/batch/{batch.id}/accept").status_code == 404


def test_people_go_on_with_the_next_stage_of_an_accepted_batch(served: Served) -> None:
    batch = answered(served)
    served.browser("Lena").post(f"/lead/batch/{batch.id}/accept")
    cy = served.browser("Cy")
    stages = set()
    for _ in range(4):
        path = cy.get("/work").url.path
        (task,) = tasks(served.study, token=path.removeprefix("/t/"))
        stages.add(task.stage)
        cy.post(f"{path}/skip")
    assert stages == {"annotate", "explain"}


def test_ticked_items_go_back_with_a_note(served: Served) -> None:
    batch = answered(served)
    lead, returned = served.browser("Lena"), batch.checked[0]
    path = f"/lead/batch/{batch.id}/return"
    assert lead.post(path, note=" ", item=returned).status_code == 404
    lead.post(path, note="Sound <i>effects</i> are words, too.", item=[returned, "999", "x"])
    assert batches(served)[0].state == "open"
    open_tasks = tasks(served.study, state="open")
    assert {one.item for one in open_tasks} == {returned}
    assert len(open_tasks) == 2
    told = "Sound &lt;i&gt;effects&lt;/i&gt; are words, too."
    assert told in served.browser("Ada").get("/work").text
    says(served.study, "Ada", returned)
    says(served.study, "Bo", returned)
    assert batches(served)[0].state == "answered"
    assert told in lead.get(f"/lead/batch/{batch.id}").text


def test_the_whole_batch_goes_back_where_nothing_is_ticked(served: Served) -> None:
    batch = answered(served)
    served.browser("Lena").post(f"/lead/batch/{batch.id}/return", note="Read the guidelines.")
    assert {one.item for one in tasks(served.study, state="open")} == set(items_of(served, 1))


def test_a_batch_goes_on_without_an_item_that_is_discarded(served: Served) -> None:
    first, *rest = items_of(served, 1)
    for item in rest:
        says(served.study, "Ada", item)
        says(served.study, "Bo", item)
    assert batches(served)[0].state == "open"
    lead = served.browser("Lena")
    lead.post(f"/lead/item/{first}/discard", stage="annotate", reason="broken")
    batch = batches(served)[0]
    assert (batch.state, batch.checked) == ("answered", rest)
    lead.post(f"/lead/batch/{batch.id}/return", note="again")
    assert first not in {one.item for one in tasks(served.study, state="open")}
    assert place(served.study, first).state == "discarded"


def test_a_study_without_batches_says_so(tmp_path: Path) -> None:
    served = Served.of(plain_study(tmp_path / "study"))
    page = served.browser("Lena").get("/lead/batches").text
    assert "This study has no batches." in page
    assert len(main_items(served.study)) == 3
