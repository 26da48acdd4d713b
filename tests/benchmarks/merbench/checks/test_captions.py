"""Captions compared: regions, legibility, errors, and what belongs to the scene."""

from __future__ import annotations

import numpy as np
import pytest

from deadpan.benchmarks.merbench.checks.captions import (
    as_captions,
    caption_cer,
    captions,
    legibility,
    regions_iou,
    scale_lines,
    text_areas,
    without_scene,
)
from deadpan.media.panels import Area
from tests.benchmarks.merbench.checks.drawn import line, meme


def test_regions_are_paired_best_first_and_the_unpaired_count_as_nothing() -> None:
    top, foot = Area(0, 0, 100, 20), Area(0, 80, 100, 100)
    lower = Area(0, 10, 100, 30)
    assert regions_iou([top, foot], [foot, top]) == 1.0
    # Ten of thirty rows are shared.
    assert regions_iou([top], [lower]) == pytest.approx(1 / 3)
    assert regions_iou([top, foot], [foot]) == 0.5
    assert regions_iou([top], [top, foot]) == 0.5
    assert regions_iou([top], []) == 0.0
    with pytest.raises(ValueError, match="no regions"):
        regions_iou([], [])


def test_legibility_weighs_lines_by_their_characters() -> None:
    assert legibility([line("abc", confidence=0.8), line("d", confidence=0.4)]) == pytest.approx(
        0.7
    )
    with pytest.raises(ValueError, match="no lines"):
        legibility([])


@pytest.mark.parametrize(
    ("intended", "read", "expected"),
    [
        ("Good Day", "GOOD\nDAY", 0.0),
        ("今天 真好", "今天真好", 0.0),
        ("今天真好", "今天很好", 0.25),
        ("ＡＢ", "ab", 0.0),
        ("abcd", "", 1.0),
        ("ab", "abcdef", 2.0),
    ],
)
def test_errors_are_counted_in_characters_whatever_the_case_width_and_space(
    intended: str, read: str, expected: float
) -> None:
    assert caption_cer(intended, read) == pytest.approx(expected)


def test_an_empty_intended_text_raises() -> None:
    with pytest.raises(ValueError, match="empty"):
        caption_cer(" \n", "words")


def test_unchanged_text_that_nobody_meant_belongs_to_the_scene() -> None:
    sign, old, new = (10, 200, 90, 220), (0, 0, 200, 40), (0, 2, 190, 42)
    source = [line("I HATE RAIN", old), line("EXIT", sign)]
    edited = [line("I love rain", new), line("exit", sign)]
    assert without_scene(source, edited, ("I hate rain", "I love rain")) == (source[:1], edited[:1])
    # Unchanged, but part of the caption that was to go: it stays and counts as an error.
    left = [line("I HATE RAIN", old)]
    assert without_scene(source, left, ("I hate rain", "I love rain")) == (source, left)
    # Elsewhere in the picture it is another line.
    moved = [line("EXIT", (300, 0, 380, 20))]
    assert without_scene(source[1:], moved, ("", "")) == (source[1:], moved)


def test_lines_are_gathered_into_regions_in_reading_order() -> None:
    pixels = np.asarray(meme())
    lines = [
        line("under", (40, 300, 200, 330)),
        line("first", (40, 20, 400, 50)),
        line("second", (40, 54, 400, 84)),
    ]
    found = captions(lines, pixels)
    assert found.areas == (Area(40, 20, 400, 84), Area(40, 300, 200, 330))
    assert found.text == "first\nsecond\nunder"
    assert captions([], pixels).areas == ()


def test_boxes_that_fill_the_picture_are_no_captions() -> None:
    small, huge = line("a"), line("一", (0, 0, 480, 300))
    assert as_captions([small, huge], 360) == [small]


def test_lines_are_scaled_and_covered_with_their_outlines() -> None:
    (half,) = scale_lines([line("a", (40, 20, 440, 70))], 0.5, 2)
    assert (half.x1, half.y1, half.x2, half.y2) == (20, 40, 220, 140)
    assert text_areas([line("a", (40, 20, 440, 70))]) == [Area(25, 5, 455, 85)]
