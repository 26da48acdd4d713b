"""The released script's way to read Q3 and Q5."""

import pytest

from deadpan.benchmarks.pixelhumor.answers import CHINESE
from deadpan.benchmarks.pixelhumor.literal import integers, labels_found, panels
from deadpan.benchmarks.pixelhumor.records import STYLES


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Panel 3, then 2 and 3", ["3", "2"]),
        ("Panel 3 of 4", ["3", "4"]),
        ("第３格", ["3"]),
        ("第三格", ["3"]),
        ("十二", ["12"]),
        ("the last one", []),
        ("9" * 5000, []),
    ],
)
def test_every_integer_is_a_panel(text: str, found: list[str]) -> None:
    assert panels(text) == found


def test_integers_stay_as_often_as_they_stand() -> None:
    assert integers("3, 1, 3") == [3, 1, 3]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("not dark, a Pun", ["Pun", "Dark"]),
        ("不是讽刺，是双关", ["Pun", "Sarcasm"]),
        ("punk", []),
    ],
)
def test_every_style_name_counts(text: str, found: list[str]) -> None:
    assert labels_found(text, STYLES, CHINESE) == found
