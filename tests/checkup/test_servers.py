"""Keys are named and never shown; servers are tried without them."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from deadpan.checkup import servers
from deadpan.checkup.findings import Finding
from deadpan.checkup.servers import key_findings, server_findings


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that names no server, key or proxy."""
    for name in list(os.environ):
        if name.endswith(("_BASE_URL", "_API_KEY")) or "PROXY" in name.upper():
            monkeypatch.delenv(name)
    for name in (*servers.KEYS, "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(servers, "_SECONDS", 0.5)


class Answers(BaseHTTPRequestHandler):
    """Answers by the first part of the path, and keeps what it was sent."""

    seen: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.seen.append(f"{self.path} {dict(self.headers)}")
        kind = self.path.split("/")[1]
        names = ["m\x1b[31mone", "two", "three", "four"]
        body = json.dumps({"data": [{"id": name} for name in names]}).encode()
        status = {"models": 200, "wall": 401, "bare": 404, "away": 302, "odd": 200}.get(kind, 500)
        self.send_response(status)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        self.wfile.write(b"[[" * 200_000 if kind == "odd" else body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def asked(monkeypatch: pytest.MonkeyPatch, url: str, online: bool = False) -> Finding:
    monkeypatch.setenv("HOUSE_BASE_URL", url)
    return next(one for one in server_findings(online) if one.name == "HOUSE_BASE_URL")


def test_what_servers_of_this_machine_answer(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_API_KEY", "quite-secret-1234")
    told = asked(monkeypatch, address)
    assert told.state == "ok" and "two, three and 1 more" in told.text
    assert asked(monkeypatch, f"{address}/wall/v1/").text.endswith("wants a key (status 401)")
    assert "lack /v1?" in asked(monkeypatch, f"{address}/bare").text
    assert "status 302" in asked(monkeypatch, f"{address}/away").text
    assert asked(monkeypatch, f"{address}/odd").state == "ok"
    assert not any("quite-secret" in line for line in Answers.seen)


def test_addresses_that_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for odd in ("http://[", "ftp://a/", "nonsense", "http://a:b:c", "http://", "http://a:99999999"):
        assert asked(monkeypatch, odd).state == "broken", odd


def test_user_names_and_passwords_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    told = asked(monkeypatch, "http://me:hidden@127.0.0.1:1/v1?key=hidden")
    assert told.state == "broken" and "hidden" not in str(told) and "127.0.0.1:1/v1" in told.text


def test_a_server_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        told = asked(monkeypatch, f"http://localhost:{silent.getsockname()[1]}")
    assert told.state == "broken" and "no answer" in told.text
    assert told.fix == ("# start it, or mend HOUSE_BASE_URL",)


def test_other_machines_are_tried_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    told = asked(monkeypatch, "http://198.51.100.7/v1")
    assert told.state == "note" and told.fix == ("deadpan doctor --online",)
    tried: list[str] = []

    def ask(url: str) -> tuple[int, bytes]:
        tried.append(url)
        return 200, b"[]"

    monkeypatch.setattr(servers, "_asked", ask)
    assert {one.state for one in server_findings(online=True)} == {"ok"}
    assert sorted(tried) == [
        "http://198.51.100.7/v1/models",
        "https://huggingface.co/api/models?limit=1",
    ]


def test_keys_are_named_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden-hidden-hidden")
    monkeypatch.setenv("HOUSE_API_KEY", " hidden\n")
    monkeypatch.setenv("DEEPSEEK_API_KEY", "hidden\nhidden")
    monkeypatch.setenv("TOGETHER_API_KEY", "hidden–hidden")
    monkeypatch.setenv("GROQ_API_KEY", "")
    monkeypatch.setenv("XAI_API_KEY", "hidden")
    monkeypatch.setitem(servers._PACKAGES, "XAI_API_KEY", ("no_such.module", "xai-sdk"))
    told = list(key_findings())
    assert "hidden" not in str(told)
    assert told[0].text == "OPENAI_API_KEY, XAI_API_KEY"
    states = {one.name: one for one in told}
    assert "empty" in states["GROQ_API_KEY"].text and "blank" in states["HOUSE_API_KEY"].text
    assert states["HOUSE_API_KEY"].state == "broken"
    assert "a line's end" in states["DEEPSEEK_API_KEY"].text
    assert "other than ASCII" in states["TOGETHER_API_KEY"].text
    assert states["XAI_API_KEY"].fix == ("pip install xai-sdk",)


def test_no_key_is_no_fault() -> None:
    (told,) = key_findings()
    assert told.state == "note" and "need none" in told.text
