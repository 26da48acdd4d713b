"""The right frames at the right times, exactly as a full decode has them, from any video."""

from pathlib import Path

import numpy as np
import pytest

from deadpan.base.errors import InputError
from deadpan.media.frames import decode_frames
from deadpan.media.timeline import Reader
from deadpan.media.video import (
    sampled_frames,
    video_info,
)
from tests.media.drawn_videos import (
    OneWay,
    frame_arrays,
    number_of,
    numbered,
    numbers,
    opened,
    plain_frames,
    write_video,
)

av = pytest.importorskip("av", reason="the [video] extra is not installed")


def every_frame(path: Path) -> dict[float, np.ndarray]:
    """All frames by their seconds, decoded one after another by PyAV alone."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        start = stream.start_time or 0
        return {
            float((frame.pts - start) * stream.time_base): frame.to_ndarray(format="rgb24")
            for frame in container.decode(stream)
        }


def test_frames_are_the_middles_of_equal_spans(tmp_path):
    path = write_video(tmp_path / "a.mp4", plain_frames(80))
    assert numbers(path, 8) == [5, 15, 25, 35, 45, 55, 65, 75]
    assert [seconds for seconds, _ in frame_arrays(path, 4)] == [1.0, 3.0, 5.0, 7.0]
    assert numbers(path, 1) == [40]


def test_the_frame_on_screen_is_taken_when_durations_vary(tmp_path):
    times = [0.0, 0.1, 0.2, 3.0, 3.1, 3.2, 7.0, 7.9]
    path = write_video(tmp_path / "a.mkv", plain_frames(8), times)
    sampled = frame_arrays(path, 4)
    assert [number_of(pixels) for _, pixels in sampled] == [2, 3, 5, 6]
    assert [seconds for seconds, _ in sampled] == pytest.approx([0.2, 3.0, 3.2, 7.0])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"x264-params": "bframes=6:b-pyramid=normal:keyint=25:scenecut=0"},
        {"x264-params": "bframes=6:b-pyramid=strict:keyint=25"},
        {"x264-params": "open-gop=1:bframes=4:keyint=12:scenecut=0"},
        {"x264-params": "bframes=0"},
        {"x264-params": "keyint=1"},
        {"x264-params": "intra-refresh=1:keyint=20"},
        {"x264-params": "keyint=infinite:bframes=3"},
        {"x264-params": "interlaced=1:bframes=2"},
    ],
    ids=str,
)
@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".ts"])
def test_pixels_equal_those_of_a_full_decode(tmp_path, options, suffix):
    path = write_video(tmp_path / f"a{suffix}", plain_frames(150, texture=2), options=options)
    whole = every_frame(path)
    for count in (7, 40):
        sampled = frame_arrays(path, count)
        assert len(sampled) == count
        for index, (seconds, pixels) in enumerate(sampled):
            middle = (index + 0.5) * 15 / count
            assert seconds == max(time for time in whole if time <= middle + 1e-9)
            assert np.array_equal(pixels, whole[seconds])


@pytest.mark.parametrize(
    ("codec", "suffix"), [("libx265", ".mp4"), ("libvpx-vp9", ".webm"), ("mpeg4", ".mp4")]
)
def test_other_codecs_are_decoded_just_as_exactly(tmp_path, codec, suffix):
    options = (
        {"x265-params": "log-level=none", "cpu-used": "8"} if codec != "mpeg4" else {"bf": "2"}
    )
    path = write_video(
        tmp_path / f"a{suffix}", plain_frames(60, texture=2), codec=codec, options=options
    )
    whole = every_frame(path)
    for seconds, pixels in frame_arrays(path, 9):
        assert np.array_equal(pixels, whole[seconds])


def test_frames_without_time_stamps_are_counted_instead(tmp_path):
    path = write_video(tmp_path / "a.h264", plain_frames(50), rate=25, kind="h264")
    sampled = sampled_frames(path, 5)
    found = [number_of(np.asarray(opened(frame))) for frame in sampled.frames]
    assert found == [5, 15, 25, 35, 45]
    assert sampled.info.seconds == pytest.approx(2.0)
    assert any("no frame times" in note for note in sampled.notes)


def test_old_containers_without_presentation_times(tmp_path):
    path = write_video(
        tmp_path / "a.avi", plain_frames(40), codec="mpeg4", options={"bf": "2", "g": "10"}
    )
    assert len(frame_arrays(path, 4)) == 4


@pytest.mark.parametrize(("kind", "codec"), [("matroska", "libx264"), ("webm", "libvpx")])
def test_a_missing_duration_is_measured(tmp_path, kind, codec):
    path = tmp_path / "a.mkv"
    stream = OneWay(path)
    write_video(stream, plain_frames(40), kind=kind, codec=codec)
    stream.close()
    with av.open(str(path)) as container:
        assert container.duration is None
    assert numbers(path, 4) == [5, 15, 25, 35]
    assert video_info(path).seconds == pytest.approx(4.0, abs=0.11)


def test_a_sound_track_longer_than_the_pictures_does_not_stretch_them(tmp_path):
    path = write_video(tmp_path / "a.mkv", plain_frames(5), [0, 0.1, 0.2, 0.3, 0.4], sound=True)
    assert numbers(path, 2) == [1, 3]


def damaged(path: Path, start: float, end: float) -> Path:
    data = bytearray(path.read_bytes())
    where = slice(int(len(data) * start), int(len(data) * end))
    data[where] = np.random.default_rng(1).bytes(len(data[where]))
    path.write_bytes(data)
    return path


def test_damage_in_the_middle_costs_only_what_lies_there(tmp_path, capfd):
    whole = write_video(
        tmp_path / "a.mkv",
        plain_frames(160, texture=3),
        options={"x264-params": "keyint=20:scenecut=0:bframes=2"},
    )
    intact = every_frame(whole)
    sampled = decode_frames(damaged(whole, 0.45, 0.6), 8)
    clean = [one for one in sampled.pictures if not one.doubtful]
    assert 4 <= len(clean) < 8
    for one in clean:
        nearest = min(intact, key=lambda time: abs(time - one.seconds))
        assert np.array_equal(one.pixels, intact[nearest])
    assert sampled_frames(whole).notes
    assert capfd.readouterr() == ("", "")


def test_damage_within_an_mp4_is_told(tmp_path):
    path = write_video(
        tmp_path / "a.mp4",
        plain_frames(80, texture=3),
        options={"x264-params": "keyint=10:scenecut=0:bframes=0"},
    )
    sampled = sampled_frames(damaged(path, 0.4, 0.5))
    assert 4 <= len(sampled.frames) <= 8
    assert any("decoded" in note or "damaged" in note for note in sampled.notes)


def test_a_video_of_which_nothing_can_be_decoded_raises(tmp_path):
    path = write_video(tmp_path / "a.mp4", plain_frames(40, texture=3))
    data = bytearray(path.read_bytes())
    start = data.index(b"mdat") + 4
    end = data.index(b"moov") - 4
    data[start:end] = bytes(end - start)
    path.write_bytes(data)
    with pytest.raises(InputError, match="no frame of the video can be decoded"):
        sampled_frames(path)


def test_ten_hours_are_sought_through_not_read_through(tmp_path, monkeypatch):
    # The last frame lasts a tenth of a second, so that the spans are 4498.8 s long.
    times = [10.0 * index for index in range(3600)]
    path = write_video(
        tmp_path / "long.mp4",
        [numbered(index) for index in range(3600)],
        times,
        options={"preset": "ultrafast", "g": "12"},
    )
    read = []
    packets = Reader.packets

    def counted(self):
        for packet in packets(self):
            read.append(packet.pts)
            yield packet

    monkeypatch.setattr(Reader, "packets", counted)
    assert numbers(path, 8) == [224, 674, 1124, 1574, 2024, 2474, 2924, 3374]
    assert len(read) < 500
    assert video_info(path).seconds == pytest.approx(36_000, rel=0.001)


def test_no_frames_cannot_be_asked_for(tmp_path):
    path = write_video(tmp_path / "a.mp4", plain_frames(5))
    with pytest.raises(ValueError, match="at least one"):
        frame_arrays(path, 0)
