"""Clients that are slow, silent or gone: they keep nobody else out, and fill no log."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

pytest.importorskip("fastapi", reason="the [web] extra is not installed")

import uvicorn
from fastapi import FastAPI, Request
from starlette.responses import PlainTextResponse, Response

from deadpan.web import connections, guard
from deadpan.web.connections import Connection, OnceInAWhile, raise_file_limit
from deadpan.web.guard import Forbidden, read_fields

HALF = b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: "
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
FORM = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server with a few places, whose patience is short."""
    monkeypatch.setattr(connections, "ASKING_SECONDS", 0.5)
    monkeypatch.setattr(guard, "SENDING_SECONDS", 0.5)
    monkeypatch.setattr(Connection, "most", 5)
    app = FastAPI()

    @app.exception_handler(Forbidden)
    async def refused(request: Request, error: Exception) -> Response:
        return PlainTextResponse(str(error), 400)

    @app.get("/")
    async def page() -> Response:
        return PlainTextResponse("here")

    @app.post("/")
    async def form(request: Request) -> Response:
        return PlainTextResponse(str(await read_fields(request)))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, http=Connection, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield int(listening.getsockname()[1])
        server.should_exit = True
        thread.join()


def _connected(port: int, *said: bytes) -> socket.socket:
    found = socket.create_connection(("127.0.0.1", port), timeout=10)
    for one in said:
        found.sendall(one)
    return found


def _answer(connection: socket.socket) -> bytes:
    """What comes until the other end hangs up."""
    told = b""
    try:
        while piece := connection.recv(4_096):
            told += piece
    except ConnectionResetError:
        pass
    return told


def test_half_a_request_is_not_waited_for(port: int) -> None:
    for said in ((), (HALF,), (WHOLE, HALF)):
        begun = time.monotonic()
        with _connected(port, *said) as slow:
            told = _answer(slow)
        assert told.count(b"200 OK") == (WHOLE in said)
        assert time.monotonic() - begun < 30


def test_who_asks_gets_the_place_of_those_who_are_silent(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ASKING_SECONDS", 60)
    with ExitStack() as held:
        for _ in range(40):
            held.enter_context(_connected(port, HALF))
        with _connected(port, WHOLE) as asking:
            assert b"200 OK" in asking.recv(4_096)


def test_a_form_that_does_not_come_is_given_up(port: int) -> None:
    with _connected(port, FORM + b"Content-Length: 50\r\n\r\na=") as slow:
        told = _answer(slow)
    assert b"400 Bad Request" in told and b"did not come through" in told
    with _connected(port, FORM + b"Content-Length: 3\r\n\r\na=b") as quick:
        assert b"{'a': ['b']}" in _answer(quick)


def test_who_leaves_in_the_midst_is_no_error(port: int, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        _connected(port, FORM + b"Content-Length: 50\r\n\r\na=").close()
        with _connected(port, WHOLE) as asking:
            assert b"200 OK" in _answer(asking)
    assert not caplog.records


def test_what_fills_the_log_is_said_once_in_a_while() -> None:
    said = OnceInAWhile()

    def record(words: str) -> logging.LogRecord:
        return logging.LogRecord("asyncio", logging.ERROR, "", 0, words, (), None)

    flood = [said.filter(record("socket.accept() out of system resource")) for _ in range(100)]
    assert flood == [True] + [False] * 99
    assert said.filter(record("something else"))


def test_files_that_may_be_opened() -> None:
    assert 128 <= raise_file_limit() < connections.MOST_FILES
