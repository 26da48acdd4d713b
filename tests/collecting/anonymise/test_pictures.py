"""Pictures: planted metadata is gone from the bytes, pixels, frames and timing are not."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image, ImageOps, ImageSequence

from deadpan.collecting.anonymise.pictures import LOSSLESS, NOT_LOSSLESS, clean_picture, prove_clean
from deadpan.collecting.anonymise.sources import BrokenMedia, MediaKind, media_kind
from tests.collecting.anonymise import planted
from tests.collecting.anonymise.planted import SECRET

FILES: dict[str, tuple[MediaKind, bytes]] = {
    "jpeg": ("jpeg", planted.jpeg_bytes()),
    "progressive jpeg": ("jpeg", planted.jpeg_bytes(progressive=True)),
    "grey jpeg": ("jpeg", planted.jpeg_bytes(mode="L")),
    "cmyk jpeg": ("jpeg", planted.jpeg_bytes(mode="CMYK")),
    "png": ("png", planted.png_bytes()),
    "palette png": ("png", planted.png_bytes(planted.picture("RGB").quantize(16))),
    "deep grey png": ("png", planted.png_bytes(planted.picture("L").convert("I;16"))),
    "webp": ("webp", planted.webp_bytes()),
    "lossy webp": ("webp", planted.webp_bytes(lossless=False)),
    "animated webp": ("webp", planted.webp_bytes(animated=True)),
    "gif": ("gif", planted.gif_bytes()),
}


def frames(data: bytes) -> list[tuple[bytes, object, tuple[int, int]]]:
    with Image.open(io.BytesIO(data)) as image:
        if image.format in ("JPEG", "MPO"):
            return [(image.tobytes(), None, image.size)]
        return [
            (frame.convert("RGBA").tobytes(), frame.info.get("duration"), frame.size)
            for frame in ImageSequence.Iterator(image)
        ]


@pytest.mark.parametrize("name", FILES)
class TestEveryKind:
    def test_what_was_planted_is_gone_and_pixels_are_the_same(self, name: str) -> None:
        kind, data = FILES[name]
        assert data.count(SECRET) >= 3 and media_kind(data[:32]) == kind
        result = clean_picture(kind, data)
        cleaned = result.data
        assert SECRET not in cleaned and b"Jane" not in cleaned
        assert zlib.compress(SECRET) not in cleaned and zlib.compress(SECRET * 20) not in cleaned
        assert frames(cleaned) == frames(data)
        assert result.note is None and result.removed["trailing data"] == 1
        prove_clean(kind, cleaned)

    def test_a_second_cleaning_changes_nothing(self, name: str) -> None:
        kind, data = FILES[name]
        once = clean_picture(kind, data).data
        twice = clean_picture(kind, once)
        assert twice.data == once and not twice.removed

    def test_the_check_finds_what_was_planted(self, name: str) -> None:
        kind, data = FILES[name]
        with pytest.raises(BrokenMedia, match="metadata would be left"):
            prove_clean(kind, data)

    def test_cut_off_anywhere_it_is_refused(self, name: str) -> None:
        kind, data = FILES[name]
        end = data.rindex(SECRET) - (14 if kind == "jpeg" else 0)
        for cut in {*range(12, end - 1, max(1, end // 40)), end - 1}:
            with pytest.raises(BrokenMedia):
                clean_picture(kind, data[:cut])


class TestKinds:
    def test_removed_pieces_are_counted_by_kind(self) -> None:
        removed = {name: dict(clean_picture(*FILES[name]).removed) for name in FILES}
        assert removed["png"] == {
            "text": 3, "time": 1, "exif": 1, "colour profile": 1, "unknown chunk": 1,
            "trailing data": 1,
        }  # fmt: skip
        assert removed["jpeg"] == {
            "exif": 1, "xmp": 1, "thumbnail": 1, "iptc": 1, "colour profile": 1,
            "application data": 1, "comment": 1, "trailing data": 1,
        }  # fmt: skip
        assert removed["animated webp"] == {
            "exif": 1, "xmp": 1, "colour profile": 1, "unknown chunk": 1, "trailing data": 1
        }  # fmt: skip
        assert removed["gif"] == {
            "comment": 2, "application data": 1, "xmp": 1, "text": 1, "trailing data": 1
        }  # fmt: skip

    def test_animations_keep_loop_and_timing(self) -> None:
        for name in ("gif", "animated webp"):
            with Image.open(io.BytesIO(clean_picture(*FILES[name]).data)) as image:
                durations = [duration(frame) for frame in ImageSequence.Iterator(image)]
                assert durations == [70, 110, 200] and image.info["loop"] == 4

    def test_an_animated_png_keeps_frames_and_timing(self) -> None:
        stream = io.BytesIO()
        images = [planted.picture("RGBA", seed=seed) for seed in range(3)]
        images[0].save(
            stream, "PNG", save_all=True, append_images=images[1:], duration=[70, 110, 200], loop=4
        )
        data = planted.planted_png(stream.getvalue())
        cleaned = clean_picture("png", data).data
        assert SECRET not in cleaned and frames(cleaned) == frames(data)
        with Image.open(io.BytesIO(cleaned)) as image:
            assert image.n_frames == 3 and image.info["loop"] == 4  # type: ignore[attr-defined]

    def test_plain_colour_values_of_a_png_stay(self) -> None:
        cleaned = clean_picture(*FILES["png"]).data
        assert b"gAMA" in cleaned and b"tIME" not in cleaned and b"iCCP" not in cleaned

    def test_data_behind_the_packed_pixels_goes(self) -> None:
        stream = io.BytesIO()
        planted.picture().save(stream, "PNG")
        data = stream.getvalue()
        place = data.index(b"IDAT")
        (length,) = struct.unpack_from(">I", data, place - 4)
        body = data[place + 4 : place + 4 + length] + SECRET
        hidden = data[: place - 4] + planted.png_chunk(b"IDAT", body) + data[place + 8 + length :]
        result = clean_picture("png", hidden)
        assert SECRET not in result.data and frames(result.data) == frames(data)

    def test_a_wrong_checksum_is_refused(self) -> None:
        data = bytearray(planted.png_bytes())
        data[data.index(b"IDAT") + 10] ^= 1
        with pytest.raises(BrokenMedia, match="checksum"):
            clean_picture("png", bytes(data))

    def test_an_enormous_picture_is_refused(self) -> None:
        header = png_header(40_000, 40_000)
        with pytest.raises(BrokenMedia):
            clean_picture("png", header)

    def test_a_thumbnail_in_the_jfif_header_goes(self) -> None:
        stream = io.BytesIO()
        planted.picture().save(stream, "JPEG", dpi=(300, 300))
        data = stream.getvalue()
        jfif = b"JFIF\x00\x01\x02\x01\x01\x2c\x01\x2c\x05\x01" + SECRET
        with_thumbnail = b"\xff\xd8\xff\xe0" + struct.pack(">H", len(jfif) + 2) + jfif + data[20:]
        cleaned = clean_picture("jpeg", with_thumbnail).data
        assert SECRET not in cleaned and frames(cleaned) == frames(data)

    def test_other_files_are_not_known(self) -> None:
        heads = (b"", b"%PDF-1.7", b"BM" + bytes(30), b"\x00\x00\x00\x18ftypheic", b"RIFF....WAVE")
        assert [media_kind(head) for head in heads] == [None] * 5
        assert media_kind(b"\x00\x00\x00\x14ftypqt  ") == "mp4"


def png_header(width: int, height: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(planted.png_chunk(*chunk) for chunk in chunks)


@pytest.mark.parametrize("orientation", range(2, 9))
class TestUpright:
    def test_png_and_webp_are_turned_without_loss(self, orientation: int) -> None:
        palette = planted.picture("RGB").quantize(16)
        files: list[tuple[MediaKind, bytes]] = [
            ("png", planted.png_bytes(orientation=orientation)),
            ("png", planted.png_bytes(palette, orientation)),
            ("webp", planted.webp_bytes(orientation=orientation)),
            ("webp", planted.webp_bytes(lossless=False, orientation=orientation)),
        ]
        for kind, data in files:
            result = clean_picture(kind, data)
            assert result.note == LOSSLESS and SECRET not in result.data
            assert np.array_equal(shown(result.data), shown(data))

    def test_jpeg_is_encoded_again_and_says_so(self, orientation: int) -> None:
        data = planted.jpeg_bytes(orientation)
        result = clean_picture("jpeg", data)
        assert result.note == NOT_LOSSLESS and SECRET not in result.data
        before, after = shown(data), shown(result.data)
        assert before.shape == after.shape
        assert np.abs(before.astype(int) - after).mean() < 4

    def test_animations_are_refused(self, orientation: int) -> None:
        with pytest.raises(BrokenMedia, match="upright"):
            clean_picture("webp", planted.webp_bytes(animated=True, orientation=orientation))


def shown(data: bytes) -> np.ndarray:  # type: ignore[type-arg]
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(ImageOps.exif_transpose(image).convert("RGBA"))


def duration(frame: Image.Image) -> object:
    frame.load()
    return frame.info["duration"]
