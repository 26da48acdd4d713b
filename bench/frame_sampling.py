"""Frames out of a video: `decode_frames` against decord and OpenCV, the same frames, one run.

The file is made first: 60 s of 720p at 30 frames a second, x264 at its defaults (a key frame every
250 frames, B-frames), a textured scene that pans under moving squares. Each reader opens the file
anew and returns RGB arrays; decord by `get_batch`, OpenCV in both ways that people use it: seeking
to each frame, and grabbing all in order. The repeats are interleaved; medians of the wall clock
and of the CPU time of all threads are printed. The run fails where a single pixel differs.

    python bench/frame_sampling.py [--repeats 5] [--file VIDEO]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

WIDTH, HEIGHT, RATE = 1280, 720, 30
COUNTS = (8, 32)


def main() -> None:
    """Prints the median times for 8 and 32 frames and the ratios to Deadpan's."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=60, help="length of the file that is made")
    parser.add_argument("--file", type=Path, help="a video at 30 frames a second to read instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or made_video(Path(folder) / "scene.mp4", options.seconds)
        for count in COUNTS:
            report(path, count, options.repeats)


def report(path: Path, count: int, repeats: int) -> None:
    """Prints one table: every reader's median time, and how many times ours it is."""
    from deadpan.media.frames import decode_frames

    sampled = [(one.seconds, one.pixels) for one in decode_frames(path, count).pictures]
    indices = [round(seconds * RATE) for seconds, _ in sampled]
    readers: dict[str, Callable[[], list[np.ndarray]]] = {
        "deadpan": lambda: [one.pixels for one in decode_frames(path, count).pictures],
        "decord": lambda: by_decord(path, indices),
        "OpenCV, seeking": lambda: by_seeking(path, indices),
        "OpenCV, in order": lambda: by_grabbing(path, indices),
    }
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in readers}
    for _ in range(repeats):
        for name, reader in readers.items():
            start, before = time.perf_counter(), time.process_time()
            frames = reader()
            taken[name].append((time.perf_counter() - start, time.process_time() - before))
            same = all(np.array_equal(a, b) for (_, a), b in zip(sampled, frames, strict=True))
            assert same, f"{name} gives other pixels"
    medians = {
        name: [statistics.median(one) for one in zip(*taken[name], strict=True)] for name in readers
    }
    print(f"{count} frames of {path.stat().st_size / 1e6:.0f} MB, identical pixels")
    print(f"{'':18}{'wall s':>8}{'ratio':>8}{'CPU s':>8}{'ratio':>8}")
    for name, (wall, cpu) in medians.items():
        ratios = [one / ours for one, ours in zip((wall, cpu), medians["deadpan"], strict=True)]
        print(f"{name:18}{wall:8.2f}{ratios[0]:8.2f}{cpu:8.2f}{ratios[1]:8.2f}", flush=True)


def by_decord(path: Path, indices: list[int]) -> list[np.ndarray]:
    """The frames by decord, all in one call."""
    import decord

    return list(decord.VideoReader(str(path)).get_batch(indices).asnumpy())


def by_seeking(path: Path, indices: list[int]) -> list[np.ndarray]:
    """The frames by OpenCV, going to each."""
    import cv2

    video, frames = cv2.VideoCapture(str(path)), []
    for index in indices:
        video.set(cv2.CAP_PROP_POS_FRAMES, index)
        frames.append(cv2.cvtColor(video.read()[1], cv2.COLOR_BGR2RGB))
    return frames


def by_grabbing(path: Path, indices: list[int]) -> list[np.ndarray]:
    """The frames by OpenCV, decoding all in order and retrieving the wanted ones."""
    import cv2

    video, frames, wanted = cv2.VideoCapture(str(path)), [], set(indices)
    for index in range(indices[-1] + 1):
        video.grab()
        if index in wanted:
            frames.append(cv2.cvtColor(video.retrieve()[1], cv2.COLOR_BGR2RGB))
    return frames


def made_video(path: Path, seconds: int) -> Path:
    """Writes the scene: a smooth random texture that pans, with squares moving over it."""
    import av

    noise = np.random.default_rng(0)
    canvas = sum(texture(noise, cell) for cell in (4, 16, 64)) / 3
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for index in range(seconds * RATE):
            left = round(100 + 100 * np.sin(index / 90))
            top = round(60 + 60 * np.cos(index / 70))
            image = canvas[top : top + HEIGHT, left : left + WIDTH].astype(np.uint8)
            for square in range(5):
                x = (index * (square + 2) + 250 * square) % (WIDTH - 120)
                image[120 * square : 120 * square + 100, x : x + 100] = (
                    50 * square,
                    200,
                    index % 256,
                )
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode(None))
    return path


def texture(noise: np.random.Generator, cell: int) -> np.ndarray:
    """Random colours on a grid, blended between its points, larger than a frame."""
    from PIL import Image

    size = (WIDTH + 200, HEIGHT + 120)
    grid = noise.integers(0, 256, (size[1] // cell, size[0] // cell, 3), dtype=np.uint8)
    return np.asarray(Image.fromarray(grid).resize(size, Image.Resampling.BICUBIC), np.float32)


if __name__ == "__main__":
    main()
