"""Which words count, and how alike they are, in both scripts."""

from __future__ import annotations

import numpy as np
import pytest

from deadpan.curate.deduplicate.pictures import Written
from deadpan.curate.deduplicate.wording import (
    caption_likeness,
    joke_lines,
    likeness,
    plain_words,
    read_otherwise,
    shared_part,
    shingles,
    sketch_likeness,
    sketches,
)

CONTENT = (0.0, 100.0, 400.0, 500.0)
JOKE = Written("when my boss asks", (60, 110, 340, 140))


def test_words_are_plain_whatever_case_width_and_punctuation() -> None:
    assert plain_words("Nobody:  ＡＢＣ１２！") == "nobodyabc12"
    assert plain_words("老板：「加薪」呢…😂") == "老板加薪呢"
    assert plain_words("!?") == plain_words("") == ""


def test_likeness_is_the_same_both_ways_and_knows_nothing() -> None:
    assert likeness("", "") == 1 and likeness("a", "") == 0
    assert likeness("abcd", "abxd") == likeness("abxd", "abcd") == pytest.approx(0.75)


def test_one_other_word_in_a_caption_counts() -> None:
    one, other = (f"never ask my boss about {thing} again" for thing in ("the report", "a raise"))
    assert likeness(plain_words(one), plain_words(other)) > 0.7
    assert caption_likeness(plain_words(one), plain_words(other)) < 0.7
    assert caption_likeness("周一的老板和周报", "周一的房东和周报") < 0.6
    assert caption_likeness("啊", "啊") == caption_likeness("", "") == 1
    assert caption_likeness("啊", "哦") == 0


def test_an_apps_words_do_not_lessen_the_shared_part() -> None:
    assert shared_part("别人的退款", "2148funnypictures别人的退款likeshare") == 1
    assert shared_part("别人的退款", "老板的周报") == 0
    assert shared_part("", "abc") == 0


def test_shingles_part_scripts() -> None:
    assert len(shingles("周报")) == 1 and len(shingles("周报加薪")) == 3
    assert len(shingles("report")) == 3 and len(shingles("a")) == 1
    assert shingles("") == []
    assert set(shingles("周报report")) == {*shingles("周报"), *shingles("report")}


def test_sketches_estimate_what_texts_share() -> None:
    texts = [
        "whenmybossasksforthereport",
        "whenmybossasksforthebudget",
        "另一个完全不同的笑话",
        "ab",
    ]
    sketch = sketches(texts)
    left, right = np.array([0, 0, 0, 3]), np.array([0, 1, 2, 3])
    same, near, far, short = sketch_likeness(sketch, left, right)
    assert (same, far, short) == (1, 0, 0) and 0.4 < near < 0.9
    assert sketches([]).shape == (0, sketch.shape[1])


def marks(line: Written, *others: Written) -> bool:
    return joke_lines([JOKE, line], [JOKE, *others], CONTENT, 30) == [JOKE]


def test_marks_and_an_apps_words_are_left_out() -> None:
    assert marks(Written("funny.example", (150, 300, 260, 325)))
    assert marks(Written("梗图大全", (5, 470, 75, 496)))
    assert marks(Written("tiny", (180, 480, 220, 496)))
    assert marks(Written("21:48", (10, 8, 54, 36)))
    row = [Written("Like", (15, 520, 60, 548)), Written("Share", (190, 520, 240, 548))]
    assert joke_lines([JOKE, *row], [JOKE], CONTENT, 30) == [JOKE]


def test_what_the_other_picture_has_too_or_stands_in_the_middle_stays() -> None:
    corner = Written("梗图大全", (5, 470, 75, 496))
    assert not marks(corner, Written("完全不同", (6, 471, 75, 497)))
    assert not marks(Written("and the intern", (100, 300, 300, 322)))
    assert not marks(Written("a caption on a bar", (60, 520, 340, 548)))
    assert joke_lines([], [], CONTENT, 0) == []


def line(text: str, confidence: float = 1.0, top: float = 10) -> Written:
    return Written(text, (10, top, 200, top + 20), confidence)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have 3 reasons to stay", "I have 8 reasons to stay"),
        ("My dad ran the marathon", "My dog ran the marathon"),
        ("今天是大好天气", "今天是太好天气"),
        ("老板说可以休息", "老板说不以休息"),
    ],
)
def test_a_line_that_is_surely_read_otherwise_says_something_else(one: str, other: str) -> None:
    assert read_otherwise([line(one)], [line(other)])
    assert read_otherwise([line(other)], [line(one)])
    assert not read_otherwise([line(one, 0.9)], [line(other)])  # not surely
    assert not read_otherwise([line(one)], [line(other, top=90)])  # another line


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("naïve people at 10", "naive people at 1O"),  # accents, and what looks alike
        ("five minutes early", "five minutes early MEMEZONE"),  # a mark behind it
        ("I can do it", "can do it"),  # cut off
        ("when the bus comes", "WHEN THE BUS COMES!"),
        ("a line", "something that is not it"),
    ],
)
def test_what_ocr_takes_for_each_other_says_nothing(one: str, other: str) -> None:
    assert not read_otherwise([line(one)], [line(other)])


def test_a_name_on_a_picture_without_words_is_no_joke() -> None:
    name = Written("@dailymemes", (280, 460, 390, 490), 1.0)
    assert joke_lines([name], [], CONTENT, 30) == []
    said = Written("me @ work", (80, 110, 340, 140), 1.0)
    assert joke_lines([said], [], CONTENT, 30) == [said]
