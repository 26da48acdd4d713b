"""robots.txt: its grammar, and what each answer to asking for it means."""

from collections.abc import Callable
from pathlib import Path

import pytest

from deadpan.collecting.fetch import FetchItem, FetchSettings, SourceRules, fetch
from deadpan.collecting.fetch.download import RobotsRules
from deadpan.collecting.fetch.records import FetchStatus

from .loopback import Reply, Site, png

ROBOTS = """\
# hello
User-agent: other
Disallow: /

User-agent: *
Disallow: /private/   # not here
Allow: /private/open
Disallow: /*.gif$
Disallow: /a%7eb
Disallow: /search?q=*&page=
Disallow:
Crawl-delay: 2.5
Sitemap: http://127.0.0.1/map
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/private/x", False),
        ("/private/open/x", True),
        ("/x.gif", False),
        ("/x.gif?y", True),
        ("/a~b/c", False),
        ("/search?q=cat&page=2", False),
        ("/search?q=cat", True),
        ("/robots.txt", True),
    ],
)
def test_rules_for_everyone(path: str, allowed: bool) -> None:
    rules = RobotsRules(ROBOTS, "deadpan")
    assert (rules.forbidding(path) is None) is allowed
    assert rules.crawl_delay == 2.5


def test_a_group_of_our_own_replaces_the_one_for_everyone() -> None:
    text = "User-agent: Deadpan/2\nUser-agent: x\nDisallow: /no\n\nUser-agent: *\nDisallow: /\n"
    rules = RobotsRules(text, "deadpan")
    assert rules.forbidding("/yes") is None and rules.forbidding("/no/1") == "/no"
    own = RobotsRules("User-agent: deadpan\nDisallow:\n\n" + ROBOTS, "deadpan")
    assert own.forbidding("/private/x") is None and own.crawl_delay == 0


@pytest.mark.parametrize("agent", ["dead", "deadpanner", "pan", "not deadpan", "dead*", ""])
def test_a_group_for_a_name_that_only_resembles_ours_is_not_ours(agent: str) -> None:
    text = f"User-agent: {agent}\nDisallow: /no/deep\nCrawl-delay: 9\n\n"
    assert RobotsRules(text, "deadpan").forbidding("/no/deep") is None
    rules = RobotsRules(text + "User-agent: *\nDisallow: /no\nDisallow: /n\n", "deadpan")
    assert rules.forbidding("/no/deep") == "/no" and rules.crawl_delay == 0


def test_the_longest_crawl_delay_counts() -> None:
    text = "User-agent: *\nCrawl-delay: 5\nCrawl-delay: soon\nUser-agent: *\nCrawl-delay: 2\n"
    assert RobotsRules(text, "deadpan").crawl_delay == 5


def test_of_equally_long_rules_allow_wins() -> None:
    rules = RobotsRules("user-agent: *\ndisallow: /page\nallow: /page", "deadpan")
    assert rules.forbidding("/page") is None
    assert RobotsRules("<!doctype html><p>a: b", "deadpan").forbidding("/x") is None


def test_a_forbidden_page_is_not_requested(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    site.put("/robots.txt", Reply(body=b"User-agent: *\nDisallow: /no/\n"))
    items = [
        FetchItem(id="no", url=site.put("/no/1", png())),
        FetchItem(id="yes", url=site.put("/yes", png())),
    ]
    no, yes = fetch(items, tmp_path, no_rules, quick).records
    assert (no.status, yes.status) == ("robots", "done")
    assert "(Disallow: /no/)" in str(no.error)
    assert [seen.path for seen in site.requests] == ["/robots.txt", "/yes"]


@pytest.mark.parametrize(
    ("answer", "status", "asked"),
    [
        (404, "done", 1),
        (410, "done", 1),
        (400, "done", 1),
        (401, "robots", 1),
        (403, "robots", 1),
        (500, "host_dead", 3),
        (429, "host_dead", 3),
    ],
)
def test_what_the_answer_means(
    site: Site,
    tmp_path: Path,
    quick: FetchSettings,
    no_rules: SourceRules,
    answer: int,
    status: FetchStatus,
    asked: int,
) -> None:
    site.put("/robots.txt", Reply(answer))
    items = [FetchItem(id=f"i{n}", url=site.put(f"/{n}", png(n))) for n in range(3)]
    summary = fetch(items, tmp_path, no_rules, quick)
    assert summary.counts[status] == 3
    assert sum(seen.path == "/robots.txt" for seen in site.requests) == asked
    assert sum(site.asked().values()) == (3 if status == "done" else 0)


def test_a_redirect_of_robots_is_followed(
    new_site: Callable[..., Site], tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    site, other = new_site(), new_site()
    other.put("/rules", Reply(body=b"User-agent: *\nDisallow: /\n"))
    site.put("/robots.txt", Reply(301, headers={"Location": f"{other.base}/rules"}))
    item = FetchItem(id="a", url=site.put("/x", png()))
    assert fetch([item], tmp_path, no_rules, quick).records[0].status == "robots"


def test_a_redirect_to_a_host_that_forbids_is_not_followed(
    new_site: Callable[..., Site], tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    site, other = new_site(), new_site("127.0.0.2")
    other.put("/robots.txt", Reply(body=b"User-agent: *\nDisallow: /\n"))
    target = other.put("/x", png())
    item = FetchItem(id="a", url=site.put("/x", Reply(302, headers={"Location": target})))
    record = fetch([item], tmp_path, no_rules, quick).records[0]
    assert record.status == "robots" and "127.0.0.2" in str(record.error)
    assert [seen.path for seen in other.requests] == ["/robots.txt"]
