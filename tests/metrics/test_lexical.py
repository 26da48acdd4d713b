"""The stand-in's word overlap, in both languages."""

import pytest

from deadpan.metrics.lexical import content_units, coverage


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("The cats were sleeping", {"cats", "sleep"}),
        ("开会浪费时间", {"开会", "会浪", "浪费", "费时", "时间"}),
        ("", set()),
        ("the of and 的 了", set()),
    ],
)
def test_units(text: str, units: set[str]) -> None:
    assert content_units(text) == units


def test_coverage_is_the_share_of_what_is_wanted() -> None:
    assert coverage("meetings waste time", "time and money") == pytest.approx(1 / 3)
    assert coverage("浪费时间", "他在浪费生命") == pytest.approx(1 / 3)
    assert coverage("", "anything") == 0
    assert coverage("something", "") == 0
