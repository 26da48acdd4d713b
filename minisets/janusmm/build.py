"""Makes the mini-set: `python -m minisets.janusmm.build [OUT] [--only ID …]`."""

from pathlib import Path

from minisets.drawing.mini_set import MiniSet
from minisets.janusmm.scripts import MEMES

MINI_SET = MiniSet(
    MEMES,
    Path(__file__).resolve().parents[2] / "src/deadpan/benchmarks/janusmm/data",
    "memes.jsonl",
)

if __name__ == "__main__":
    MINI_SET.build_as_told(__doc__)
