"""`deadpan ratings`: sheets and long files of several raters, on any benchmark with scales."""

import json
from pathlib import Path

from tests.cli.conftest import Deadpan


def test_sheets_of_two_raters_unite(deadpan: Deadpan, tmp_path: Path) -> None:
    sheet, long, out = tmp_path / "sheet.csv", tmp_path / "long.jsonl", tmp_path / "out.json"
    sheet.write_text(
        "item,model,metric,language,rater:ann,Judge B\n"
        "m1,a,MG,en,4,5\nm2,a,MG,zh,2,2\nm1,b,MG,en,1,2\n",
        "utf-8",
    )
    row = {"item": "m2", "model": "b", "metric": "MG", "rater": "ann", "rating": 3}
    long.write_text(json.dumps(row) + "\n", "utf-8")
    run = deadpan("ratings", sheet, long, "--rater", "Judge B", "--json", out)
    assert run.code == 0, run.err
    assert (
        "MG: 7 ratings by 2 raters, 1 to 5 (ann, Judge B)" in run.out
        and "multimodal grounding" in run.out
    )
    assert "MG: Judge B did not answer 1, of 4 that somebody answered" in run.out
    rows = {
        (row["model"], row["metric"], row["group"]): row
        for row in json.loads(out.read_text("utf-8"))["rows"]
    }
    assert rows["a", "rating_mean", "metric=MG"]["value"] == 3.25
    assert rows["overall", "exact_match", "metric=MG"]["value"] == 1 / 3
    assert rows["a", "difference_mean", "metric=MG,language=en"]["value"] == 1


def test_pairs_are_counted_where_alpha_is_undefined(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text("item,model,metric,rater:ann,rater:bo\nm1,a,MG,4,4\nm2,a,MG,4,4\n", "utf-8")
    run = deadpan("ratings", file)
    cells = next(line for line in run.out.splitlines() if " a " in line).split()
    assert cells[-10:] == [
        "2",
        "4.000",
        "4.000",
        "0.000",
        "2",
        "–",
        "1.000",
        "0.000",
        "0.000",
        "0.000",
    ]
    assert "skipped" not in run.out


def test_what_cannot_be_read_is_told(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text("item,model,metric,rater,rating\nm1,a,MG,ann,9\n", "utf-8")
    run = deadpan("ratings", file)
    assert run.code == 2 and "r.csv:2 rating: got 9; expected 1 to 5" in run.err
    file.write_text("item,model,metric,rater:ann\nm1,a,MG,4\n", "utf-8")
    run = deadpan("ratings", file, "--rater", "Bo")
    assert run.code == 2 and "--rater Bo: no file has such a column" in run.err
    run = deadpan("ratings", file, "--benchmark", "vimu")
    assert run.code == 2 and "expected one of core_intent" in run.err


def test_a_file_with_other_marks_than_commas_is_told(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    for mark, name in ((";", "semicolons"), ("\t", "tabs")):
        lines = ("item,model,metric,rater,rating", "m1,a,MG,ann,4", "")
        file.write_text("\n".join(lines).replace(",", mark), "utf-8")
        run = deadpan("ratings", file)
        told = f"r.csv:1: columns are separated by {name}; expected commas"
        assert run.code == 2 and told in run.err


def test_a_sheet_without_a_metric_is_told_what_to_add(deadpan: Deadpan, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("item,model,rater:ann\nm1,a,4\n", "utf-8")
    run = deadpan("ratings", sheet, "--benchmark", "janusmm")
    assert run.code == 2 and "the column metric is missing. Add a column metric" in run.err
    assert "one of MG, DU, PE, EC, SR, HUC." in run.err and "Without --benchmark" not in run.err


def test_a_file_of_another_benchmark_is_told_where_to_say_so(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    file = tmp_path / "people.csv"
    file.write_text("item,model,metric,rater,rating\n1,a,VGQ,ann,5\n1,a,VGQ,bo,5\n", "utf-8")
    run = deadpan("ratings", file)
    assert run.code == 2 and "Without --benchmark it is read as janusmm's" in run.err
    run = deadpan("ratings", file, "--benchmark", "merbench", "--plots", tmp_path / "plots")
    assert run.code == 0, run.err
    assert (tmp_path / "plots" / "people-rating-mean-dimension.png").stat().st_size > 5000
    assert "VGQ: 2 ratings by 2 raters, 1 to 6 (ann, bo)" in run.out


def test_ratings_that_are_all_the_same_are_counted_as_pairs(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    """Alpha is undefined then, and the raters agree all the same; without a second rater there is
    no pair, and no value."""
    same, alone = tmp_path / "same.csv", tmp_path / "alone.csv"
    head = "item,model,metric,rater,rating\n"
    same.write_text(head + "m1,a,MG,ann,4\nm1,a,MG,bo,4\n", "utf-8")
    alone.write_text(head + "m1,a,MG,ann,4\nm2,a,MG,ann,5\n", "utf-8")
    rows = deadpan("ratings", same).out.splitlines()
    assert next(row for row in rows if " a " in row).split()[-6:] == [
        "1",
        "–",
        "1.000",
        "0.000",
        "0.000",
        "–",
    ]
    rows = deadpan("ratings", alone).out.splitlines()
    assert next(row for row in rows if " a " in row).split()[-6:] == ["0", *"–––––"]


def test_one_language_and_choices_alone_print_no_empty_rows(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    file, out = tmp_path / "r.csv", tmp_path / "out.json"
    file.write_text("item,model,metric,language,rater:ann\nm1,a,MG,en,4\n", "utf-8")
    run = deadpan("ratings", file, "--json", out)
    assert "metric=MG (multimodal" in run.out and "language=en" not in run.out
    assert "metric=MG,language=en" in out.read_text("utf-8")
    assert run.out.index("wrote") < run.out.index("metric=MG"), "files are written first"
    chosen = tmp_path / "c.csv"
    chosen.write_text("item,model,metric,rater,rating\nm1,a,preferred,ann,1\n", "utf-8")
    run = deadpan("ratings", chosen, "--benchmark", "pixelhumor")
    assert run.code == 0 and "|diff|" not in run.out and "times_selected" in run.out


def test_plots_that_ratings_cannot_fill_are_said(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text("item,model,metric,rater,rating\nm1,a,MG,ann,4\n", "utf-8")
    run = deadpan("ratings", file, "--plots", tmp_path / "plots")
    assert run.code == 0 and "janusmm has no plot that these ratings fill" in run.out
