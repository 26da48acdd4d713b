"""Files of ratings: long rows and sheets, several at once, and every wrong row with its place."""

from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.core.rating_files import RatingForm, read_ratings, write_ratings
from deadpan.core.ratings import Rating, RatingStudy, Scale

LIKERT = Scale("Q6", {"en": "interpretation", "zh": "解释"}, 1, 7)
MET = Scale.yes_no("met", {"en": "meets the effect", "zh": "达到效果"})
FORM = RatingForm([LIKERT, MET])
HEADING = "item,model,metric,rater,rating"


def a_file(folder: Path, *lines: str, name: str = "ratings.csv") -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_long_rows_with_language_note_and_run(tmp_path: Path) -> None:
    path = a_file(
        tmp_path,
        f"{HEADING},language,note,run",
        "漫画1,模型,Q6,小李,7,zh,说得对,",
        "c2,m,Q6,ann,,,,2",
        "c2,m,Q6,ann,3.0,,,1",
        ",,,,,,,",
    )
    assert read_ratings([path], FORM) == [
        Rating("漫画1", "模型", "Q6", "小李", 7, "zh", "说得对"),
        Rating("c2", "m", "Q6", "ann", None, run="2"),
        Rating("c2", "m", "Q6", "ann", 3, run="1"),
    ]


def test_csv_json_lines_and_parquet_read_alike(tmp_path: Path) -> None:
    rows = read_ratings([a_file(tmp_path, HEADING, "1,m,Q6,a,4", "1,m,met,b,yes")], FORM)
    write_ratings(tmp_path / "r.jsonl", rows)
    assert read_ratings([tmp_path / "r.jsonl"], FORM) == rows
    columns = {"item": [1, 1], "model": ["m", "m"], "metric": ["Q6", "met"], "rater": ["a", "b"]}
    pl.DataFrame({**columns, "rating": [4.0, 1.0]}).write_parquet(tmp_path / "r.parquet")
    assert read_ratings([tmp_path / "r.parquet"], FORM) == rows
    pl.DataFrame({**columns, "rating": [None, float("nan")]}).write_parquet(tmp_path / "n.parquet")
    assert [one.rating for one in read_ratings([tmp_path / "n.parquet"], FORM)] == [None, None]


def test_a_sheet_has_a_column_for_each_rater(tmp_path: Path) -> None:
    path = a_file(
        tmp_path,
        "item,answer,rater:ann,note:ann,rater:小李,Judge B",
        "c1,What it says,7,good,5,4",
        "c2,Another,,,1,",
    )
    form = RatingForm([LIKERT], model="m", raters=["Judge B"])
    found = read_ratings([path], form)
    given = [(one.item, one.rater, one.rating) for one in found]
    assert given[:3] == [("c1", "ann", 7), ("c1", "小李", 5), ("c1", "Judge B", 4)]
    assert given[3:] == [("c2", "ann", None), ("c2", "小李", 1), ("c2", "Judge B", None)]
    assert {(one.model, one.metric) for one in found} == {("m", "Q6")}
    assert [one.note for one in found[:2]] == ["good", None]


def test_files_unite_and_the_same_rating_twice_is_told_with_both_places(tmp_path: Path) -> None:
    first = a_file(tmp_path, HEADING, "c1,m,Q6,ann,7")
    second = a_file(tmp_path, "item,model,metric,rater:bo", "c1,m,Q6,5", name="sheet.csv")
    assert [one.rater for one in read_ratings([first, second], FORM)] == ["ann", "bo"]
    again = a_file(tmp_path, "item,model,metric,rater:ann", "c1,m,Q6,7", name="again.csv")
    told = r"again.csv:2 rater:ann: c1 m Q6 ann is there twice \(first in .*ratings.csv:2\)"
    with pytest.raises(InputError, match=told):
        read_ratings([first, second, again], FORM)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("c1,m,Q6,ann,9", r"ratings.csv:2 rating: got 9; expected 1 to 7"),
        ("c1,m,Q6,ann,-1", r"ratings.csv:2 rating: got -1; expected 1 to 7"),
        ("c1,m,Q6,ann,4.5", r'rating: got "4.5"; expected a whole number from 1 to 7'),
        ("c1,m,Q6,ann,七", r'rating: got "七"; expected a whole number from 1 to 7'),
        ("c1,m,met,ann,maybe", r'rating: got "maybe"; expected 1 or 0 \(yes or no\)'),
        ("c1,m,q6,ann,4", r'metric: got "q6"; expected one of Q6, met; did you mean Q6'),
        ("c1,,Q6,ann,4", r"model: is empty"),
        (",m,Q6,ann,4", r"item: is empty"),
        ("c1,m,Q6,,4", r"rater: is empty"),
        ("c1,m,Q6,ann", r"got 4 cells under 5 headings"),
        ("c1,m,Q6,ann,4,5", r"got 6 cells under 5 headings"),
    ],
)
def test_a_wrong_row_is_told(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_ratings([a_file(tmp_path, HEADING, line)], FORM)


def test_wrong_files_are_told(tmp_path: Path) -> None:
    for lines, name, told in (
        ((HEADING,), "r.csv", "holds no rating. Expected the columns item, model, metric"),
        ((HEADING.replace("rater", "raters"), "c,m,Q6,a,4"), "r.csv", 'column "raters"; did you'),
        ((HEADING + ",language", "c,m,Q6,a,4,fr"), "r.csv", 'got "fr"; expected en or zh'),
        (("item,model,metric,rater:", "c,m,Q6,4"), "r.csv", "names no rater"),
        (("x",), "r.xlsx", "unknown format"),
        (("x",), "r.parquet", "is not a Parquet file"),
        (('{"item": "c", "model": "m", "metric": "Q6", "rater": "a"}',), "r.jsonl", "is missing"),
    ):
        with pytest.raises(InputError, match=told):
            read_ratings([a_file(tmp_path, *lines, name=name)], FORM)


def test_older_names_of_columns_and_columns_to_look_at(tmp_path: Path) -> None:
    form = RatingForm([MET], {"judge": "rater", "met": "rating"}, other_columns=True, model="x")
    path = a_file(tmp_path, "item,judge,met,image", "'=a,Li,1,images/a.png", "b,,,images/b.png")
    assert read_ratings([path], form) == [Rating("=a", "x", "met", "Li", 1)]


def test_yes_and_no_in_both_languages() -> None:
    for word, value in (("是", 1), ("Yes", 1), ("1", 1), (True, 1), ("否", 0), ("no", 0), (0.0, 0)):
        assert MET.read(word) == value
    with pytest.raises(ValueError, match="whole number"):
        LIKERT.read(True)
    with pytest.raises(ValueError, match="whole number"):
        LIKERT.read("1e0")
    assert Scale("x", kind="numbers").read("4.5") == 4.5


def test_an_item_has_one_language() -> None:
    rows = [Rating("a", "m", "Q6", "r", 4, "en"), Rating("a", "m", "Q6", "s", 4, "zh", where="f:3")]
    with pytest.raises(InputError, match="f:3 language: got zh; a is en elsewhere"):
        RatingStudy("x", [LIKERT], rows)
