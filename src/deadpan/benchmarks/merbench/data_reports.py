"""What MER-Bench's data is like, and everything odd in a folder of it; nothing here is fatal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, is_folder
from deadpan.benchmarks.merbench import edits
from deadpan.benchmarks.merbench.edits import EDITED, ORIGINAL, original
from deadpan.benchmarks.merbench.records import EMOTION, TAXONOMY, Meme
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.plots import DataPlot
from deadpan.core.score import DataScores, Score
from deadpan.metrics.text_errors import words

_TEXTS = (
    *((name, name) for name in ("caption", "new_caption", "spec")),
    ("description", "img_desc"),
)


_MEMES = (("memes", "memes"),)
DATA_PLOTS = (
    DataPlot("Emotions, from and to", _MEMES, "emotions"),
    DataPlot("Visual types", _MEMES, "visual_type"),
    DataPlot("Layouts", _MEMES, "layout_type"),
    DataPlot("Polarity of the caption", _MEMES, "sentiment_polarity"),
)
"""How the data is drawn."""


def data_scores(dataset: Dataset[Meme]) -> Iterator[Score]:
    """The counts behind the paper's figure 3, and lengths in words or Chinese characters."""
    memes = dataset.records
    emit = DataScores.of("merbench", len(memes), dataset.checksum)
    yield emit("memes", "all", len(memes), memes)
    for name in (*TAXONOMY, EMOTION, "tgt_emo", "language"):
        counts = Counter(getattr(meme, name) for meme in memes)
        for label, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
            yield emit("memes", f"{name}={label}", count, memes)
    pairs = Counter(f"{getattr(meme, EMOTION)} → {meme.tgt_emo}" for meme in memes)
    for pair, count in pairs.most_common():
        yield emit("memes", f"emotions={pair}", count, memes)
    for language in sorted({meme.language for meme in memes}):
        members = [meme for meme in memes if meme.language == language]
        for name, field in _TEXTS:
            sizes = [len(words(getattr(meme, field))) for meme in members]
            for end, value in (("mean", fmean(sizes)), ("max", max(sizes)), ("min", min(sizes))):
                yield emit(f"{name}_words_{end}", f"language={language}", value, members)


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports: of the records, the sources and each model's edits."""
    folder = data or edits.MINI_SET
    dataset = edits.read_dataset(data)
    found = [*dataset.anomalies, *_source_anomalies(folder, dataset.records)]
    if is_folder(folder / EDITED):
        found += _edit_anomalies(folder, dataset.records)
    return found


def _source_anomalies(folder: Path, memes: tuple[Meme, ...]) -> Iterator[Anomaly]:
    if not any(is_file(original(folder, meme)) for meme in memes):
        yield Anomaly(f"{ORIGINAL}/", "no pictures", "not one source is there; put them into it")
        return
    looks = edits.probe_pictures(original(folder, meme) for meme in memes)
    for meme, looked in zip(memes, looks, strict=True):
        place = f"{ORIGINAL}/{meme.id}"
        if looked is None:
            yield Anomaly(place, "missing picture", "the source is not there")
        elif looked.problem is not None:
            yield Anomaly(place, "unusable picture", looked.problem)


def _edit_anomalies(folder: Path, memes: tuple[Meme, ...]) -> Iterator[Anomaly]:
    try:
        made = edits.read_edits(folder, memes)
    except InputError as error:
        yield Anomaly(f"{EDITED}/", "no edits", error.what)
        return
    for model, own in made.items():
        for kind, names in (
            ("missing edits", own.missing),
            ("unusable edits", tuple(own.unreadable)),
            ("wrongly named edits", own.wrongly_named),
        ):
            if names:
                what = f"{len(names)}, such as {names[0]}"
                yield Anomaly(f"{EDITED}/{model}", kind, what)
