"""Image files of every awkward kind: pixels as they should be seen, or an error that says why."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.media.images import MOST_PIXELS, on_white, png_bytes, read_image

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


def half_red(size: tuple[int, int] = (40, 20), mode: str = "RGB") -> Image.Image:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", size, BLUE)
    image.paste(RED, (0, 0, size[0] // 2, size[1]))
    return image.convert(mode)


def colour(image: Image.Image, x: int, y: int) -> tuple[int, ...]:
    found = image.getpixel((x, y))
    assert isinstance(found, tuple)
    return found


def near(found: tuple[int, ...], wanted: tuple[int, ...], tolerance: int = 12) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(found, wanted, strict=True))


class TestUpright:
    @pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
    @pytest.mark.parametrize(
        ("orientation", "size", "red_at"),
        [
            (1, (40, 20), (2, 10)),
            (2, (40, 20), (37, 10)),
            (3, (40, 20), (37, 10)),
            (6, (20, 40), (10, 2)),
            (8, (20, 40), (10, 37)),
        ],
    )
    def test_exif_rotation(
        self,
        tmp_path: Path,
        suffix: str,
        orientation: int,
        size: tuple[int, int],
        red_at: tuple[int, int],
    ) -> None:
        path = tmp_path / f"a{suffix}"
        exif = Image.Exif()
        exif[0x0112] = orientation
        half_red().save(path, exif=exif)
        image = read_image(path)
        assert image.size == size
        assert near(colour(image, *red_at), RED, 30)

    @pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
    def test_broken_exif_does_not_matter(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jpg"
        half_red().save(path, exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
        assert read_image(path).size == (40, 20)


class TestModes:
    @pytest.mark.parametrize("mode", ["RGBA", "LA", "PA"])
    def test_transparency_is_laid_on_white(self, mode: str) -> None:
        image = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
        image.putpixel((0, 0), (0, 0, 0, 255))
        found = on_white(image.convert(mode))
        assert found.mode == "RGB"
        assert colour(found, 0, 0) == (0, 0, 0)
        assert colour(found, 3, 3) == WHITE

    def test_half_transparent_black_is_grey(self) -> None:
        found = on_white(Image.new("RGBA", (2, 2), (0, 0, 0, 128)))
        assert near(colour(found, 0, 0), (127, 127, 127), 1)

    @pytest.mark.parametrize("suffix", [".png", ".gif"])
    def test_a_transparent_palette_entry_is_white(self, tmp_path: Path, suffix: str) -> None:
        image = Image.new("P", (4, 4), 0)
        image.putpalette([0, 0, 0, 255, 0, 0, *([0] * 762)])
        image.putpixel((3, 3), 1)
        path = tmp_path / f"a{suffix}"
        image.save(path, transparency=0)
        found = read_image(path)
        assert (colour(found, 0, 0), colour(found, 3, 3)) == (WHITE, RED)

    def test_a_transparent_colour_is_white(self, tmp_path: Path) -> None:
        half_red().save(tmp_path / "a.png", transparency=RED)
        found = read_image(tmp_path / "a.png")
        assert (colour(found, 2, 10), colour(found, 37, 10)) == (WHITE, BLUE)

    @pytest.mark.parametrize("suffix", [".png", ".tif"])
    @pytest.mark.parametrize(
        ("values", "grey"),
        [((0, 65535), (0, 255)), ((32768, 65535), (127, 255)), ((0, 200), (0, 0))],
    )
    def test_sixteen_bits_keep_their_brightness(
        self, tmp_path: Path, suffix: str, values: tuple[int, int], grey: tuple[int, int]
    ) -> None:
        path = tmp_path / f"a{suffix}"
        Image.fromarray(np.array([values], dtype=np.uint16)).save(path)
        found = read_image(path)
        assert tuple(colour(found, x, 0)[0] for x in (0, 1)) == grey

    def test_cmyk_keeps_its_colours(self, tmp_path: Path) -> None:
        half_red(mode="CMYK").save(tmp_path / "a.jpg", quality=95)
        found = read_image(tmp_path / "a.jpg")
        assert found.mode == "RGB"
        assert near(colour(found, 2, 10), RED, 30) and near(colour(found, 37, 10), BLUE, 30)

    @pytest.mark.parametrize("mode", ["1", "L", "P", "YCbCr", "HSV"])
    def test_other_modes_become_rgb(self, mode: str) -> None:
        assert on_white(half_red(mode=mode)).mode == "RGB"

    @pytest.mark.parametrize("suffix", [".gif", ".webp", ".png"])
    def test_the_first_frame_of_an_animation_is_shown(self, tmp_path: Path, suffix: str) -> None:
        frames = [Image.new("RGB", (8, 8), paint) for paint in (RED, BLUE)]
        path = tmp_path / f"a{suffix}"
        frames[0].save(path, save_all=True, append_images=frames[1:], lossless=True)
        assert colour(read_image(path), 4, 4) == RED

    def test_one_pixel(self, tmp_path: Path) -> None:
        Image.new("RGB", (1, 1), RED).save(tmp_path / "a.png")
        assert colour(read_image(tmp_path / "a.png"), 0, 0) == RED

    def test_png_bytes_come_back_the_same(self) -> None:
        image = half_red()
        with Image.open(io.BytesIO(png_bytes(image))) as again:
            assert again.format == "PNG" and again.tobytes() == image.tobytes()


def png_of_size(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header claims a size."""
    data = png_bytes(Image.new("RGB", (1, 1)))
    header = b"IHDR" + struct.pack(">II", width, height) + data[24:29]
    return data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]


class TestUnusable:
    @pytest.mark.parametrize("suffix", [".jpg", ".png", ".gif", ".webp"])
    @pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
    def test_a_truncated_picture(self, tmp_path: Path, suffix: str, share: float) -> None:
        path = tmp_path / f"a{suffix}"
        Image.effect_noise((80, 60), 90).convert("RGB").save(path)
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * share)])
        with pytest.raises(InputError, match=r"truncated or broken|is not a picture"):
            read_image(path)

    @pytest.mark.parametrize(
        "data", [b"", b"hello", b"<html></html>", b"\x89PNG\r\n\x1a\n", b"GIF89a"]
    )
    def test_what_is_no_picture(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "a.png"
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"a\.png: is not a picture that can be read"):
            read_image(path)

    @pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
    @pytest.mark.parametrize("side", [9_000, 12_000, 30_000, 2_000_000_000])
    def test_an_enormous_one_is_refused_by_its_header(self, tmp_path: Path, side: int) -> None:
        path = tmp_path / "a.png"
        path.write_bytes(png_of_size(side, side))
        with pytest.raises(InputError, match=r"enormous.*at most 80 megapixels"):
            read_image(path)

    def test_the_limit_is_the_one_that_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "a.png"
        path.write_bytes(png_of_size(MOST_PIXELS // 1_000, 1_000))
        with pytest.raises(InputError, match="truncated or broken"):
            read_image(path)
        path.write_bytes(png_of_size(MOST_PIXELS // 1_000 + 1, 1_000))
        with pytest.raises(InputError, match=r"enormous \(80001 × 1000\)"):
            read_image(path)

    def test_a_missing_one_and_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="there is no such picture"):
            read_image(tmp_path / "gone.png")
        with pytest.raises(InputError, match="it is a folder, not a regular file"):
            read_image(tmp_path)
