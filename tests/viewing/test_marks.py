"""Tags and notes: kept line by line, read after crashes, exported for `deadpan failures`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.score import ScoringOptions
from deadpan.failures.criteria import shipped_criteria
from deadpan.failures.labels import people_labels, read_labels
from deadpan.pipeline.table import read_tables
from deadpan.viewing.exporting import Exports
from deadpan.viewing.exports import labels_of, one_type, sheet_of, type_of
from deadpan.viewing.marks import Marks, marks_file, read_tags
from deadpan.viewing.rows import with_ids

TYPES = shipped_criteria()


def answer(source: Path, name: str = "x" * 20, **more: Any) -> dict[str, Any]:
    known = {"benchmark": "b", "task": "t", "model": "m", "item": "i", "epoch": 1}
    return {"id": name, "source": str(source), **known, **more}


def test_the_last_mark_of_an_answer_holds(tmp_path: Path) -> None:
    marks = Marks([tmp_path])
    marks.add(answer(tmp_path), ["a", "b"], "")
    marks.add(answer(tmp_path, "y"), ["b"], "note 注")
    marks.add(answer(tmp_path), [], " c\n")
    assert [(one.id[0], one.tags, one.note) for one in Marks([tmp_path]).all()] == [
        ("y", ("b",), "note 注"),
        ("x", (), "c"),
    ]
    assert marks.tags() == {"b": 1} and marks.tagged("b") == {"y"}
    marks.add(answer(tmp_path), [], "")
    assert Marks([tmp_path]).of("x" * 20) is None
    assert len(marks_file(tmp_path).read_bytes().splitlines()) == 4, "nothing is taken away"


def test_what_a_crash_left_is_passed_over(tmp_path: Path) -> None:
    marks = Marks([tmp_path])
    marks.add(answer(tmp_path, "first"), ["a"], "")
    file = marks_file(tmp_path)
    with file.open("ab") as stream:
        stream.write(b'{"id": "torn", "benchm')
    again = Marks([tmp_path])
    assert [one.id for one in again.all()] == ["first"]
    again.add(answer(tmp_path, "then"), ["a"], "")
    assert [one.id for one in Marks([tmp_path]).all()] == ["first", "then"]


def test_what_another_process_adds_is_seen(tmp_path: Path) -> None:
    ours, theirs = Marks([tmp_path]), Marks([tmp_path])
    before = ours.version
    theirs.add(answer(tmp_path), ["a"], "")
    ours.look()
    assert ours.version != before and len(ours.all()) == 1


def test_a_disk_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("a file where the folder should be")
    with pytest.raises((InputError, DeadpanError)):
        Marks([]).add(answer(tmp_path), ["a"], "")
    with pytest.raises(InputError, match=r"cannot be (read|written)"):
        Marks([tmp_path]).add(answer(tmp_path), ["a"], "")


def test_places_of_marks(made_store: Path, tmp_path: Path) -> None:
    run = next((made_store / "runs").glob("*.parquet"))
    assert marks_file(run) == made_store / "notes" / "answers.jsonl" == marks_file(made_store)
    (tmp_path / "t.parquet").touch()
    assert marks_file(tmp_path / "t.parquet") == tmp_path / "t.notes.jsonl"


def test_tags_as_they_are_typed() -> None:
    assert read_tags([" a ,b,, a", "c d、e，f\ng"]) == ["a", "b", "c d", "e", "f", "g"]
    assert one_type(["odd", "ab", "cdep"], TYPES) == ["Cdep", "odd"]
    assert type_of(["odd"], TYPES) is None


def _exports(store: Path, marks: Marks) -> Exports:
    def options(table: pl.DataFrame) -> ScoringOptions:
        return ScoringOptions()

    return Exports(marks, TYPES, lambda: read_tables([store]), options, [store])


def _tagged(store: Path) -> tuple[Marks, pl.DataFrame]:
    """Marks of all answers of one baseline to one task, and these answers."""
    table = with_ids(read_tables([store])).filter(
        benchmark="pixelhumor", task="style", model="baseline/random"
    )
    marks = Marks([store])
    for row in table.iter_rows(named=True):
        marks.add({**row, "source": str(store)}, ["AB", "own"], f"note of {row['item']}")
    return marks, table


def test_the_sheet_is_what_failures_label_reads(store: Path, tmp_path: Path) -> None:
    from deadpan.failures.cases import OWN, cases_of, rules_of

    marks, tagged = _tagged(store)
    exports = _exports(store, marks)
    sheet = exports.sheet("pixelhumor")
    assert sheet.rows and len(sheet.rows) + sheet.not_wrong + sheet.refused == len(tagged)
    name, kind, text = exports.file("sheet", "pixelhumor")
    assert name == "pixelhumor-people.jsonl" and kind == "application/x-ndjson"
    path = tmp_path / name
    path.write_text(text, "utf-8")
    table = read_tables([store]).filter(benchmark="pixelhumor")
    cases = cases_of(table, rules_of(table, ()), OWN)
    labels = people_labels(path, cases, TYPES)
    assert len(labels) == len(sheet.rows)
    assert {label.type for label in labels.values()} == {"AB"}
    assert "note of" in json.loads(text.splitlines()[0])["note"]
    assert "<html" in exports.file("page", "pixelhumor")[2]


def test_labels_are_what_failures_report_reads(store: Path, tmp_path: Path) -> None:
    marks, tagged = _tagged(store)
    exports = _exports(store, marks)
    name, _, text = exports.file("labels", "pixelhumor")
    (tmp_path / name).write_text(text, "utf-8")
    labels = read_labels(tmp_path / name, TYPES)
    assert {(one.by, one.type, one.wrong) for one in labels} == {("people", "AB", "tagged")}
    made, sheet = exports.labels("pixelhumor"), exports.sheet("pixelhumor")
    assert len(labels) == len(made.rows) == len(sheet.rows) < len(tagged)
    assert {one.key for one in labels} == {one.key for one in sheet.rows}
    assert made.not_wrong == sheet.not_wrong == len(tagged) - len(labels), "right by rule"


def test_labels_hold_what_no_rule_can_tell_and_no_refusal(store: Path) -> None:
    table = with_ids(read_tables([store])).filter(benchmark="pixelhumor", task="interpretation")
    marks = Marks([store])
    for row in table.iter_rows(named=True):
        marks.add({**row, "source": str(store)}, ["AB"], "")
    made = _exports(store, marks).labels("pixelhumor")
    answered = table.filter(pl.col("outcome").is_in(["answered", "judge_failed"]))
    assert len(made.rows) == len(answered) > 0 and made.not_wrong == 0
    known = {one.id: one for one in marks.all()}
    first = pl.int_range(pl.len()) == 0
    refused = table.with_columns(
        outcome=pl.when(first).then(pl.lit("refused")).otherwise("outcome")
    )
    again = labels_of(refused, known, TYPES, ScoringOptions())
    assert again.refused == 1 and len(again.rows) == len(made.rows) - 1


def test_only_right_answers_tagged_is_told(store: Path) -> None:
    marks, tagged = _tagged(store)
    right = {row.item for row in _exports(store, marks).labels("pixelhumor").rows}
    for row in tagged.iter_rows(named=True):
        if row["item"] in right:
            marks.add({**row, "source": str(store)}, [], "")
    with pytest.raises(DeadpanError, match="right by rule, was refused"):
        _exports(store, marks).labels("pixelhumor")


def test_nothing_empty_is_kept_and_controls_are_left_out(tmp_path: Path) -> None:
    marks = Marks([tmp_path])
    assert marks.add(answer(tmp_path), [], " \n") is None
    assert marks.add(answer(tmp_path), ["\x1b\u202e"], "\x1b") is None
    assert not marks_file(tmp_path).exists()
    kept = marks.add(answer(tmp_path), ["o\x1bdd\u202e"], "\x1b[31mred\u202e\n注", who="A\x07nn")
    assert kept is not None and kept.tags == ("odd",) and kept.note == "[31mred\n注"
    assert kept.who == "Ann"
    assert marks.add(answer(tmp_path), [], "") is None and marks.all() == []
    assert len(marks_file(tmp_path).read_bytes().splitlines()) == 2, "taken back"


def test_nothing_to_export_is_told(store: Path) -> None:
    exports = _exports(store, Marks([store]))
    with pytest.raises(DeadpanError, match="no answer of cfms is tagged with a type"):
        exports.file("labels", "cfms")
    with pytest.raises(DeadpanError, match="no answer of nobody"):
        exports.file("sheet", "nobody")
    with pytest.raises(DeadpanError, match="expected all, sheet, page or labels"):
        exports.file("evil", "cfms")
    with pytest.raises(DeadpanError, match="no benchmark"):
        exports.benchmark(())


def test_the_csv_is_safe_in_a_spreadsheet(tmp_path: Path) -> None:
    marks = Marks([tmp_path])
    marks.add(answer(tmp_path, item="=1+1"), ["@SUM(1)", "b"], '=HYPERLINK("x")\n"quoted"')
    (row,) = csv.DictReader(io.StringIO(_exports(tmp_path, marks).file("all", "")[2]))
    assert row["item"] == "'=1+1" and row["tags"] == "'@SUM(1), b"
    assert row["note"] == '\'=HYPERLINK("x")\n"quoted"'


def test_a_benchmark_without_a_rule_has_labels_and_no_sheet(store: Path) -> None:
    marks, _ = _tagged(store)
    known = {one.id: one for one in marks.all()}
    table = read_tables([store]).filter(benchmark="pixelhumor")
    sheet = sheet_of(table, known, TYPES, ScoringOptions())
    assert all(row.type == "AB" for row in sheet.rows)
