"""pairs.jsonl: what is read, and what is told of a broken line."""

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.cfms.records import read_pairs
from tests.benchmarks.cfms.pair_folder import Row, chinese_row, data, plain_row, row, write


def test_what_is_evaluated_and_what_is_learnt_are_apart(tmp_path: Path) -> None:
    rows = [
        row("t"),
        row("a", split="train"),
        plain_row("v", split="validation"),
        chinese_row("m", split="metaphor", metaphor=True),
    ]
    pairs = data(tmp_path, rows)
    assert [pair.name for pair in pairs.records] == ["t", "m"]
    assert [pair.name for pair in pairs.learnt] == ["a", "v"]
    assert [pair.name for pair in pairs.of("train", "test")] == ["a", "t"]


def test_the_checksum_is_of_what_is_evaluated(tmp_path: Path) -> None:
    first = data(tmp_path / "a", [row("t")]).checksum
    assert data(tmp_path / "b", [row("t"), row("x", split="train")]).checksum == first
    assert data(tmp_path / "c", [row("t", text="other")]).checksum != first


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sarcastic": "yes"}, r'pairs.jsonl:1 sarcastic: got "yes"; expected a valid boolean'),
        ({"language": "fr"}, r"pairs.jsonl:1 language: got \"fr\"; expected 'en' or 'zh'"),
        ({"split": "dev"}, r"pairs.jsonl:1 split: got \"dev\"; expected 'train', 'validation'"),
        ({"target_type": "people"}, r"pairs.jsonl:1 target_type: got \"people\"; expected 'social"),
        ({"target": None}, "pairs.jsonl:1 target: got null; expected a value, as the pair is sarc"),
        ({"explanation": " … "}, "pairs.jsonl:1 explanation: has no words"),
        ({"sarcastic": False}, "pairs.jsonl:1 target: got .*; expected null, as the pair is not"),
        ({"split": "metaphor"}, "pairs.jsonl:1 metaphor: got null; expected true or false"),
        ({"text": 3}, "pairs.jsonl:1 text: got 3; expected a valid string"),
        ({"id": "a\nb"}, "pairs.jsonl:1 id: got .*; expected at most 200 printable"),
        ({"image": "../x.png"}, 'image: "../x.png" leads out of the data folder'),
        ({"image": "/x.png"}, 'image: got the absolute path "/x.png"'),
    ],
)
def test_a_broken_line_is_told(tmp_path: Path, changes: Row, message: str) -> None:
    write(tmp_path, [row(**changes)], images=False)
    with pytest.raises(InputError, match=message):
        read_pairs(tmp_path)


@pytest.mark.parametrize("name", ["ocr_text", "metaphor", "explanation"])
def test_every_field_has_to_be_there(tmp_path: Path, name: str) -> None:
    one: dict[str, Any] = {key: value for key, value in row().items() if key != name}
    write(tmp_path, [row("p0")], images=False)
    with (tmp_path / "pairs.jsonl").open("a") as stream:
        stream.write(json.dumps(one))
    with pytest.raises(InputError, match=f"pairs.jsonl:2 {name}: is missing"):
        read_pairs(tmp_path)


def test_an_id_there_twice_raises(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pairs.jsonl:2 id: got \"p1\" a second time \(first in"):
        data(tmp_path, [row(), row(split="train")])


def test_unknown_fields_are_told_and_a_description_is_known(tmp_path: Path) -> None:
    pairs = data(tmp_path, [row(mood="bad", description="A desk at night")])
    assert [(odd.where, odd.kind) for odd in pairs.anomalies] == [
        ("pairs.jsonl:1 mood", "unknown field")
    ]
    assert pairs.records[0].row.description == "A desk at night"


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_pairs(tmp_path)
