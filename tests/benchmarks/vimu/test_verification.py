"""`data verify`: videos, frames, transcripts and gold that are missing or odd."""

from pathlib import Path

import pytest

from deadpan.base.errors import MissingExtra
from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.records import MINI_SET
from tests.benchmarks.vimu.data_folder import changed, rows, write


def found(folder: Path) -> set[tuple[str, str]]:
    return {(anomaly.kind, anomaly.where) for anomaly in VIMU.verify(folder)}


def some_video() -> bytes:
    return next((MINI_SET / "videos").glob("*.mp4")).read_bytes()


def test_a_folder_without_videos_says_so_once(tmp_path: Path) -> None:
    assert found(write(tmp_path)) == {("no videos", "videos/")}


def test_missing_and_unreadable_videos(tmp_path: Path) -> None:
    pytest.importorskip("av")
    folder = write(tmp_path, rows(dict.fromkeys(("v1", "v2", "v3"), ("A", "B", "C"))))
    (folder / "videos").mkdir()
    (folder / "videos" / "v1.mp4").write_bytes(some_video())
    (folder / "videos" / "v2.mp4").write_bytes(b"not a video")
    assert found(folder) == {("unusable video", "v2"), ("missing video", "v3")}


def test_without_the_video_extra_that_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(path: Path) -> None:
        raise MissingExtra("reading videos", "video")

    monkeypatch.setattr("deadpan.media.video.video_info", missing)
    folder = write(tmp_path)
    (folder / "videos").mkdir()
    for name in ("v1", "v2"):
        (folder / "videos" / f"{name}.mp4").write_bytes(b"x")
    assert found(folder) == {("videos not looked into", "videos/")}


def test_gold_frames_and_transcripts(tmp_path: Path) -> None:
    made = rows({"v1": ("ABCDE", "B", ""), "v2": ("A", "B", "C")})
    made["video_evidence"][0]["frames"] = ["frames/1.jpg"]
    made["video_evidence"].pop()
    assert found(write(tmp_path, made)) == {
        ("all gold", "v1 eg"),
        ("no gold", "v1 sv"),
        ("missing frame", "v1 frames"),
        ("no transcript", "v2 transcript"),
        ("no videos", "videos/"),
    }


def test_the_readers_anomalies_are_among_them(tmp_path: Path) -> None:
    made = changed(lambda r: r["vimu_eg"].pop())
    assert ("missing question", "vimu_oe.jsonl:2") in found(write(tmp_path, made))
