"""PixelHumor's comics as items of a study, and the order in which they are chosen."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from pathlib import Path
from statistics import fmean

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import InputError
from deadpan.base.files import is_there
from deadpan.benchmarks.pixelhumor.records import MINI_SET, QUESTIONS, Comic
from deadpan.benchmarks.pixelhumor.showing import shown_comics
from deadpan.benchmarks.pixelhumor.votes import ANNOTATORS, Ballot, read_ballots
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Picture
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.words import Words

MINI = "mini-set"
TITLE: Words = {"en": "Comic", "zh": "漫画"}
SEVERAL = ("Q5",)
"""The questions to which annotators give several labels: they agree where they share one."""
_FETCH = "Fetch them: deadpan data get pixelhumor --data DIR."


@dataclass(frozen=True)
class Showable:
    """The comics that people can be shown, with their pictures, and what is worth knowing of the
    others."""

    comics: Sequence[Comic]
    pictures: Mapping[str, Picture]
    notes: tuple[str, ...] = ()

    def part(self, comic: Comic) -> Part:
        """A comic with its numbers; its text stands in for it where it cannot be seen."""
        picture = self.pictures[comic.comic_id]
        lines = (line.strip() for line in comic.text.splitlines())
        return Part(
            name="comic",
            kind="comic",
            title=TITLE,
            path=picture.path,
            panels=picture.panels,
            alt="\n".join(line for line in lines if line),
        )

    def item(self, comic: Comic) -> StudyItem:
        """A comic as an item of a study; where its boxes are not known, its panels are counted."""
        return StudyItem(
            key=comic.comic_id,
            language=comic.language,
            parts=(self.part(comic),),
            panels=0 if comic.boxes else comic.number_of_panels,
            attributes=attributes(comic),
            harmful=comic.harmful,
        )


def attributes(comic: Comic) -> dict[str, JsonValue]:
    """What goes along with a comic into exports: its address, and never its picture."""
    return {
        "source": comic.source,
        "panels": comic.number_of_panels,
        "harm": comic.harm,
        "comic_url": comic.url,
    }


def pictured(dataset: Dataset[Comic]) -> tuple[list[Comic], list[str]]:
    """The comics whose picture is there, and how many others there are; none raises."""
    comics = [comic for comic in dataset.records if comic.image is not None]
    if not comics:
        raise InputError(dataset.origin, "none of its comics has a picture to show", _FETCH)
    lacking = len(dataset.records) - len(comics)
    notes = [f"left out, without a picture: {count_noun(lacking, 'comic')}"] if lacking else []
    return comics, notes


def showable(dataset: Dataset[Comic]) -> Showable:
    """The comics whose picture is there and whose panels have a plain place in it; none raises."""
    there, notes = pictured(dataset)
    shown = zip(dataset.records, shown_comics(dataset), strict=True)
    pictures = {
        comic.comic_id: picture
        for comic, (picture, problem) in shown
        if comic.image is not None and problem is None
    }
    comics = [comic for comic in there if comic.comic_id in pictures]
    if not comics:
        what = "none of its pictures has the form that the panel boxes are for"
        raise InputError(dataset.origin, what, _FETCH)
    if odd := len(there) - len(comics):
        what = "left out, as panel boxes do not fit the picture"
        notes.append(f"{what}: {count_noun(odd, 'comic')}")
    if unboxed := sum(not comic.boxes for comic in comics):
        what = "without panel boxes, so that panels are counted as they are read"
        notes.append(f"{what}: {count_noun(unboxed, 'comic')}")
    return Showable(comics, pictures, tuple(notes))


def folder_of(dataset: Dataset[Comic]) -> Path:
    """The folder that the data came from."""
    return MINI_SET if dataset.origin == MINI else Path(dataset.origin)


def agreement_of(dataset: Dataset[Comic]) -> dict[str, float]:
    """For each comic that several annotators voted on, the share of the questions on which they
    agree; nothing where the votes are not released with the data."""
    if not is_there(folder_of(dataset) / "annotation.csv"):
        return {}
    ballots, _ = read_ballots(folder_of(dataset))
    found = ((ballot.comic_id, _agreed(ballot)) for ballot in ballots)
    return {comic: share for comic, share in found if share is not None}


def _agreed(ballot: Ballot) -> float | None:
    """The mean over questions of the share of pairs that agree: exactly where one label is given,
    by overlap where several are."""
    shares = []
    for question in QUESTIONS:
        given = [
            frozenset(labels)
            for voter, labels in ballot.votes[question].items()
            if voter in ANNOTATORS
        ]
        pairs = [a & b if question in SEVERAL else a == b for a, b in combinations(given, 2)]
        shares += [fmean(map(bool, pairs))] if pairs else []
    return fmean(shares) if shares else None


def by_agreement(
    comics: Iterable[Comic], agreed: Mapping[str, float], draw: random.Random
) -> list[Comic]:
    """The comics, those first on which annotators agree most; by lot where they agree alike, and
    where nothing is known."""
    every = list(comics)
    mixed = draw.sample(every, len(every))
    return sorted(mixed, key=lambda comic: -agreed.get(comic.comic_id, 0))


def languages_in_turn(comics: Iterable[Comic]) -> list[Comic]:
    """The comics in their order, but of each language in turn."""
    groups: dict[str, list[Comic]] = {}
    for comic in comics:
        groups.setdefault(comic.language, []).append(comic)
    return [one for row in zip_longest(*groups.values()) for one in row if one is not None]
