"""Frames as they are displayed: turned, scaled, on white, in every kind of pixel."""

from fractions import Fraction

import numpy as np
import pytest

from deadpan.base.errors import InputError
from deadpan.media import images as pixels_module
from deadpan.media.video import (
    sampled_frames,
    video_info,
)
from tests.media.drawn_videos import (
    frame_arrays,
    numbers,
    opened,
    plain_frames,
    write_video,
)

av = pytest.importorskip("av", reason="the [video] extra is not installed")


def marked() -> np.ndarray:
    """Black, with the upper left corner red and the upper right one blue."""
    image = np.zeros((48, 96, 3), np.uint8)
    image[:16, :16], image[:16, -16:] = (255, 0, 0), (0, 0, 255)
    return image


@pytest.mark.parametrize(
    ("rotation", "degrees", "red", "blue"),
    [
        ((0, False), 0, (0, 0), (0, -1)),
        ((90, False), 270, (-1, 0), (0, 0)),
        ((180, False), 180, (-1, -1), (-1, 0)),
        ((-90, False), 90, (0, -1), (-1, -1)),
        ((0, True), 0, (0, -1), (0, 0)),
    ],
)
def test_frames_are_turned_as_displayed(tmp_path, rotation, degrees, red, blue):
    path = write_video(tmp_path / "a.mp4", [marked()] * 20, rotation=rotation)
    sampled = sampled_frames(path, 2)
    sideways = degrees in (90, 270)
    assert (sampled.info.width, sampled.info.height) == ((48, 96) if sideways else (96, 48))
    assert sampled.info.rotation == degrees
    for pixels in (frame_arrays(path, 1)[0][1], np.asarray(opened(sampled.frames[0]))):
        corner = {row: 4 if row == 0 else -5 for row in (0, -1)}
        assert pixels[corner[red[0]], corner[red[1]]][0] > 180
        assert pixels[corner[blue[0]], corner[blue[1]]][2] > 180


@pytest.mark.parametrize(
    ("codec", "layout", "suffix"),
    [
        ("libx264", "yuv420p10le", ".mp4"),
        ("libx264", "yuv444p", ".mp4"),
        ("libx264", "gray", ".mp4"),
        ("ffv1", "gray16le", ".mkv"),
        ("ffv1", "bgra", ".mkv"),
        ("ffv1", "yuva420p", ".mkv"),
        ("mjpeg", "yuvj420p", ".avi"),
    ],
)
def test_every_kind_of_pixel_is_read(tmp_path, codec, layout, suffix):
    path = write_video(tmp_path / f"a{suffix}", plain_frames(20), codec=codec, layout=layout)
    assert numbers(path, 4) == [2, 7, 12, 17]


def test_transparent_frames_lie_on_white(tmp_path):
    clear = np.zeros((48, 96, 4), np.uint8)
    path = write_video(tmp_path / "a.mkv", [clear] * 10, codec="ffv1", layout="bgra", given="rgba")
    assert (frame_arrays(path, 1)[0][1] == 255).all()


@pytest.mark.parametrize("size", [(2, 2), (33, 17), (1, 1), (500, 3)])
def test_odd_and_tiny_sizes_stay_as_they_are(tmp_path, size):
    width, height = size
    image = np.full((height, width, 3), 200, np.uint8)
    path = write_video(tmp_path / "a.mkv", [image] * 10, codec="ffv1", layout="bgr0")
    assert opened(sampled_frames(path, 1).frames[0]).size == size


def test_frames_shrink_to_the_longest_side_and_never_grow(tmp_path):
    path = write_video(tmp_path / "a.mp4", plain_frames(10, width=192, height=96))
    assert opened(sampled_frames(path, 1, longest=64).frames[0]).size == (64, 32)
    assert opened(sampled_frames(path, 1, longest=4000).frames[0]).size == (192, 96)
    assert video_info(path).width == 192


@pytest.mark.parametrize(
    ("shape", "size"), [(Fraction(2), (192, 48)), (Fraction(1, 2), (96, 96)), (None, (96, 48))]
)
def test_pixels_that_are_not_square_are_made_square(tmp_path, shape, size):
    path = write_video(tmp_path / "a.mp4", plain_frames(10), pixel_shape=shape)
    sampled = sampled_frames(path, 1)
    assert opened(sampled.frames[0]).size == (sampled.info.width, sampled.info.height) == size


def test_enormous_frames_raise(tmp_path, monkeypatch):
    path = write_video(tmp_path / "a.mp4", plain_frames(10))
    monkeypatch.setattr(pixels_module, "MOST_PIXELS", 96 * 48 - 1)
    with pytest.raises(InputError, match="enormous"):
        sampled_frames(path)
