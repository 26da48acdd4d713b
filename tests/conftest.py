"""What every test stands on: its own cache and store, and the released data where it is there."""

from __future__ import annotations

import logging
import os
import re
import secrets
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.chromium import launched_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHARED = Path(__file__).resolve().parents[1].parent / "shared"

# A worker of tests has a core of its own: threads of several that wait for each other lose minutes.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# No test holds a clock against the machine.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


HEAVY = re.compile(
    r"torch|transformers|peft|accelerate|diffusers|\[(?:neural|learn|diffusion|ray)\]",
    re.IGNORECASE,
)


def _told_as_failed(report: Any) -> None:
    """Where heavy extras must be there, a skip for want of them is a failure."""
    wanted = os.environ.get("DEADPAN_HEAVY_TESTS")
    if not wanted or report.outcome != "skipped" or not isinstance(report.longrepr, tuple):
        return
    reason = str(report.longrepr[2])
    if HEAVY.search(reason):
        report.outcome = "failed"
        report.longrepr = f"skipped for want of a heavy extra: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    report = yield
    _told_as_failed(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    _told_as_failed(report)
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest test first, so that nobody waits for it alone in the end."""
    items.sort(key=lambda item: item.name != "test_two_nodes")


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache per test session, so that no test reads or leaves anything in the user's."""
    cache = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("DEADPAN_CACHE", str(cache))


@pytest.fixture(autouse=True)
def no_hidden_bugs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unexpected errors come through the command line as they are."""
    monkeypatch.setenv("DEADPAN_DEBUG", "1")


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer store per test for commands that name none."""
    store = tmp_path_factory.getbasetemp() / "stores" / secrets.token_hex(8)
    monkeypatch.setenv("DEADPAN_STORE", str(store))


@pytest.fixture(autouse=True)
def own_logger() -> Iterator[None]:
    """Our logger as a fresh process has it: commands set it up, fixtures of wider scope too."""
    _forget_logging()
    yield
    _forget_logging()


def _forget_logging() -> None:
    ours = logging.getLogger("deadpan")
    ours.handlers.clear()
    ours.propagate = True
    ours.setLevel(logging.NOTSET)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser; tests that need one are skipped where there is none. While it is open an event
    loop runs: no other module's tests may run then."""
    with launched_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def released() -> Path:
    """The released PixelHumor annotations; skips where they are not on this machine."""
    folder = SHARED / "data" / "pixelhumor"
    if not folder.is_dir():
        pytest.skip("the released PixelHumor annotations are not on this machine")
    return folder
