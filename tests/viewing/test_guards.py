"""Who is let in, and what every answer of the app says to the browser."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from deadpan.viewing.app import View, view_app
from deadpan.web.guard import CSRF, LONGEST_FORM
from tests.viewing.conftest import HOST

PAGES = ("/", "/answers", "/tags", "/state", "/item?benchmark=x&item=y", "/export/all", "/nowhere")


@pytest.fixture
def stranger(view: View) -> TestClient:
    """A client without a cookie."""
    return TestClient(view_app(view), base_url=f"http://{HOST}", follow_redirects=False)


@pytest.mark.parametrize("path", PAGES)
def test_nobody_gets_in_without_the_cookie(stranger: TestClient, path: str) -> None:
    reply = stranger.get(path)
    assert reply.status_code == 403
    assert "Open the address" in reply.text


@pytest.mark.parametrize("token", ["", "wrong", "ü", "x" * 5000])
def test_a_wrong_token_is_refused(stranger: TestClient, token: str) -> None:
    reply = stranger.get("/", params={"token": token})
    assert reply.status_code == 403 and "set-cookie" not in reply.headers


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address(
    stranger: TestClient, view: View
) -> None:
    reply = stranger.get(f"/answers?model=a%20b&token={view.access.token}")
    assert reply.status_code == 303
    assert reply.headers["location"] == "/answers?model=a+b"
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    assert view.access.token not in cookie
    assert stranger.get("/answers").status_code == 200


def test_the_redirect_stays_on_this_host(stranger: TestClient, view: View) -> None:
    for path in ("//evil.example", "/\\evil.example", "///evil.example/x"):
        reply = stranger.get(f"http://{HOST}{path}?token={view.access.token}")
        assert reply.headers["location"].startswith("/evil.example")


@pytest.mark.parametrize(
    "host",
    ["evil.example", f"evil.example:{8377}", "127.0.0.1:1", "127.0.0.1", "", "a@127.0.0.1:8377"],
)
def test_a_rebound_name_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 421


def test_other_names_of_this_machine_are_served(client: TestClient, view: View) -> None:
    for host in ("localhost:8377", "[::1]:8377"):
        assert view.access.knows_host(host)
    assert client.get("/", headers={"host": "localhost:8377"}).status_code in (200, 403)


def test_every_answer_has_the_security_headers(client: TestClient, stranger: TestClient) -> None:
    for reply in (client.get("/"), client.get("/nowhere"), stranger.get("/"), client.get("/state")):
        policy = reply.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'")
        assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in reply.headers


def test_pages_hold_no_script_and_no_style_of_their_own(client: TestClient) -> None:
    for path in ("/", "/answers", "/tags"):
        text = client.get(path).text
        assert text.count("<script") == 1 and '<script src="/assets/view.js' in text
        assert "<style" not in text and " style=" not in text and "onclick" not in text


def _first_id(client: TestClient) -> str:
    text = client.get("/answers").text
    return text.partition('data-answer="')[2].partition('"')[0]


def test_a_form_of_another_site_changes_nothing(client: TestClient, view: View) -> None:
    form = {"id": _first_id(client), "tags": "odd", CSRF: view.access.csrf}
    for origin in ("http://evil.example", "null", "https://127.0.0.1:8377", "http://127.0.0.1:80"):
        assert client.post("/mark", data=form, headers={"origin": origin}).status_code == 403
    del client.headers["origin"]
    assert client.post("/mark", data=form).status_code == 403
    cross = {"origin": f"http://{HOST}", "sec-fetch-site": "cross-site"}
    assert client.post("/mark", data=form, headers=cross).status_code == 403
    assert not view.marks.all()


def test_a_form_without_the_right_secret_changes_nothing(client: TestClient, view: View) -> None:
    form = {"id": _first_id(client), "tags": "odd"}
    assert client.post("/mark", data=form).status_code == 403
    assert client.post("/mark", data={**form, CSRF: "0" * 64}).status_code == 403
    assert client.post("/mark", json={**form, CSRF: view.access.csrf}).status_code == 403
    long = {**form, CSRF: view.access.csrf, "note": "x" * LONGEST_FORM}
    assert client.post("/mark", data=long).status_code == 403
    assert not view.marks.all()


def test_two_apps_do_not_take_each_others_cookies(view: View) -> None:
    from deadpan.web.guard import Access

    assert Access(1).cookie != Access(2).cookie
    assert Access(1).token != Access(1).token


def test_no_page_of_the_framework_is_there(client: TestClient) -> None:
    for path in ("/docs", "/openapi.json", "/redoc", "/static/x"):
        assert client.get(path).status_code == 404
