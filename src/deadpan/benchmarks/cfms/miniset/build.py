"""Makes the mini-set: `python -m deadpan.benchmarks.cfms.miniset.build [OUT] [--only ID …]`."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from deadpan.benchmarks.cfms.miniset.pair import Pair
from deadpan.benchmarks.cfms.miniset.scripts import PAIRS

DATA = Path(__file__).parent / "data"


def build(folder: Path, pairs: Sequence[Pair] = PAIRS) -> None:
    """Writes images/ for the given pairs and pairs.jsonl for all; the same bytes every time."""
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    for pair in pairs:
        pair.picture().save(images / f"{pair.pair_id}.png", optimize=True)
    write_records(folder / "pairs.jsonl")


def write_records(path: Path, pairs: Sequence[Pair] = PAIRS) -> None:
    """Writes one JSON object per pair."""
    text = "".join(json.dumps(pair.row(), ensure_ascii=False) + "\n" for pair in pairs)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Builds into the folder named on the command line, or into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[pair.pair_id for pair in PAIRS])
    chosen = parser.parse_args()
    build(chosen.out, [pair for pair in PAIRS if pair.pair_id in chosen.only])


if __name__ == "__main__":
    main()
