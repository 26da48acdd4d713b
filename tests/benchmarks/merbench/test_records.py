"""Records: the released ones all load; a wrong one is named with file, record and field."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench import MERBENCH
from deadpan.benchmarks.merbench.records import Meme, read_memes
from tests.benchmarks.merbench.meme_folder import record

RELEASED = Path(__file__).resolve().parents[4] / "shared/data/merbench"


def written(tmp_path: Path, records: object) -> Path:
    (tmp_path / "index_final.json").write_text(json.dumps(records, ensure_ascii=False), "utf-8")
    return tmp_path


@pytest.mark.skipif(
    not RELEASED.is_dir(), reason="the released annotations are not on this machine"
)
def test_every_released_record_loads_and_what_is_odd_is_told() -> None:
    dataset = MERBENCH.read(RELEASED)
    memes = dataset.records
    assert len(memes) == MERBENCH.released_items == 3117
    assert dataset.checksum == MERBENCH.released
    assert Counter(anomaly.kind for anomaly in dataset.anomalies) == {
        "escaped line breaks": 312,
        "garbled caption": 57,
        "no caption": 4,
    }
    assert {meme.language for meme in memes} == {"en"}
    assert Counter(meme.det_emo for meme in memes) == {
        **{"sad": 1026, "tense": 1020, "angry": 937, "bored": 134}
    }
    assert all(meme.new_caption and "\\n" not in meme.new_caption for meme in memes)


def test_a_record_is_kept_as_released(tmp_path: Path) -> None:
    memes, anomalies = read_memes(written(tmp_path, [record()]))
    assert [meme.model_dump() for meme in memes] == [record()]
    assert anomalies == ()


@pytest.mark.parametrize(
    ("changes", "place", "what"),
    [
        ({"det_emo": "furious"}, "det_emo", "got \"furious\"; expected 'sad'"),
        ({"tgt_emo": "happy"}, "tgt_emo", 'got "happy"; expected "calm", as det_emo is "angry"'),
        ({"visual_type": "Photo"}, "visual_type", 'got "Photo"'),
        ({"layout_type": None}, "layout_type", "got null"),
        ({"sentiment_polarity": 1}, "sentiment_polarity", "got 1"),
        ({"text": None}, "text", "got null"),
        ({"pos_txt": "  "}, "pos_txt", "expected text"),
        ({"spec": ""}, "spec", "expected text"),
        ({"gen_id": ""}, "gen_id", "expected the name of a picture"),
        ({"gen_id": "../0.png"}, "gen_id", "expected the name of a picture"),
        ({"gen_id": "..\\0.png"}, "gen_id", "expected the name of a picture"),
        ({"gen_id": "0.exe"}, "gen_id", "ends in .png"),
        ({"gen_id": "0"}, "gen_id", "ends in .png"),
        ({"gen_id": ".png"}, "gen_id", "ends in .png"),
        ({"gen_id": "..png"}, "gen_id", "such as 0.png"),
    ],
)
def test_a_wrong_field_is_named(
    tmp_path: Path, changes: dict[str, Any], place: str, what: str
) -> None:
    with pytest.raises(InputError) as raised:
        read_memes(written(tmp_path, [record("1.png"), record(**changes)]))
    assert raised.value.where == f"index_final.json record 2 (0.png) {place}"
    assert what in raised.value.what


def test_a_missing_file_name_is_named_by_the_records_number(tmp_path: Path) -> None:
    lacking = record()
    del lacking["id"]
    with pytest.raises(InputError) as raised:
        read_memes(written(tmp_path, [lacking]))
    assert raised.value.where == "index_final.json record 1 id"
    assert "is missing" in raised.value.what


@pytest.mark.parametrize("field", ["id", "gen_id"])
def test_a_name_used_twice_is_refused(tmp_path: Path, field: str) -> None:
    with pytest.raises(InputError) as raised:
        read_memes(written(tmp_path, [record("1.png"), record("2.png", **{field: "1.png"})]))
    assert "a second time (first in record 1)" in raised.value.what


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "the file is empty"),
        (b"[]", "holds no record"),
        (b'{"id": 1}', "expected a list of records"),
        (b'[{"id": "0.png",\n "det_emo": sad}]', "is not JSON (Expecting value"),
        (b'[{"id": "0.png", "id": "1.png"}]', "id is there twice"),
        (b"[3]", "got 3"),
        ('[{"id": "火.png"}]'.encode("gb18030"), "is not UTF-8"),
        ('[{"id": "0.png"}]'.encode("utf-16"), "is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_index_is_refused(tmp_path: Path, data: bytes, what: str) -> None:
    (tmp_path / "index_final.json").write_bytes(data)
    with pytest.raises(InputError) as raised:
        read_memes(tmp_path)
    assert what in raised.value.what
    assert "index_final.json" in raised.value.where


def test_what_is_odd_and_harmless_is_told(tmp_path: Path) -> None:
    odd = record(gen_id="0_edit.png", text="\n", pos_txt='"Up\\\\nDown"', img_desc=" ", rating=3)
    garbled = record("1.png", text="THIS BOAT\n漏2013\n")
    _, anomalies = read_memes(written(tmp_path, [odd, garbled]))
    assert [(anomaly.where, anomaly.kind) for anomaly in anomalies] == [
        ("0.png rating", "unknown field"),
        ("0.png gen_id", "two names"),
        ("0.png text", "no caption"),
        ("0.png pos_txt", "escaped line breaks"),
        ("0.png img_desc", "no description"),
        ("1.png text", "garbled caption"),
    ]


def test_the_language_is_that_of_the_new_caption() -> None:
    assert Meme(**record(text="鈥淢E AND THE BOYS")).language == "en"
    assert Meme(**record(text="deadline 又到了", pos_txt="deadline 提前做完啦")).language == "zh"


@pytest.mark.parametrize(
    ("given", "written_as"),
    [
        ('"Tea time."', "Tea time."),
        ("“Tea time.”", "Tea time."),
        ("Tea time.", "Tea time."),
        ('"Tea time.",', "Tea time."),
        ('"One," she says, "two."', '"One," she says, "two."'),
        ('"She says "one" and "two""', 'She says "one" and "two"'),
        ("“One” and “two”", "“One” and “two”"),
        ('"Up \\\\\\\\n Down"', "Up\nDown"),
        ('"He says \\\\"hi\\\\" now"', 'He says "hi" now'),
        ("¯\\_(ツ)_/¯", "¯\\_(ツ)_/¯"),
        ('Open end"', 'Open end"'),
        ("“今天也很好。”\n\n", "今天也很好。"),
    ],
)
def test_the_new_caption_is_what_is_to_be_written(given: str, written_as: str) -> None:
    assert Meme(**record(pos_txt=given)).new_caption == written_as
