"""What CFMS's data is like, and everything odd in a folder of it: nothing is fatal, but a leak
makes scores worthless."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import get_args

from deadpan.base.errors import InputError
from deadpan.base.files import is_file
from deadpan.benchmarks.cfms.records import (
    FILE,
    SPLITS,
    TARGET_TYPES,
    Pair,
    Pairs,
    checksum_of,
    read_pairs,
)
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.plots import DataPlot
from deadpan.core.questions import Language
from deadpan.core.score import DataScores, Score
from deadpan.media.images import read_image
from deadpan.media.media_files import content_sha256
from deadpan.metrics.folding import normalize_text
from deadpan.metrics.meteor import chinese_tokens, english_tokens

_LEAK = "leak"
_LONG_TARGET = 40
"""Characters from which a target is no short phrase any more."""
_LABELS = (("yes", True), ("no", False))
_FUNCTION_WORDS = """a an and as at by for from in into is it its of on or s so that the their them
they this to who with what when which while"""
_EMPTY_WORDS = frozenset(_FUNCTION_WORDS.split())
_PAIRS = (("pairs", "pairs"),)
DATA_PLOTS = (
    DataPlot(
        "Sarcastic or not",
        _PAIRS,
        "sarcastic",
        labels=(("yes", "yes"), ("no", "no")),
        caption="Of all splits; the metaphor subset stands beside them.",
    ),
    DataPlot("Languages", _PAIRS, "language", labels=(("en", "English"), ("zh", "Chinese"))),
    DataPlot("Splits", _PAIRS, "split", labels=tuple((name, name) for name in SPLITS[:3])),
    DataPlot(
        "Targets",
        (("targets", "targets"),),
        "target_type",
        labels=tuple((name, name.replace("_", " ")) for name in TARGET_TYPES),
        caption="Of the sarcastic pairs.",
    ),
)
"""How the data is drawn."""


def data_scores(dataset: Dataset[Pair]) -> list[Score]:
    """The paper's tables 1, 2 and 5 from this data, and the types of targets. The metaphor subset
    is counted by itself: it stands beside the splits, not among them."""
    pairs = Pairs.of_dataset(dataset)
    everything, main = pairs.everything, pairs.of("train", "validation", "test")
    emit = DataScores.of("cfms", len(everything), checksum_of(everything))
    return [
        *_sizes(emit, main),
        *_lengths(emit, main),
        *_metaphors(emit, pairs.of("metaphor")),
    ]


def _having(pairs: Sequence[Pair], **values: object) -> list[Pair]:
    """The pairs whose fields have these values."""
    return [
        pair
        for pair in pairs
        if all(getattr(pair.row, name) == value for name, value in values.items())
    ]


def _sizes(emit: DataScores, pairs: Sequence[Pair]) -> Iterator[Score]:
    yield emit("pairs", "all", len(pairs), pairs)
    for name, label in _LABELS:
        count = len(_having(pairs, sarcastic=label))
        yield emit("pairs", f"sarcastic={name}", count, pairs)
    for language in get_args(Language):
        count = len(_having(pairs, language=language))
        yield emit("pairs", f"language={language}", count, pairs)
    for split in SPLITS[:3]:
        members = _having(pairs, split=split)
        yield emit("pairs", f"split={split}", len(members), pairs)
        for name, label in _LABELS:
            count = len(_having(members, sarcastic=label))
            yield emit("pairs", f"split={split},sarcastic={name}", count, members)
    sarcastic = _having(pairs, sarcastic=True)
    for kind in TARGET_TYPES:
        count = len(_having(sarcastic, target_type=kind))
        yield emit("targets", f"target_type={kind}", count, sarcastic)


def _lengths(emit: DataScores, pairs: Sequence[Pair]) -> Iterator[Score]:
    """Characters without white space: of texts that are there, of each language and of both."""
    groups = {"all": pairs}
    groups |= {f"language={code}": _having(pairs, language=code) for code in get_args(Language)}
    for group, members in groups.items():
        for name in ("text", "target", "explanation"):
            having = [pair for pair in members if getattr(pair.row, name)]
            sizes = [len("".join(getattr(pair.row, name).split())) for pair in having]
            if sizes:
                yield emit(f"{name}_characters_mean", group, sum(sizes) / len(sizes), having)
                yield emit(f"{name}_characters_max", group, max(sizes), having)
                yield emit(f"{name}_characters_min", group, min(sizes), having)


def _metaphors(emit: DataScores, pairs: Sequence[Pair]) -> Iterator[Score]:
    yield emit("metaphor_pairs", "all", len(pairs), pairs)
    for language in get_args(Language):
        members = _having(pairs, language=language)
        for name, label in _LABELS:
            for field in ("metaphor", "sarcastic"):
                count = len(_having(members, **{field: label}))
                yield emit("metaphor_pairs", f"language={language},{field}={name}", count, members)


def target_words(dataset: Dataset[Pair]) -> dict[Language, Counter[str]]:
    """How often each word stands in a language's targets: English words, or jieba's of two or more
    characters, as single ones are nearly all function words."""
    found: dict[Language, Counter[str]] = {}
    for pair in Pairs.of_dataset(dataset).everything:
        if pair.row.target is not None:
            tokens = english_tokens if pair.row.language == "en" else chinese_tokens
            words = [one for one in tokens(pair.row.target) if len(one) > 1]
            kept = [word for word in words if word not in _EMPTY_WORDS]
            found.setdefault(pair.row.language, Counter()).update(kept)
    return found


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports: of the file, then pair by pair."""
    pairs = read_pairs(data)
    everything = pairs.everything
    there = {pair.row.split for pair in everything}
    empty = [split for split in SPLITS if split not in there]
    found = list(pairs.anomalies)
    found += [Anomaly(FILE, "empty split", f"no pair is of the split {split}") for split in empty]
    for pair in everything:
        found += _gold_anomalies(pair)
    # A pair and its hard negative may share their words, but not across splits.
    found += [odd for odd in _find_repeated(everything, "text", _words) if odd.kind == _LEAK]
    if not any(is_file(Path(pair.path)) for pair in everything):
        return [*found, Anomaly(FILE, "no images", "not one image is there; put them beside it")]
    for pair in everything:
        found += _image_anomalies(pair)
    return [*found, *_find_repeated(everything, "image", _content)]


