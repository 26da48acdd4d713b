"""Everything odd in a PixelHumor folder; nothing here is fatal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_there
from deadpan.benchmarks.pixelhumor.reading import gold_items
from deadpan.benchmarks.pixelhumor.records import MINI_SET, NA, QUESTIONS, Comic, read_comics, rows
from deadpan.benchmarks.pixelhumor.votes import consolidated, read_ballots
from deadpan.core.dataset import Anomaly
from deadpan.media.images import read_image
from deadpan.media.shown import misplaced_boxes

OTHER_FILES = {
    "annotation.csv": ("comic_id",),
    "comic_url.csv": ("comic_id", "comic_url"),
    "harm_annotation.csv": ("comic_id", "potentially_harmful"),
    "metadata.csv": ("comic_id", "metadata"),
    "objective_label.csv": ("comic_id", "panel_sequence", "text", "number_of_panels"),
    "subjective_label.csv": ("comic_id", *QUESTIONS),
    "human_explanation.csv": ("comic_id", "explanation"),
}


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports, file by file and comic by comic."""
    folder = data or MINI_SET
    dataset = read_comics(data)
    found = list(dataset.anomalies)
    full = {row.cells["comic_id"]: row.cells for row in rows(folder / "full_label.csv", (), [])}
    for name, columns in OTHER_FILES.items():
        found += _compared(folder / name, columns, full)
    for comic in dataset.records:
        found += _panel_anomalies(comic)
    found += _gold_anomalies(folder, full)
    if any(comic.image for comic in dataset.records):
        for comic in dataset.records:
            found += _image_anomalies(comic)
    else:
        found.append(Anomaly("images/", "no pictures", "run `deadpan data get pixelhumor`"))
    return found


def _compared(
    path: Path, columns: tuple[str, ...], full: dict[str, dict[str, str]]
) -> Iterator[Anomaly]:
    """Ids that one file has and the other lacks, ids there twice, cells that differ."""
    if not is_there(path):
        yield Anomaly(path.name, "missing file", "not in this folder")
        return
    ragged: list[Anomaly] = []
    seen: set[str] = set()
    try:
        for row in rows(path, columns, ragged):
            name, where = row.cells["comic_id"], f"{path.name}:{row.line} comic_id"
            if name in seen:
                yield Anomaly(where, "repeated id", f"{name} is there twice")
            seen.add(name)
            if name not in full:
                yield Anomaly(where, "unknown id", f"{name} is not in full_label.csv")
                continue
            for column in columns:
                if column in full[name] and row.cells[column] != full[name][column]:
                    place = f"{path.name}:{row.line} {column}"
                    yield Anomaly(place, "differs", f"{name}: not what full_label.csv has")
    except InputError as error:
        yield Anomaly(error.where, "unusable file", error.what)
        return
    if path.name != "metadata.csv":
        yield from ragged
    if path.name != "human_explanation.csv":
        for name in (name for name in full if name not in seen):
            yield Anomaly(path.name, "missing id", f"{name} is only in full_label.csv")


def _panel_anomalies(comic: Comic) -> Iterator[Anomaly]:
    count, sequence = comic.number_of_panels, comic.panel_sequence
    where = f"{comic.comic_id} panel_sequence"
    shown = ", ".join(map(str, sequence))
    if len(set(sequence)) < len(sequence):
        yield Anomaly(where, "repeated panel", shown)
    if set(sequence) != set(range(1, count + 1)):
        yield Anomaly(where, "not a permutation", f"{shown} for {count} panels")
    for label in comic.panel:
        if label != NA and not 1 <= int(label) <= count:
            what = f"panel {label} of {count}"
            yield Anomaly(f"{comic.comic_id} Q3", "gold panel out of range", what)
    numbers = [box.panel_number for box in comic.boxes]
    if comic.boxes and sorted(numbers) != list(range(1, len(numbers) + 1)):
        what = f"{', '.join(map(str, numbers))}; expected 1 to {len(numbers)}"
        yield Anomaly(f"{comic.comic_id} metadata", "panel numbers not 1..N", what)
    if comic.boxes and len(comic.boxes) != count:
        what = f"{len(comic.boxes)} boxes for {count} panels"
        yield Anomaly(f"{comic.comic_id} metadata", "box count", what)
    yield from _text_anomalies(comic)


def _text_anomalies(comic: Comic) -> Iterator[Anomaly]:
    items = gold_items(comic.text)
    beyond = [number for number, _ in items if not 1 <= number <= comic.number_of_panels]
    if beyond:
        what = f"panel {beyond[0]} of {comic.number_of_panels}"
        yield Anomaly(f"{comic.comic_id} text", "text panel out of range", what)
    if comic.text.strip() and not comic.text.lstrip()[:1].isdecimal():
        what = "text before the first panel number is in no panel"
        yield Anomaly(f"{comic.comic_id} text", "text outside panels", what)


def _gold_anomalies(folder: Path, full: dict[str, dict[str, str]]) -> Iterator[Anomaly]:
    """Votes that were not counted, and gold that its votes do not give."""
    if not is_there(folder / "annotation.csv"):
        return
    try:
        ballots, uncounted = read_ballots(folder)
    except InputError as error:
        yield Anomaly(error.where, "unusable file", error.what)
        return
    yield from uncounted
    for name, gold in consolidated(ballots).items():
        for question in QUESTIONS:
            released = full.get(name, {}).get(question)
            if released is not None and str(gold[question]) != released:
                what = f"votes give {gold[question]}; full_label.csv has {released}"
                yield Anomaly(f"{name} {question}", "gold not from votes", what)


def _image_anomalies(comic: Comic) -> Iterator[Anomaly]:
    where = f"{comic.comic_id} image"
    if comic.image is None:
        yield Anomaly(where, "missing picture", "run `deadpan data get pixelhumor`")
        return
    try:
        size = read_image(Path(comic.image)).size
    except InputError as error:
        yield Anomaly(where, "unusable picture", error.what)
        return
    for what in misplaced_boxes(comic.boxes, size):
        yield Anomaly(where, "box outside the picture", what)
