"""Pictures on a lead's pages: those of items, and those that people sent; no one else gets them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select

from deadpan.core.study.stages import Review
from deadpan.studies.storage.tables import TaskRow
from tests.studies.made_study import EDITED, WHY, Browser, Lab, made_lab, made_stage

REVIEW = Review(question="why", points=({"en": "says <b>why</b>"}, {"en": "kind"}), needed=1)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return made_lab(tmp_path / "study", [made_stage(questions=(WHY, EDITED), review=REVIEW)])


def sent(lab: Lab, browser: Browser) -> TaskRow:
    """The task in which somebody sent a picture, and wrote why."""
    task = browser.next_task()
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), "#884422").save(stream, "PNG")
    reply = browser.client.post(
        f"{task}/upload/edited",
        data={"csrf": browser.csrf},
        files={"file": ("me.png", stream.getvalue(), "image/png")},
        headers={"hx-request": "true"},
    )
    assert reply.status_code == 200, reply.text
    browser.post(f"{task}/answer/why", value="as it is kinder")
    browser.post(f"{task}/submit")
    with lab.study.database.read() as session:
        query = select(TaskRow).where(TaskRow.token == task.removeprefix("/t/"))
        return session.scalars(query).one()


def test_a_lead_sees_them_and_others_do_not(lab: Lab) -> None:
    ann, lead = lab.join("Ann"), lab.join("Lena", "lead")
    task = sent(lab, ann)
    picture = f"/lead/upload/{task.id}/edited"
    page = lead.get(f"/lead/item/{task.item}").text
    assert f'src="{picture}"' in page
    assert lead.get(picture).headers["content-type"] == "image/webp"
    assert lead.get(f"/lead/media/{task.item}/0").headers["content-type"] == "image/webp"
    assert f'src="/lead/media/{task.item}/0"' in page
    for path in (picture, f"/lead/media/{task.item}/0"):
        assert ann.get(path).status_code == 404
    for path in ("/lead/upload/0/edited", f"/lead/upload/{task.id}/why", "/lead/upload/9/edited"):
        assert lead.get(path).status_code == 404
    assert lead.get(f"/lead/upload/{10**30}/edited").status_code == 404


def test_a_lead_sees_what_reviewers_ticked(lab: Lab) -> None:
    task = sent(lab, lab.join("Ann"))
    judge = lab.join("Jo", "adjudicator")
    judge.post(f"{judge.next_task()}/review", point="1", comment="<i>fine</i>", decision="accept")
    page = lab.join("Lena", "lead").get(f"/lead/item/{task.item}").text
    assert "says &lt;b&gt;why&lt;/b&gt;" in page and "&lt;i&gt;fine&lt;/i&gt;" in page
    assert page.count('class="ticked"') == 1 and page.count('class="unticked"') == 1
