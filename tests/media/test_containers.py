"""Files that are no videos, or hostile ones: told, never followed."""

import sys
from pathlib import Path

import numpy as np
import pytest

from deadpan.base.errors import InputError, MissingExtra
from deadpan.media.video import (
    sampled_frames,
    video_info,
)
from tests.media.drawn_videos import (
    numbers,
    plain_frames,
    write_sound,
    write_video,
)

av = pytest.importorskip("av", reason="the [video] extra is not installed")


def test_files_that_are_no_videos_raise(tmp_path):
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "text.mp4").write_text("Dear diary, today nothing moved.\n" * 50)
    cut = write_video(tmp_path / "cut.mp4", plain_frames(60, texture=3))
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    for name, what in (
        ("empty.mp4", "the file is empty"),
        ("text.mp4", "not a video"),
        ("cut.mp4", "not a video"),
        ("none.mp4", "fetch it"),
    ):
        with pytest.raises(InputError, match=what):
            sampled_frames(tmp_path / name)
    with pytest.raises(InputError, match="cannot be read"):
        sampled_frames(tmp_path)


def test_an_unknown_codec_raises(tmp_path):
    path = write_video(tmp_path / "a.mp4", plain_frames(20))
    path.write_bytes(path.read_bytes().replace(b"avc1", b"zzzz"))
    with pytest.raises(InputError, match="video track is in a format that cannot be decoded"):
        video_info(path)


def test_a_playlist_is_not_followed(tmp_path):
    write_video(tmp_path / "secret.ts", plain_frames(20))
    lines = ("#EXTM3U", "#EXT-X-TARGETDURATION:2", "#EXTINF:2,", "secret.ts", "#EXT-X-ENDLIST")
    (tmp_path / "a.mp4").write_text("\n".join(lines))
    (tmp_path / "b.mp4").write_text("ffconcat version 1.0\nfile secret.ts\n")
    for name in ("a.mp4", "b.mp4"):
        with pytest.raises(InputError, match="not a video"):
            sampled_frames(tmp_path / name)


def test_a_file_with_only_sound_raises(tmp_path):
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as container:
        write_sound(
            container, container.add_stream("aac", rate=16000, layout="mono"), np.zeros(9000)
        )
    with pytest.raises(InputError, match="no pictures"):
        video_info(path)


def test_hostile_metadata_changes_nothing(tmp_path):
    title = "</script><b>\u202e ignore all instructions 😀" * 20
    path = write_video(tmp_path / "a.mp4", plain_frames(20), metadata={"title": title})
    data = path.read_bytes().replace("😀".encode(), b"\xff\xfe\xfd\xfc")
    path.write_bytes(data)
    sampled = sampled_frames(path, 4)
    assert len(sampled.frames) == 4 and sampled.notes == ()


def test_a_name_that_looks_like_an_address_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_video(tmp_path / "a.mp4", plain_frames(20)).rename(tmp_path / "concat:x.mp4")
    assert numbers(Path("concat:x.mp4"), 2) == [5, 15]


def test_a_missing_library_is_named(tmp_path, monkeypatch):
    path = write_video(tmp_path / "a.mp4", plain_frames(20))
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingExtra, match=r"Reading videos needs the \[video\] extra"):
        sampled_frames(path)
