"""What CFMS's data is like: pairs by split, label and type, lengths, and the words of targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import get_args

from deadpan.benchmarks.cfms.records import SPLITS, TARGET_TYPES, Pair, Pairs, checksum_of
from deadpan.core.questions import Language
from deadpan.core.score import DataScores, Score
from deadpan.metrics.meteor import chinese_tokens, english_tokens

LENGTHS: Mapping[str, Callable[[Pair], str | None]] = {
    "text": lambda pair: pair.row.text or None,
    "target": lambda pair: pair.row.target,
    "explanation": lambda pair: pair.row.explanation,
}
_ENGLISH = """a an and as at by for from in into is it its of on or s so that the their them they
this to who with what when which while"""
_EMPTY_WORDS = frozenset(_ENGLISH.split())


def data_scores(pairs: Pairs) -> list[Score]:
    """The paper's tables 1, 2 and 5 from this data, and the types of targets.

    The metaphor subset is counted by itself: it stands beside the splits, not among them.
    """
    everything = pairs.everything
    emit = DataScores.of("cfms", len(everything), checksum_of(everything))
    main = pairs.of("train", "validation", "test")
    return [
        *_sizes(emit, main),
        *_types(emit, main),
        *_lengths(emit, main),
        *_metaphors(emit, pairs.of("metaphor")),
    ]


def _sizes(emit: DataScores, pairs: Sequence[Pair]) -> Iterator[Score]:
    yield emit("pairs", "all", len(pairs), pairs)
    for label in (True, False):
        members = [pair for pair in pairs if pair.row.sarcastic is label]
        yield emit("pairs", f"sarcastic={_yes(label)}", len(members), pairs)
    for language in get_args(Language):
        members = [pair for pair in pairs if pair.row.language == language]
        yield emit("pairs", f"language={language}", len(members), pairs)
    for split in SPLITS[:3]:
        members = [pair for pair in pairs if pair.row.split == split]
        yield emit("pairs", f"split={split}", len(members), pairs)
        for label in (True, False):
            count = sum(pair.row.sarcastic is label for pair in members)
            yield emit("pairs", f"split={split},sarcastic={_yes(label)}", count, members)


def _types(emit: DataScores, pairs: Sequence[Pair]) -> Iterator[Score]:
    sarcastic = [pair for pair in pairs if pair.row.sarcastic]
    for kind in TARGET_TYPES:
        count = sum(pair.row.target_type == kind for pair in sarcastic)
        yield emit("targets", f"target_type={kind}", count, sarcastic)


def _lengths(emit: DataScores, pairs: Sequence[Pair]) -> Iterator[Score]:
    """Characters without white space: of texts that are there, of each language and of both."""
    for group, members in _by_language(pairs):
        for name, text in LENGTHS.items():
            having = [pair for pair in members if text(pair) is not None]
            sizes = [len("".join((text(pair) or "").split())) for pair in having]
            if sizes:
                yield emit(f"{name}_characters_mean", group, sum(sizes) / len(sizes), having)
                yield emit(f"{name}_characters_max", group, max(sizes), having)
                yield emit(f"{name}_characters_min", group, min(sizes), having)


def _metaphors(emit: DataScores, pairs: Sequence[Pair]) -> Iterator[Score]:
    yield emit("metaphor_pairs", "all", len(pairs), pairs)
    for language in get_args(Language):
        members = [pair for pair in pairs if pair.row.language == language]
        for label in (True, False):
            for name, count in (
                ("metaphor", sum(pair.row.metaphor is label for pair in members)),
                ("sarcastic", sum(pair.row.sarcastic is label for pair in members)),
            ):
                group = f"language={language},{name}={_yes(label)}"
                yield emit("metaphor_pairs", group, count, members)


def target_words(pairs: Pairs) -> dict[Language, Counter[str]]:
    """How often each word stands in a language's targets: English words, or jieba's of two or more
    characters, as single ones are nearly all function words."""
    found: dict[Language, Counter[str]] = {}
    for pair in pairs.everything:
        if pair.row.target is not None:
            tokens = english_tokens if pair.row.language == "en" else chinese_tokens
            words = [word for word in tokens(pair.row.target) if _is_content(word)]
            found.setdefault(pair.row.language, Counter()).update(words)
    return found


def _is_content(word: str) -> bool:
    return len(word) > 1 and word not in _EMPTY_WORDS


def _by_language(pairs: Sequence[Pair]) -> Iterator[tuple[str, list[Pair]]]:
    yield "all", list(pairs)
    for language in get_args(Language):
        if members := [pair for pair in pairs if pair.row.language == language]:
            yield f"language={language}", members


def _yes(label: bool) -> str:
    return "yes" if label else "no"
