"""What PixelHumor's data is like, and everything odd in a folder of it; nothing here is fatal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_there
from deadpan.benchmarks.pixelhumor import records
from deadpan.benchmarks.pixelhumor.records import GOLD_ITEM, NA, QUESTIONS, STYLES, Comic
from deadpan.benchmarks.pixelhumor.votes import majority_gold, read_ballots
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.metric import Metric
from deadpan.core.plots import DataPlot
from deadpan.core.score import DataScores, Score
from deadpan.media.images import read_image
from deadpan.media.panel_scale import fit_panels
from deadpan.media.prepared import misplaced_boxes
from deadpan.metrics.text_errors import words

OTHER_FILES = {
    "annotation.csv": ("comic_id",),
    "comic_url.csv": ("comic_id", "comic_url"),
    "harm_annotation.csv": ("comic_id", "potentially_harmful"),
    "metadata.csv": ("comic_id", "metadata"),
    "objective_label.csv": ("comic_id", "panel_sequence", "text", "number_of_panels"),
    "subjective_label.csv": ("comic_id", *QUESTIONS),
    "human_explanation.csv": ("comic_id", "explanation"),
}
_SHARES: Mapping[str, tuple[Sequence[str], Callable[[Comic], Sequence[str]]]] = {
    "presence": (records.PRESENCE, lambda comic: (comic.presence,)),
    "sound_effect": (records.SOUND_EFFECTS, lambda comic: (comic.sound_effect,)),
    "modality": ((*records.MODALITIES, NA), lambda comic: (comic.modality,)),
    "style": ((*STYLES, NA), lambda comic: comic.styles),
    "harm": (("harm", "non-harm"), lambda comic: (comic.harm,)),
}


DATA_METRICS = (
    *(
        Metric(name, better="neither", unit="count", decimals=0)
        for name in ("comics", "panels_max", "panels_min", "words_max", "words_min")
    ),
    *(
        Metric(name, better="neither", unit="count", decimals=2)
        for name in ("panels_mean", "words_mean")
    ),
    Metric("share", better="neither", range=(0, 1)),
)
"""What the scores that describe the data count."""
_COMICS = (("comics", "comics"),)
DATA_PLOTS = (
    DataPlot("Humour styles", _COMICS, "style", caption="A comic may have several."),
    DataPlot("Panels", _COMICS, "panels"),
    DataPlot("Sources", _COMICS, "source"),
    DataPlot("What carries the humour", (("share", "share"),), "modality", decimals=True),
    DataPlot("Sound-effect words", (("share", "share"),), "sound_effect", decimals=True),
    DataPlot(
        "Annotators' agreement",
        (
            *(("exact", "agreement_exact"), ("overlap", "agreement_overlap")),
            *(("alpha, nominal", "alpha_nominal"), ("alpha, overlap", "alpha_overlap")),
        ),
        group="annotators=pairs",
        labels=(
            *(("Q1", "Q1 presence"), ("Q2", "Q2 sound effects"), ("Q3", "Q3 panel")),
            *(("Q4", "Q4 modality"), ("Q5", "Q5 styles"), ("overall", "mean")),
        ),
        caption="Of the pairs that annotated the same comics.",
        decimals=True,
    ),
)
"""How the data is drawn."""


def data_scores(dataset: Dataset[Comic]) -> Iterator[Score]:
    """Tables 10, 11 and 12 of the paper and the shares behind its figure 2, from this data."""
    comics = dataset.records
    emit = DataScores.of("pixelhumor", len(comics), dataset.checksum)
    yield emit("comics", "all", len(comics), comics)
    for language, count in sorted(Counter(comic.language for comic in comics).items()):
        yield emit("comics", f"language={language}", count, comics)
    for source in (*dict.fromkeys(comic.source for comic in comics), None):
        members = [comic for comic in comics if source in (None, comic.source)]
        group = f"source={source}" if source else "all"
        sizes = {
            "panels": [comic.number_of_panels for comic in members],
            "words": [len(words(GOLD_ITEM.sub("", comic.text))) for comic in members],
        }
        for name, found in sizes.items():
            yield emit(f"{name}_max", group, max(found), members)
            yield emit(f"{name}_min", group, min(found), members)
            yield emit(f"{name}_mean", group, sum(found) / len(found), members)
        styles = Counter(style for comic in members for style in comic.styles)
        prefix = f"{group}," if source else ""
        for style in (*STYLES, NA):
            yield emit("comics", f"{prefix}style={style}", styles[style], members)
        if source:
            yield emit("comics", group, len(members), members)
    for number, count in sorted(Counter(comic.number_of_panels for comic in comics).items()):
        yield emit("comics", f"panels={number}", count, comics)
    for number, count in sorted(Counter(len(comic.styles) for comic in comics).items()):
        yield emit("comics", f"styles={number}", count, comics)
    for name, (vocabulary, labels) in _SHARES.items():
        counts = Counter(label for comic in comics for label in labels(comic))
        for label in vocabulary:
            yield emit("share", f"{name}={label}", counts[label] / len(comics), comics)
    panels = Counter(label for comic in comics for label in comic.panel)
    for label in sorted(panels, key=lambda value: int(value) if value.isdecimal() else 0):
        yield emit("share", f"panel={label}", panels[label] / len(comics), comics)


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports, file by file and comic by comic."""
    folder = data or records.MINI_SET
    dataset = records.read_comics(data)
    found = list(dataset.anomalies)
    released = records.rows(folder / "full_label.csv", (), [])
    full = {row.cells["comic_id"]: row.cells for row in released}
    for name, columns in OTHER_FILES.items():
        found += _compare_files(folder / name, columns, full)
    for comic in dataset.records:
        found += _panel_anomalies(comic)
    found += _gold_anomalies(folder, full)
    if not any(comic.image for comic in dataset.records):
        return [*found, Anomaly("images/", "no pictures", "run `deadpan data get pixelhumor`")]
    for comic in dataset.records:
        found += _image_anomalies(comic)
    return found


