"""Files that are not what they seem: our own error comes out, soon, and no other file is read."""

from __future__ import annotations

import itertools
import os
import random
import re
import socket
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import deadpan
from deadpan.base.errors import InputError
from deadpan.base.files import is_within
from deadpan.collecting.anonymise.pictures import clean_picture
from deadpan.collecting.anonymise.sources import BrokenMedia, media_kind
from deadpan.collecting.fetch.download import picture_facts
from deadpan.core.editors import NotEdited
from deadpan.core.questions import Picture
from deadpan.editing.received import open_picture
from deadpan.media import ocr
from deadpan.media.images import (
    FORMATS,
    MOST_SCANS,
    NotAPicture,
    open_image,
    probe_image,
    read_image,
)
from deadpan.media.prepared import prepare_image
from deadpan.reports.pictures import small_picture
from tests.media.drawn_videos import plain_frames, write_video
from tests.media.mutations import (
    PICTURE_SUFFIXES,
    VIDEO_SUFFIXES,
    mutated,
    whole_films,
    whole_pictures,
)

SOURCE = Path(deadpan.__file__).parent
OUR_ERRORS = (InputError, NotEdited, BrokenMedia)
POSTSCRIPT = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n"


def test_pictures_and_videos_are_opened_in_one_place_each() -> None:
    """Elsewhere the accepted formats and the limits could be forgotten."""
    pictures = re.compile(r"\bImage\.open\(|from PIL\.Image import|import PIL\b|ImageFile\.Parser")
    videos = re.compile(r"\bav\.open\((?!(?:str\(\w+\)|\w+), \"w\")")
    assert _holding(pictures) == ["media/images.py"]
    assert _holding(videos) == ["media/media_files.py"]


def _holding(pattern: re.Pattern[str]) -> list[str]:
    """The modules of the package in which a pattern occurs."""
    return [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if pattern.search(path.read_text(encoding="utf-8"))
    ]


