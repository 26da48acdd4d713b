"""Makes the mini-set: `python -m deadpan.benchmarks.cfms.miniset.build [OUT] [--only ID …]`."""

from pathlib import Path

from deadpan.benchmarks.cfms.miniset.scripts import PAIRS
from deadpan.drawing.mini_set import MiniSet

MINI_SET = MiniSet(PAIRS, Path(__file__).parent / "data", "pairs.jsonl")

if __name__ == "__main__":
    MINI_SET.build_as_told(__doc__)
