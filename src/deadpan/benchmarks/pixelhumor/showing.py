"""PixelHumor's comics as they are shown: the picture, with its panels where they lie in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from deadpan.benchmarks.pixelhumor.records import Comic
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Picture
from deadpan.media.panel_scale import fit_panels


class Shown(NamedTuple):
    """A comic's picture with its panels where they lie in it, or why that is not plain."""

    picture: Picture
    problem: str | None = None


def shown_comics(dataset: Dataset[Comic]) -> Iterator[Shown]:
    """Each comic of the data; one without a picture has the place where it would be."""
    for comic in dataset.records:
        if comic.image is None:
            missing = f"{dataset.origin}/images/{comic.comic_id}"
            yield Shown(Picture(path=missing, panels=comic.boxes))
            continue
        fit = fit_panels(Path(comic.image), comic.boxes)
        notes = (fit.note,) if fit.note else ()
        yield Shown(Picture(path=comic.image, panels=fit.boxes, notes=notes), fit.problem)
