"""Makes the mini-set: `python -m deadpan.benchmarks.janusmm.miniset.build [OUT] [--only ID …]`."""

from pathlib import Path

from deadpan.benchmarks.janusmm.miniset.scripts import MEMES
from deadpan.drawing.mini_set import MiniSet

MINI_SET = MiniSet(MEMES, Path(__file__).parent / "data", "memes.jsonl")

if __name__ == "__main__":
    MINI_SET.build_as_told(__doc__)
