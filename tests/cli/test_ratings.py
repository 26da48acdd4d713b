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
    assert "2 raters: ann, Judge B" in run.out and "multimodal grounding" in run.out
    assert "MG: Judge B skipped 1, of 4 that somebody answered" in run.out
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
    assert run.code == 2 and "vimu has no ratings by people" in run.err
