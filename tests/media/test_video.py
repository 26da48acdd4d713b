"""Frames sampled for a model: once each, with notes, cached by content; contact sheets."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deadpan.media import video as video_module
from deadpan.media.video import (
    Frame,
    contact_sheet,
    sampled_frames,
    spread,
    video_info,
)
from tests.media.drawn_videos import (
    number_of,
    numbered,
    numbers,
    opened,
    plain_frames,
    write_video,
)

av = pytest.importorskip("av", reason="the [video] extra is not installed")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for each test."""
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_sound_is_told(tmp_path):
    silent = write_video(tmp_path / "a.mp4", plain_frames(20))
    loud = write_video(tmp_path / "b.mp4", plain_frames(20), sound=True)
    assert not video_info(silent).sound and video_info(loud).sound
    assert numbers(loud, 4) == numbers(silent, 4) == [2, 7, 12, 17]


def test_facts_of_a_video(tmp_path):
    info = video_info(write_video(tmp_path / "a.mp4", plain_frames(30)))
    assert (info.width, info.height, info.frames, info.rotation) == (96, 48, 30, 0)
    assert info.seconds == pytest.approx(3.0) and info.rate == pytest.approx(10.0)


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".avi", ".gif"])
def test_a_video_of_one_frame_gives_it_once(tmp_path, suffix):
    codec = {".avi": "mpeg4", ".gif": "gif"}.get(suffix, "libx264")
    layout = "rgb8" if suffix == ".gif" else "yuv420p"
    path = write_video(tmp_path / f"a{suffix}", [numbered(5)], codec=codec, layout=layout)
    sampled = sampled_frames(path)
    assert [number_of(np.asarray(opened(frame))) for frame in sampled.frames] == [5]
    assert sampled.frames[0].seconds == 0
    assert sampled.notes == ("different frames found: 1; asked for: 8",)


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_each_of_a_few_frames_comes_once(tmp_path, suffix):
    path = write_video(tmp_path / f"a{suffix}", plain_frames(3), [0.0, 0.01, 0.02])
    sampled = sampled_frames(path)
    assert [number_of(np.asarray(opened(frame))) for frame in sampled.frames] == [0, 1, 2]
    assert sampled.notes == ("different frames found: 3; asked for: 8",)


def test_a_frame_that_stays_on_screen_comes_once(tmp_path):
    times = [index / 10 for index in range(20)] + [60.0]
    path = write_video(tmp_path / "a.mp4", plain_frames(21), times, options={"bf": "0"})
    sampled = sampled_frames(path)
    assert [frame.seconds for frame in sampled.frames] == pytest.approx([1.9])
    assert sampled.notes == ("different frames found: 1; asked for: 8",)


def test_frames_come_from_the_cache_the_second_time(tmp_path, monkeypatch):
    path = write_video(tmp_path / "a.mp4", plain_frames(20), sound=True)
    first = sampled_frames(path)
    renamed = path.rename(tmp_path / "b.mp4")
    monkeypatch.setattr(video_module, "decode_frames", lambda *_: pytest.fail("decoded again"))
    assert sampled_frames(renamed) == first
    assert first.frames[0].data[:2] == b"\xff\xd8" and len(first.sha256) == 64


@pytest.mark.parametrize("harm", ["cut", "flipped", "emptied"])
def test_a_damaged_cache_entry_is_made_again(tmp_path, cache, harm):
    path = write_video(tmp_path / "a.mp4", plain_frames(20))
    first = sampled_frames(path, 2)
    (entry,) = (cache / "frames").iterdir()
    data = entry.read_bytes()
    middle = len(data) // 2
    flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    entry.write_bytes({"cut": data[:-40], "flipped": flipped, "emptied": b""}[harm])
    assert sampled_frames(path, 2) == first
    assert entry.read_bytes() == data


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "blocked").write_text("")
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "blocked"))
    path = write_video(tmp_path / "a.mp4", plain_frames(20))
    assert len(sampled_frames(path, 2).frames) == 2


def test_things_are_spread_evenly():
    assert spread(8, 4) == [1, 3, 5, 7]
    assert spread(100, 3) == [16, 50, 83]
    assert spread(3, 8) == [0, 1, 2] and spread(0, 2) == [] and spread(5, 1) == [2]
    with pytest.raises(ValueError, match="cannot keep 0 of 5"):
        spread(5, 0)


def test_a_contact_sheet_shows_every_frame(tmp_path):
    path = write_video(tmp_path / "a.mp4", [np.full((48, 96, 3), 255, np.uint8)] * 60)
    red = Frame(frame_of((255, 0, 0)), 3661.5)
    sheet = Image.open(io.BytesIO(contact_sheet([*sampled_frames(path, 5).frames, red])))
    assert sheet.size == (8 + 4 * 104, 8 + 2 * 78)
    right, below = 8 + 104 + 48, 8 + 78 + 24
    assert sheet.getpixel((right, below))[1] < 60
    with pytest.raises(ValueError, match="at least one frame"):
        contact_sheet([])


def frame_of(colour: tuple[int, int, int]) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (96, 48), colour).save(stream, "JPEG")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("seconds", "label"),
    [(0, "0:00.0"), (59.97, "1:00.0"), (75.25, "1:15.2"), (3661.5, "1:01:01.5")],
)
def test_times_are_written_as_on_a_clock(seconds, label):
    assert video_module._clock(seconds) == label
