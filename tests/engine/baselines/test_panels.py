"""Badges told from other text, panels in reading order, lines given to their panels."""

import pytest

from deadpan.engine.baselines.panels import layout, lone_number, panel_texts, text_of
from deadpan.media.ocr import TextBox


def box(text: str, x: int, y: int, width: int = 30, height: int = 30, confidence: float = 0.99):
    return TextBox(text=text, confidence=confidence, x1=x, y1=y, x2=x + width, y2=y + height)


GRID = [box("3", 10, 12), box("1", 410, 10), box("4", 10, 410), box("2", 410, 414)]


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("12", 12), ("①", 1), ("①1", 1), ("11", 11), ("[4]", 4), ("４", 4),
     ("four", None), ("4 cats", None), ("1999", None), ("", None)],
)  # fmt: skip
def test_lone_number(text, number):
    assert lone_number(text) == number


def test_rows_are_read_top_to_bottom_and_left_to_right():
    assert layout(list(reversed(GRID)), 4).order == (3, 1, 4, 2)


def test_lines_belong_to_the_badge_up_and_left():
    lines = [
        box("Hello", 60, 60, 100), box("there", 60, 92, 100),
        box("Who is it?", 500, 20, 200),
        box("Me.", 90, 600, 50),
        box("Oh", 600, 700, 50),
    ]  # fmt: skip
    texts = panel_texts(layout([*GRID, *lines], 4))
    assert texts == {3: "Hello there", 1: "Who is it?", 4: "Me.", 2: "Oh"}


def test_a_number_that_is_spoken_is_not_a_badge():
    found = layout([*GRID, box("3", 520, 250, 14, 14)], 4)
    assert found.order == (3, 1, 4, 2)
    assert panel_texts(found)[1] == "3"


def test_a_number_out_of_line_with_all_badges_is_not_one():
    assert layout([*GRID[:3], box("2", 222, 233)], 4, guess=False).order == (3, 1, 4)


def test_a_badge_read_with_the_line_beside_it_is_split_off():
    found = layout([*GRID[:3], box("2 Stop that", 410, 410, 200)], 4)
    assert found.order == (3, 1, 4, 2)
    assert panel_texts(found)[2] == "Stop that"


def test_a_misread_badge_takes_the_number_that_is_missing():
    boxes = [GRID[0], box("7", 412, 11), *GRID[2:]]
    assert layout(boxes, 4).order == (3, 1, 4, 2)
    assert layout(boxes, 4, guess=False).order == (3, 4, 2)


def test_without_a_panel_count_only_numbers_from_one_up_are_badges():
    assert layout([*GRID, box("9", 10, 800)], None).order == (3, 1, 4, 2)
    assert layout([box("2012", 10, 10)], None).order == ()


def test_drawn_shapes_are_not_words():
    found = layout([*GRID, box("O", 600, 600), box("口口", 60, 600), box("?", 60, 200)], 4)
    assert panel_texts(found) == {3: "?", 1: "", 4: "", 2: ""}


def test_balloons_side_by_side_are_read_one_after_the_other():
    lines = [
        box("WHERE ARE", 0, 0, 120), box("MY KEYS?", 0, 32, 120),
        box("IN YOUR", 220, 4, 120), box("HAND.", 220, 36, 120),
    ]  # fmt: skip
    assert text_of(lines) == "WHERE ARE MY KEYS? IN YOUR HAND."


def test_chinese_lines_join_without_spaces_and_balloons_with_one():
    lines = [box("你为什么", 0, 0, 120), box("又迟到了?", 0, 32, 120), box("没有。", 300, 200, 90)]
    assert text_of(lines) == "你为什么又迟到了？ 没有。"


def test_nothing_read_gives_nothing():
    found = layout([], 4)
    assert (found.order, found.lines, panel_texts(found), text_of([])) == ((), (), {}, "")
