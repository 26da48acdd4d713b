"""Makes the mini-set: `python -m minisets.cfms.build [OUT] [--only ID …]`."""

from pathlib import Path

from minisets.cfms.scripts import PAIRS
from minisets.drawing.mini_set import MiniSet

MINI_SET = MiniSet(
    PAIRS, Path(__file__).resolve().parents[2] / "src/deadpan/benchmarks/cfms/data", "pairs.jsonl"
)

if __name__ == "__main__":
    MINI_SET.build_as_told(__doc__)