def _compare_files(
    path: Path, columns: Sequence[str], full: Mapping[str, Mapping[str, str]]
) -> Iterator[Anomaly]:
    """Ids that one file has and the other lacks, ids there twice, cells that differ."""
    if not is_there(path):
        yield Anomaly(path.name, "missing file", "not in this folder")
        return
    ragged: list[Anomaly] = []
    seen: set[str] = set()
    try:
        for row in records.rows(path, columns, ragged):
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
    name, count, sequence = comic.comic_id, comic.number_of_panels, comic.panel_sequence
    shown = ", ".join(map(str, sequence))
    if len(set(sequence)) < len(sequence):
        yield Anomaly(f"{name} panel_sequence", "repeated panel", shown)
    if set(sequence) != set(range(1, count + 1)):
        what = f"{shown} for {count} panels"
        yield Anomaly(f"{name} panel_sequence", "not a permutation", what)
    for label in comic.panel:
        if label != NA and not 1 <= int(label) <= count:
            yield Anomaly(f"{name} Q3", "gold panel out of range", f"panel {label} of {count}")
    numbers = [box.panel_number for box in comic.boxes]
    if sorted(numbers) != list(range(1, len(numbers) + 1)):
        what = f"{', '.join(map(str, numbers))}; expected 1 to {len(numbers)}"
        yield Anomaly(f"{name} metadata", "panel numbers not 1..N", what)
    if numbers and len(numbers) != count:
        yield Anomaly(f"{name} metadata", "box count", f"{len(numbers)} boxes for {count} panels")
    beyond = [at for at, _ in records.gold_items(comic.text) if not 1 <= at <= count]
    if beyond:
        yield Anomaly(f"{name} text", "text panel out of range", f"panel {beyond[0]} of {count}")
    if comic.text.strip() and not comic.text.lstrip()[:1].isdecimal():
        what = "text before the first panel number is in no panel"
        yield Anomaly(f"{name} text", "text outside panels", what)


def _gold_anomalies(folder: Path, full: Mapping[str, Mapping[str, str]]) -> Iterator[Anomaly]:
    """Votes that were not counted, and gold that its votes do not give."""
    if not is_there(folder / "annotation.csv"):
        return
    try:
        ballots, uncounted = read_ballots(folder)
    except InputError as error:
        yield Anomaly(error.where, "unusable file", error.what)
        return
    yield from uncounted
    for name, gold in majority_gold(ballots).items():
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
    fit = fit_panels(Path(comic.image), comic.boxes)
    if fit.problem:
        yield Anomaly(where, "picture of another form", f"{fit.problem}; left out of runs")
        return
    if fit.note:
        yield Anomaly(where, "picture of another size", fit.note)
    for what in misplaced_boxes(fit.boxes, size):
        yield Anomaly(where, "box outside the picture", what)
