"""Whole numbers in replies: read where there is one, never guessed."""

import pytest

from deadpan.parsing.numbers import only_number
from deadpan.parsing.replies import Unparseable


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        (" 007\n", 7),
        ("**2005**", 2005),
        ("The answer is 7.", 7),
        ("7 syllables, so: 7", 7),
        (r"\boxed{12}", 12),
        ("１２", 12),
        ("答案是7。", 7),
        ("1,200", 1200),
        ("-3", -3),
        ("−3", -3),
        ("七。", 7),
        ("**二十一**", 21),
        ("In Q2 I count 5", 5),
    ],
)
def test_a_number_is_read(text: str, value: int) -> None:
    assert only_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no idea",
        "5 or 7",
        "5-7",
        "5.5",
        "3,4",
        "1/2",
        "12:30",
        "5+2=7",
        "一样",
        "三四",
        "9" * 10,
    ],
)
def test_nothing_is_guessed(text: str) -> None:
    with pytest.raises(Unparseable, match="expected one whole number"):
        only_number(text)
