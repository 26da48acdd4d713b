"""MER-Bench is known to every test here, registered or not."""

import pytest

from deadpan.benchmarks import BUILT_IN


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "merbench", "deadpan.benchmarks.merbench:MERBENCH")
