"""Everything odd in a MER-Bench folder; nothing here is fatal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, is_folder
from deadpan.benchmarks.merbench.layout import (
    EDITED,
    MINI_SET,
    ORIGINAL,
    original,
    read_dataset,
    read_edits,
)
from deadpan.benchmarks.merbench.records import Meme
from deadpan.core.dataset import Anomaly
from deadpan.media.looked import looked_at


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports: of the records, the sources and each model's edits."""
    folder = data or MINI_SET
    dataset = read_dataset(data)
    found = [*dataset.anomalies, *_sources(folder, dataset.records)]
    if is_folder(folder / EDITED):
        found += _edits(folder, dataset.records)
    return found


def _sources(folder: Path, memes: tuple[Meme, ...]) -> Iterator[Anomaly]:
    if not any(is_file(original(folder, meme)) for meme in memes):
        yield Anomaly(f"{ORIGINAL}/", "no pictures", "not one source is there; put them into it")
        return
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        looks = list(pool.map(looked_at, (original(folder, meme) for meme in memes)))
    for meme, looked in zip(memes, looks, strict=True):
        place = f"{ORIGINAL}/{meme.id}"
        if looked is None:
            yield Anomaly(place, "missing picture", "the source is not there")
        elif looked.problem is not None:
            yield Anomaly(place, "unusable picture", looked.problem)


def _edits(folder: Path, memes: tuple[Meme, ...]) -> Iterator[Anomaly]:
    try:
        edits = read_edits(folder, memes)
    except InputError as error:
        yield Anomaly(f"{EDITED}/", "no edits", error.what)
        return
    for model, made in edits.items():
        lacking: dict[str, tuple[str, ...]] = {
            "missing edits": made.missing,
            "unusable edits": tuple(made.unreadable),
            "wrongly named edits": made.wrongly_named,
        }
        for kind, names in lacking.items():
            if names:
                what = f"{len(names)}, such as {names[0]}"
                yield Anomaly(f"{EDITED}/{model}", kind, what)
