"""METEOR per pair: `deadpan.metrics.meteor` against nltk, the same tokens, one run.

Pairs are drawn from a CSV file with a column `explanation`, as PixelHumor's released
`human_explanation.csv`. nltk reads the WordNet 3.0 files of a folder `…/corpora/wordnet`. The first
pass over all pairs, which fills nltk's cache of synsets and our caches of stems and synonyms, is
printed by itself. Then passes are interleaved, and the medians of the CPU time and the ratio are
printed. The run fails where two scores differ by more than 1e-9.

    python bench/meteor.py --wordnet FOLDER --texts human_explanation.csv [--pairs 2000]
"""

from __future__ import annotations

import argparse
import csv
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import meteor_score

from deadpan.metrics.meteor import english_tokens, meteor
from deadpan.metrics.porter import stem
from deadpan.metrics.synonyms import english

Pair = tuple[list[str], list[str]]
Result = TypeVar("Result")


def main() -> None:
    """Prints load times, milliseconds per pair of both and how many times ours nltk takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    pairs = drawn_pairs(options.texts, options.pairs)
    words = statistics.mean(len(text) for pair in pairs for text in pair)
    print(f"{len(pairs)} pairs, {words:.0f} words a text")
    ours, ours_load = timed(our_scorer)
    theirs, their_load = timed(lambda: nltk_scorer(options.wordnet))
    line("load, s", ours_load, their_load)
    line("first pass, ms a pair", *(1000 * passed for passed in pass_times(pairs, ours, theirs)))
    passes = [pass_times(pairs, ours, theirs) for _ in range(options.repeats)]
    medians = [1000 * statistics.median(side) for side in zip(*passes, strict=True)]
    line("warm, ms a pair", *medians)


def line(title: str, ours: float, theirs: float) -> None:
    """Prints one score of both sides and the ratio."""
    print(f"{title:24}deadpan {ours:8.3f}   nltk {theirs:8.3f}   ratio {theirs / ours:6.1f}")


def drawn_pairs(path: Path, count: int) -> list[Pair]:
    """Pairs of tokenised texts, drawn with a fixed seed."""
    with path.open(encoding="utf-8", newline="") as rows:
        tokens = [english_tokens(row["explanation"]) for row in csv.DictReader(rows)]
    texts = [words for words in tokens if words]
    draw = random.Random(0)
    return [(draw.choice(texts), draw.choice(texts)) for _ in range(count)]


def timed(make: Callable[[], Result]) -> tuple[Result, float]:
    """What a function returns, and the CPU seconds it took."""
    start = time.process_time()
    return make(), time.process_time() - start


def our_scorer() -> Callable[[Pair], float]:
    """Deadpan's METEOR with the table loaded."""
    synonyms = english()
    return lambda pair: meteor([pair[0]], pair[1], stem=stem, synonyms=synonyms)


def nltk_scorer(folder: Path) -> Callable[[Pair], float]:
    """nltk's METEOR with WordNet loaded."""
    nltk.data.path.insert(0, str(folder.resolve().parents[1]))
    wordnet = WordNetCorpusReader(str(folder.resolve()), None)
    return lambda pair: meteor_score([pair[0]], pair[1], wordnet=wordnet)


def pass_times(
    pairs: list[Pair], ours: Callable[[Pair], float], theirs: Callable[[Pair], float]
) -> tuple[float, float]:
    """CPU seconds a pair of both sides; fails where scores differ."""
    our_scores, our_time = timed(lambda: [ours(pair) for pair in pairs])
    their_scores, their_time = timed(lambda: [theirs(pair) for pair in pairs])
    apart = max(abs(a - b) for a, b in zip(our_scores, their_scores, strict=True))
    assert apart <= 1e-9, f"scores differ by {apart}"
    return our_time / len(pairs), their_time / len(pairs)


if __name__ == "__main__":
    main()
