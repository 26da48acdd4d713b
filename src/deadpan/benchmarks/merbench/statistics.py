"""What MER-Bench's data is like: memes by taxonomy, emotion and language; lengths of captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from deadpan.benchmarks.merbench.records import Meme
from deadpan.core.dataset import Dataset
from deadpan.core.score import DataScores, Score
from deadpan.metrics.text_errors import words

_COUNTED: dict[str, Callable[[Meme], str]] = {
    "visual_type": lambda meme: meme.visual_type,
    "layout_type": lambda meme: meme.layout_type,
    "sentiment_polarity": lambda meme: meme.sentiment_polarity,
    "det_emo": lambda meme: meme.det_emo,
    "tgt_emo": lambda meme: meme.tgt_emo,
    "language": lambda meme: meme.language,
}
_MEASURED: dict[str, Callable[[Meme], str]] = {
    "caption_words": lambda meme: meme.caption,
    "new_caption_words": lambda meme: meme.new_caption,
    "spec_words": lambda meme: meme.spec,
    "description_words": lambda meme: meme.img_desc,
}


def data_scores(dataset: Dataset[Meme]) -> list[Score]:
    """The counts behind the paper's figure 3, and lengths in words or Chinese characters."""
    memes = dataset.records
    emit = DataScores.of("merbench", len(memes), dataset.checksum)
    return [
        emit("memes", "all", len(memes), memes),
        *_counts(emit, memes),
        *_lengths(emit, memes),
    ]


def _counts(emit: DataScores, memes: Sequence[Meme]) -> Iterator[Score]:
    for name, value in _COUNTED.items():
        counts = Counter(map(value, memes))
        for label, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
            yield emit("memes", f"{name}={label}", count, memes)


def _lengths(emit: DataScores, memes: Sequence[Meme]) -> Iterator[Score]:
    languages = sorted({meme.language for meme in memes})
    for language in languages:
        members = [meme for meme in memes if meme.language == language]
        for name, text in _MEASURED.items():
            sizes = [len(words(text(meme))) for meme in members]
            for ending, value in (
                ("mean", fmean(sizes)),
                ("max", max(sizes)),
                ("min", min(sizes)),
            ):
                yield emit(f"{name}_{ending}", f"language={language}", value, members)
