"""Faces, wrapping, fitting and drawing."""

import numpy as np
import pytest
from PIL import Image

from deadpan.core.editors import NotEdited
from deadpan.editing.faces import COMIC, SANS, drawable_text, pieces, runs, text_width, wrap
from deadpan.editing.lettering import Room, draw_block, fit, make_legible
from deadpan.editing.style import Style
from deadpan.media.boxes import Box

STYLE = Style(
    fill=(255, 255, 255), outline=(0, 0, 0), outline_width=3, alignment="centre", face=SANS,
    size=40, pitch=48, ink=Box(100, 20, 400, 50), top=20, last_base=49, line_count=1,
)  # fmt: skip
SPACE = Room(Box(20, 10, 480, 200), "centre", "top")


def test_each_character_has_a_face_that_has_it() -> None:
    found = runs("Hi 你好 é", COMIC)
    assert [(run.text, run.face) for run in found] == [
        ("Hi", COMIC), (" ", COMIC), ("你好", SANS), (" ", COMIC), ("é", COMIC),
    ]  # fmt: skip


def test_what_no_face_has_is_named() -> None:
    with pytest.raises(NotEdited, match=r"no font has .*U\+E123"):
        runs("a\ue123", COMIC)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  a \t b\r\nc ", "a b\nc"),
        ("cafe\u0301", "café"),
        ("a\u200bb\u202ec\ufe0f", "abc"),
    ],
)
def test_text_as_it_can_be_drawn(text: str, plain: str) -> None:
    assert drawable_text(text) == plain


@pytest.mark.parametrize("text", ["שלום", "مرحبا", "हिन्दी"])
def test_scripts_that_need_shaping_are_refused(text: str) -> None:
    with pytest.raises(NotEdited, match="cannot letter"):
        drawable_text(text)


def test_units_that_lines_break_after() -> None:
    assert pieces("I am here") == ["I ", "am ", "here"]
    assert pieces("你好，世界ABC吧！") == ["你", "好，", "世", "界", "ABC", "吧！"]
    assert pieces("说（是的）") == ["说", "（是", "的）"]


def test_lines_are_no_wider_than_asked_and_even() -> None:
    lines = wrap("one two three four five six", SANS, 30, 260)
    assert lines == ["one two three", "four five six"]
    assert all(text_width(line, SANS, 30) <= 260 for line in lines)


def test_lines_rather_break_after_a_stop() -> None:
    assert wrap("从今天起，我要好好吃饭！", SANS, 20, 190) == ["从今天起，", "我要好好吃饭！"]


def test_a_word_wider_than_the_line_does_not_fit() -> None:
    assert wrap("extraordinarily", SANS, 40, 100) is None


def test_what_fits_keeps_its_size() -> None:
    block = fit("SHORT", STYLE, SPACE, 29)
    assert block is not None and (block.size, block.lines) == (40, ("SHORT",))


def test_what_is_longer_takes_more_lines_before_it_shrinks_much() -> None:
    block = fit("A CAPTION THAT NEEDS TWO LINES", STYLE, SPACE, 29)
    assert block is not None and block.size >= 34 and len(block.lines) == 2


def test_what_would_be_too_small_does_not_fit() -> None:
    assert fit("word " * 150, STYLE, SPACE, 29) is None


@pytest.mark.parametrize("text", ["ONE LINE", "THE FIRST LINE\nAND gypsy", "中文，你好"])
def test_what_is_drawn_lies_in_the_box_that_is_given_back(text: str) -> None:
    image = Image.new("RGB", (500, 220), (90, 120, 150))
    block = fit(text, STYLE, SPACE, 80)
    assert block is not None
    box = draw_block(image, block, STYLE, SPACE, 20)
    changed = (np.asarray(image) != (90, 120, 150)).any(axis=-1)
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    assert box.x1 - 1 <= columns[0] and columns[-1] <= box.x2 + 1
    assert box.y1 - 1 <= rows[0] and rows[-1] <= box.y2 + 1
    assert SPACE.box.x1 - 4 <= columns[0] and columns[-1] <= SPACE.box.x2 + 4


def test_letters_in_the_colour_of_the_ground_become_legible() -> None:
    plain = Style(**{**vars(STYLE), "outline_width": 0.0})
    assert make_legible(plain, (250, 250, 250)).fill == (0, 0, 0)
    assert make_legible(plain, (30, 30, 30)) is plain
    assert make_legible(STYLE, (250, 250, 250)) is STYLE
