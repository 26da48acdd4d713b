"""Addresses that lead where no picture is: each ends its own item, and nothing private is asked."""

from __future__ import annotations

import gzip
import json
import socket
import tracemalloc
import zlib
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st

from deadpan.base import http
from deadpan.collecting.fetch import FetchItem, FetchSettings, SourceRules, fetch
from deadpan.collecting.fetch.exchange import printable, web_url
from deadpan.collecting.fetch.records import FetchSummary, ItemError

from .loopback import Reply, Site, png

BAD = (
    "javascript:alert(1)",
    "data:text/html,<b>x</b>",
    "mailto:a@example.com",
    "file:///etc/passwd",
    "http://host.test:99999/x.png",
    "http://host.test:0/x.png",
    "http://host.test:-1/x.png",
    "http://[::1/x.png",
    "http://[zz]/x.png",
    "http://a..b/x.png",
    "http://%00/x.png",
    "http://ex ample/x.png",
    "//a@//x",
    "tel:1",
)


def fetched(urls: list[str], out: Path, settings: FetchSettings) -> FetchSummary:
    """What came of the addresses, each an item."""
    items = [FetchItem(id=f"i{number}", url=url) for number, url in enumerate(urls)]
    return fetch(items, out, SourceRules(), settings)


def test_a_redirect_to_no_web_address_ends_its_item_only(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    urls = [
        site.put(f"/{number}", Reply(302, headers={"Location": bad}))
        for number, bad in enumerate(BAD)
    ]
    urls.append(site.put("/good.png", png()))
    for _ in range(2):
        found = fetched(urls, tmp_path, quick)
        assert [one.status for one in found.records] == ["refused"] * len(BAD) + ["done"]
        assert found.retryable == 0
    asked = site.asked()
    assert all(asked[f"/{number}"] == 2 for number in range(len(BAD))), "once a run, not retried"
    lines = (tmp_path / "manifest.jsonl").read_text().splitlines()
    assert all(json.loads(line)["error"] for line in lines if "refused" in line)


@pytest.mark.parametrize("bad", BAD)
def test_an_item_with_no_web_address_is_refused(
    tmp_path: Path, quick: FetchSettings, bad: str
) -> None:
    (record,) = fetched([bad], tmp_path, quick).records
    assert record.status == "refused" and not record.retryable


def test_a_loopback_address_is_refused_unless_allowed(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    url = site.put("/x.png", png())
    strict = quick.model_copy(update={"allow_private": False})
    (record,) = fetched([url], tmp_path, strict).records
    assert record.status == "refused" and "127.0.0.1 is a private" in str(record.error)
    assert site.requests == []
    (record,) = fetched([url], tmp_path, quick).records
    assert record.status == "done"


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Makes names resolve to the given addresses in turn; gives the names that were asked for."""

    def resolve(**answers: list[str]) -> list[str]:
        asked: list[str] = []
        names = {name.replace("_", "."): addresses for name, addresses in answers.items()}

        def getaddrinfo(host: Any, port: Any, *_: Any, **__: Any) -> list[Any]:
            name = host.decode() if isinstance(host, bytes) else host
            asked.append(name)
            found = names.get(name, [name])
            address = found.pop(0) if len(found) > 1 else found[0]
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            return [(family, socket.SOCK_STREAM, 6, "", (address, int(port)))]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return asked

    return resolve


def test_a_name_of_a_private_address_is_refused(
    site: Site, tmp_path: Path, quick: FetchSettings, resolved: Callable[..., list[str]]
) -> None:
    resolved(inside_test=["127.0.0.1"], mapped_test=["::ffff:127.0.0.1"])
    strict = quick.model_copy(update={"allow_private": False})
    urls = [f"http://{name}:{site.port}/x.png" for name in ("inside.test", "mapped.test")]
    found = fetched(urls, tmp_path, strict)
    assert [one.status for one in found.records] == ["refused", "refused"]
    assert site.requests == []


def _only_the_first(address: str) -> bool:
    """As `is_public`, where 127.0.0.1 is the Internet."""
    return ip_address(address) == ip_address("127.0.0.1")


def test_the_connection_goes_to_the_address_that_was_checked(
    site: Site,
    tmp_path: Path,
    quick: FetchSettings,
    resolved: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "is_public", _only_the_first)
    asked = resolved(
        steady_test=["127.0.0.1", "127.0.0.1", "127.0.0.9"],
        rebinding_test=["127.0.0.1", "127.0.0.9"],
    )
    site.put("/x.png", png())
    strict = quick.model_copy(update={"allow_private": False})
    url = f"http://%s.test:{site.port}/x.png"
    (record,) = fetched([url % "steady"], tmp_path / "a", strict).records
    assert record.status == "done"
    assert asked == ["steady.test"] * 2, "one look-up for each connection: robots.txt, the picture"
    assert {seen.host for seen in site.requests} == {f"steady.test:{site.port}"}
    (record,) = fetched([url % "rebinding"], tmp_path / "b", strict).records
    assert record.status == "refused" and "127.0.0.9" in str(record.error)


def test_every_redirect_is_checked(
    new_site: Callable[..., Site],
    tmp_path: Path,
    quick: FetchSettings,
    resolved: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "is_public", _only_the_first)
    resolved(inside_test=["127.0.0.2"])
    outer, inner = new_site(), new_site("127.0.0.2")
    inner.put("/secret.png", png())
    urls = []
    for number, host in enumerate(("127.0.0.2", "inside.test")):
        target = f"http://{host}:{inner.port}/secret.png"
        urls.append(outer.put(f"/{number}", Reply(302, headers={"Location": target})))
    found = fetched(urls, tmp_path, quick.model_copy(update={"allow_private": False}))
    assert [one.status for one in found.records] == ["refused", "refused"]
    assert inner.requests == []


def _bombs() -> dict[str, bytes]:
    zeros = bytes(300_000_000)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return {
        "gzip": gzip.compress(zeros),
        "deflate": deflate.compress(zeros) + deflate.flush(),
        "zstd": zstandard.ZstdCompressor().compress(zeros),
        "br": b"\xcf\xff\xff\x7f" * 1000,
        "gzip, gzip": gzip.compress(gzip.compress(zeros)),
    }


def test_a_compressed_bomb_ends_its_item_at_the_limit(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    bombs = _bombs()
    for number, (encoding, body) in enumerate(bombs.items()):
        headers = {"Content-Encoding": encoding}
        site.put(f"/{number}.png", Reply(body=body, kind="image/png", headers=headers))
        site.put(f"/{number}.html", Reply(body=body, kind="text/html", headers=headers))
    urls = [f"{site.base}/{n}.{kind}" for n in range(len(bombs)) for kind in ("png", "html")]
    small = quick.model_copy(update={"max_bytes": 5_000_000, "max_page_bytes": 5_000_000})
    tracemalloc.start()
    try:
        found = fetched(urls, tmp_path, small)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert {one.status for one in found.records} == {"failed"}
    errors = [str(one.error) for one in found.records]
    assert all("more than the 5000000 bytes" in text for text in errors[:4])
    assert all("the answer is encoded as" in text for text in errors[4:])
    assert peak < 40_000_000
    assert all(n == 1 for n in site.asked().values()), "no bomb is asked for again"


def test_compressed_pages_and_pictures_are_read(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    picture = png().body
    raw = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    bodies = {
        "gzip": gzip.compress(picture),
        "deflate": zlib.compress(picture),
        "Deflate": raw.compress(picture) + raw.flush(),
        "identity": picture,
    }
    urls = [
        site.put(f"/{n}.png", Reply(body=body, headers={"Content-Encoding": encoding}))
        for n, (encoding, body) in enumerate(bodies.items())
    ]
    found = fetched(urls, tmp_path, quick)
    assert [one.status for one in found.records] == ["done"] * 4
    assert len({one.sha256 for one in found.records}) == 1
    assert site.requests[-1].headers["Accept-Encoding"] == "gzip, deflate"


def test_a_compressed_body_that_is_cut_off_is_tried_again(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    body = gzip.compress(png().body)
    coded = {"Content-Encoding": "gzip"}
    cut = Reply(body=body[: len(body) // 2], headers=coded)
    url = site.put(
        "/x.png", cut, Reply(body=b"no gzip", headers=coded), Reply(body=body, headers=coded)
    )
    (record,) = fetched([url], tmp_path, quick).records
    assert record.status == "done" and site.asked()["/x.png"] == 3


_PARTS = st.sampled_from(
    ["http", "https", "javascript", "data", ":", "//", "/", "[", "]", "::1", "127.0.0.1", "@", "%",
     "%00", "?", "#", "..", "a", "例え", "\u202e", "ß", "xn--", "\0", "\n", " ", "99999", "-1", "٣",
     "\\", "token=x", "%eth0", "。", "\ud800"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=40), st.lists(_PARTS, max_size=8).map("".join)))
@example("//a@//-1file")
def test_any_text_is_a_web_address_or_refused(text: str) -> None:
    try:
        url = web_url(text)
    except ItemError as error:
        assert error.status == "refused"
        return
    assert url.scheme in ("http", "https") and url.host and printable(url)
    assert url.port is None or 0 < url.port < 65536
    assert isinstance(httpx.URL(printable(url)), httpx.URL)
