"""How long answers take, when a study ends, and where the marks of its charts stand, by numbers
that were worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from deadpan.studies.lead.charts import day_chart, segments
from deadpan.studies.lead.pace import by_day, forecast, is_too_fast, last_days, times_of

MONDAY = date(2026, 1, 5)


def day(number: int) -> date:
    return MONDAY.replace(day=MONDAY.day + number)


def test_the_middle_and_the_ninetieth_percentile_of_times() -> None:
    times = times_of([50, 10, 40, 20, 30])
    assert times is not None
    assert (times.n, times.median) == (5, 30)
    assert times.ninetieth == pytest.approx(46)  # nine tenths of the way from the first to the last
    one = times_of([12.5])
    assert one is not None
    assert (one.median, one.ninetieth) == (12.5, 12.5)
    assert times_of([]) is None


def test_an_answer_is_too_fast_below_a_third_of_what_is_usual() -> None:
    assert is_too_fast(19.9, 60)
    assert not is_too_fast(20, 60)


def test_the_end_follows_from_what_is_left_and_the_last_days() -> None:
    answered = {day(0): 30, day(1): 30, day(2): 0, day(3): 20}
    now = datetime(2026, 1, 9, tzinfo=UTC)  # four days after the first began
    found = forecast(50, answered, now)
    assert found is not None
    assert found.per_day == pytest.approx(20)
    assert found.ends == date(2026, 1, 12)  # two and a half days: on the third one


def test_only_the_last_seven_active_days_count() -> None:
    answered = {day(number): 100 for number in range(3)} | {day(3 + at): 10 for at in range(7)}
    found = forecast(100, answered, datetime(2026, 1, 15, tzinfo=UTC))
    assert found is not None
    assert found.per_day == pytest.approx(10)


@pytest.mark.parametrize(
    "answered",
    [{}, {day(0): 500}, {day(0): 10, day(1): 9}, {day(0): 19, day(1): 0, day(2): 0}],
    ids=["none", "one day", "too few", "idle days"],
)
def test_too_few_answers_say_nothing(answered: dict[date, int]) -> None:
    assert forecast(100, answered, datetime(2026, 1, 9, tzinfo=UTC)) is None


def test_an_end_that_nobody_will_see_is_none() -> None:
    answered = {day(0): 10, day(1): 10}
    assert forecast(10**6, answered, datetime(2026, 1, 9, tzinfo=UTC)) is None


def test_days_are_counted_in_utc_and_idle_ones_are_shown() -> None:
    late = datetime(2026, 1, 5, 23, 59, tzinfo=UTC).timestamp()
    answered = by_day([late, late + 120, late + 130])
    assert answered == {day(0): 1, day(1): 2}
    assert last_days(answered, day(3), 30) == [(day(0), 1), (day(1), 2), (day(2), 0), (day(3), 0)]
    assert [one for one, _ in last_days(answered, day(3), 2)] == [day(2), day(3)]
    assert last_days({}, day(3), 30) == [(day(3), 0)]


def test_a_bar_of_states_fills_its_width() -> None:
    found = segments({"settled": 3, "disputed": 1, "later": 4, "open": 0})
    places = [(one.name, one.start, one.width) for one in found]
    assert places == [("settled", 0, 37.5), ("disputed", 37.5, 12.5), ("later", 50, 50)]
    assert segments({}) == []


def test_the_busiest_day_is_as_high_as_the_chart() -> None:
    chart = day_chart([(day(0), 10), (day(1), 0), (day(2), 5)])
    full, none, half = chart.bars
    assert full.top + full.height == pytest.approx(chart.foot)
    assert (none.height, half.height) == (0, pytest.approx(full.height / 2))
    assert chart.most == 10
    assert day_chart([(day(0), 0)]).most == 0
