"""Lettering that was placed: what stays clear, what raises, and forced line breaks."""

import pytest

from minisets.drawing.placed import check_lettering, joined_lines, overlap

WORD = ("HELLO", (10.0, 10.0, 50.0, 20.0))


def test_lettering_that_is_clear_of_everything_passes() -> None:
    check_lettering("here", (100, 50), [WORD, ("YOU", (50, 10, 90, 20))], [(0, 30, 40, 50)])


@pytest.mark.parametrize(
    ("letters", "faces", "told"),
    [
        (
            [("OUT", (80.0, 10.0, 110.0, 20.0))],
            [],
            r"'OUT' leaves the picture: \(80, 10, 110, 20\)",
        ),
        ([WORD], [(40.0, 15.0, 60.0, 40.0)], r"'HELLO' .* is on a face \(40, 15, 60, 40\)"),
        ([WORD, ("YOU", (40.0, 10.0, 90.0, 20.0))], [], "'YOU' overlaps 'HELLO'"),
    ],
)
def test_lettering_that_is_not_raises(
    letters: list[tuple[str, tuple[float, float, float, float]]],
    faces: list[tuple[float, float, float, float]],
    told: str,
) -> None:
    with pytest.raises(ValueError, match=f"here: {told}"):
        check_lettering("here", (100, 50), letters, faces)


def test_boxes_that_share_an_edge_do_not_overlap() -> None:
    assert not overlap((0, 0, 1, 1), (1, 0, 2, 1)) and overlap((0, 0, 2, 2), (1, 1, 3, 3))


def test_chinese_lines_are_joined_without_a_space() -> None:
    assert joined_lines("又起\n晚了") == "又起晚了" and joined_lines("late\nagain") == "late again"
