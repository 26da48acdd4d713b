"""Only leads open a lead's pages; to others there is nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studies.filled import Clock, join, made_items, made_study
from tests.studies.signed_in import ORIGIN, Served

PAGES = (
    "/lead",
    "/lead/people",
    "/lead/items",
    "/lead/item/1",
    "/lead/media/1/0",
    "/lead/batches",
    "/lead/batch/1",
    "/lead/guidelines",
    "/lead/export/csv",
    "/lead/events",
)
FORMS = (
    "/lead/invite",
    "/lead/reissue",
    "/lead/revoke",
    "/lead/pass",
    "/lead/item/1/settle",
    "/lead/item/1/discard",
    "/lead/item/1/reopen",
    "/lead/batch/1/accept",
    "/lead/batch/1/return",
    "/lead/close",
    "/lead/open",
    "/lead/guidelines",
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    folder: Path = tmp_path_factory.mktemp("roles")
    study = made_study(folder / "study", made_items(main=4), Clock())
    for name, role in (("Lena", "lead"), ("Ada", "rater"), ("Jo", "adjudicator")):
        join(study, name, role)
    return Served.of(study)


@pytest.mark.parametrize("name", ["Ada", "Jo"])
def test_to_others_there_is_nothing(served: Served, name: str) -> None:
    browser = served.browser(name)
    missing = browser.get("/nothing/here")
    for path in PAGES:
        found = browser.get(path)
        assert found.status_code == 404, path
        assert "Lena" not in found.text
        assert found.headers.keys() == missing.headers.keys()
    for path in FORMS:
        assert browser.post(path, person="1", name="Eve", role="lead").status_code == 404, path
    assert "/lead" not in browser.get("/mine").text


def test_who_is_not_signed_in_is_asked_to_log_in(served: Served) -> None:
    browser = served.browser()
    for path in PAGES:
        assert browser.get(path).url.path == "/login", path
    for path in FORMS:
        assert browser.post(path, follow=False).headers["location"] == "/login", path


def test_a_lead_changes_nothing_without_a_form_of_a_page(served: Served) -> None:
    lead = served.browser("Lena")
    for path in FORMS:
        fields = {"csrf": "c" * 32, "name": "Eve"}
        assert lead.client.post(path, data=fields).status_code == 404, path
        elsewhere = {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
        data = {"csrf": lead.csrf}
        assert lead.client.post(path, data=data, headers=elsewhere).status_code == 403, path
    assert "Eve" not in lead.get("/lead/people").text
    assert lead.client.headers["Origin"] == ORIGIN


@pytest.mark.parametrize(
    "path",
    [
        "/lead/item/0",
        "/lead/item/999999",
        "/lead/item/99999999999999999999999",
        "/lead/item/-1",
        "/lead/item/one",
        "/lead/batch/99999999999999999999999",
        "/lead/media/1/999",
        "/lead/media/1/-1",
        "/lead/media/99999999999999999999999/0",
        "/lead/export/exe",
        "/lead/export/..%2f..%2fsecret",
    ],
)
def test_what_is_not_there_is_not_found(served: Served, path: str) -> None:
    assert served.browser("Lena").get(path).status_code == 404


def test_odd_searches_find_nothing_and_break_nothing(served: Served) -> None:
    lead = served.browser("Lena")
    for words in ("%", "_", "'; drop table items; --", "\\", "字"):
        found = lead.client.get("/lead/items", params={"q": words, "page": "-3", "state": "odd"})
        assert found.status_code == 200
        assert "Found: 0" in found.text, words
    assert "Found: 4" in lead.get("/lead/items?q=MAIN-00").text