class TestFormats:
    @pytest.mark.parametrize("suffix", PICTURE_SUFFIXES)
    def test_postscript_under_the_name_of_a_picture_runs_nothing(
        self, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def started(*_: object, **__: object) -> None:
            raise AssertionError("a program was started")

        monkeypatch.setattr(subprocess, "Popen", started)
        path = tmp_path / f"a{suffix}"
        path.write_bytes(POSTSCRIPT)
        with pytest.raises(NotAPicture, match="is not a picture that can be read; expected PNG"):
            read_image(path)

    @pytest.mark.parametrize("kind", ["PPM", "TGA", "ICO", "PCX", "SGI", "JPEG2000", "ICNS", "PDF"])
    def test_other_formats_are_refused(self, tmp_path: Path, kind: str) -> None:
        path = tmp_path / "a.png"
        Image.new("RGB", (32, 32), "red").save(path, kind)
        with pytest.raises(NotAPicture):
            open_image(path)

    def test_every_accepted_format_is_read(self) -> None:
        seen = set()
        for data in whole_pictures().values():
            with open_image(data) as image:
                seen.add(image.format)
            assert read_image(data).mode == "RGB"
        assert seen == set(FORMATS)

    def test_a_picture_of_many_scans_is_refused(self, tmp_path: Path) -> None:
        data = whole_pictures()["jpeg progressive"]
        last = data.rindex(b"\xff\xda")
        many = data[:last] + data[last:-2] * MOST_SCANS + data[-2:]
        assert read_image(data).size == (32, 24)
        with pytest.raises(NotAPicture, match="more than 100 scans"):
            read_image(many)

    def test_a_bomb_is_refused_before_it_is_decoded(self, tmp_path: Path) -> None:
        path = tmp_path / "bomb.png"
        path.write_bytes(_png_of(60_000, 60_000))
        start = time.process_time()
        with pytest.raises(NotAPicture, match="enormous"):
            read_image(path)
        assert time.process_time() - start < 10


def _png_of(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        whole = name + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(1_000_000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def _read_video(path: Path) -> object:
    pytest.importorskip("av")
    from deadpan.media.video import sampled_frames

    return sampled_frames(path)


def _read_sound(path: Path) -> object:
    pytest.importorskip("av")
    from deadpan.media.audio import sound_track

    return sound_track(path)


def _shown(path: Path) -> object:
    return prepare_image(Picture(path=str(path)))


READERS = [read_image, _shown, ocr.read_text, _read_video, _read_sound]


class TestNotRegular:
    @pytest.mark.parametrize("read", READERS)
    def test_pipes_sockets_devices_and_folders_are_told(
        self, tmp_path: Path, read: Callable[[Path], object]
    ) -> None:
        os.mkfifo(tmp_path / "pipe.png")
        server = socket.socket(socket.AF_UNIX)
        server.bind(os.path.relpath(tmp_path / "s.png"))
        (tmp_path / "link.png").symlink_to(tmp_path / "pipe.png")
        (tmp_path / "gone.png").symlink_to(tmp_path / "nowhere.png")
        (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
        for path, what in (
            (tmp_path / "pipe.png", "a named pipe"),
            (tmp_path / "link.png", "a named pipe"),
            (tmp_path / "s.png", "a socket"),
            (Path("/dev/zero"), "a device"),
            (tmp_path, "a folder"),
            (tmp_path / "gone.png", "a link that leads nowhere"),
            (tmp_path / "loop.png", "cannot be read"),
            (tmp_path / "none.png", "there is no such"),
            (tmp_path / "a.png" / "b.png", "there is no such"),
            (tmp_path / ("n" * 300 + ".png"), "the name is longer than files have"),
            (tmp_path / "nul\0.png", "is no file name"),
        ):
            with pytest.raises(InputError, match=what) as caught:
                read(path)
            assert len(str(caught.value)) < 400
        server.close()

    def test_what_is_not_regular_was_never_looked_at(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.png")
        for name in ("pipe.png", "n" * 300, "nul\0"):
            assert probe_image(tmp_path / name) is None


class TestLinks:
    def test_links_inside_are_followed_and_others_are_not(self, tmp_path: Path) -> None:
        data = tmp_path / "data"
        (data / "images").mkdir(parents=True)
        (data / "a.png").write_bytes(b"x")
        (tmp_path / "secret.png").write_bytes(b"x")
        (data / "images" / "in.png").symlink_to(data / "a.png")
        (data / "images" / "out.png").symlink_to(tmp_path / "secret.png")
        (data / "away").symlink_to(tmp_path)
        (data / "loop.png").symlink_to(data / "loop.png")
        (tmp_path / "linked").symlink_to(data)
        assert is_within(data / "images" / "in.png", data)
        assert is_within(tmp_path / "linked" / "a.png", tmp_path / "linked")
        for name in ("images/out.png", "away/secret.png", "loop.png", "../secret.png", "nul\0"):
            assert not is_within(data / name, data)

    def test_a_snapshot_of_a_hub_cache_leads_to_its_own_blobs_only(self, tmp_path: Path) -> None:
        root = tmp_path / "datasets--a--b"
        data = root / "snapshots" / "0f1e" / "data"
        data.mkdir(parents=True)
        (root / "blobs").mkdir()
        (root / "blobs" / "1234").write_bytes(b"x")
        (root / "refs").mkdir()
        (root / "refs" / "main").write_bytes(b"x")
        (data / "a.png").symlink_to("../../../blobs/1234")
        (data / "b.png").symlink_to("../../../refs/main")
        assert is_within(data / "a.png", data) and is_within(data / "a.png", data.parent)
        assert not is_within(data / "b.png", data)


class TestVideos:
    def test_no_container_reads_another_file_or_an_address(self, tmp_path: Path) -> None:
        pytest.importorskip("av")
        server = socket.create_server(("127.0.0.1", 0))
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.ts"
        secret = write_video(tmp_path / "secret.mp4", plain_frames(20))
        hls = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{}\n#EXT-X-ENDLIST\n"
        dash = (
            '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
            'mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4">'
            '<Representation id="1" bandwidth="1"><BaseURL>{}</BaseURL></Representation>'
            "</AdaptationSet></Period></MPD>"
        )
        texts = (
            *(hls.format(place) for place in (secret, f"file:{secret}", address)),
            *(dash.format(place) for place in (secret.name, address)),
            *(f"ffconcat version 1.0\nfile '{place}'\n" for place in (secret.name, address)),
            f"v=0\nc=IN IP4 127.0.0.1\nm=video {server.getsockname()[1]} RTP/AVP 96\n",
            f"[playlist]\nFile1={address}\n",
            f"{address}\n",
        )
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}{VIDEO_SUFFIXES[number % len(VIDEO_SUFFIXES)]}"
            path.write_text(text)
            with pytest.raises(InputError, match="not a video"):
                _read_video(path)
        with pytest.raises(BlockingIOError):
            server.accept()
        server.close()

    def test_too_much_to_decode_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pytest.importorskip("av")
        from deadpan.media import frames

        monkeypatch.setattr(frames, "_MOST_DECODED", 20 * 64 * 64)
        monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
        bare = write_video(tmp_path / "a.h264", plain_frames(60))
        with pytest.raises(InputError, match="too much would have to be decoded"):
            _read_video(bare)


class TestDamage:
    """Whatever the bytes: our own error or a result, in a time that goes with the size."""

    @pytest.mark.filterwarnings("ignore")
    def test_pictures(self, tmp_path: Path) -> None:
        readers: list[Callable[[Path], object]] = [
            read_image,
            _shown,
            probe_image,
            picture_facts,
            lambda path: open_picture(path.read_bytes(), "x"),
            lambda path: ocr._upright(path.read_bytes(), "x"),
            lambda path: small_picture(str(path), [tmp_path]),
            _cleaned,
        ]
        whole = list(whole_pictures().values())
        self._try_all(tmp_path, whole, PICTURE_SUFFIXES, readers, 300, 11)

    def test_videos(self, tmp_path: Path) -> None:
        pytest.importorskip("av")
        from deadpan.media.frames import decode_frames

        readers = [lambda path: decode_frames(path, 3, 64), _read_sound]
        whole = list(whole_films(tmp_path).values())
        self._try_all(tmp_path, whole, VIDEO_SUFFIXES, readers, 120, 12)

    @staticmethod
    def _try_all(
        folder: Path,
        whole: list[bytes],
        suffixes: tuple[str, ...],
        readers: list[Callable[[Path], object]],
        count: int,
        seed: int,
    ) -> None:
        read, refused = 0, 0
        files = itertools.islice(mutated(whole, random.Random(seed)), count)
        for data, suffix in zip(files, itertools.cycle(suffixes), strict=False):
            path = folder / f"x{suffix}"
            path.write_bytes(data)
            for reader in readers:
                start = time.process_time()
                try:
                    reader(path)
                    read += 1
                except OUR_ERRORS:
                    refused += 1
                # Two seconds, and one more for each megabyte: a small file takes milliseconds.
                assert time.process_time() - start < 20 + len(data) / 1e6
        assert read and refused, "some files survive and some do not"


def _cleaned(path: Path) -> None:
    kind = media_kind(path.read_bytes()[:32])
    if kind is not None and kind != "mp4":
        clean_picture(kind, path.read_bytes())


def test_no_reader_waits_for_a_pipe(tmp_path: Path) -> None:
    """In a process of its own, which a blocked open would keep for good."""
    os.mkfifo(tmp_path / "a.png")
    code = (
        "import sys; from pathlib import Path\n"
        "from deadpan.media.images import read_image\n"
        "from deadpan.base.errors import InputError\n"
        "try: read_image(Path(sys.argv[1]))\n"
        "except InputError as error: print(error.what)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "a.png")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "a named pipe" in ended.stdout
