"""`deadpan data stats --out`: the data drawn."""

from dataclasses import replace
from pathlib import Path

import pytest

from deadpan.benchmarks import find
from tests.cli.conftest import Deadpan


def test_plots_are_written(deadpan: Deadpan, tmp_path: Path) -> None:
    path = tmp_path / "stats.svg"
    done = deadpan("data", "stats", "merbench", "--out", path)
    assert done.code == 0 and "wrote" in done.out
    assert "sad → happy" in path.read_text("utf-8")


def test_what_cannot_be_drawn_is_told(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = replace(find("cfms").analyses, data_plots=())
    monkeypatch.setattr(find("cfms"), "analyses", plain)
    refused = deadpan("data", "stats", "cfms", "--out", tmp_path / "a.png")
    assert refused.code == 2 and "no plots of its data" in refused.err
    assert "pairs" not in refused.out, "it is refused before anything is printed"
    odd = deadpan("data", "stats", "merbench", "--out", tmp_path / "a.pdf")
    assert odd.code == 2 and 'unknown format ".pdf"' in odd.err
    assert "memes" not in odd.out
