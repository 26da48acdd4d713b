"""Whom a lead invites, lets pass and shuts out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import select
from starlette.responses import Response

from deadpan.studies.people.names import plain_name
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.tables import PersonRow, SessionRow, TaskRow
from tests.studies.filled import (
    Clock,
    filled_study,
    happened,
    join,
    made_items,
    made_study,
    plain_study,
)
from tests.studies.signed_in import ORIGIN, Served

PASSWORD = "correct horse battery"


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Served.of(plain_study(tmp_path / "study"))


def person(served: Served, name: str) -> PersonRow:
    found = served.rows(select(PersonRow).where(PersonRow.name == name))
    assert len(found) == 1
    row: PersonRow = found[0]
    return row


def link(reply: Response) -> str:
    found = re.search(r'data-copy="([^"]+)"', reply.text)
    assert found is not None
    return found.group(1)


def test_an_invitation_is_shown_once_and_works_once(served: Served) -> None:
    lead = served.browser("Lena")
    reply = lead.post("/lead/invite", name="Eve  Ng", role="adjudicator", languages=["zh", "xx"])
    assert reply.status_code == 200
    address = link(reply)
    assert address.startswith(f"{ORIGIN}/join/")
    assert "/join/" not in lead.get("/lead/people").text
    found = person(served, "Eve Ng")
    assert (found.role, found.languages, found.joined_at) == ("adjudicator", ["zh"], None)
    assert found.invitation not in address
    guest = served.browser()
    path = address.removeprefix(ORIGIN)
    fields = {"password": PASSWORD, "again": PASSWORD, "language": "en"}
    assert guest.post(path, **fields).status_code == 200
    assert served.browser().post(path, **fields).status_code == 404
    assert person(served, "Eve Ng").joined_at is not None
    assert happened(served.study, "invited")[-1].person == 1


def test_a_link_names_the_public_address(tmp_path: Path) -> None:
    served = Served.of(plain_study(tmp_path / "study"), url="https://study.example.org")
    reply = served.browser("Lena").post("/lead/invite", name="Eve")
    assert link(reply).startswith("https://study.example.org/join/")


@pytest.mark.parametrize("name", ["", "   ", "Ada", "n" * 81])
def test_a_name_that_cannot_be_invited_is_said(served: Served, name: str) -> None:
    before = served.rows(select(PersonRow.name))
    reply = served.browser("Lena").post("/lead/invite", name=name, role="rater")
    assert reply.status_code == 422
    assert "cannot be invited" in reply.text and "data-copy" not in reply.text
    assert served.rows(select(PersonRow.name)) == before


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Eve\u200b", "U+200B"),
        ("\u202eevE", "U+202E"),
        ("Eve\x07", "U+0007"),
        ("\u3164", "U+3164"),
        ("E\ufe0fve", "U+FE0F"),
        ("\u2003\u3000", "1 to 80"),
        ("ADA", "looks like Ada"),
        ("Ａｄａ", "looks like Ada"),
        (" Ada ", "Ada is invited already"),
    ],
)
def test_a_name_in_which_something_hides_is_told_why(served: Served, name: str, why: str) -> None:
    before = served.rows(select(PersonRow.name))
    reply = served.browser("Lena").post("/lead/invite", name=name)
    assert reply.status_code == 422 and why in reply.text
    assert served.rows(select(PersonRow.name)) == before


def test_a_name_is_one_however_it_is_typed() -> None:
    for typed in ("Zo\u00eb  Ng", "Zoe\u0308 Ng", "\u200bZo\u00eb\u3000Ng\t", "Zo\u00eb\u202c Ng"):
        assert plain_name(typed) == "Zo\u00eb Ng"
    assert plain_name("陈（伟）") == "陈（伟）"


def test_a_role_that_is_made_up_gives_no_rights(served: Served) -> None:
    served.browser("Lena").post("/lead/invite", name="Eve", role="owner")
    assert person(served, "Eve").role == "rater"


def test_a_new_link_replaces_the_password(served: Served) -> None:
    ada = served.browser("Ada")
    assert ada.get("/mine").url.path == "/mine"
    reply = served.browser("Lena").post("/lead/reissue", person=person(served, "Ada").id)
    assert ada.get("/mine").url.path == "/login"
    path = link(reply).removeprefix(ORIGIN)
    fields = {"password": PASSWORD, "again": PASSWORD, "language": "en"}
    assert served.browser().post(path, **fields).status_code == 200


def test_who_is_shut_out_stays_out_and_their_answers_stay(served: Served) -> None:
    ada, lead = served.browser("Ada"), served.browser("Lena")
    reply = lead.post("/lead/revoke", person=person(served, "Ada").id)
    assert "shut out" in reply.text
    assert ada.get("/mine").url.path == "/login"
    assert person(served, "Ada").revoked_at is not None
    assert happened(served.study, "revoked")[0].about == {
        "who": person(served, "Ada").id,
        "left_out": False,
    }


def open_tasks(served: Served, name: str) -> list[str]:
    """The states of what somebody was given."""
    mine = select(TaskRow.state).where(TaskRow.person == person(served, name).id)
    return [str(state) for state in served.rows(mine.order_by(TaskRow.id))]


def test_others_get_what_somebody_had_begun_who_is_shut_out(tmp_path: Path) -> None:
    study = made_study(
        *(tmp_path / "study", made_items(main=1), Clock()),
        **{"batches": None, "teams": 1, "practice": None, "checks_every": None},
    )
    join(study, "Lena", "lead")
    for name in ("Kim", "Lou", "Max"):
        join(study, name)
    served = Served.of(study)
    kim, lou, lead = (served.browser(name) for name in ("Kim", "Lou", "Lena"))
    for one in (kim, lou):
        assert one.get("/work").url.path.startswith("/t/")
    late = served.browser("Max")
    assert not late.get("/work").url.path.startswith("/t/")
    lead.post("/lead/revoke", person=person(served, "Kim").id)
    assert open_tasks(served, "Kim") == ["released"]
    assert late.get("/work").url.path.startswith("/t/")


def test_answers_are_left_out_and_count_again(tmp_path: Path) -> None:
    served = Served.of(filled_study(tmp_path / "study")[0])
    lead, ada = served.browser("Lena"), person(served, "Ada")

    def hers() -> int:
        return sum(one.person == "Ada" for one in gather(served.study, names=True).said)

    known = hers()
    page = lead.post("/lead/revoke", person=ada.id).text
    assert known and hers() == known and "Leave answers out" in page
    page = lead.post("/lead/revoke", person=ada.id, answers="leave_out").text
    assert hers() == 0 and "answers left out" in page
    lead.post("/lead/reissue", person=ada.id)
    assert hers() == known
    trail = [one.about["left_out"] for one in happened(served.study, "revoked")]
    assert trail == [False, True]


@pytest.mark.parametrize("path", ["/lead/revoke", "/lead/reissue"])
def test_nobody_shuts_themselves_out(served: Served, path: str) -> None:
    lead = served.browser("Lena")
    assert lead.post(path, person=person(served, "Lena").id).status_code == 404
    assert lead.get("/lead").url.path == "/lead"
    assert len(served.rows(select(SessionRow))) == 1
    assert lead.post(path, person="one").status_code == 404


def test_who_withdrew_is_not_invited_again(served: Served) -> None:
    served.browser("Ada").post("/withdraw")
    lead, ada = served.browser("Lena"), person(served, "Ada")
    assert lead.post("/lead/reissue", person=ada.id).status_code == 404
    row = lead.get("/lead/people").text.split(f'id="person-{ada.id}"')[1].split("</tr>")[0]
    assert "withdrew" in row and "<form" not in row


def test_a_lead_lets_somebody_pass_the_practice(tmp_path: Path) -> None:
    study = made_study(tmp_path / "study", made_items(main=4), Clock(), batches=None, teams=1)
    join(study, "Lena", "lead")
    number = join(study, "Kim")
    served = Served.of(study)
    kim, lead = served.browser("Kim"), served.browser("Lena")
    for _ in range(4):  # two rounds of two items
        path = kim.get("/work").url.path
        wrong = {"understood": "no", "sound": "idle", "panel": "1", "styles": "sarcasm", "funny": 1}
        for name, value in wrong.items():
            assert kim.post(f"{path}/answer/{name}", value=value).status_code == 204
        kim.post(f"{path}/submit")
    assert "practice was not passed" in kim.get("/work").text
    assert "Kim did not pass the practice" in lead.get("/lead").text
    lead.post("/lead/pass", person=number)
    assert kim.get("/work").url.path.startswith("/t/")
    assert "did not pass" not in lead.get("/lead").text
    assert happened(study, "let pass")[0].about == {"who": number}
    assert lead.post("/lead/pass", person=number).status_code == 404


def test_a_name_is_shown_as_it_is_written(served: Served) -> None:
    lead = served.browser("Lena")
    hostile = "<img src=x onerror=alert(1)>'\""
    lead.post("/lead/invite", name=hostile)
    assert "\u202e" not in lead.post("/lead/invite", name=f"{hostile}\u202e").text
    for path in ("/lead/people", "/lead"):
        page = lead.get(path).text
        assert "<img src=x" not in page and "\u202e" not in page
        assert "&lt;img src=x onerror=alert(1)&gt;" in page or path == "/lead"
