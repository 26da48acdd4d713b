"""The toy benchmark with its pictures drawn and registered; one thread for numpy."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

from deadpan.benchmarks import BUILT_IN
from tests.learning.fewshot.toy import MOODS, WHERE, YES, Moods, draw
from tests.model_server import ModelServer


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """One thread for products of small matrices: on a busy machine more wait for each other."""
    with threadpool_limits(1):
        yield


@pytest.fixture
def moods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Moods:
    draw(tmp_path)
    monkeypatch.setitem(BUILT_IN, "moods", WHERE)
    monkeypatch.setattr(MOODS, "pictures", tmp_path)
    return MOODS


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    """A model that finds everything sarcastic, and counts its calls."""
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    with ModelServer(lambda picture, prompt: YES) as running:
        running.offer(monkeypatch)
        yield running
