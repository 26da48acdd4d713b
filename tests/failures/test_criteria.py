"""The criteria: the eight types as shipped, and files that people write."""

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.failures.criteria import Criteria, read_criteria, shipped_criteria

TYPE = {"name": "AB", "title": "bias", "definition": "Misses a clue."}


def written(folder: Path, **changes: Any) -> Path:
    path = folder / "criteria.json"
    path.write_text(json.dumps({"refused": "AB", "types": [TYPE], **changes}), "utf-8")
    return path


def test_the_eight_types_are_there_in_both_languages() -> None:
    criteria = shipped_criteria()
    assert criteria.names == ("AB", "Cdep", "AH", "SC", "KD", "AF", "TM", "SM")
    assert criteria.refused == "SM"
    english, chinese = criteria.describe("en"), criteria.describe("zh")
    assert english.startswith("- AB (attention bias): ") and english.isascii()
    assert chinese.startswith("- AB（注意偏差）：")
    assert len(english.splitlines()) == len(chinese.splitlines()) == 8


def test_a_file_replaces_the_types_and_one_wording_serves_both_languages(tmp_path: Path) -> None:
    criteria = read_criteria(written(tmp_path))
    assert criteria.names == ("AB",)
    assert criteria.describe("en") == "- AB (bias): Misses a clue."
    assert criteria.describe("zh") == "- AB（bias）：Misses a clue."


def test_any_changed_word_changes_the_checksum() -> None:
    given = {"refused": "AB", "types": [TYPE]}
    other = {"refused": "AB", "types": [{**TYPE, "definition": "Misses clues."}]}
    assert Criteria.model_validate(given).checksum != Criteria.model_validate(other).checksum


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"types": [TYPE, {**TYPE, "name": "ab"}]}, "ab is there twice"),
        ({"types": [{**TYPE, "name": "New"}], "refused": "New"}, 'may be called "new"'),
        ({"refused": "SM"}, "refused names SM, which is no type"),
        ({"types": [{**TYPE, "name": "a b"}]}, r"types\.0\.name"),
        ({"types": [{**TYPE, "definition": "  "}]}, r"types\.0\.definition"),
        ({"types": [{"name": "AB", "title": "bias"}]}, r"types\.0\.definition: Field required"),
        ({"sorts": []}, "sorts: Extra inputs"),
    ],
)
def test_wrong_criteria_are_told(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_criteria(written(tmp_path, **changes))


def test_broken_json_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "criteria.json"
    path.write_text('{\n "refused": "SM",\n "types": [,]\n}')
    with pytest.raises(InputError, match=r"criteria\.json:3: is not JSON"):
        read_criteria(path)
