"""Pictures from gold: prompts, resumed runs, the rating sheet and what people say."""

import csv
import json
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.cfms.people import RATINGS
from deadpan.benchmarks.cfms.records import Pair
from deadpan.core import rating_files
from deadpan.editing.generation import (
    Generation,
    orders,
    read_descriptions,
    safe_name,
)
from deadpan.editing.generation.rating_sheet import write_sheet
from deadpan.editing.remote import Unusable
from tests.benchmarks.cfms.pair_folder import GOLD_TARGET, chinese_row, data, plain_row, row
from tests.editing.generation.painter import Painter


@pytest.fixture
def pairs(tmp_path: Path) -> list[Pair]:
    rows = [
        row("a", description="A desk at midnight >>> {target}"),
        chinese_row("b/2", image="images/b.png", description="深夜的办公室"),
        plain_row("n"),
    ]
    return data(tmp_path / "data", rows).of("test")


def read_ratings(sheet: Path) -> list[tuple[str, str, float | None]]:
    """Item, judge and mark of what a sheet holds."""
    found = rating_files.read_ratings([sheet], RATINGS.form("painter"))
    return [(one.item, one.rater, one.rating) for one in found]


def test_a_prompt_holds_what_to_draw_and_sarcastic_pairs_alone_are_drawn(pairs: list[Pair]) -> None:
    english, chinese = orders(pairs, {})
    assert english.pair.name == "a" and chinese.pair.name == "b/2"
    assert "A desk at midnight ››› {target}" in english.prompt
    assert GOLD_TARGET in english.prompt and "请画一张" in chinese.prompt
    assert "深夜的办公室" in chinese.prompt and "{description}" not in chinese.prompt
    assert "一只猫" in orders(pairs, {"b/2": "一只猫"})[1].prompt


def test_a_pair_that_nobody_described_is_told(tmp_path: Path) -> None:
    pairs = data(tmp_path, [row("a")]).of("test")
    with pytest.raises(InputError, match=r"pairs\.jsonl:1 description: nobody says"):
        orders(pairs, {})


def test_a_second_run_draws_only_what_is_missing_or_asked_for_anew(
    pairs: list[Pair], tmp_path: Path
) -> None:
    painter = Painter()
    study = Generation(painter, tmp_path / "out", at_once=2)
    first = study.run(orders(pairs, {}))
    assert [one.record.ending for one in first] == ["drawn", "drawn"]
    assert len(painter.prompts) == 2
    assert all(one.reused for one in study.run(orders(pairs, {})))
    assert len(painter.prompts) == 2
    (tmp_path / "out/images/a.png").write_bytes(b"cut off")
    again = study.run(orders(pairs, {"b/2": "别的"}))
    assert [one.reused for one in again] == [False, False] and len(painter.prompts) == 4
    other = Generation(Painter("another"), tmp_path / "out")
    assert not any(one.reused for one in other.run(orders(pairs, {})))


def test_a_bad_picture_stops_no_other_and_leaves_none_behind(
    pairs: list[Pair], tmp_path: Path
) -> None:
    study = Generation(Painter(), tmp_path / "out")
    study.run(orders(pairs, {}))
    done = study.run(orders(pairs, {"a": "NO", "b/2": "BAD"}))
    assert [one.record.ending for one in done] == ["refused", "failed"]
    assert not list((tmp_path / "out/images").iterdir())
    stored = json.loads((tmp_path / "out/records/a.json").read_text("utf-8"))
    assert stored["problem"] == "stand-in/painter: NO" and stored["sha256"] == ""


def test_what_would_fail_for_all_stops_the_run(pairs: list[Pair], tmp_path: Path) -> None:
    with pytest.raises(Unusable):
        Generation(Painter(), tmp_path / "out", at_once=1).run(orders(pairs, {"a": "KEY"}))


def test_file_names_never_leave_the_folder() -> None:
    assert safe_name("p-1") == "p-1"
    for hostile in ("../../x", "a/b", "..", "con\\x", "猫" * 200):
        name = safe_name(hostile)
        assert "/" not in name and "\\" not in name and name not in (".", "..")
    assert safe_name("a/b") != safe_name("a_b")


def test_the_sheet_keeps_what_is_filled_in(pairs: list[Pair], tmp_path: Path) -> None:
    study = Generation(Painter(), tmp_path / "out")
    sheet = tmp_path / "out" / "rating_sheet.csv"
    write_sheet(sheet, study.run(orders(pairs, {"b/2": "=HYPERLINK()"})))
    rows = list(csv.DictReader(sheet.open(encoding="utf-8")))
    assert [one["item"] for one in rows] == ["a", "b/2"]
    assert rows[0]["image"] == "images/a.png" and rows[0]["met"] == ""
    assert rows[1]["description"] == "'=HYPERLINK()"
    filled = sheet.read_text("utf-8").replace("a,,,", "a,Li,1,", 1)
    sheet.write_text(filled, "utf-8")
    write_sheet(sheet, study.run(orders(pairs, {})))
    assert read_ratings(sheet) == [("a", "Li", 1)]


