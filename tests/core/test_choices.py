"""Choices between two from files: what is read, and what is refused with its place."""

import json
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.core.choices import Choice, choices_signature, read_choices

HEAD = "item,left,right,rater,choice"


def written(path: Path, *rows: str, head: str = HEAD) -> Path:
    path.write_text("\n".join([head, *rows, ""]), "utf-8")
    return path


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        *(("left", "A"), ("Right", "B"), ("tie", None), ("both", None), ("A", "A"), ("B", "B")),
        *(("左", "A"), ("右", "B"), ("平局", None)),
    ],
)
def test_a_choice_is_a_side_a_name_or_a_tie(tmp_path: Path, given: str, chosen: str | None) -> None:
    (one,) = read_choices([written(tmp_path / "c.csv", f"1.png,A,B,ann,{given}")])
    assert one == Choice("1.png", "A", "B", "ann", chosen)


def test_files_of_every_form_unite(tmp_path: Path) -> None:
    row = {"item": "1.png", "left": "B", "right": "A", "rater": "bo", "choice": "right"}
    lines, table = tmp_path / "c.jsonl", tmp_path / "c.parquet"
    lines.write_text(json.dumps({**row, "question": "emotion", "note": "…"}) + "\n", "utf-8")
    pl.DataFrame([{**row, "rater": "cy"}]).write_parquet(table)
    found = read_choices([written(tmp_path / "c.csv", "1.png,A,B,ann,left"), lines, table])
    assert [one.rater for one in found] == ["ann", "bo", "cy"]
    assert {one.chosen for one in found} == {"A"} and found[1].question == "emotion"


@pytest.mark.parametrize(
    ("row", "place", "what"),
    [
        ("1.png,A,B,ann,C", " choice", 'got "C"; expected left, right or tie, or A or B'),
        ("1.png,A,B,ann,", " choice", "is empty"),
        ("1.png,A,A,ann,left", " right", "expected another"),
        (",A,B,ann,left", " item", "is empty"),
        ("1.png,A,B,ann", "", "got 4 cells under 5 headings"),
        ("1.png,B,A,ann,tie", "", "is there twice (first in"),
    ],
)
def test_a_wrong_row_is_refused_with_its_place(
    tmp_path: Path, row: str, place: str, what: str
) -> None:
    path = written(tmp_path / "c.csv", "1.png,A,B,ann,left", row)
    with pytest.raises(InputError) as raised:
        read_choices([path])
    assert raised.value.where == f"{path}:3{place}" and what in raised.value.what


def test_other_columns_and_empty_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="got the column"):
        read_choices([written(tmp_path / "c.csv", "1,A,B,ann,left,4", head=f"{HEAD},stars")])
    with pytest.raises(InputError, match="holds no choice"):
        read_choices([written(tmp_path / "c.csv")])


def test_the_signature_knows_who_stood_left_and_not_the_order_of_rows(tmp_path: Path) -> None:
    one, other = Choice("1", "A", "B", "ann", "A"), Choice("2", "A", "B", "ann", None)
    swapped = Choice("1", "B", "A", "ann", "A")
    first = str(choices_signature("merbench", [one, other]))
    assert first == str(choices_signature("merbench", [other, one]))
    assert first != str(choices_signature("merbench", [swapped, other]))
