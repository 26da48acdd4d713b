"""Pictures read by OCR: any kind of picture, cached, quiet, with no network."""

import io
import json
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from time import sleep

import pytest
from PIL import Image, ImageDraw, ImageFont

from deadpan.base.errors import DeadpanError, InputError, MissingExtra
from deadpan.media import ocr
from deadpan.media.ocr import Look, TextBox, read_text

needs_engine = pytest.mark.skipif(
    "rapidocr" not in {name.lower() for name in metadata.packages_distributions()},
    reason="the [ocr] extra is not installed",
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for each test."""
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path))
    return tmp_path


def drawn(text: str, size: tuple[int, int] = (420, 120), mode: str = "RGB") -> Image.Image:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text((20, 30), text, "black", ImageFont.load_default(size=44))
    return image.convert(mode)


def encoded(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def words(boxes: tuple[TextBox, ...]) -> list[str]:
    return [box.text for box in boxes]


@needs_engine
def test_english_is_read_where_it_stands():
    (box,) = read_text(encoded(drawn("HELLO WORLD")))
    assert box.text == "HELLO WORLD" and box.confidence > 0.9
    assert 5 < box.x1 < 30 and 250 < box.x2 < 345 and 20 < box.y1 < box.y2 < 100


@needs_engine
def test_chinese_is_read():
    fonts = pytest.importorskip("deadpan.media.fonts", reason="the lettering is not there yet")
    image = Image.new("RGB", (500, 140), "white")
    ImageDraw.Draw(image).text((20, 40), "你好，朋友", "black", fonts.lettering(56, "你好，朋友"))
    assert words(read_text(encoded(image))) == ["你好，朋友"]


@needs_engine
@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_every_kind_of_picture_is_read(mode):
    image = drawn("MODES", mode="L" if mode == "I;16" else mode)
    if mode == "I;16":
        image = image.convert("I;16").point(lambda value: value * 257)
    assert words(read_text(encoded(image, "TIFF" if mode == "CMYK" else "PNG"))) == ["MODES"]


@needs_engine
def test_white_letters_on_nothing_are_read():
    image = Image.new("RGBA", (420, 120), (0, 0, 0, 0))
    ImageDraw.Draw(image).text((20, 30), "GHOST", "white", ImageFont.load_default(size=44))
    assert words(read_text(encoded(image))) == ["GHOST"]


@needs_engine
def test_a_picture_on_its_side_is_turned_upright():
    exif = Image.Exif()
    exif[274] = 6
    turned = drawn("UPRIGHT").transpose(Image.Transpose.ROTATE_90)
    assert words(read_text(encoded(turned, "JPEG", exif=exif, quality=95))) == ["UPRIGHT"]


@needs_engine
@pytest.mark.parametrize("size", [(1, 1), (3, 400), (40, 40)])
def test_tiny_pictures_have_no_text(size):
    assert read_text(encoded(Image.new("RGB", size, "gray"))) == ()


@needs_engine
def test_a_long_strip_is_read_in_parts_and_each_line_once():
    image = Image.new("RGB", (700, 4200), "white")
    draw = ImageDraw.Draw(image)
    lines = [f"LINE NUMBER {number}" for number in range(30, 42)]
    for index, line in enumerate(lines):
        draw.text((100, 100 + 345 * index), line, "black", ImageFont.load_default(size=48))
    boxes = read_text(encoded(image))
    assert words(boxes) == lines
    assert abs(boxes[-1].y1 - (100 + 345 * 11)) < 30


@needs_engine
def test_a_huge_picture_is_shrunk_and_boxes_stay_in_its_own_pixels():
    image = drawn("GIANT", (400, 400)).resize((5000, 5000))
    (box,) = read_text(encoded(image, compress_level=1))
    assert box.text == "GIANT" and box.height > 300


@needs_engine
def test_a_second_reading_comes_from_the_cache(monkeypatch, tmp_path):
    picture = encoded(drawn("ONCE"))
    path = tmp_path / "once.png"
    path.write_bytes(picture)
    first = read_text(picture)
    monkeypatch.setattr(ocr, "_engine", lambda: pytest.fail("the engine was called again"))
    assert read_text(picture) == first == read_text(path)


@needs_engine
def test_questions_at_once_about_one_picture_have_it_read_once(cache, monkeypatch):
    read, data = [], encoded(drawn("AT ONCE"))
    monkeypatch.setattr(ocr, "_read", lambda image, look: read.append(look) or sleep(0.1) or ())
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read_text, [data] * 8)) == [()] * 8
    assert len(read) == 1


@needs_engine
@pytest.mark.parametrize("rubbish", ["", "{", '[{"text": "half"}]', "null"])
def test_a_corrupt_cache_entry_is_read_anew(cache, rubbish):
    picture = encoded(drawn("AGAIN"))
    first = read_text(picture)
    (entry,) = (cache / "ocr").rglob("*.json")
    entry.write_text(rubbish)
    assert read_text(picture) == first
    assert json.loads(entry.read_text())[0]["text"] == "AGAIN"


@needs_engine
def test_a_cache_that_cannot_be_written_costs_only_time(monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("DEADPAN_CACHE", str(blocked))
    assert words(read_text(encoded(drawn("ANYWAY")))) == ["ANYWAY"]


@needs_engine
def test_each_look_has_its_own_entry(cache):
    picture = encoded(drawn("LOOKS"))
    assert words(read_text(picture, Look(300, ink_only=True))) == ["LOOKS"]
    read_text(picture)
    assert len(list((cache / "ocr").rglob("*.json"))) == 2


@needs_engine
def test_reading_is_quiet_and_reaches_for_no_network(monkeypatch, capfd):
    def refuse(*_: object) -> None:
        raise AssertionError("a network connection was attempted")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    ocr._engine.cache_clear()
    assert words(read_text(encoded(drawn("QUIET")))) == ["QUIET"]
    assert read_text(encoded(Image.new("RGB", (200, 200), "white"))) == ()
    assert capfd.readouterr() == ("", "")


@needs_engine
def test_models_missing_from_the_wheel_are_named(monkeypatch):
    monkeypatch.setitem(ocr._MODELS, "Det", "absent.onnx")
    ocr._engine.cache_clear()
    with pytest.raises(DeadpanError, match=r"absent\.onnx"):
        read_text(encoded(drawn("MODELS")))


@needs_engine
def test_what_is_not_a_picture_raises(tmp_path):
    with pytest.raises(InputError, match="picture: is not a picture"):
        read_text(b"GIF89a but not really")
    with pytest.raises(InputError, match="there is no such picture"):
        read_text(tmp_path / "absent.png")


@pytest.mark.parametrize("missing", ["rapidocr", "onnxruntime"])
def test_without_the_extra_the_message_says_what_to_install(monkeypatch, missing):
    ocr._engine.cache_clear()
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtra, match=r'pip install "deadpan\[ocr\]"'):
        read_text(encoded(drawn("EXTRA")))


def test_without_the_distribution_the_message_is_the_same(monkeypatch):
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(ocr.metadata, "version", absent)
    with pytest.raises(MissingExtra, match="OCR needs the"):
        read_text(encoded(drawn("EXTRA")))