def filled(sheet: Path, marks: dict[str, str]) -> None:
    """The sheet with Li's marks and a column of Li's own."""
    rows = list(csv.DictReader(sheet.open(encoding="utf-8", newline="")))
    with sheet.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, [*rows[0], "remark"])
        writer.writeheader()
        for one in rows:
            met = marks[one["item"]]
            writer.writerow({**one, "judge": "Li", "met": met, "remark": f"on {one['item']}"})


def test_the_sheet_keeps_rows_of_other_pairs_and_foreign_columns(
    pairs: list[Pair], tmp_path: Path
) -> None:
    study = Generation(Painter(), tmp_path / "out")
    sheet = tmp_path / "out" / "rating_sheet.csv"
    wanted = orders(pairs, {})
    write_sheet(sheet, study.run(wanted))
    filled(sheet, {"a": "1", "b/2": "0"})
    write_sheet(sheet, study.run(wanted[:1]))
    assert read_ratings(sheet) == [("a", "Li", 1), ("b/2", "Li", 0)]
    rows = list(csv.DictReader(sheet.open(encoding="utf-8")))
    assert [one["remark"] for one in rows] == ["on a", "on b/2"]
    assert rows[1]["image"].startswith("images/") and len(rows[1]["sha256"]) == 64


def test_a_mark_of_another_picture_is_taken_out_and_said(
    pairs: list[Pair], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sheet = tmp_path / "out" / "rating_sheet.csv"
    write_sheet(sheet, Generation(Painter(), tmp_path / "out").run(orders(pairs, {})))
    filled(sheet, {"a": "1", "b/2": "0"})
    again = Generation(Painter(colour="red"), tmp_path / "out").run(orders(pairs, {"a": "A cat"}))
    write_sheet(sheet, again)
    assert read_ratings(sheet) == [("a", "Li", None), ("b/2", "Li", 0)]
    assert "a: the mark 1 of Li was for another picture" in caplog.text
    assert "b/2" not in caplog.text
    refused = Generation(Painter(), tmp_path / "out").run(orders(pairs, {"b/2": "NO"}))
    write_sheet(sheet, refused)
    assert read_ratings(sheet) == [("a", "Li", None), ("b/2", "Li", None)]


def test_a_sheet_without_checksums_counts_for_pictures_drawn_before(
    pairs: list[Pair], tmp_path: Path
) -> None:
    study = Generation(Painter(), tmp_path / "out")
    sheet = tmp_path / "out" / "rating_sheet.csv"
    done = study.run(orders(pairs, {}))
    sheet.write_text("item,judge,met\na,Li,1\n", "utf-8")
    write_sheet(sheet, study.run(orders(pairs, {})))
    assert read_ratings(sheet) == [("a", "Li", 1)]
    sheet.write_text("item,judge,met\na,Li,1\n", "utf-8")
    write_sheet(sheet, done)
    assert read_ratings(sheet) == [("a", "Li", None)]
    sheet.write_text("item,judge,met\na,Li,1,more\n", "utf-8")
    with pytest.raises(InputError, match="more cells than"):
        write_sheet(sheet, done)


def test_descriptions_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"id": "a", "description": " A desk "}\n\n', "utf-8")
    assert read_descriptions(path) == {"a": "A desk"}
    for wrong in ('{"id": "a"}', '{"id": 1, "description": "x"}', "[]"):
        path.write_text(wrong, "utf-8")
        with pytest.raises(InputError, match=r"d\.jsonl:1"):
            read_descriptions(path)
    path.write_text('{"id": "a", "description": "x"}\n' * 2, "utf-8")
    with pytest.raises(InputError, match="a second time"):
        read_descriptions(path)


def test_a_sheet_with_a_column_for_each_judge(
    pairs: list[Pair], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sheet, out = tmp_path / "out" / "rating_sheet.csv", tmp_path / "out"
    write_sheet(sheet, Generation(Painter(), out).run(orders(pairs, {})), ["Li", "Wu"])
    text = sheet.read_text("utf-8")
    assert text.startswith("item,judge:Li,judge:Wu,image,")
    sheet.write_text(text.replace("a,,,", "a,1,0,", 1), "utf-8")
    write_sheet(sheet, Generation(Painter(), out).run(orders(pairs, {})))
    assert sheet.read_text("utf-8").startswith("item,judge:Li,judge:Wu,image,")
    marked = [("a", "Li", 1), ("a", "Wu", 0), ("b/2", "Li", None), ("b/2", "Wu", None)]
    assert read_ratings(sheet) == marked
    again = Generation(Painter(colour="red"), out).run(orders(pairs, {"a": "A cat"}))
    write_sheet(sheet, again)
    assert {met for _, _, met in read_ratings(sheet)} == {None}
    assert "a: the mark 0 of Wu was for another picture" in caplog.text
