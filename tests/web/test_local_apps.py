"""Pages of long lists, ports, and names that an app is served under."""

from __future__ import annotations

import socket
import sys

import pytest

pytest.importorskip("fastapi", reason="the [web] extra is not installed")

from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.web.guard import Access
from deadpan.web.paging import Page
from deadpan.web.serving import address, hosts_of, is_loopback, open_port, require_web


@pytest.mark.parametrize(
    ("wanted", "total", "number", "start", "end", "before", "after"),
    [
        (1, 0, 1, 0, 0, None, None),
        (1, 50, 1, 0, 50, None, None),
        (1, 51, 1, 0, 50, None, 2),
        (2, 51, 2, 50, 51, 1, None),
        (99, 51, 2, 50, 51, 1, None),
        (-3, 120, 1, 0, 50, None, 2),
        (2, 120, 2, 50, 100, 1, 3),
    ],
)
def test_pages(
    wanted: int,
    total: int,
    number: int,
    start: int,
    end: int,
    before: int | None,
    after: int | None,
) -> None:
    page = Page(wanted, total)
    found = (page.number, page.start, page.end, page.before, page.after)
    assert found == (number, start, end, before, after)


def test_ports() -> None:
    with open_port("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        assert taken > 0
        with pytest.raises(DeadpanError, match=f"--port {taken}: another program listens there"):
            open_port("127.0.0.1", taken)
    with pytest.raises(DeadpanError, match=r"--host 192\.0\.2\.1: cannot"):
        open_port("192.0.2.1", 0)
    with pytest.raises(DeadpanError, match=r"--host nowhere\.invalid: cannot listen there"):
        open_port("nowhere.invalid", 0)


def test_what_is_sent_waits_for_no_acknowledgement() -> None:
    with open_port("127.0.0.1", 0) as listening:
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_which_hosts_are_this_machine_alone() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "localhost", "::1", "127.1.2.3")))
    assert not any(map(is_loopback, ("0.0.0.0", "192.168.1.5", "::", "my.host")))


def test_names_that_are_served() -> None:
    own = Access(8000, hosts_of("127.0.0.1"))
    assert own.knows_host("127.0.0.1:8000") and own.knows_host("LOCALHOST:8000")
    assert not own.knows_host("192.168.1.5:8000") and not own.knows_host("127.0.0.1:8001")
    everywhere = Access(8000, hosts_of("0.0.0.0"))
    assert everywhere.knows_host("192.168.1.5:8000") and everywhere.knows_host("[fe80::1]:8000")
    assert everywhere.knows_host(f"{socket.gethostname()}:8000")
    assert not everywhere.knows_host("evil.example:8000")
    named = Access(8000, hosts_of("My.Host"))
    assert named.knows_host("my.host:8000") and not named.knows_host("other.host:8000")
    for odd in ("", "a:b:c", "[", "127.0.0.1:x", "127.0.0.1:8000/x", "u@127.0.0.1:8000"):
        assert not own.knows_host(odd)


def test_the_address_to_open() -> None:
    access = Access(8000)
    assert address("0.0.0.0", access) == f"http://127.0.0.1:8000/?token={access.token}"
    assert address("::1", access).startswith("http://[::1]:8000/")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingExtra, match=r"deadpan view needs the \[web\] extra: pip install"):
        require_web("deadpan view")
