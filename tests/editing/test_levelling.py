"""Turned lines: measured along their own direction, edited level, turned back."""

import numpy as np
import pytest

from deadpan.editing.levelling import Level, level_size, turn_of
from deadpan.media.boxes import Box, Region
from deadpan.media.ocr import TextBox
from tests.editing.drawn_memes import textured


def line(turn: float, box: tuple[int, int, int, int] = (100, 50, 300, 90)) -> TextBox:
    x1, y1, x2, y2 = box
    return TextBox(text="a line", confidence=1, x1=x1, y1=y1, x2=x2, y2=y2, turn=turn)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [((0.5,), 0.0), ((-5.0,), -5.0), ((10.0, 11.0), 10.5), ((10.0, -10.0), 0.0), ((3, 9, 3), 0.0)],
)
def test_lines_are_turned_where_they_agree(turns: tuple[float, ...], expected: float) -> None:
    assert turn_of(Region(tuple(line(turn) for turn in turns))) == expected


@pytest.mark.parametrize("turn", [-20.0, -5.0, 3.0, 30.0])
def test_a_line_is_measured_along_its_direction(turn: float) -> None:
    cosine, sine = np.cos(np.radians(turn)), abs(np.sin(np.radians(turn)))
    width, height = 200 * cosine + 40 * sine, 200 * sine + 40 * cosine
    found = level_size(line(turn, (0, 0, round(width), round(height))))
    assert found == pytest.approx((200, 40), abs=3)


def test_a_column_keeps_its_size() -> None:
    assert level_size(line(88.0, (0, 0, 30, 200))) == (30, 200)


def test_nothing_changed_is_nothing_moved_and_changes_come_back_to_their_place() -> None:
    source = np.asarray(textured(300, 200))
    level = Level.of(source, 12.0)
    assert (level.back(source, level.pixels) == source).all()
    (box,) = level.boxes([Box(140, 90, 160, 110)])
    drawn = level.pixels.copy()
    middle = (box.y1 + box.y2) // 2, (box.x1 + box.x2) // 2
    drawn[middle[0] - 6 : middle[0] + 6, middle[1] - 6 : middle[1] + 6] = (255, 0, 0)
    back = level.back(source, drawn)
    assert (back[97:103, 147:153] == (255, 0, 0)).all()
    changed = np.argwhere((back != source).any(axis=-1))
    assert changed.min(axis=0).min() >= 88 and (changed.max(axis=0) <= (112, 162)).all()


def test_a_line_lies_level_around_the_same_middle() -> None:
    source = np.asarray(textured(400, 300))
    turned = line(-8.0, (100, 100, 300, 160))
    found = Level.of(source, -8.0).line(turned)
    assert found.turn == 0 and (found.x2 - found.x1) > 4 * found.height
    assert level_size(turned)[1] == pytest.approx(found.height, abs=1)
