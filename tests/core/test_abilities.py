"""The abilities, which scores measure them, and the score a benchmark leads with."""

from __future__ import annotations

import pytest

from deadpan.core.abilities import ABILITIES, AbilityScore
from deadpan.core.capabilities import Report
from tests.reports.toy import Toy


def test_there_are_nine_and_each_says_what_it_means() -> None:
    assert [one.title for one in ABILITIES] == [
        *("Recognise", "Ground", "Explain", "Order", "Rhetoric"),
        *("Stance", "Empathise", "Stay consistent", "Transform"),
    ]
    assert len({one.name for one in ABILITIES}) == 9
    assert all(one.meaning and "\n" not in one.meaning for one in ABILITIES)


def test_an_ability_that_is_not_there_raises() -> None:
    with pytest.raises(ValueError, match="no ability is called 'juggle'; expected one of recog"):
        AbilityScore("juggle", "style", "f1")


def test_a_benchmark_without_a_headline_leads_with_its_first_metric() -> None:
    assert Toy().headline == ("presence", "f1")

    class Leading(Toy):
        report = Report(headline=("panel_text", "wer"))

    class Empty(Toy):
        tasks = ()

    assert Leading().headline == ("panel_text", "wer")
    assert Empty().headline is None
