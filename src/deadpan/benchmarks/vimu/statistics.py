"""What ViMU's data is like (videos, labels, evidence, lengths, speech) and what is odd in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import is_file
from deadpan.benchmarks.vimu.records import MINI_SET, Video, read_videos
from deadpan.benchmarks.vimu.taxonomy import TAXONOMIES
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.plots import DataPlot
from deadpan.core.score import DataScores, Score
from deadpan.media.media_files import is_media
from deadpan.metrics.text_errors import words

_SEVERAL = "A video may have several."


def _category_labels(task: str) -> tuple[tuple[str, str], ...]:
    """The categories of a task's taxonomy, each by its letter."""
    return tuple((one.letter, f"{one.letter} {one.label}") for one in TAXONOMIES[task])


_LABELS: dict[str, Callable[[Video], Sequence[str]]] = {
    "language": lambda video: (video.language,),
    "difficulty": lambda video: (video.difficulty,),
    "rhetoric_label": lambda video: video.rhetoric,
    "social_label": lambda video: video.social,
    "target": lambda video: video.targets,
}


_SPANS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 10**9)
"""How many seconds a bar of the histogram of durations may span, and how many bars it has."""
_MOST_SPANS = 16
_VIDEOS = (("videos", "videos"),)
DATA_PLOTS = (
    *(
        DataPlot(title, _VIDEOS, name, labels=_category_labels(task), caption=_SEVERAL)
        for title, name, task in (
            ("Rhetoric mechanisms", "rhetoric", "rm"),
            ("Social value signals", "social", "sv"),
        )
    ),
    DataPlot("Evidence sources", _VIDEOS, "evidence", caption=_SEVERAL),
    DataPlot("Durations, in seconds", _VIDEOS, "seconds"),
    DataPlot("Difficulty", _VIDEOS, "difficulty"),
    DataPlot("Rhetoric, fine labels", _VIDEOS, "rhetoric_label", caption=_SEVERAL),
)
"""How the data is drawn."""


def data_scores(dataset: Dataset[Video]) -> list[Score]:
    """The counts and lengths behind the paper's figures 2 and 3, from this data."""
    videos = dataset.records
    emit = DataScores.of("vimu", len(videos), dataset.checksum)
    return [
        emit("videos", "all", len(videos), videos),
        *_counts(emit, videos),
        *_questions(emit, videos),
        *_lengths(emit, videos),
        *_seconds(emit, videos),
    ]


def _counts(emit: DataScores, videos: Sequence[Video]) -> Iterator[Score]:
    """Videos by language and difficulty, by fine label and by target, and the share with speech."""
    for name, labels in _LABELS.items():
        counts = Counter(label for video in videos for label in dict.fromkeys(labels(video)))
        for label, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
            yield emit("videos", f"{name}={label}", count, videos)
    known = [video for video in videos if video.transcript is not None]
    if known:
        spoken = sum(bool((video.transcript or "").strip()) for video in known)
        yield emit("speech_share", "all", spoken / len(known), known)


def _questions(emit: DataScores, videos: Sequence[Video]) -> Iterator[Score]:
    """Questions by task; videos by gold category and by number of gold options."""
    opened = [video for video in videos if video.reading is not None]
    yield emit("questions", "task=oe", len(opened), opened)
    for task, name in (("eg", "evidence"), ("rm", "rhetoric"), ("sv", "social")):
        gold = [c.gold_categories for video in videos if (c := video.choices[task]) is not None]
        yield emit("questions", f"task={task}", len(gold), gold)
        asked = [choice for video in videos if (choice := video.choices[task]) is not None]
        right = [one for choice in asked for one in choice.options if one.letter in choice.gold]
        counts = Counter(one.category for one in right if one.is_named)
        for category in TAXONOMIES[task]:
            value = category.members[0].name if task == "eg" else category.letter
            yield emit("videos", f"{name}={value}", counts[category.letter], gold)
        # What the taxonomy does not name goes by its own text.
        for text, count in sorted(Counter(one.text for one in right if not one.is_named).items()):
            yield emit("videos", f"{name}={text}", count, gold)
        for size, count in sorted(Counter(map(len, gold)).items()):
            yield emit("videos", f"{name}_options={size}", count, gold)


def _lengths(emit: DataScores, videos: Sequence[Video]) -> Iterator[Score]:
    """Words of the open questions and their answers; each Chinese character is one."""
    readings = [video.reading for video in videos if video.reading is not None]
    if readings:
        yield from _spread(emit, "question_words", [len(words(one.question)) for one in readings])
        yield from _spread(emit, "answer_words", [len(words(one.reference)) for one in readings])


def _seconds(emit: DataScores, videos: Sequence[Video]) -> Iterator[Score]:
    """How long the videos are, of those that are there and can be read."""
    from deadpan.media.video import video_info

    seconds: list[float] = []
    for video in videos:
        if not is_file(Path(video.path)):
            continue
        try:
            seconds.append(video_info(Path(video.path)).seconds)
        except MissingExtra:
            return
        except InputError:
            continue
    if seconds:
        yield from _spread(emit, "seconds", seconds)
        yield emit("seconds_sum", "all", sum(seconds), seconds)
        wide = next(one for one in _SPANS if max(seconds) < _MOST_SPANS * one)
        counts = Counter(int(one // wide) for one in seconds)
        for span in range(min(counts), max(counts) + 1):
            group = f"seconds={span * wide}–{(span + 1) * wide}"
            yield emit("videos", group, counts[span], seconds)


def _spread(emit: DataScores, name: str, sizes: Sequence[float]) -> Iterator[Score]:
    yield emit(f"{name}_max", "all", max(sizes), sizes)
    yield emit(f"{name}_min", "all", min(sizes), sizes)
    yield emit(f"{name}_mean", "all", sum(sizes) / len(sizes), sizes)


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports: of the files, then video by video."""
    dataset = read_videos(data)
    found = list(dataset.anomalies)
    for video in dataset.records:
        found += _video_anomalies(video, data or MINI_SET)
    there = [video for video in dataset.records if is_file(Path(video.path))]
    if not there:
        what = "not one video is there; put them into videos/"
        return [*found, Anomaly("videos/", "no videos", what)]
    for video in dataset.records:
        if video not in there:
            what = f"{Path(video.path).name} is not there"
            found.append(Anomaly(video.video_id, "missing video", what))
    return [*found, *_unreadable(there)]


def _video_anomalies(video: Video, folder: Path) -> Iterator[Anomaly]:
    """Gold that says nothing, and evidence that is not there."""
    for task, choice in video.choices.items():
        where = f"{video.video_id} {task}"
        if choice is not None and not choice.gold:
            yield Anomaly(where, "no gold", "no option is right; nobody can score here")
        elif choice is not None and len(choice.gold) == len(choice.options):
            yield Anomaly(where, "all gold", "every option is right")
    if video.transcript is None:
        what = "the data does not say what is spoken"
        yield Anomaly(f"{video.video_id} transcript", "no transcript", what)
    for name in video.frames:
        if not is_media(folder / name):
            yield Anomaly(f"{video.video_id} frames", "missing frame", name)


def _unreadable(videos: list[Video]) -> Iterator[Anomaly]:
    """Videos that cannot be decoded; one line where nothing here can decode videos."""
    from deadpan.media.video import video_info

    for video in videos:
        try:
            video_info(Path(video.path))
        except MissingExtra as error:
            yield Anomaly("videos/", "videos not looked into", str(error))
            return
        except InputError as error:
            yield Anomaly(video.video_id, "unusable video", error.what)
