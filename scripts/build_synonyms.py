"""Writes the synonym table of METEOR from the WordNet 3.0 files.

    python scripts/build_synonyms.py WORDNET_FOLDER [--out src/deadpan/metrics/data]

The folder is the one that holds `index.noun`, `data.noun`, `noun.exc` and the rest, as Princeton or
nltk hand it out. The table is gzip without a time stamp: the same files give the same text.
`LICENSE-WordNet.txt` is written beside it. The text has, for each part of speech, a line `[noun]`;
then one line per synset, its words as WordNet spells them; then the exception list, one line per
form, `form>base base`. Left out is what can never meet a lower-case word: synsets in which every
word is written with a capital or is several words.
"""

from __future__ import annotations

import argparse
import gzip
import re
from pathlib import Path

PARTS = ("noun", "verb", "adj", "adv")
TABLE = "wordnet-3.0.txt.gz"
DEFAULT_OUT = Path(__file__).resolve().parents[1] / "src" / "deadpan" / "metrics" / "data"


def main() -> None:
    """Writes the table and the licence, and prints the size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wordnet", type=Path, help="folder with the WordNet 3.0 database files")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    table = gzip.compress(table_text(options.wordnet).encode(), compresslevel=9, mtime=0)
    (options.out / TABLE).write_bytes(table)
    (options.out / "LICENSE-WordNet.txt").write_text(licence(options.wordnet))
    print(f"{options.out / TABLE}: {len(table):,} bytes")


def table_text(wordnet: Path) -> str:
    """The table of all parts of speech; raises where index and data files disagree."""
    lines: list[str] = []
    for part in PARTS:
        synsets = words_by_offset(wordnet / f"data.{part}")
        check_index(wordnet / f"index.{part}", synsets)
        lines.append(f"[{part}]")
        lines.extend(sorted({" ".join(words) for words in synsets.values() if usable(words)}))
        lines.extend(exceptions(wordnet / f"{part}.exc"))
    return "\n".join(lines) + "\n"


def words_by_offset(path: Path) -> dict[int, list[str]]:
    """The words of every synset of a data file, without syntactic marks such as `(p)`."""
    synsets: dict[int, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split()
        count = int(fields[3], 16)
        words = fields[4 : 4 + 2 * count : 2]
        synsets[int(fields[0])] = [re.sub(r"\([^()]*\)$", "", word) for word in words]
    return synsets


def usable(words: list[str]) -> bool:
    """Whether a word of the synset can equal a lower-case word of a text."""
    return any("_" not in word and word == word.lower() for word in words)


def check_index(path: Path, synsets: dict[int, list[str]]) -> None:
    """Raises where the index leads a word to other synsets than those that hold it."""
    held: dict[str, set[int]] = {}
    for offset, words in synsets.items():
        for word in words:
            held.setdefault(word.lower(), set()).add(offset)
    listed: dict[str, set[int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            listed[fields[0]] = {int(offset) for offset in fields[-int(fields[2]) :]}
    wrong = sorted(word for word in held.keys() | listed if held.get(word) != listed.get(word))
    if wrong:
        raise ValueError(f"{path}: {len(wrong)} words lead elsewhere, first {wrong[:3]}")


def exceptions(path: Path) -> list[str]:
    """The lines of an exception list; of a form that is listed twice, the last."""
    bases = {
        fields[0]: fields[1:]
        for fields in map(str.split, path.read_text(encoding="utf-8").splitlines())
        if fields
    }
    return [f"{form}>{' '.join(words)}" for form, words in sorted(bases.items())]


def licence(wordnet: Path) -> str:
    """The licence as WordNet hands it out, trailing spaces removed."""
    lines = (wordnet / "LICENSE").read_text(encoding="utf-8").splitlines()
    return "\n".join(line.rstrip() for line in lines).strip() + "\n"


if __name__ == "__main__":
    main()
