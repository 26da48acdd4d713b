"""Tables that are too wide, too long or say nothing, made so that they can be read."""

import pytest

from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.reports.score_table import (
    Cell,
    Column,
    Row,
    ScoreTable,
    Span,
    behind_briefly,
    heading_lines,
    slices,
    turned,
)

F1 = Metric("f1", "F1")


def table_of(models: list[str], spans: list[int], *, ours: bool = True) -> ScoreTable:
    """A table with blocks of columns `0`, `1`, … whose cells count 1, 2, … questions."""
    columns = [
        Column(str(place), ("t", "f1", "all"), F1, 3) for width in spans for place in range(width)
    ]
    cells = [
        Cell(f"0.{n}", score=Score(model="m", task="t", metric="f1", value=0.1, n=n, invalid=n % 2))
        for n in range(1, len(columns) + 1)
    ]
    counts = [Span(f"n {n}", 1) for n in range(1, len(columns) + 1)]
    above = [Span(f"block {i}", width) for i, width in enumerate(spans)]
    rows = [Row(model, ours, cells, counts) for model in models]
    return ScoreTable("Wide", columns, above, rows, "" if ours else "12", "")


def test_a_heading_says_per_cent_and_which_way_is_better() -> None:
    rate = Metric("rate", "error rate", better="lower", unit="percent")
    column = Column("Errors", ("t", "rate", "all"), rate, 1, stand_in=True)
    assert heading_lines(column) == ["Errors % ↓ †"]
    assert heading_lines(Column("F1", ("t", "f1", "all"), F1, 3)) == ["F1"]


def test_many_counts_are_a_range_and_equal_rows_are_said_once() -> None:
    wide = table_of(["a", "b"], [5, 5])
    assert behind_briefly(wide) == ["n 1 to 10 · at most 1 invalid"]
    narrow = table_of(["a"], [1, 1])
    assert behind_briefly(narrow) == ["block 0 0: n 1; block 1 0: n 2"]
    assert behind_briefly(table_of(["a"], [9], ours=False)) == []


def test_rows_of_other_counts_are_named() -> None:
    table = table_of(["a", "b", "c"], [1])
    other = Row("d", True, table.rows[0].cells, [Span("n 7", 1)])
    table.rows.append(other)
    assert behind_briefly(table) == ["a, b, c: n 1", "d: n 7"]


def test_a_wide_table_is_cut_between_its_blocks_or_in_one_that_is_too_wide_itself() -> None:
    """Columns are five or six letters wide: `0.1` to `0.21` and two between; names are one."""
    parts = list(slices(table_of(["a"], [4, 4, 4, 9]), 42))
    assert [len(part.columns) for part in parts] == [8, 4, 6, 3]
    assert [[span.text[-1] for span in part.above] for part in parts] == [
        ["0", "1"],
        ["2"],
        ["3"],
        ["3"],
    ]
    assert [[span.width for span in part.above] for part in parts] == [[4, 4], [4], [6], [3]]
    assert [len(part.rows[0].cells) for part in parts] == [8, 4, 6, 3]
    assert parts[1].rows[0].cells[0].text == "0.9"


def test_a_table_without_blocks_is_cut_anywhere() -> None:
    table = table_of(["a"], [20])
    plain = ScoreTable("Plain", table.columns, [], table.rows, "", "")
    (part,) = slices(plain, 130)
    assert len(part.columns) == 20 and not part.above
    assert [len(part.columns) for part in slices(plain, 61)] == [11, 9]


@pytest.mark.parametrize(
    ("heading", "lines"),
    [
        ("OE", ["OE ↓"]),
        ("Alpha EN", ["Alpha EN ↓"]),
        ("Greedy Match ZH", ["Greedy", "Match ZH ↓"]),
        ("conservatism", ["conservatism ↓"]),
    ],
)
def test_a_long_heading_has_two_lines(heading: str, lines: list[str]) -> None:
    metric = Metric("m", better="lower")
    assert heading_lines(Column(heading, ("t", "m", "all"), metric, 1)) == lines


def test_one_very_wide_row_becomes_a_row_for_each_block() -> None:
    table = turned(table_of(["gold"], [9] * 7, ours=False))
    assert [row.model for row in table.rows] == [f"block {i}" for i in range(7)]
    assert [column.heading for column in table.columns] == [str(place) for place in range(9)]
    assert table.rows[1].cells[0].text == "0.10" and not table.above and not table.rows_are
    for same in (
        table_of(["a", "b"], [9] * 7),  # two rows
        table_of(["a"], [3, 3]),  # not wide
        table_of(["a"], [9, 8]),  # blocks of other columns
    ):
        assert turned(same) is same
