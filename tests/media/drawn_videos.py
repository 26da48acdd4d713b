"""Small videos whose frames carry their own number, made with PyAV for the tests."""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from deadpan.media.frames import decode_frames
from deadpan.media.video import Frame

BITS = 12


def numbered(number: int, width: int = 96, height: int = 48, texture: int = 0) -> np.ndarray:
    """A frame with its number as black and white stripes; `texture` moves a pattern below."""
    image = np.zeros((height, width, 3), np.uint8)
    for bit in range(BITS):
        if number >> bit & 1:
            image[: height // 2, bit * width // BITS : (bit + 1) * width // BITS] = 255
    if texture:
        y, x = np.mgrid[0 : height - height // 2, 0:width]
        for channel in range(3):
            wave = np.sin((x + texture * number * (channel + 1)) / 7) * np.cos((y - number) / 5)
            image[height // 2 :, :, channel] = (127 + 120 * wave).astype(np.uint8)
    return image


def number_of(pixels: np.ndarray) -> int:
    """The number that a frame carries."""
    height, width = pixels.shape[:2]
    columns = [int((bit + 0.5) * width / BITS) for bit in range(BITS)]
    return sum(
        (pixels[height // 4, column].mean() > 127) << bit for bit, column in enumerate(columns)
    )


def write_video(
    path: Any,
    frames: Sequence[np.ndarray],
    times: Sequence[float] | None = None,
    *,
    rate: int = 10,
    codec: str = "libx264",
    layout: str = "yuv420p",
    given: str = "rgb24",
    options: dict[str, str] | None = None,
    kind: str | None = None,
    sound: bool = False,
    rotation: tuple[float, bool] | None = None,
    pixel_shape: Fraction | None = None,
    metadata: dict[str, str] | None = None,
) -> Path:
    """Writes the frames at the given times, or one after another at the rate."""
    import av

    with av.open(path if kind else str(path), "w", format=kind) as container:
        stream = container.add_stream(codec, rate=rate)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = layout
        stream.options = options or {}
        stream.codec_context.time_base = Fraction(1, 1000)
        if pixel_shape:
            stream.codec_context.sample_aspect_ratio = pixel_shape
        if rotation:
            stream.set_display_rotation(rotation[0], hflip=rotation[1])
        container.metadata.update(metadata or {})
        noise = container.add_stream("aac", rate=16000, layout="mono") if sound else None
        for index, image in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(image, format=given)
            frame.time_base = Fraction(1, 1000)
            frame.pts = round(1000 * (times[index] if times is not None else index / rate))
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if noise is not None:
            write_sound(container, noise, np.zeros(16000, np.float32))
    return path


def write_sound(container: Any, stream: Any, samples: np.ndarray) -> None:
    """Writes mono samples at 16 kHz into an open container."""
    import av

    for start in range(0, len(samples), 1024):
        piece = np.ascontiguousarray(samples[None, start : start + 1024], dtype=np.float32)
        frame = av.AudioFrame.from_ndarray(piece, format="fltp", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = 16000, start, Fraction(1, 16000)
        container.mux(stream.encode(frame))
    container.mux(stream.encode(None))


class OneWay:
    """A place to write to that cannot go back, as when a video is streamed."""

    def __init__(self, path: Path) -> None:
        self._stream = path.open("wb")

    def write(self, data: bytes) -> int:
        return self._stream.write(data)

    def close(self) -> None:
        self._stream.close()


def plain_frames(count: int, **options: int) -> list[np.ndarray]:
    """Frames numbered from nought on."""
    return [numbered(index, **options) for index in range(count)]


def frame_arrays(path: Path, count: int) -> list[tuple[float, np.ndarray]]:
    """The frames at the middles of `count` equal spans: seconds and upright RGB, unscaled."""
    return [(one.seconds, one.pixels) for one in decode_frames(path, count).pictures]


def numbers(path: Path, count: int) -> list[int]:
    """The numbers of the frames that are sampled from a video."""
    return [number_of(pixels) for _, pixels in frame_arrays(path, count)]


def opened(frame: Frame) -> Image.Image:
    """A sampled frame as a picture."""
    return Image.open(io.BytesIO(frame.data))
