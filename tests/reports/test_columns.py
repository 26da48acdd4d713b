"""Chosen columns, names for them, and how tables print intervals."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.score import Score
from deadpan.reports import Section, check_columns, read_column_names, report_text
from deadpan.reports.score_table import Cell, floats
from deadpan.reports.scores import score_tables
from tests.reports.toy import MODELS, sure


def headings(section: Section) -> list[list[str]]:
    return [
        [f"{over} {column.heading}".strip() for over, column in table.headings]
        for table in score_tables(section)
    ]


def test_columns_are_chosen_by_heading_or_key_and_keep_their_order(section: Section) -> None:
    of_one = replace(section, columns=("style/f1", "Humour presence Recall"))
    (table,) = score_tables(of_one)
    assert table.title == "Recognition" and table.published == "2"
    assert headings(of_one) == [["Humour style F1", "Humour presence Recall"]]
    assert [len(row.cells) for row in table.rows] == [2] * 5
    both = replace(section, columns=("f1",), only=("2",))
    assert headings(both) == [["Humour presence F1", "Humour style F1"]]


def test_columns_of_several_tables_are_in_one(section: Section) -> None:
    chosen = replace(section, columns=("Pun", "presence/f1", "style/f1/source=tabby"))
    (table,) = score_tables(chosen)
    assert (table.title, table.published) == ("Chosen scores", "")
    assert [column.key for column in table.columns] == [
        ("style", "recall", "style=Pun"),
        ("presence", "f1", "all"),
        ("style", "f1", "source=tabby"),
    ]
    assert headings(chosen) == [
        ["Humour style Pun", "Humour presence F1", "Humour style F1 (tabby)"]
    ]
    rows = csv.DictReader(io.StringIO(report_text([chosen], ".csv")))
    assert {(row["task"], row["metric"], row["group"]) for row in rows} == {
        column.key for column in table.columns
    }


def test_columns_of_tables_that_are_named_stay_in_them(section: Section) -> None:
    chosen = replace(section, only=("2", "3"), columns=("Dark", "presence/f1", "Pun"))
    assert headings(chosen) == [["F1"], ["Dark", "Pun"]]


def test_an_unknown_column_is_named_with_those_there_are(section: Section) -> None:
    check_columns([replace(section, columns=("style/recall/source=tabby",))])
    with pytest.raises(DeadpanError, match=r"--columns Dakr: no such column; .*did you mean Dark"):
        check_columns([replace(section, columns=("Dakr",))])
    with pytest.raises(DeadpanError, match=r"--names style/f2: no such column"):
        check_columns([replace(section, headings={"style/f2": "x"})])


def test_columns_have_the_names_of_a_file(section: Section, tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("column,name\npresence/f1,Gets it\nHumour style F1,Style_&\n")
    names = read_column_names(path)
    chosen = replace(section, columns=("style/f1", "presence/f1"), headings=names)
    assert headings(chosen) == [["Style_&", "Gets it"]]
    assert r"Style\_\&" in report_text([chosen], ".tex")
    partly = replace(section, columns=("style/f1", "style/recall"), headings=names)
    assert headings(partly) == [["Style_&", "Recall"]]
    for text, what in (("column,name\n,x\n", "names no column"), ("a,b\nx,y\n", "column")):
        path.write_text(text)
        with pytest.raises(InputError, match=what):
            read_column_names(path)


def test_intervals_in_brackets_as_half_a_width_or_not_at_all(section: Section) -> None:
    known = replace(sure(section), columns=("presence/f1",))
    value = next(s.value for s in known.scores if (s.task, s.metric) == ("presence", "f1"))
    assert value is not None
    even = [
        one if one.low is None else one.model_copy(update={"low": one.value - 0.2})
        for one in known.scores
    ]
    known = replace(known, scores=even)
    ends = f"[{value - 0.2:.3f}, {value + 0.2:.3f}]"
    cells = {how: score_tables(replace(known, intervals=how))[0] for how in ("pm", "none")}
    brackets = score_tables(known)[0]
    assert brackets.rows[0].cells[0].whole == f"{value:.3f} {ends}"
    assert cells["pm"].rows[0].cells[0].whole == f"{value:.3f} ± 0.200"
    assert cells["none"].rows[0].cells[0].whole == f"{value:.3f}"
    made = "(by resampling items)"
    assert brackets.intervals == f"95 % intervals over items in brackets {made}."
    assert cells["pm"].intervals == f"± half of the 95 % interval over items {made}."
    assert cells["none"].intervals == ""
    for suffix in (".md", ".tex"):
        assert "interval" not in report_text([replace(known, intervals="none")], suffix)
        assert "interval over items" in report_text([replace(known, intervals="pm")], suffix)


def test_the_papers_own_deviation_keeps_the_plus_minus(section: Section) -> None:
    """Where ± is the deviation over draws, the interval is in brackets."""
    known = sure(section)
    spread = [
        Score(model=MODELS[0], task="presence", metric="f1_sd", value=0.05, n=9, signature=text)
        for text in {one.signature for one in known.scores if one.task == "presence"}
    ]
    layout = replace(section.benchmark.report.tables[0], spread="_sd")
    told = replace(section.benchmark.report, tables=(layout,))
    benchmark = type(section.benchmark)()
    benchmark.report = told
    whole = replace(
        known,
        benchmark=benchmark,
        scores=[*known.scores, *spread],
        columns=("presence/f1",),
        intervals="pm",
    )
    (table,) = score_tables(whole)
    assert re.fullmatch(r"0\.\d+ ± 0\.050 \[.*, .*\]", table.rows[0].cells[0].whole)
    assert re.fullmatch(r"0\.\d+ \+0\.200 −0\.100", table.rows[1].cells[0].whole)
    ends = "+ and − to the ends of the 95 % interval over items where it is lopsided"
    assert table.intervals.startswith(f"{ends}; 95 % intervals over items in brackets (")


@pytest.mark.parametrize(
    ("value", "low", "high", "told"),
    [
        (0.5, 0.4, 0.6, "0.500 ± 0.100"),
        (0.5, 0.404, 0.6, "0.500 ± 0.098"),
        (0.5, 0.42, 0.6, "0.500 +0.100 −0.080"),
        (0.769, 0.0, 1.0, "0.769 +0.231 −0.769"),
        (1.0, 0.99, 1.0, "1.000 +0.000 −0.010"),
        (0.05, 0.0, 0.101, "0.050 +0.051 −0.050"),
        (0.0, 0.0, 0.3, "0.000 +0.300 −0.000"),
        (1.0, 1.0, 1.0, "1.000 ± 0.000"),
    ],
)
def test_lopsided_intervals_are_told_to_each_side(
    section: Section, value: float, low: float, high: float, told: str
) -> None:
    update = {"value": value, "low": low, "high": high, "interval": "bootstrap"}
    scores = [one.model_copy(update=update) for one in section.scores]
    columns = ("presence/f1",)
    known = replace(section, scores=scores, columns=columns, intervals="pm")
    (table,) = score_tables(known)
    assert table.rows[0].cells[0].whole == told
    assert told in report_text([known], ".md")
    latex = report_text([known], ".tex")
    number, *sides = told.split()
    if "±" in told:
        assert told.replace("±", r"\ensuremath{\pm}") in latex and r"\sides" not in latex
    else:
        up, down = (one[1:] for one in sides)
        assert f"{number}\\sides{{{up}}}{{{down}}}" in latex
        assert r"\providecommand{\sides}" in latex


def test_a_document_speaks_of_intervals_below_numbers_only_where_they_are(section: Section) -> None:
    known = sure(section)
    below, macro = "% Intervals stand below their numbers.", r"\newcommand{\bounds}"
    for how in ("brackets", "pm", "none"):
        latex = report_text([replace(known, intervals=how)], ".tex")
        assert (below in latex) == (macro in latex) == (how == "brackets")
        assert (r"\newcommand{\sides}" in latex) == (how == "pm")


def test_published_rows_have_no_interval(section: Section) -> None:
    table = score_tables(sure(section))[0]
    assert all(cell.low for row in table.rows if row.ours for cell in row.cells if cell.score)
    assert not any(cell.low for row in table.rows if not row.ours for cell in row.cells)


def test_a_long_table_is_several_floats(section: Section) -> None:
    table = score_tables(sure(section))[0]
    rows = [replace(row, model=f"m{n}") for n in range(12) for row in table.rows[:1]]
    many = replace(table, rows=rows)
    found = floats(many, 30)
    assert len(found) > 1
    columns = [column for parts in found for part in parts for column in part.columns]
    assert columns == table.columns
    assert isinstance(found[0][0].rows[0].cells[0], Cell)
