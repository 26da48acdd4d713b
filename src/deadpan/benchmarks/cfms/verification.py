"""Everything odd in a CFMS folder; nothing here is fatal, but a leak makes scores worthless."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_file
from deadpan.benchmarks.cfms.records import FILE, SPLITS, Pair, read_pairs
from deadpan.core.dataset import Anomaly
from deadpan.media.images import read_image
from deadpan.media.media_files import content_sha256
from deadpan.metrics.folding import folded

LEAK = "leak"
_LONG_TARGET = 40
"""Characters from which a target is no short phrase any more."""


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports: of the file, then pair by pair."""
    pairs = read_pairs(data)
    everything = pairs.everything
    found = [*pairs.anomalies, *_empty_splits(everything)]
    for pair in everything:
        found += _gold_anomalies(pair)
    # A pair and its hard negative may share their words, but not across splits.
    found += [odd for odd in _repeated(everything, "text", _words_of) if odd.kind == LEAK]
    if not any(is_file(Path(pair.path)) for pair in everything):
        return [*found, Anomaly(FILE, "no images", "not one image is there; put them beside it")]
    for pair in everything:
        found += _image_anomalies(pair)
    return [*found, *_repeated(everything, "image", _content_of)]


def _empty_splits(pairs: Sequence[Pair]) -> Iterator[Anomaly]:
    there = {pair.row.split for pair in pairs}
    for split in SPLITS:
        if split not in there:
            yield Anomaly(FILE, "empty split", f"no pair is of the split {split}")


def _gold_anomalies(pair: Pair) -> Iterator[Anomaly]:
    row = pair.row
    if not row.text.strip() and not row.ocr_text.strip():
        yield Anomaly(f"{row.id} text", "no words", "neither the post nor its picture has any")
    if row.target is None or row.explanation is None:
        return
    if len(row.target) > _LONG_TARGET:
        yield Anomaly(f"{row.id} target", "long target", f"{len(row.target)} characters")
    said = folded(f"{row.text}\n{row.ocr_text}").casefold()
    if folded(row.explanation).casefold() in said:
        yield Anomaly(f"{row.id} explanation", "gold in the post", row.explanation)
    if folded(row.target).casefold() in said:
        yield Anomaly(f"{row.id} target", "gold in the post", row.target)


def _repeated(
    pairs: Sequence[Pair], field: str, of: Callable[[Pair], Hashable | None]
) -> Iterator[Anomaly]:
    """The pairs that share a field: a leak where they are of different splits."""
    same: defaultdict[Hashable, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if (value := of(pair)) is not None:
            same[value].append(pair)
    for first, *others in same.values():
        for pair in others:
            leaks = pair.row.split != first.row.split
            kind = LEAK if leaks else f"{field} used twice"
            what = f"{first.name} ({first.row.split}) has the same {field}"
            yield Anomaly(f"{pair.name} ({pair.row.split}) {field}", kind, what)


def _words_of(pair: Pair) -> Hashable | None:
    """The words of a pair with its picture's, folded; None for a pair without any."""
    said = [folded(text).casefold() for text in (pair.row.text, pair.row.ocr_text)]
    words = ["".join(char for char in text if char.isalnum()) for text in said]
    return tuple(words) if any(words) else None


def _content_of(pair: Pair) -> Hashable | None:
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
