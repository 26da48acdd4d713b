"""The toy benchmark, known to every test here."""

import pytest

from deadpan.benchmarks import BUILT_IN
from tests.engine.judged_toy import WHERE


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "proverbs", WHERE)
