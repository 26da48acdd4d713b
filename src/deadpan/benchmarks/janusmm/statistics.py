"""What JanusMM's data is like: memes by source, language and emotion, and the length of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import get_args

from deadpan.base.errors import MissingExtra
from deadpan.benchmarks.janusmm.records import Meme, Source
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Language
from deadpan.core.score import DataScores, Score
from deadpan.metrics.meteor import chinese_tokens, english_tokens

LABELS: dict[str, Callable[[Meme], str | None]] = {
    "thinking": lambda meme: meme.row.thinking,
    "sender_reasoning": lambda meme: meme.row.sender_reasoning,
    "receiver_reasoning": lambda meme: meme.row.receiver_reasoning,
}
_COUNTED: dict[str, Callable[[Meme], str]] = {
    "language": lambda meme: meme.row.language,
    "source": lambda meme: meme.row.source,
    "self_deprecating": lambda meme: "yes" if meme.row.self_deprecating else "no",
    "emotion": lambda meme: meme.row.emotion,
}


def data_scores(dataset: Dataset[Meme]) -> list[Score]:
    """The counts, and the paper's table 5 from this data.

    Tokens are English words or the Chinese words that jieba finds; without jieba the Chinese ones
    are left out, and characters, which are always there, remain.
    """
    memes = dataset.records
    emit = DataScores.of("janusmm", len(memes), dataset.checksum)
    return [
        emit("memes", "all", len(memes), memes),
        *_counts(emit, memes),
        *_turns(emit, memes),
        *_lengths(emit, memes),
    ]


def _counts(emit: DataScores, memes: Sequence[Meme]) -> Iterator[Score]:
    for name, value in _COUNTED.items():
        counts = Counter(value(meme) for meme in memes)
        for label, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
            yield emit("memes", f"{name}={label}", count, memes)
    for language, source in _cells():
        members = _members(memes, language, source)
        yield emit("memes", f"language={language},source={source}", len(members), memes)


def _turns(emit: DataScores, memes: Sequence[Meme]) -> Iterator[Score]:
    yield from _spread(emit, "turns", "all", [len(meme.row.dialogue) for meme in memes], memes)


def _lengths(emit: DataScores, memes: Sequence[Meme]) -> Iterator[Score]:
    """Lengths of every label, for each language and each source in it."""
    cells: list[tuple[Language, Source | None]] = [
        *((language, None) for language in get_args(Language)),
        *_cells(),
    ]
    for language, source in cells:
        group = f"language={language}" + (f",source={source}" if source else "")
        for name, label in LABELS.items():
            members = [m for m in _members(memes, language, source) if label(m) is not None]
            texts = [label(meme) or "" for meme in members]
            if (tokens := _tokens(texts, language)) is not None:
                yield from _spread(emit, f"{name}_tokens", group, tokens, members)
            if language == "zh":
                sizes = [len("".join(text.split())) for text in texts]
                yield from _spread(emit, f"{name}_characters", group, sizes, members)


def _tokens(texts: Sequence[str], language: Language) -> list[int] | None:
    """The number of words in each text; None for Chinese where jieba is not installed."""
    tokens = english_tokens if language == "en" else chinese_tokens
    try:
        return [len(tokens(text)) for text in texts]
    except MissingExtra:
        return None


def _cells() -> list[tuple[Language, Source]]:
    return [(language, source) for language in get_args(Language) for source in get_args(Source)]


def _members(memes: Sequence[Meme], language: Language, source: Source | None) -> list[Meme]:
    return [
        meme
        for meme in memes
        if meme.row.language == language and source in (None, meme.row.source)
    ]


def _spread(
    emit: DataScores, name: str, group: str, sizes: Sequence[int], members: Sequence[Meme]
) -> Iterator[Score]:
    if sizes:
        yield emit(f"{name}_mean", group, sum(sizes) / len(sizes), members)
        yield emit(f"{name}_max", group, max(sizes), members)
        yield emit(f"{name}_min", group, min(sizes), members)
