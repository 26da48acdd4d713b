"""Every status, each from a server that behaves accordingly."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from deadpan import __version__
from deadpan.collecting.fetch import (
    FetchError,
    FetchItem,
    FetchRecord,
    FetchSettings,
    SourceRules,
    fetch,
)
from deadpan.collecting.fetch.records import FetchStatus, FetchSummary

from .loopback import Reply, Site, html, picture, png


def one(url: str, out: Path, settings: FetchSettings, item_id: str = "a") -> FetchRecord:
    return fetch([FetchItem(id=item_id, url=url)], out, SourceRules(), settings).records[0]


def test_a_direct_picture_is_stored_and_described(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    body = picture(3)
    record = one(site.put("/x", Reply(body=body, kind="image/png")), tmp_path, quick)
    assert record.status == "done" and record.error is None
    assert record.file == "images/a.png"
    assert (tmp_path / "images/a.png").read_bytes() == body
    assert record.sha256 == hashlib.sha256(body).hexdigest()
    assert (record.bytes, record.width, record.height) == (len(body), 48, 32)
    assert record.content_type == "image/png" and record.image_url == site.base + "/x"
    lines = (tmp_path / "manifest.jsonl").read_text().splitlines()
    assert [json.loads(line)["sha256"] for line in lines] == [record.sha256]
    assert list(tmp_path.rglob("*.part")) == []


@pytest.mark.parametrize(
    ("kind", "extension"),
    [("PNG", "png"), ("JPEG", "jpg"), ("GIF", "gif"), ("WEBP", "webp"), ("BMP", "bmp")],
)
def test_the_extension_follows_the_format_not_the_header(
    site: Site, tmp_path: Path, quick: FetchSettings, kind: str, extension: str
) -> None:
    url = site.put("/x.dat", Reply(body=picture(1, kind), kind="text/html"))
    if kind == "BMP":
        url = site.put("/x.dat", Reply(body=picture(1, kind), kind="application/octet-stream"))
    assert one(url, tmp_path, quick).file == f"images/a.{extension}"


def test_every_request_says_who_asks(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    settings = quick.model_copy(update={"contact": "me@example.org"})
    one(site.put("/x", png()), tmp_path, settings)
    agents = {seen.headers["User-Agent"] for seen in site.requests}
    assert agents == {f"deadpan/{__version__} (+research benchmark; contact: me@example.org)"}
    assert quick.user_agent == f"deadpan/{__version__} (+research benchmark)"
    with pytest.raises(ValidationError, match="printable ASCII"):
        FetchSettings(contact="a\r\nX: y")


@pytest.mark.parametrize("status", [404, 410])
def test_gone(site: Site, tmp_path: Path, quick: FetchSettings, status: int) -> None:
    record = one(site.put("/x", Reply(status)), tmp_path, quick)
    assert record.status == "gone" and not record.retryable
    assert record.error == f"{site.base}/x: HTTP {status}; the site no longer has it"
    assert site.asked() == {"/x": 1}


def test_another_http_error_fails_at_once(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    record = one(site.put("/x", Reply(403)), tmp_path, quick)
    assert record.status == "failed" and record.retryable and "HTTP 403" in str(record.error)
    assert site.asked() == {"/x": 1}


def test_a_server_error_is_asked_again(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    assert one(site.put("/x", Reply(500), Reply(502), png()), tmp_path, quick).status == "done"
    assert site.asked() == {"/x": 3}


def test_attempts_run_out(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    record = one(site.put("/x", Reply(500)), tmp_path, quick)
    assert record.status == "failed" and "HTTP 500; 3 attempts" in str(record.error)
    assert site.asked() == {"/x": 3}


def test_a_timeout_is_asked_again(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    settings = quick.model_copy(update={"timeout": 0.4})
    url = site.put("/x", Reply(delay=5), png())
    assert one(url, tmp_path, settings).status == "done"
    assert site.asked() == {"/x": 2}


def test_a_response_that_never_ends_is_left(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    settings = quick.model_copy(update={"request_timeout": 0.2, "attempts": 1})
    url = site.put("/x", Reply(body=picture(), kind="image/png", cut=100, hang=True))
    record = one(url, tmp_path, settings)
    assert record.status == "failed" and "no whole answer in 0.2 s" in str(record.error)


def test_a_connection_cut_in_mid_body_is_asked_again(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    url = site.put("/x", Reply(body=picture(), kind="image/png", cut=500), png())
    assert one(url, tmp_path, quick).status == "done"
    assert site.asked() == {"/x": 2}
    assert (tmp_path / "images/a.png").read_bytes() == picture()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_truncated_picture_without_a_length_is_found_by_decoding(
    site: Site, tmp_path: Path, quick: FetchSettings, kind: str
) -> None:
    body = picture(2, kind, (200, 200))
    url = site.put("/x", Reply(body=body[: len(body) // 2], kind="image/png", length=False))
    record = one(url, tmp_path, quick)
    assert record.status == "failed" and "does not decode to its end" in str(record.error)
    assert site.asked() == {"/x": 3}
    assert list((tmp_path / "images").iterdir()) == []


@pytest.mark.parametrize("body", [b"", b"just words", b"%PDF-1.7 ...", b"{}", b"<svg></svg>"])
def test_what_is_no_picture(site: Site, tmp_path: Path, quick: FetchSettings, body: bytes) -> None:
    record = one(site.put("/x", Reply(body=body, kind="image/png")), tmp_path, quick)
    assert record.status == "not_image" and "not a picture" in str(record.error)
    assert list((tmp_path / "images").iterdir()) == []


@pytest.mark.parametrize("length", [True, False])
def test_the_size_limit(site: Site, tmp_path: Path, quick: FetchSettings, length: bool) -> None:
    settings = quick.model_copy(update={"max_bytes": 1000})
    url = site.put("/x", Reply(body=picture(), kind="image/png", length=length))
    record = one(url, tmp_path, settings)
    assert record.status == "failed" and "more than the 1000 bytes" in str(record.error)
    assert site.asked() == {"/x": 1}
    assert list((tmp_path / "images").iterdir()) == []


def test_a_page_without_a_source(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    record = one(site.put("/x", html("<html><img src=/y.png></html>")), tmp_path, quick)
    assert record.status == "no_rule" and record.image_url is None
    assert "add one in sources.json" in str(record.error) and "127.0.0.1" in str(record.error)


@pytest.mark.parametrize(
    "url",
    ["ftp://127.0.0.1/x", "file:///etc/passwd", "x.png", "http://a..b/", f"http://{'a' * 64}.b/"],
)
def test_only_web_addresses(tmp_path: Path, quick: FetchSettings, url: str) -> None:
    record = one(url, tmp_path, quick)
    assert record.status == "refused" and "expected an http:// or https://" in str(record.error)


def test_a_redirect_to_another_scheme_is_refused(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    url = site.put("/x", Reply(302, headers={"Location": "file:///etc/passwd"}))
    record = one(url, tmp_path, quick)
    assert record.status == "refused" and "file:///etc/passwd" in str(record.error)


def test_redirects_are_followed_to_an_end(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    site.put("/y", png())
    url = site.put("/x", Reply(301, headers={"Location": "y"}))
    assert one(url, tmp_path, quick).status == "done"
    loop = site.put("/loop", Reply(302, headers={"Location": "/loop"}))
    record = one(loop, tmp_path, quick, "b")
    assert record.status == "failed" and "more than 10 redirects" in str(record.error)


def test_secrets_in_a_url_are_not_written(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    url = site.put("/x?id=7&api_key=hunter2", png()).replace("http://", "http://me:pass@")
    record = one(url, tmp_path, quick)
    assert record.status == "done"
    assert record.url == f"{site.base}/x?id=7&api_key=***"
    assert "hunter2" not in (tmp_path / "manifest.jsonl").read_text()


@pytest.mark.parametrize("item_id", ["../../evil", "/etc/evil", "..", "a/b", "C:\\evil", ".hidden"])
def test_ids_stay_in_the_folder(
    site: Site, tmp_path: Path, quick: FetchSettings, item_id: str
) -> None:
    out = tmp_path / "deep" / "out"
    record = one(site.put("/x", png()), out, quick, item_id)
    assert record.status == "done" and record.id == item_id
    files = [path for path in tmp_path.rglob("*") if path.suffix == ".png"]
    assert len(files) == 1 and files[0].parent == out / "images"
    assert not files[0].name.startswith(".") and out / str(record.file) == files[0]


def test_bad_ids_are_refused(tmp_path: Path, quick: FetchSettings) -> None:
    with pytest.raises(ValidationError, match="expected 1 to 200"):
        FetchItem(id="", url="http://127.0.0.1/")
    twice = [FetchItem(id="a", url="http://127.0.0.1/")] * 2
    with pytest.raises(FetchError, match="given twice"):
        fetch(twice, tmp_path, SourceRules(), quick)


def test_a_summary_counts_every_status(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    urls = {
        "a": site.put("/a", png()),
        "b": site.put("/b", Reply(404)),
        "c": site.put("/c", Reply(400)),
    }
    items = [FetchItem(id=name, url=url) for name, url in urls.items()]
    told: list[FetchRecord] = []
    summary: FetchSummary = fetch(items, tmp_path, no_rules, quick, told.append)
    assert summary.counts == {
        **dict.fromkeys(get_args(FetchStatus), 0),
        "done": 1,
        "gone": 1,
        "failed": 1,
    }
    assert [record.id for record in summary.records] == ["a", "b", "c"]
    assert summary.retryable == 1 and summary.resumed == 0
    assert sorted(record.id for record in told) == ["a", "b", "c"]


def test_many_sites_at_once(
    new_site: Callable[..., Site], tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    sites = [new_site(f"127.0.0.{n}") for n in (1, 2, 3)]
    items = [
        FetchItem(id=f"{s}-{n}", url=site.put(f"/{n}", png(n)))
        for s, site in enumerate(sites)
        for n in range(5)
    ]
    summary = fetch(items, tmp_path, no_rules, quick)
    assert summary.counts["done"] == 15
    assert len(list((tmp_path / "images").iterdir())) == 15
