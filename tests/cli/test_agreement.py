"""`deadpan agreement --annotations`: any benchmark's annotators, with the paper's values beside."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Deadpan

HEADING = "item,annotator,question,value\n"


def test_annotators_of_cfms(deadpan: Deadpan, tmp_path: Path) -> None:
    one, two, out = tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "out.json"
    one.write_text(
        HEADING + "1,A,sarcastic,yes\n2,A,sarcastic,no\n1,A,explanation,讽刺老板\n", "utf-8"
    )
    two.write_text(
        HEADING + "1,B,sarcastic,yes\n2,B,sarcastic,no\n1,B,explanation,讽刺老板\n", "utf-8"
    )
    given = ("--annotations", one, "--annotations", two)
    run = deadpan("agreement", "cfms", *given, "--json", out)
    assert run.code == 0, run.err
    assert "published sarcastic cohen_kappa: 0.69 (here 1.000)" in run.out
    rows = {(row["task"], row["metric"]): row for row in json.loads(out.read_text("utf-8"))["rows"]}
    assert rows["sarcastic", "cohen_kappa"]["value"] == 1
    assert rows["explanation", "agreement_bleu4"]["n"] == 1


def test_a_benchmark_without_questions_of_its_own(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(HEADING + "1,A,why,a b c\n1,B,why,a b d\n1,A,kind,x\n1,B,kind,y\n", "utf-8")
    run = deadpan("agreement", "vimu", "--annotations", file, "--free-text", "why")
    assert run.code == 0 and "agreement_bleu4" in run.out, run.err
    assert deadpan("agreement", "vimu").code == 2
    both = deadpan("agreement", "pixelhumor", "--annotations", file, "--gold", tmp_path / "g.csv")
    assert both.code == 2 and "gives no --gold" in both.err


def test_pixelhumors_questions_are_known(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(HEADING + "1,A,Q4,Txt\n", "utf-8")
    run = deadpan("agreement", "pixelhumor", "--annotations", file)
    assert run.code == 2 and 'a.csv:2 value (Q4): got "Txt"; expected one of Text' in run.err
    assert "alpha_masi" in deadpan("agreement", "pixelhumor").out


def test_targets_are_the_same_as_scoring_folds_them(deadpan: Deadpan, tmp_path: Path) -> None:
    file, out = tmp_path / "a.csv", tmp_path / "out.json"
    rows = [
        *("1,A,target,The Boss!", "1,B,target,boss", "2,A,target,ｂｏｓｓ", "2,B,target,Boss"),
        *("3,A,target,老板", "3,B,target,老板。", "4,A,target,?!", "4,B,target,?!"),
        *("1,A,explanation,So  true", "1,B,explanation,so true"),
    ]
    file.write_text(HEADING + "\n".join(rows) + "\n", "utf-8")
    run = deadpan("agreement", "cfms", "--annotations", file, "--json", out)
    assert run.code == 0 and "eff:yes" in run.out
    found = {
        (row["task"], row["metric"], row["group"]): row
        for row in json.loads(out.read_text("utf-8"))["rows"]
    }
    # Words of which nothing is left equal none, as in target_exact.
    assert found["target", "agreement_exact", "all"]["value"] == 0.75
    assert found["explanation", "agreement_exact", "all"]["value"] == 1


def test_equal_short_texts_have_a_bleu_of_1(deadpan: Deadpan, tmp_path: Path) -> None:
    file, out = tmp_path / "a.csv", tmp_path / "out.json"
    rows = "1,A,explanation,so true\n1,B,explanation,so true\n"
    rows += "2,A,explanation,反话\n2,B,explanation,反话\n"
    file.write_text(HEADING + rows, "utf-8")
    assert deadpan("agreement", "cfms", "--annotations", file, "--json", out).code == 0
    values = [
        row["value"]
        for row in json.loads(out.read_text("utf-8"))["rows"]
        if row["metric"] == "agreement_bleu4"
    ]
    assert values == pytest.approx([1, 1, 1])


def test_unknown_questions_and_skipped_items_are_said(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    rows = "1,A,sarcastic,yes\n2,A,sarcastic,no\n1,B,sarcastic,yes\n2,B,sarcastic,\n"
    file.write_text(HEADING + rows + "1,A,sarcastc,yes\n1,B,sarcastc,no\n", "utf-8")
    run = deadpan("agreement", "cfms", "--annotations", file)
    assert "cfms asks no question sarcastc; did you mean sarcastic?; read as labels" in run.out
    assert "sarcastic: B skipped 1, of 2 that somebody answered" in run.out
    assert "sarcastc: " not in run.out
