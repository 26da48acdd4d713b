"""Files of annotations: labels, several of them, numbers and words, wrong ones with their place."""

import json
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.core.annotations import AnnotationQuestion, read_annotations

HEADING = "item,annotator,question,value"
ASKED = (
    AnnotationQuestion("kind", "label", ("Text", "Visual")),
    AnnotationQuestion("styles", "labels", ("Pun", "Dark")),
    AnnotationQuestion("funny", "yes_no"),
    AnnotationQuestion("strength", "number"),
    AnnotationQuestion("why", "text"),
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
