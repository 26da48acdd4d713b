"""CFMS is registered for its tests, whether or not it is built in yet."""

import pytest

from deadpan import benchmarks


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(benchmarks.BUILT_IN, "cfms", "deadpan.benchmarks.cfms:CFMS")
