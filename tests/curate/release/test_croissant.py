"""Croissant: the official library takes it, reads its records, and finds what is wrong."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.curate.release.croissant import ReleasedFile, require_valid, sums
from deadpan.curate.release.licences import card_licence, licence_address
from deadpan.curate.release.record_sets import record_set

mlcroissant = pytest.importorskip("mlcroissant", reason="needs the extra [curate]")


def test_the_official_library_reads_the_records(release: Path) -> None:
    dataset = mlcroissant.Dataset(jsonld=release / "croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    rows = list(dataset.records("pairs"))
    assert len(rows) == 30
    first = json.loads((release / "pairs.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert rows[0]["pairs/text"].decode() == first["text"]
    assert rows[0]["pairs/sarcastic"] is first["sarcastic"]
    assert rows[1]["pairs/target"] is None


def test_files_have_their_checksums_and_what_is_responsible_is_said(release: Path) -> None:
    described = json.loads((release / "croissant.json").read_text(encoding="utf-8"))
    assert described["conformsTo"][1] == "http://mlcommons.org/croissant/RAI/1.0"
    objects = [one for one in described["distribution"] if one["@type"] == "cr:FileObject"]
    for one in objects:
        data = (release / one["contentUrl"]).read_bytes()
        assert one["sha256"] == hashlib.sha256(data).hexdigest()
        assert one["contentSize"] == f"{len(data)} B"
    (images,) = (one for one in described["distribution"] if one["@type"] == "cr:FileSet")
    assert images["includes"] == "images/*.png" and "30 files" in images["description"]
    assert described["rai:dataCollection"] == "51 posts from weibo, mood."
    assert "purify: 45 posts came, 9 dropped" in described["rai:dataPreprocessingProtocol"][2]
    assert described["rai:machineAnnotationTools"] == ["openai/gpt-x", "OCR: RapidOCR"]


def test_what_is_not_valid_raises(tmp_path: Path, release: Path) -> None:
    described = json.loads((release / "croissant.json").read_text(encoding="utf-8"))
    del described["distribution"][0]["encodingFormat"]
    (tmp_path / "croissant.json").write_text(json.dumps(described))
    with pytest.raises(InputError, match="is not valid Croissant"):
        require_valid(tmp_path / "croissant.json")


def fields_of(name: str, text: str) -> dict[str, Any]:
    found = record_set(name, text)
    assert found is not None
    return {one["name"]: one for one in found["field"]}


def test_fields_have_the_types_of_their_values() -> None:
    lines = [
        {"id": "一", "n": 1, "x": 1, "yes": True, "none": None, "tags": ["讽刺"], "odd": [[1]]},
        {"id": "b", "n": 2, "x": 0.5, "yes": None, "none": None, "tags": [], "odd": "x"},
    ]
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    fields = fields_of("metadata/items.jsonl", text)
    types = {name: one["dataType"] for name, one in fields.items()}
    assert types == {
        "id": "sc:Text", "n": "sc:Integer", "x": "sc:Float", "yes": "sc:Boolean",
        "none": "sc:Text", "tags": "sc:Text",
    }  # fmt: skip
    assert fields["tags"]["isArray"] is True
    assert fields["id"]["@id"] == "metadata/items/id"
    found = record_set("metadata/items.jsonl", text)
    assert found is not None and found["description"].endswith("in the file only: odd.")


def test_objects_and_lists_of_objects_have_parts() -> None:
    turn = {"speaker": "sender", "text": "唉"}
    rows = [{"dialogue": [turn, turn], "qa": {"q": "Why?", "n": 1}, "deep": {"a": {"b": 1}}}]
    fields = fields_of("memes.jsonl", json.dumps(rows[0]) + "\n")
    assert [one["name"] for one in fields["dialogue"]["subField"]] == ["speaker", "text"]
    assert fields["dialogue"]["isArray"] is True and "isArray" not in fields["qa"]
    assert "deep" not in fields


def test_tables_lists_and_what_holds_no_records() -> None:
    table = fields_of("a.csv", "id,many,right,words\n1,2,True,x\n2,,False,\n")
    types = {name: one["dataType"] for name, one in table.items()}
    assert types == {
        "id": "sc:Integer", "many": "sc:Integer", "right": "sc:Boolean", "words": "sc:Text"
    }  # fmt: skip
    listed = fields_of("index.json", '[{"id": "0.png", "more": 1}, {"id": "1.png"}]')
    assert listed["id"]["source"]["extract"] == {"jsonPath": "$[*].id"} and "more" not in listed
    assert record_set("one.json", '{"a": 1}') is None
    assert record_set("page.md", "# x") is None and record_set("empty.jsonl", "") is None


def test_licences_as_each_place_wants_them() -> None:
    assert licence_address("CC0-1.0") == "https://spdx.org/licenses/CC0-1.0.html"
    assert licence_address("https://a.example/l") == "https://a.example/l"
    assert licence_address("ask the authors") == "ask the authors"
    assert licence_address("not stated") is None is licence_address(" ")
    assert card_licence("CC0-1.0") == {"license": "cc0-1.0"}
    assert card_licence("ODbL-1.0") == {"license": "odbl"}
    assert card_licence("ask us") == {"license": "other", "license_name": "ask us"}
    assert card_licence("https://x.example")["license_link"] == "https://x.example"


def test_checksums_stand_by_name() -> None:
    files = [ReleasedFile("b", 1, "2" * 64), ReleasedFile("a", 1, "1" * 64)]
    assert sums(files) == f"{'1' * 64}  a\n{'2' * 64}  b\n"
