"""What ViMU's data is like: videos, labels, evidence, lengths, speech."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import is_file
from deadpan.benchmarks.vimu.choices import Choice
from deadpan.benchmarks.vimu.records import Video
from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, RHETORIC, SOCIAL, Taxonomy
from deadpan.core.dataset import Dataset
from deadpan.core.score import DataScores, Score
from deadpan.metrics.text_errors import words

_Ask = Callable[[Video], Choice | None]


def data_scores(dataset: Dataset[Video]) -> list[Score]:
    """The counts and lengths behind the paper's figures 2 and 3, from this data."""
    videos = dataset.records
    emit = DataScores.of("vimu", len(videos), dataset.checksum)
    return [
        emit("videos", "all", len(videos), videos),
        *_counted(emit, videos),
        *_questions(emit, videos),
        *_lengths(emit, videos),
        *_seconds(emit, videos),
    ]


def _counted(emit: DataScores, videos: Sequence[Video]) -> Iterator[Score]:
    """Videos by language and difficulty, by fine label and by target, and the share with speech."""
    labelled: dict[str, Callable[[Video], Sequence[str]]] = {
        "language": lambda video: (video.language,),
        "difficulty": lambda video: (video.difficulty,),
        "rhetoric_label": lambda video: video.rhetoric,
        "social_label": lambda video: video.social,
        "target": lambda video: video.targets,
    }
    for name, labels in labelled.items():
        counts = Counter(label for video in videos for label in dict.fromkeys(labels(video)))
        for label, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
            yield emit("videos", f"{name}={label}", count, videos)
    told = [video for video in videos if video.transcript is not None]
    if told:
        spoken = sum(bool((video.transcript or "").strip()) for video in told)
        yield emit("speech_share", "all", spoken / len(told), told)


def _questions(emit: DataScores, videos: Sequence[Video]) -> Iterator[Score]:
    """Questions by task; videos by gold category and by number of gold options."""
    opened = [video for video in videos if video.reading is not None]
    yield emit("questions", "task=oe", len(opened), opened)
    asked: tuple[tuple[str, str, _Ask, Taxonomy], ...] = (
        ("eg", "evidence", lambda video: video.eg, EVIDENCE),
        ("rm", "rhetoric", lambda video: video.rm, RHETORIC),
        ("sv", "social", lambda video: video.sv, SOCIAL),
    )
    for task, name, ask, taxonomy in asked:
        with_question = [video for video in videos if ask(video) is not None]
        yield emit("questions", f"task={task}", len(with_question), with_question)
        gold = [choice.gold_categories for video in videos if (choice := ask(video)) is not None]
        counts = Counter(letter for letters in gold for letter in letters)
        for category in taxonomy:
            value = category.members[0].name if task == "eg" else category.letter
            yield emit("videos", f"{name}={value}", counts[category.letter], with_question)
        for size, count in sorted(Counter(map(len, gold)).items()):
            yield emit("videos", f"{name}_options={size}", count, with_question)


def _lengths(emit: DataScores, videos: Sequence[Video]) -> Iterator[Score]:
    """Words of the open questions and their answers; each Chinese character is one."""
    readings = [video.reading for video in videos if video.reading is not None]
    if not readings:
        return
    texts = {
        "question_words": [len(words(reading.question)) for reading in readings],
        "answer_words": [len(words(reading.reference)) for reading in readings],
    }
    members = [video for video in videos if video.reading is not None]
    for name, sizes in texts.items():
        yield from _spread(emit, name, sizes, members)


def _seconds(emit: DataScores, videos: Sequence[Video]) -> Iterator[Score]:
    """How long the videos are, of those that are there and can be read."""
    from deadpan.media.video import video_info

    lengths: dict[str, float] = {}
    for video in videos:
        if not is_file(Path(video.path)):
            continue
        try:
            lengths[video.video_id] = video_info(Path(video.path)).seconds
        except MissingExtra:
            return
        except InputError:
            continue
    if lengths:
        members = [video for video in videos if video.video_id in lengths]
        yield from _spread(emit, "seconds", list(lengths.values()), members)
        yield emit("seconds_sum", "all", sum(lengths.values()), members)


def _spread(
    emit: DataScores, name: str, sizes: Sequence[float], members: Sequence[Video]
) -> Iterator[Score]:
    yield emit(f"{name}_max", "all", max(sizes), members)
    yield emit(f"{name}_min", "all", min(sizes), members)
    yield emit(f"{name}_mean", "all", sum(sizes) / len(sizes), members)
