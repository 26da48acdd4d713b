"""Everything odd in a ViMU folder; nothing here is fatal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import is_file
from deadpan.benchmarks.vimu.choices import Choice
from deadpan.benchmarks.vimu.records import MINI_SET, Video, read_videos
from deadpan.core.dataset import Anomaly
from deadpan.media.media_files import is_media


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports: of the files, then video by video."""
    dataset = read_videos(data)
    found = list(dataset.anomalies)
    for video in dataset.records:
        found += _gold_anomalies(video)
        found += _evidence_anomalies(video, data or MINI_SET)
    there = [video for video in dataset.records if is_file(Path(video.path))]
    if not there:
        what = "not one video is there; put them into videos/"
        return [*found, Anomaly("videos/", "no videos", what)]
    for video in dataset.records:
        if video not in there:
            what = f"{Path(video.path).name} is not there"
            found.append(Anomaly(video.video_id, "missing video", what))
    return [*found, *_unreadable(there)]


def _gold_anomalies(video: Video) -> Iterator[Anomaly]:
    asked: tuple[tuple[str, Choice | None], ...] = (
        ("eg", video.eg),
        ("rm", video.rm),
        ("sv", video.sv),
    )
    for task, choice in asked:
        where = f"{video.video_id} {task}"
        if choice is not None and not choice.gold:
            yield Anomaly(where, "no gold", "no option is right; nobody can score here")
        elif choice is not None and len(choice.gold) == len(choice.options):
            yield Anomaly(where, "all gold", "every option is right")


def _evidence_anomalies(video: Video, folder: Path) -> Iterator[Anomaly]:
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
