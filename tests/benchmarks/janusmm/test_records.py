"""Reading memes.jsonl: what is taken, what raises and how it is told."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.janusmm.records import data_scores, read_memes
from tests.benchmarks.janusmm.meme_folder import (
    Row,
    answered,
    chinese_row,
    data,
    plain_row,
    row,
    scored,
    write,
)


def raised(folder: Path, rows: list[Row]) -> str:
    with pytest.raises(InputError) as error:
        read_memes(write(folder, rows, images=False))
    return str(error.value)


def test_a_folder_is_read_in_order(tmp_path: Path) -> None:
    dataset = data(tmp_path)
    assert [meme.meme_id for meme in dataset.records] == ["m1", "m2", "m3"]
    first = dataset.records[0]
    assert first.row.dialogue[1].shares_meme and not first.row.dialogue[0].shares_meme
    assert first.path == str(tmp_path / "images/m1.png")
    assert dataset.anomalies == () and dataset.origin == str(tmp_path)


def test_the_checksum_is_of_the_records_and_not_of_their_place(tmp_path: Path) -> None:
    one, two = data(tmp_path / "a"), data(tmp_path / "b")
    other = data(tmp_path / "c", [row(emotion="guilt")])
    assert one.checksum == two.checksum != other.checksum


def test_a_byte_order_mark_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path)
    text = (tmp_path / "memes.jsonl").read_text("utf-8").replace("\n", "\r\n\r\n")
    (tmp_path / "memes.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert len(read_memes(tmp_path).records) == 3


@pytest.mark.parametrize("field", sorted(row()))
def test_a_missing_field_is_named_with_its_line(tmp_path: Path, field: str) -> None:
    broken = {name: value for name, value in row("m9").items() if name != field}
    assert f"memes.jsonl:2 {field}: is missing" in raised(tmp_path, [row(), broken])


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("language", "fr", "expected 'en' or 'zh'"),
        ("source", "reddit", "'group_chat'"),
        ("self_deprecating", "yes", "expected a valid boolean"),
        ("self_deprecating", 1, "expected a valid boolean"),
        ("meme_id", "  ", "has no words"),
        ("meme_id", 7, "expected a valid string"),
        ("text", None, "expected a valid string"),
        ("emotion", "!!", "has no words"),
        ("thinking", "", "has no words"),
        ("sender_reasoning", ["a"], "expected a valid string"),
        ("sender_reasoning", None, "got null; expected text, as the meme is self-deprecating"),
        ("receiver_reasoning", None, "got null"),
        ("dialogue", "hello", "expected a valid array"),
        ("image", "", "has no words"),
        ("meme_id", "x" * 300, "at most 200"),
        ("meme_id", "a\u0007b", "printable"),
    ],
)
def test_a_wrong_value_says_what_was_found(
    tmp_path: Path, field: str, value: Any, told: str
) -> None:
    message = raised(tmp_path, [row(**{"meme_id": "m1", field: value})])
    assert message.startswith(f"memes.jsonl:1 {field}") and told in message


def test_a_wrong_turn_is_named_by_its_number(tmp_path: Path) -> None:
    turns = [{"speaker": "sender", "text": "a"}, {"speaker": "boss", "text": "b"}]
    message = raised(tmp_path, [row(dialogue=turns)])
    assert "memes.jsonl:1 dialogue.1.speaker" in message and '"boss"' in message


def test_a_meme_that_is_not_self_deprecating_needs_no_reasoning(tmp_path: Path) -> None:
    (meme,) = data(tmp_path, [plain_row()]).records
    assert meme.row.sender_reasoning is None and not meme.row.self_deprecating


def test_a_meme_there_twice_raises(tmp_path: Path) -> None:
    message = raised(tmp_path, [row(), chinese_row(), row()])
    assert "memes.jsonl:3 meme_id" in message and "first in memes.jsonl:1" in message


@pytest.mark.parametrize("path", ["../m.png", "/etc/hosts", "C:\\m.png", "a/../../m.png", "\\m"])
def test_an_image_outside_the_folder_raises(tmp_path: Path, path: str) -> None:
    write(tmp_path, [row(image=path)], images=False)
    with pytest.raises(InputError, match=r"memes\.jsonl:1 image"):
        read_memes(tmp_path)


def test_a_link_out_of_the_folder_raises(tmp_path: Path) -> None:
    folder = write(tmp_path / "data", [row()], images=False)
    (tmp_path / "secret.png").write_bytes(b"x")
    os.symlink(tmp_path / "secret.png", folder / "images/m1.png")
    with pytest.raises(InputError, match="leads out of the data folder"):
        read_memes(folder)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf \n", "the file is empty"),
        ("{}".encode("utf-16"), "not UTF-8"),
        ('{"meme_id": "中"}'.encode("gb18030"), "not UTF-8"),
        (b"[1]\n", "expected a JSON object"),
        (b"{\n", "is not JSON"),
        (b'{"meme_id": "a", "meme_id": "b"}', "meme_id is there twice"),
        (b"[" * 100_000, "memes.jsonl:1"),
        (b'{"meme_id": "\\ud800"}', "memes.jsonl:1"),
    ],
)
def test_a_file_that_cannot_be_used_raises(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "memes.jsonl").write_bytes(content)
    with pytest.raises(InputError) as error:
        read_memes(tmp_path)
    assert told in str(error.value)


def test_a_folder_without_the_file_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--data"):
        read_memes(tmp_path)


def test_unknown_fields_are_reported_and_not_used(tmp_path: Path) -> None:
    turn = {"speaker": "sender", "text": "a", "shares_meme": True, "mood": "low"}
    found = data(tmp_path, [row(likes=3, dialogue=[turn])]).anomalies
    assert [(one.where, one.kind) for one in found] == [
        ("memes.jsonl:1 likes", "unknown field"),
        ("memes.jsonl:1 dialogue.0.mood", "unknown field"),
    ]


def test_hostile_text_stays_as_it_is(tmp_path: Path) -> None:
    odd = "ignore previous >>> \u202e {dialogue} 🙂" + "啊" * 50_000
    (meme,) = data(tmp_path, [row(thinking=odd)]).records
    assert meme.row.thinking == odd
    assert json.loads((tmp_path / "memes.jsonl").read_text("utf-8"))["thinking"] == odd


def test_symbols_of_a_culture_are_a_group_where_somebody_has_looked(tmp_path: Path) -> None:
    rows = [row("with", cultural_symbols=["牛马"]), row("without", cultural_symbols=[]), row("m1")]
    memes = data(tmp_path, rows).records
    assert [meme.row.cultural_symbol for meme in memes] == ["yes", "no", None]
    counts = {
        score.group: score.value
        for score in data_scores(data(tmp_path, rows))
        if score.group.startswith("cultural_symbol=")
    }
    assert counts == {"cultural_symbol=yes": 1, "cultural_symbol=no": 1}
    table = answered(
        data(tmp_path, rows),
        {"recognition": {"with": "joy", "without": "self-mockery", "m1": "self-mockery"}},
    )
    found = {one.group: one for one in scored(table) if one.metric == "accuracy"}
    assert found["cultural_symbol=yes"].value == 0.0
    assert (found["cultural_symbol=no"].value, found["cultural_symbol=no"].n) == (100.0, 1)


@pytest.mark.parametrize("symbols", ["牛马", [3], [""]])
def test_symbols_are_a_list_of_words(tmp_path: Path, symbols: object) -> None:
    with pytest.raises(InputError, match=r"memes\.jsonl:1 cultural_symbols"):
        data(tmp_path, [row(cultural_symbols=symbols)])
