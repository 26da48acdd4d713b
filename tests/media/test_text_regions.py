"""Lines that stand together, in reading order."""

import numpy as np

from deadpan.media.boxes import Box, edges, panel_part, regions
from deadpan.media.ocr import TextBox

WHITE = np.full((400, 600, 3), 255, np.uint8)


def line(text: str, x: int, y: int, width: int = 200, height: int = 30) -> TextBox:
    return TextBox(text=text, confidence=0.9, x1=x, y1=y, x2=x + width, y2=y + height)


def texts(lines: list[TextBox], pixels: np.ndarray = WHITE) -> list[str]:
    return [region.text for region in regions(lines, pixels)]


def test_lines_below_each_other_are_one_region() -> None:
    lines = [line("second", 60, 45), line("first", 50, 10), line("far below", 50, 300)]
    assert texts(lines) == ["first\nsecond", "far below"]


def test_lines_side_by_side_are_two() -> None:
    assert texts([line("right", 330, 10), line("left", 20, 12)]) == ["left", "right"]


def test_large_and_small_lines_do_not_mix() -> None:
    assert texts([line("big", 50, 10, height=60), line("small", 50, 72, height=20)]) == [
        "big",
        "small",
    ]


def test_a_border_between_lines_parts_them() -> None:
    pixels = WHITE.copy()
    pixels[46:48] = 0
    assert texts([line("above", 50, 10), line("below", 50, 55)], pixels) == ["above", "below"]


def test_panels_are_read_one_after_the_other() -> None:
    pixels = np.random.default_rng(0).integers(0, 200, (400, 600, 3)).astype(np.uint8)
    pixels[:, 296:304] = 255
    lines = [
        line("2", 330, 20), line("1", 20, 60), line("3", 330, 200), line("1b", 20, 300),
    ]  # fmt: skip
    assert texts(lines, pixels) == ["1", "1b", "2", "3"]


def test_no_lines_no_regions() -> None:
    assert regions([], WHITE) == ()


def test_edges_run_all_along() -> None:
    part = np.zeros((4, 10, 3), np.uint8)
    part[2:] = 100
    assert edges(part, down=True).tolist() == [False, True, False]
    assert not edges(part, down=False).any()


def test_a_window_ends_at_a_panels_border() -> None:
    pixels = WHITE.copy()
    pixels[100:] = 80
    window = panel_part(pixels, Box(50, 40, 300, 80), Box(20, 10, 330, 130))
    assert window == Box(20, 10, 330, 100)