def _gold_anomalies(pair: Pair) -> Iterator[Anomaly]:
    row = pair.row
    if not row.text.strip() and not row.ocr_text.strip():
        yield Anomaly(f"{row.id} text", "no words", "neither the post nor its picture has any")
    if row.target is not None and len(row.target) > _LONG_TARGET:
        yield Anomaly(f"{row.id} target", "long target", f"{len(row.target)} characters")
    said = normalize_text(f"{row.text}\n{row.ocr_text}").casefold()
    for name, gold in (("explanation", row.explanation), ("target", row.target)):
        if gold is not None and normalize_text(gold).casefold() in said:
            yield Anomaly(f"{row.id} {name}", "gold in the post", gold)


def _find_repeated(
    pairs: Sequence[Pair], field: str, of: Callable[[Pair], Hashable | None]
) -> Iterator[Anomaly]:
    """The pairs that share a field: a leak where they are of different splits."""
    same: defaultdict[Hashable, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if (value := of(pair)) is not None:
            same[value].append(pair)
    for first, *others in same.values():
        for pair in others:
            kind = _LEAK if pair.row.split != first.row.split else f"{field} used twice"
            what = f"{first.name} ({first.row.split}) has the same {field}"
            yield Anomaly(f"{pair.name} ({pair.row.split}) {field}", kind, what)


def _words(pair: Pair) -> Hashable | None:
    """The words of a pair with its picture's, folded; None for a pair without any."""
    said = [normalize_text(text).casefold() for text in (pair.row.text, pair.row.ocr_text)]
    words = ["".join(filter(str.isalnum, text)) for text in said]
    return tuple(words) if any(words) else None


def _content(pair: Pair) -> Hashable | None:
    """The hash of the image's file; None where it cannot be read."""
    try:
        return content_sha256(Path(pair.path), "picture")
    except InputError:
        return None


def _image_anomalies(pair: Pair) -> Iterator[Anomaly]:
    place = f"{pair.name} image"
    if not is_file(Path(pair.path)):
        yield Anomaly(place, "missing image", pair.row.image)
        return
    try:
        read_image(Path(pair.path))
    except InputError as error:
        yield Anomaly(place, "unusable image", error.what)
