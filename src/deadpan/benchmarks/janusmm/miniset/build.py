"""Makes the mini-set: `python -m deadpan.benchmarks.janusmm.miniset.build [OUT] [--only ID …]`."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from deadpan.benchmarks.janusmm.miniset.meme import Meme
from deadpan.benchmarks.janusmm.miniset.scripts import MEMES

DATA = Path(__file__).parent / "data"


def build(folder: Path, memes: Sequence[Meme] = MEMES) -> None:
    """Writes images/ for the given memes and memes.jsonl for all; the same bytes every time."""
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    for meme in memes:
        meme.picture().save(images / f"{meme.meme_id}.png", optimize=True)
    write_records(folder / "memes.jsonl")


def write_records(path: Path, memes: Sequence[Meme] = MEMES) -> None:
    """Writes one JSON object per meme."""
    text = "".join(json.dumps(meme.row(), ensure_ascii=False) + "\n" for meme in memes)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Builds into the folder named on the command line, or into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[meme.meme_id for meme in MEMES])
    chosen = parser.parse_args()
    build(chosen.out, [meme for meme in MEMES if meme.meme_id in chosen.only])


if __name__ == "__main__":
    main()
