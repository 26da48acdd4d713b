"""Loopback servers and quick settings for the fetch tests."""

from collections.abc import Callable, Iterator

import pytest

from deadpan.collecting.fetch import FetchSettings, SourceRules

from .loopback import Site


@pytest.fixture
def new_site() -> Iterator[Callable[..., Site]]:
    """A maker of servers, all closed after the test."""
    sites: list[Site] = []

    def make(address: str = "127.0.0.1") -> Site:
        sites.append(Site(address))
        return sites[-1]

    yield make
    for site in sites:
        site.close()


@pytest.fixture
def site(new_site: Callable[..., Site]) -> Site:
    """One server."""
    return new_site()


@pytest.fixture
def quick() -> FetchSettings:
    """Settings without waits."""
    return FetchSettings(interval=0, backoff=0.01, timeout=2, attempts=3, allow_private=True)


@pytest.fixture
def no_rules() -> SourceRules:
    """Rules for no source: direct pictures only."""
    return SourceRules()
