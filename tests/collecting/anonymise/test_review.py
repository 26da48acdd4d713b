"""The review sheet: what it lists, decisions applied on the next call, wrong sheets named."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.collecting.anonymise import Options, Report, anonymise

TEXT = "she works at Brightfen Labs, tell zavosha"


def call(tmp_path: Path, sheet: str = "sheet.csv") -> Report:
    told = tmp_path / "report.json"
    options = Options(review=tmp_path / sheet, looks=False, earlier=told)
    report = anonymise(tmp_path / "in", tmp_path / "out", options=options)
    told.write_text(report.model_dump_json(), encoding="utf-8")
    return report


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "c.jsonl").write_text(json.dumps({"text": TEXT}) + "\n", encoding="utf-8")
    return tmp_path


def written(tmp_path: Path) -> str:
    (path,) = (tmp_path / "out").glob("*.jsonl")
    return str(json.loads(path.read_text("utf-8"))["text"])


def rows(path: Path) -> list[dict[str, str]]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def fill(path: Path, **decisions: str) -> None:
    found = rows(path)
    for row in found:
        row["decision"] = decisions.get(row["may_be"], row["decision"])
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
        return
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(found[0]))
        writer.writeheader()
        writer.writerows(found)


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.jsonl"])
def test_decisions_count_on_the_next_call(chat: Path, name: str) -> None:
    assert call(chat, name).undecided == 2
    assert written(chat) == "she works at [organisation], tell [name 1]"
    listed = {row["may_be"]: row for row in rows(chat / name)}
    assert listed["name"]["file"] == "c.jsonl" and listed["name"]["place"] == "line 1 text"
    assert listed["name"]["text"] == "she works at Brightfen Labs, tell ⟪zavosha⟫"
    assert listed["organisation"]["suggestion"] == "[organisation]"
    fill(chat / name, organisation="replace with a lab", name="keep")
    assert call(chat, name).undecided == 0
    assert written(chat) == "she works at a lab, tell zavosha"
    fill(chat / name, organisation="accept", name="接受")
    call(chat, name)
    assert written(chat) == "she works at [organisation], tell [name 1]"
    assert [row["decision"] for row in rows(chat / name)] == ["accept", "接受"]


def test_an_output_that_was_changed_is_never_replaced(chat: Path) -> None:
    call(chat)
    (chat / "out" / "mine.txt").write_text("x")
    with pytest.raises(InputError, match="was changed since"):
        call(chat)
    assert (chat / "out" / "mine.txt").exists()


@pytest.mark.parametrize(
    ("column", "value", "place"),
    [
        ("decision", "maybe", "sheet.csv:2 decision"),
        ("decision", "leave out", "sheet.csv:2 decision"),
        ("decision", "replace with Brightfen Labs Inc", "sheet.csv:2 decision"),
        ("text", "another text", "sheet.csv:2 text"),
        ("file", "other.jsonl", "sheet.csv:2"),
        ("place", "line 7 text", "sheet.csv:2"),
    ],
)
def test_wrong_sheets_are_named_with_their_place(
    chat: Path, column: str, value: str, place: str
) -> None:
    call(chat)
    before = written(chat)
    found = rows(chat / "sheet.csv")
    found[0]["decision"] = "keep"
    found[0][column] = value
    with (chat / "sheet.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(found[0]))
        writer.writeheader()
        writer.writerows(found)
    with pytest.raises(InputError) as raised:
        call(chat)
    assert place in str(raised.value) and written(chat) == before
    assert sorted(path.name for path in chat.iterdir()) == ["in", "out", "report.json", "sheet.csv"]


def test_sheets_without_their_columns_or_form_are_named(chat: Path) -> None:
    (chat / "sheet.csv").write_text("file,place\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column text"):
        call(chat)
    with pytest.raises(InputError, match="neither"):
        call(chat, "sheet.xlsx")
    with pytest.raises(InputError, match="in the output"):
        call(chat, "out/sheet.csv")


def test_a_sheet_holds_no_formulas(chat: Path) -> None:
    (chat / "in" / "c.jsonl").write_text(
        json.dumps({"text": "=1+1 tell zavosha"}) + "\n", encoding="utf-8"
    )
    call(chat)
    (row,) = rows(chat / "sheet.csv")
    assert row["text"].startswith("'=")
    fill(chat / "sheet.csv", name="keep")
    call(chat)
    assert written(chat) == "=1+1 tell zavosha"


def test_what_is_hardly_a_name_stays_until_somebody_decides(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    text = json.dumps({"text": "ok wendell calm down"}) + "\n"
    (tmp_path / "in" / "c.jsonl").write_text(text, encoding="utf-8")
    assert call(tmp_path).undecided == 1
    assert written(tmp_path) == "ok wendell calm down"
    (row,) = rows(tmp_path / "sheet.csv")
    assert (row["found"], row["suggestion"]) == ("wendell", "keep")
    fill(tmp_path / "sheet.csv", name="accept")
    call(tmp_path)
    assert written(tmp_path) == "ok wendell calm down"
    fill(tmp_path / "sheet.csv", name="replace")
    assert call(tmp_path).undecided == 0
    assert written(tmp_path) == "ok [name 1] calm down"


def test_a_decision_about_a_known_name_counts_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    record = {"a": "Ilse Vandermeulen got promoted", "b": "ilse cant even use Excel"}
    (tmp_path / "in" / "c.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")

    def texts() -> tuple[str, str]:
        (path,) = (tmp_path / "out").glob("*.jsonl")
        found = json.loads(path.read_text("utf-8"))
        return found["a"], found["b"]

    call(tmp_path)
    assert texts() == ("[name 1] got promoted", "[name 1] cant even use Excel")
    row = next(row for row in rows(tmp_path / "sheet.csv") if row["found"] == "ilse")
    assert row["suggestion"] == "[name]"
    fill(tmp_path / "sheet.csv", name="keep")
    call(tmp_path)
    assert texts() == ("[name 1] got promoted", "ilse cant even use Excel")
    fill(tmp_path / "sheet.csv", name="replace with somebody")
    call(tmp_path)
    assert texts()[1] == "somebody cant even use Excel"


def test_a_sheet_saved_with_semicolons_is_read(chat: Path) -> None:
    call(chat)
    found = rows(chat / "sheet.csv")
    with (chat / "sheet.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(found[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(row | {"decision": "keep"} for row in found)
    call(chat)
    assert written(chat) == TEXT
