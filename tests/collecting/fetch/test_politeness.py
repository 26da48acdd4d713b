"""Spacing, concurrency, Retry-After, and hosts that do not answer."""

import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from deadpan.base.http import retry_after_seconds
from deadpan.collecting.fetch import FetchItem, FetchSettings, SourceRules, fetch

from .loopback import Reply, Site, png


def items_of(site: Site, count: int) -> list[FetchItem]:
    return [FetchItem(id=f"i{n}", url=site.put(f"/{n}", png(n))) for n in range(count)]


class NoSuchName(httpx.AsyncBaseTransport):
    """What a name that does not resolve looks like, without asking a name server."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("[Errno -2] Name or service not known", request=request)


def gaps(times: list[float]) -> list[float]:
    ordered = sorted(times)
    return [later - earlier for earlier, later in pairwise(ordered)]


def test_requests_to_one_host_are_spaced_and_single(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    settings = quick.model_copy(update={"interval": 0.1})
    summary = fetch(items_of(site, 6), tmp_path, no_rules, settings)
    assert summary.counts["done"] == 6
    assert site.most_at_once == 1
    assert len(site.requests) == 7
    # The client keeps the gaps between sendings; arrivals on a busy machine may be closer.
    assert min(gaps(site.times())) > 0.05 and sum(gaps(site.times())) > 0.5


def test_hosts_run_side_by_side(
    new_site: Callable[..., Site], tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    settings = quick.model_copy(update={"interval": 0.1})
    sites = [new_site() for _ in range(4)]
    items = [
        item.model_copy(update={"id": f"{s}{item.id}"})
        for s, site in enumerate(sites)
        for item in items_of(site, 4)
    ]
    assert fetch(items, tmp_path, no_rules, settings).counts["done"] == 16
    assert max(site.times()[0] for site in sites) < min(site.times()[-1] for site in sites)


@pytest.mark.parametrize("per_host", [1, 3])
def test_concurrency_per_host(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules, per_host: int
) -> None:
    items = [
        FetchItem(
            id=f"i{n}",
            url=site.put(f"/{n}", Reply(body=png(n).body, kind="image/png", delay=0.05)),
        )
        for n in range(8)
    ]
    settings = quick.model_copy(update={"per_host": per_host})
    assert fetch(items, tmp_path, no_rules, settings).counts["done"] == 8
    assert site.most_at_once == per_host


def test_crawl_delay_is_a_least_interval(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    site.put("/robots.txt", Reply(body=b"User-agent: *\nCrawl-delay: 0.15\n"))
    fetch(items_of(site, 3), tmp_path, no_rules, quick)
    assert len(site.requests) == 4 and min(gaps(site.times())) > 0.08


def test_an_absurd_crawl_delay_is_a_refusal(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    site.put("/robots.txt", Reply(body=b"User-agent: *\nCrawl-delay: 86400\n"))
    settings = quick.model_copy(update={"max_crawl_delay": 0.1})
    record = fetch(items_of(site, 1), tmp_path, no_rules, settings).records[0]
    assert record.status == "robots" and "86400 s between requests" in str(record.error)


def test_retry_after_in_seconds_holds_the_whole_host_back(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    items = items_of(site, 3)
    site.put("/0", Reply(429, headers={"Retry-After": "1"}), png(0))
    assert fetch(items, tmp_path, no_rules, quick).counts["done"] == 3
    assert [seen.path for seen in site.requests[:2]] == ["/robots.txt", "/0"]
    after = [seen.at - site.requests[1].at for seen in site.requests[2:]]
    assert len(after) == 3 and min(after) >= 0.98


def test_retry_after_is_capped(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    url = site.put("/x", Reply(503, headers={"Retry-After": "3600"}), png())
    settings = quick.model_copy(update={"max_retry_after": 0.3})
    record = fetch([FetchItem(id="a", url=url)], tmp_path, no_rules, settings).records[0]
    assert record.status == "done"
    assert 0.28 < site.requests[2].at - site.requests[1].at < 60


def test_retry_after_as_a_date() -> None:
    now = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    later = format_datetime(now + timedelta(seconds=90), usegmt=True)
    assert retry_after_seconds(later, now) == 90
    assert retry_after_seconds(format_datetime(now - timedelta(days=1), usegmt=True), now) == 0
    assert retry_after_seconds(" 12 ", now) == 12
    assert retry_after_seconds("soon", now) is None and retry_after_seconds(None, now) is None


def test_back_off_grows(site: Site, tmp_path: Path, quick: FetchSettings) -> None:
    settings = quick.model_copy(update={"backoff": 0.1, "attempts": 3})
    url = site.put("/x", Reply(500))
    fetch([FetchItem(id="a", url=url)], tmp_path, SourceRules(), settings)
    first, second = gaps(site.times())[1:]
    assert first > 0.09 and second > 0.19


def test_nobody_listens(tmp_path: Path, quick: FetchSettings, no_rules: SourceRules) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    items = [FetchItem(id=f"i{n}", url=f"http://127.0.0.1:{port}/{n}") for n in range(50)]
    summary = fetch(items, tmp_path, no_rules, quick)
    assert summary.counts["host_dead"] == 50 and summary.retryable == 50
    assert f"127.0.0.1:{port}: given up for this run" in str(summary.records[-1].error)


def test_a_name_that_does_not_resolve(
    tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    settings = quick.model_copy(update={"transport": NoSuchName()})
    item = FetchItem(id="a", url="http://nowhere.invalid/x.png")
    record = fetch([item], tmp_path, no_rules, settings).records[0]
    assert record.status == "host_dead" and "Name or service not known" in str(record.error)


def test_a_host_that_dies_in_mid_run_is_given_up(
    new_site: Callable[..., Site], tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    ill, well = new_site(), new_site()
    items = items_of(ill, 20)
    for n in range(2, 20):
        ill.put(f"/{n}", Reply(503))
    items += [item.model_copy(update={"id": f"well-{item.id}"}) for item in items_of(well, 20)]
    summary = fetch(items, tmp_path, no_rules, quick)
    by_id = {record.id: record for record in summary.records}
    assert summary.counts["done"] == 22 and summary.retryable == 18
    assert summary.counts["host_dead"] >= 15
    assert "items in a row failed" in str(by_id["i19"].error)
    assert sum(ill.asked().values()) <= 2 + 4 * quick.attempts


def test_broken_pages_at_the_front_do_not_block_the_rest_for_ever(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    items = items_of(site, 10)
    for n in range(4):
        site.put(f"/{n}", Reply(500))
    first = fetch(items, tmp_path, no_rules, quick)
    assert first.counts["done"] == 0
    fetch(items, tmp_path, no_rules, quick)
    third = fetch(items, tmp_path, no_rules, quick)
    assert third.counts["done"] == 6
