"""Films: planted metadata is gone from the bytes; packets, timing and rotation are not."""

from __future__ import annotations

import hashlib
import struct
from fractions import Fraction
from pathlib import Path

import pytest

from deadpan.collecting.anonymise.film import (
    blank_metadata,
    clean_film,
    film_metadata,
    outer_boxes,
)
from deadpan.collecting.anonymise.sources import BrokenMedia
from tests.collecting.anonymise import planted
from tests.collecting.anonymise.planted import SECRET

av = pytest.importorskip("av", reason="films need the [video] extra")
TURNED = struct.pack(">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30)
STRAIGHT = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)


def shown(path: Path) -> list[tuple[Fraction, str, int]]:
    with av.open(str(path)) as film:
        return [
            (
                frame.pts * frame.time_base,
                hashlib.sha256(frame.to_ndarray().tobytes()).hexdigest(),
                frame.rotation,
            )
            for frame in film.decode(video=0)
        ]


def heard(path: Path) -> bytes:
    with av.open(str(path)) as film:
        return b"".join(frame.to_ndarray().tobytes() for frame in film.decode(audio=0))


class TestFilm:
    @pytest.mark.parametrize("codec", ["libx264", "libx265", "libvpx-vp9", "libsvtav1"])
    def test_what_was_planted_is_gone_and_frames_are_the_same(
        self, tmp_path: Path, codec: str
    ) -> None:
        if codec not in av.codecs_available:
            pytest.skip(f"{codec} is not in this build of libav")
        source = planted.film(tmp_path / "in.mp4", codec)
        before = source.read_bytes()
        assert before.count(SECRET) >= 4
        removed = clean_film(source, tmp_path / "out.mp4")
        data = (tmp_path / "out.mp4").read_bytes()
        for trace in (SECRET, b"udta", b"\xa9xyz", b"Lavf", b"x264 - core", b"creation_time"):
            assert trace not in data, trace
        assert shown(tmp_path / "out.mp4") == shown(source)
        assert heard(tmp_path / "out.mp4") == heard(source)
        assert removed["user data"] >= 1 and removed["time"] >= 2
        assert source.read_bytes() == before

    def test_rotation_is_kept(self, tmp_path: Path) -> None:
        source = planted.film(tmp_path / "in.mp4")
        data = source.read_bytes()
        place = data.index(STRAIGHT, data.index(b"tkhd"))
        source.write_bytes(data[:place] + TURNED + data[place + 36 :])
        clean_film(source, tmp_path / "out.mp4")
        angles = {rotation for *_, rotation in shown(tmp_path / "out.mp4")}
        assert angles == {rotation for *_, rotation in shown(source)} and angles != {0}

    def test_silent_films_work(self, tmp_path: Path) -> None:
        source = planted.film(tmp_path / "in.mp4", sound=False)
        clean_film(source, tmp_path / "out.mp4")
        assert shown(tmp_path / "out.mp4") == shown(source)

    def test_subtitles_where_cameras_store_positions_go(self, tmp_path: Path) -> None:
        source = tmp_path / "in.mp4"
        plain = planted.film(tmp_path / "plain.mp4")
        with av.open(str(plain)) as film, av.open(str(source), "w") as out:
            track = out.add_stream_from_template(film.streams.video[0])
            words = out.add_stream("mov_text")
            words.codec_context.subtitle_header = b"[Script Info]\n\n[Events]\n"
            for packet in film.demux(video=0):
                if packet.dts is not None:
                    packet.stream = track
                    out.mux(packet)
            line = av.Packet(struct.pack(">H", len(SECRET)) + SECRET)
            line.stream, line.pts, line.dts, line.duration = words, 0, 0, 500
            line.time_base = Fraction(1, 1000)
            out.mux(line)
        assert SECRET in source.read_bytes()
        removed = clean_film(source, tmp_path / "out.mp4")
        assert removed["track of data, text or cover"] == 1
        assert SECRET not in (tmp_path / "out.mp4").read_bytes()

    @pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.98])
    def test_cut_off_it_is_refused(self, tmp_path: Path, share: float) -> None:
        source = planted.film(tmp_path / "in.mp4")
        data = source.read_bytes()
        source.write_bytes(data[: int(len(data) * share)])
        with pytest.raises(BrokenMedia, match="truncated"):
            clean_film(source, tmp_path / "out.mp4")

    def test_an_index_that_points_at_metadata_is_refused(self, tmp_path: Path) -> None:
        source = planted.film(tmp_path / "in.mp4", sound=False)
        data = bytearray(source.read_bytes())
        place = data.index(b"stco") + 12
        data[place : place + 4] = struct.pack(">I", data.index(SECRET))
        source.write_bytes(data)
        with pytest.raises(BrokenMedia):
            clean_film(source, tmp_path / "out.mp4")

    def test_an_unusual_track_is_refused(self, tmp_path: Path) -> None:
        source = planted.film(tmp_path / "in.mp4", "mpeg4")
        with pytest.raises(BrokenMedia, match=r"H\.264"):
            clean_film(source, tmp_path / "out.mp4")

    def test_the_check_finds_what_was_planted(self, tmp_path: Path) -> None:
        left = film_metadata(planted.film(tmp_path / "in.mp4"), cleaned=True)
        assert {"user data", "time", "handler name"} <= set(left)

    def test_blanking_moves_nothing(self, tmp_path: Path) -> None:
        source = planted.film(tmp_path / "in.mp4")
        frames, boxes = shown(source), outer_boxes(source)
        blank_metadata(source)
        assert outer_boxes(source) == boxes and shown(source) == frames
        assert "user data" not in film_metadata(source, cleaned=True)
