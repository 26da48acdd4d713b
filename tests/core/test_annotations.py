"""Files of annotations: labels, numbers, words, orders, boxes, wrong ones with their place."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.core.annotation_values import Boxes, Order
from deadpan.core.annotations import AnnotationQuestion, read_annotations

HEADING = "item,annotator,question,value"
ASKED = (
    AnnotationQuestion("kind", "label", ("Text", "Visual")),
    AnnotationQuestion("styles", "labels", ("Pun", "Dark")),
    AnnotationQuestion("funny", "yes_no"),
    AnnotationQuestion("strength", "number"),
    AnnotationQuestion("why", "text"),
    AnnotationQuestion("size", "label", level="ordinal", order=("1", "2", "3")),
    AnnotationQuestion("read", "order"),
    AnnotationQuestion("drawn", "boxes"),
)


def a_file(folder: Path, *lines: str, name: str = "a.csv") -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_every_kind_of_value(tmp_path: Path) -> None:
    path = a_file(
        tmp_path,
        f"{HEADING},language,note",
        "c1,A,kind,Text,en,",
        "c1,A,styles,Pun; Dark,,",
        'c1,B,styles,"[""Dark""]",,',
        "c1,A,funny,是,,",
        "c1,A,strength,3,,",
        "c1,A,why,因为；它好笑; really,zh,想了很久",
        "c1,B,why,,,",
        "c1,A,other,x；y,,",
    )
    found = {(one.question, one.annotator): one for one in read_annotations([path], ASKED)}
    assert found["kind", "A"].value == {"Text"} and found["kind", "A"].language == "en"
    assert found["styles", "A"].value == {"Pun", "Dark"} and found["styles", "B"].value == {"Dark"}
    assert found["funny", "A"].value == {"yes"} and found["strength", "A"].value == 3.0
    assert (
        found["why", "A"].value == "因为；它好笑; really" and found["why", "A"].note == "想了很久"
    )
    assert found["other", "A"].value == {"x", "y"} and ("why", "B") not in found


def test_json_lines_may_hold_lists_and_none_of_the_labels(tmp_path: Path) -> None:
    rows = [
        {"item": "1", "annotator": "A", "question": "styles", "value": value} for value in ([],)
    ]
    path = a_file(tmp_path, *map(json.dumps, rows), name="a.jsonl")
    assert [one.value for one in read_annotations([path], ASKED)] == [frozenset()]


def test_orders_and_boxes_in_all_their_forms(tmp_path: Path) -> None:
    box = '{""x1"": 1, ""y1"": 2, ""x2"": 3, ""y2"": 4.5, ""panel_number"": 1}'
    path = a_file(
        tmp_path,
        HEADING,
        "c1,A,read,3 > 1 > 2",
        "c1,B,read,3、1，2",
        'c1,C,read,"[3, 1, 2]"',
        "c1,D,read,4",
        f'c1,A,drawn,"[[5, 5, 6, 6], {box}]"',
        'c1,B,drawn,"[]"',
    )
    found = {(one.question, one.annotator): one.value for one in read_annotations([path], ASKED)}
    orders = [found["read", who] for who in "ABCD"]
    assert orders == [Order(("3", "1", "2"))] * 3 + [Order(("4",))]
    assert found["drawn", "A"] == Boxes(((1, 2, 3, 4.5), (5, 5, 6, 6)))
    assert found["drawn", "B"] == Boxes(())


def test_batches_and_ranks_that_a_table_made_numbers_of(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame(
        {
            "item": [1, 2],
            "annotator": ["A", "A"],
            "question": ["size", "size"],
            "value": [3.0, None],
            "batch": [2.0, 2.0],
        }
    ).write_parquet(path)
    (found,) = read_annotations([path], ASKED)
    assert (found.item, found.value, found.batch) == ("1", {"3"}, "2")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"kind": "labels", "level": "ordinal"}, "of kind labels has no level and no order"),
        ({"kind": "text", "order": ("a", "b")}, "of kind text has no level"),
        ({"kind": "number", "order": ("1", "2")}, "an order is of ranked labels"),
        (
            {"kind": "label", "level": "nominal", "order": ("a", "b")},
            "an order is of ranked labels",
        ),
        ({"kind": "label", "order": ("a", "a")}, "twice in the order"),
        ({"kind": "label", "values": ("a", "b"), "order": ("a", "c")}, '"c" is in the order and'),
        ({"kind": "label", "level": "ordinal"}, "need an order"),
    ],
)
def test_a_question_that_cannot_be_asked_is_told(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=f"question q: .*{told}"):
        AnnotationQuestion("q", **wrong)


def test_ranks_are_the_order_or_the_values() -> None:
    values = ("a", "b", "NA")
    assert AnnotationQuestion("q", "label", values, level="ordinal").ranks == values
    assert AnnotationQuestion("q", "label", values, order=("b", "a")).ranks == ("b", "a")
    assert AnnotationQuestion("q", "label", values).ranks == ()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("c,A,kind,Txt", r'a.csv:2 value \(kind\): got "Txt"; expected one of Text, Visual; did'),
        ("c,A,kind,[]", r"expected one label"),
        ("c,A,styles,Pun;Sad", r"expected one of Pun, Dark"),
        ("c,A,styles,[1]", r"expected a list of labels"),
        ("c,A,styles,[", r"expected a JSON list of labels"),
        ("c,A,funny,maybe", r"expected 1 or 0 \(yes or no\)"),
        ("c,A,strength,lots", r"expected a number"),
        ("c,A,strength,nan", r"expected a number"),
        ("c,A,strength,1e999", r"expected a number"),
        ("c,A,size,4", r'value \(size\): got "4"; expected one of 1, 2, 3'),
        ("c,A,read,1>2>1", r"expected names in order, each once, such as 3 > 1 > 2"),
        ("c,A,read,1>>2", r"expected names in order, each once"),
        ("c,A,read,[true]", r"expected names in order"),
        ("c,A,read,[", r"expected a JSON list of names"),
        ("c,A,drawn,1 2 3 4", r"expected a list of boxes \[x1, y1, x2, y2\]"),
        ('c,A,drawn,"[[1, 2, 3]]"', r"expected boxes as \[x1, y1, x2, y2\]"),
        ('c,A,drawn,"[[1, 2, 1, 4]]"', r"expected boxes with x1 < x2 and y1 < y2"),
        ('c,A,drawn,"[[1, 2, ""a"", 4]]"', r"expected a number"),
        (f'c,A,drawn,"{[[0, 0, 1, 1]] * 201}"', r"expected 200 boxes at most, not 201"),
        (",A,kind,Text", r"item: is empty"),
        ("c,,kind,Text", r"annotator: is empty"),
        ("c,A,kind,Text\nc,A,kind,Visual", r"a.csv:3: c A kind is there twice \(first in .*:2\)"),
    ],
)
def test_a_wrong_row_is_told(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_annotations([a_file(tmp_path, HEADING, line)], ASKED)


def test_wrong_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no annotation"):
        read_annotations([a_file(tmp_path, HEADING)], ASKED)
    with pytest.raises(InputError, match=r'got the column "anotator"; did you mean annotator'):
        read_annotations([a_file(tmp_path, HEADING.replace("nn", "n"), "c,A,kind,Text")])
    with pytest.raises(InputError, match='asks no question "reason"'):
        read_annotations([a_file(tmp_path, HEADING, "c,A,kind,Text")], ASKED, ["reason"])
