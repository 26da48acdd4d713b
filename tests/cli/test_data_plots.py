"""`deadpan data stats --out`: the data drawn."""

from pathlib import Path

from deadpan.benchmarks import BUILT_IN, find
from tests.cli.conftest import Deadpan


def test_plots_are_written(deadpan: Deadpan, tmp_path: Path) -> None:
    path = tmp_path / "stats.svg"
    done = deadpan("data", "stats", "merbench", "--out", path)
    assert done.code == 0 and "wrote" in done.out
    assert "sad → happy" in path.read_text("utf-8")


def test_what_cannot_be_drawn_is_told(deadpan: Deadpan, tmp_path: Path) -> None:
    without = next(one for one in BUILT_IN if not find(one).analyses.data_plots)
    refused = deadpan("data", "stats", without, "--out", tmp_path / "a.png")
    assert refused.code == 2 and "no plots of its data" in refused.err
    odd = deadpan("data", "stats", "merbench", "--out", tmp_path / "a.pdf")
    assert odd.code == 2 and 'unknown format ".pdf"' in odd.err
    assert "memes" not in odd.out
