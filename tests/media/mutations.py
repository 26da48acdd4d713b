"""Real picture, video and sound files, and what becomes of them when bytes are changed."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from tests.media.drawn_videos import plain_frames, write_sound, write_video

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
VIDEO_SUFFIXES = (".mp4", ".webm", ".mkv", ".mov", ".avi", ".ts", ".flv", ".ogg")


def whole_pictures() -> dict[str, bytes]:
    """Small sound pictures of every accepted format, in many of the ways that it has."""
    rng = np.random.default_rng(5)
    image = Image.fromarray(rng.integers(0, 255, (24, 32, 3), dtype=np.uint8))
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "a description"
    moving = [image, image.rotate(90), image.rotate(180)]
    ways: dict[str, tuple[Image.Image, dict[str, object]]] = {
        "png": (image, {"exif": exif, "icc_profile": b"profile" * 20}),
        "png palette": (image.quantize(16), {"transparency": 3}),
        "png deep": (Image.fromarray(rng.integers(0, 65535, (9, 9), dtype=np.uint16)), {}),
        "png moving": (image, {"save_all": True, "append_images": moving}),
        "jpeg": (image, {"exif": exif, "comment": b"words"}),
        "jpeg progressive": (image, {"progressive": True, "subsampling": 2}),
        "jpeg cmyk": (image.convert("CMYK"), {}),
        "webp": (image, {"lossless": True, "exif": exif}),
        "webp lossy": (image.convert("RGBA"), {"quality": 40}),
        "webp moving": (image, {"save_all": True, "append_images": moving}),
        "gif": (image, {}),
        "gif moving": (image, {"save_all": True, "append_images": moving, "loop": 0}),
        "bmp": (image, {}),
        "bmp palette": (image.quantize(16), {}),
        "tiff": (image, {"exif": exif}),
        "tiff lzw": (image, {"compression": "tiff_lzw"}),
        "tiff deflate": (image, {"compression": "tiff_adobe_deflate", "save_all": True}),
        "tiff jpeg": (image, {"compression": "jpeg"}),
        "tiff fax": (image.convert("1"), {"compression": "group4"}),
    }
    made = {}
    for name, (drawn, options) in ways.items():
        stream = io.BytesIO()
        drawn.save(stream, name.split()[0].upper(), **options)
        made[name] = stream.getvalue()
    return made


def whole_films(folder: Path) -> dict[str, bytes]:
    """Short videos and sounds in several containers."""
    import av

    frames = plain_frames(12)
    films = {
        "mp4": write_video(folder / "a.mp4", frames, sound=True),
        "mkv": write_video(folder / "a.mkv", frames, sound=True),
        "avi": write_video(folder / "a.avi", frames, codec="mjpeg", layout="yuvj420p"),
        "ts": write_video(folder / "a.ts", frames),
        "h264": write_video(folder / "a.h264", frames),
        "webm": write_video(folder / "a.webm", frames, codec="libvpx-vp9"),
    }
    for suffix, codec in (("wav", "pcm_s16le"), ("mp3", "mp3"), ("flac", "flac")):
        with av.open(str(folder / f"a.{suffix}"), "w") as container:
            layout = {"format": "s16"} if codec == "flac" else {}
            stream = container.add_stream(codec, rate=16000, layout="mono", **layout)
            write_sound(container, stream, np.sin(np.arange(8000) / 9).astype(np.float32))
        films[suffix] = folder / f"a.{suffix}"
    return {name: path.read_bytes() for name, path in films.items()}


def mutated(whole: list[bytes], rng: random.Random) -> Iterator[bytes]:
    """Files without end: bytes changed, cut, doubled, blanked, spliced; and mere noise."""
    while True:
        data = bytearray(rng.choice(whole))
        for _ in range(rng.choice((1, 1, 2, 5, 30))):
            at = rng.randrange(len(data) or 1)
            # Damage near the start meets headers, where sizes and counts stand.
            at = rng.randrange(min(len(data), 120) or 1) if rng.random() < 0.4 else at
            size = rng.choice((1, 1, 2, 4, 16, 200))
            match rng.randrange(7):
                case 0:
                    data[at : at + size] = rng.randbytes(len(data[at : at + size]))
                case 1:
                    data[at : at + size] = bytes(len(data[at : at + size]))
                case 2:
                    data[at : at + size] = b"\xff" * len(data[at : at + size])
                case 3:
                    data = data[:at] if rng.random() < 0.3 else data
                case 4:
                    data[at:at] = data[at : at + size]
                case 5:
                    del data[at : at + size]
                case 6:
                    other = rng.choice(whole)
                    data[at:at] = other[at : at + size]
        yield rng.randbytes(rng.randrange(300)) if rng.random() < 0.03 else bytes(data)
