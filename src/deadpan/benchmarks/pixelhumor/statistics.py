"""What PixelHumor's data is like: panels and words per source, styles, labels, shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from deadpan.benchmarks.pixelhumor.reading import GOLD_ITEM
from deadpan.benchmarks.pixelhumor.records import (
    MODALITIES,
    NA,
    PRESENCE,
    SOUND_EFFECTS,
    STYLES,
    Comic,
)
from deadpan.core.dataset import Dataset
from deadpan.core.score import DataScores, Score
from deadpan.metrics.text_errors import words as text_words


def words(comic: Comic) -> int:
    """Words lettered in a comic: runs without white space; each Chinese character is one."""
    return len(text_words(GOLD_ITEM.sub("", comic.text)))


def data_scores(dataset: Dataset[Comic]) -> list[Score]:
    """Tables 10, 11 and 12 of the paper and the shares behind its figure 2, from this data."""
    comics = dataset.records
    emit = DataScores.of("pixelhumor", len(comics), dataset.checksum)
    sources = list(dict.fromkeys(comic.source for comic in comics))
    scores: list[Score] = [emit("comics", "all", len(comics), comics)]
    for language in sorted({comic.language for comic in comics}):
        members = [comic for comic in comics if comic.language == language]
        scores.append(emit("comics", f"language={language}", len(members), comics))
    for source in (*sources, None):
        members = [comic for comic in comics if source in (None, comic.source)]
        group = f"source={source}" if source else "all"
        scores += _spread(emit, "panels", group, members, lambda comic: comic.number_of_panels)
        scores += _spread(emit, "words", group, members, words)
        styles = Counter(style for comic in members for style in comic.styles)
        prefix = f"{group}," if source else ""
        scores += [
            emit("comics", f"{prefix}style={style}", styles[style], members)
            for style in (*STYLES, NA)
        ]
    return [*scores, *_shares(emit, comics)]


def _spread(
    emit: DataScores, name: str, group: str, members: Sequence[Comic], size: Callable[[Comic], int]
) -> Iterator[Score]:
    sizes = [size(comic) for comic in members]
    yield emit(f"{name}_max", group, max(sizes), members)
    yield emit(f"{name}_min", group, min(sizes), members)
    yield emit(f"{name}_mean", group, sum(sizes) / len(sizes), members)


def _shares(emit: DataScores, comics: Sequence[Comic]) -> Iterator[Score]:
    per_comic = Counter(len(comic.styles) for comic in comics)
    for number in sorted(per_comic):
        yield emit("comics", f"styles={number}", per_comic[number], comics)
    labelled: dict[str, tuple[tuple[str, ...], Callable[[Comic], Sequence[str]]]] = {
        "presence": (PRESENCE, lambda comic: (comic.presence,)),
        "sound_effect": (SOUND_EFFECTS, lambda comic: (comic.sound_effect,)),
        "modality": ((*MODALITIES, NA), lambda comic: (comic.modality,)),
        "style": ((*STYLES, NA), lambda comic: comic.styles),
        "harm": (("harm", "non-harm"), lambda c: ("harm" if c.harmful else "non-harm",)),
    }
    for name, (vocabulary, labels) in labelled.items():
        counts = Counter(label for comic in comics for label in labels(comic))
        for label in vocabulary:
            yield emit("share", f"{name}={label}", counts[label] / len(comics), comics)
    panels = Counter(label for comic in comics for label in comic.panel)
    for label in sorted(panels, key=lambda value: int(value) if value.isdecimal() else 0):
        yield emit("share", f"panel={label}", panels[label] / len(comics), comics)
