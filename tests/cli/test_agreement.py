"""`deadpan agreement --annotations`: any benchmark's annotators, with the paper's values beside."""

import json
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

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


def test_panels_are_read_and_drawn_alike(deadpan: Deadpan, tmp_path: Path) -> None:
    file, out = tmp_path / "a.csv", tmp_path / "out.json"
    rows = [
        *("1,A,panel_sequence,1>2>3", '1,B,panel_sequence,"[1, 3, 2]"'),
        *('1,A,boxes,"[[0, 0, 10, 10]]"', '1,B,boxes,"[[0, 0, 10, 5]]"'),
    ]
    file.write_text(HEADING + "\n".join(rows) + "\n", "utf-8")
    assert deadpan("agreement", "pixelhumor", "--annotations", file, "--json", out).code == 0
    found = values(out)
    assert found["panel_sequence", "agreement_tau", "all"] == pytest.approx(1 / 3)
    assert found["boxes", "agreement_iou", "all"] == 0.5


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
    assert "sarcastic: B did not answer 1, of 2 that somebody answered" in run.out
    assert "sarcastc: " not in run.out


def values(out: Path) -> dict[tuple[str, str, str], float | None]:
    rows = json.loads(out.read_text("utf-8"))["rows"]
    return {(row["task"], row["metric"], row["group"]): row["value"] for row in rows}


def test_batches_and_raters_have_their_own_lines(deadpan: Deadpan, tmp_path: Path) -> None:
    file, out = tmp_path / "a.csv", tmp_path / "out.json"
    labels = {"A": "yynn", "B": "yyny", "C": "ynnn"}
    rows = [
        f"{item},{who},sarcastic,{label},{'late' if item > 1 else '[b]1[/b]'}"
        for who, given in labels.items()
        for item, label in enumerate(given)
    ]
    file.write_text(HEADING.replace("\n", ",batch\n") + "\n".join(rows) + "\n", "utf-8")
    run = deadpan("agreement", "cfms", "--annotations", file, "--json", out)
    assert run.code == 0, run.err
    found = values(out)
    shares = {group: value for (_, metric, group), value in found.items() if "exact" in metric}
    assert shares == pytest.approx(
        {
            "all": 8 / 12,
            "batch=[b]1[/b]": 4 / 6,
            "batch=late": 4 / 6,
            "annotator=A": 6 / 8,
            "annotator=B": 5 / 8,
            "annotator=C": 5 / 8,
            "annotators=A+B": 3 / 4,
            "annotators=A+C": 3 / 4,
            "annotators=B+C": 2 / 4,
        }
    )
    assert "batch=[b]1[/b]" in run.out.replace("\n", "") and "annotator=B" in run.out


def test_ranked_labels_have_weighted_kappa(deadpan: Deadpan, tmp_path: Path) -> None:
    file, out = tmp_path / "a.csv", tmp_path / "out.json"
    first, second = ["弱", "强", "无", "弱", "强"], ["弱", "弱", "无", "无", "强"]
    rows = [f"{n},A,metaphor,{one}\n{n},B,metaphor,{two}" for n, (one, two) in pairs(first, second)]
    file.write_text(HEADING + "\n".join(rows) + "\n", "utf-8")
    given = ("agreement", "cfms", "--annotations", file)
    run = deadpan(*given, "--ranked", "metaphor=无，弱，强", "--json", out)
    assert run.code == 0 and "order:无<弱<强" in run.out.replace("\n", ""), run.err
    expected = cohen_kappa_score(first, second, labels=["无", "弱", "强"], weights="linear")
    assert values(out)["metaphor", "cohen_kappa_linear", "all"] == pytest.approx(expected)
    assert "asks no question" not in run.out
    # Without it metaphor is yes or no.
    assert deadpan(*given).code == 2


def pairs(first: list[str], second: list[str]) -> list[tuple[int, tuple[str, str]]]:
    return list(enumerate(zip(first, second, strict=True)))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--ranked", "kind"], "--ranked kind: expected QUESTION=LOWEST,…,HIGHEST"),
        (["--ranked", "kind=x"], "the ranked labels of kind are x; expected two or more"),
        (["--ranked", "kind=x,,y"], "expected two or more, from the lowest to the highest"),
        (["--ranked", "kind=x,x"], "question kind: a label is twice in the order"),
        (["--ranked", "kind=x,y", "--ranked", "kind=y,x"], "--ranked kind is given twice"),
        (["--ranked", "kid=x,y"], 'asks no question "kid"; did you mean kind?'),
        (["--ranked", "kind=x,y", "--free-text", "kind"], "in words or in ranked labels, not in"),
        (["--ranked", "kind=x,z"], 'a.csv:3 value (kind): got "y"; expected one of x, z'),
        (["--metric-model", "bertscore=x"], "expected one of encoder=MODEL, encoder:en=MODEL"),
    ],
)
def test_wrong_options_are_told(
    deadpan: Deadpan, tmp_path: Path, options: list[str], told: str
) -> None:
    file = tmp_path / "a.csv"
    file.write_text(HEADING + "1,A,kind,x\n1,B,kind,y\n", "utf-8")
    run = deadpan("agreement", "vimu", "--annotations", file, *options)
    assert run.code == 2 and told in " ".join(run.err.split())


def test_options_of_files_need_a_file(deadpan: Deadpan) -> None:
    run = deadpan("agreement", "pixelhumor", "--metric-model", "encoder=lexical")
    assert run.code == 2 and "are about --annotations FILE" in run.err


WORDS = (
    *("1,A,why,a cat laughs", "1,B,why,a cat laughs at me", "2,A,why,he failed", "2,B,why,he won"),
    *("3,A,why,我笑死了", "3,B,why,笑死我了", "4,A,why,老板叫我加班", "4,B,why,又要加班"),
)


def test_words_are_compared_by_spelling_without_an_encoder(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    file, out = tmp_path / "a.csv", tmp_path / "out.json"
    file.write_text(HEADING + "\n".join(WORDS) + "\n", "utf-8")
    given = ("agreement", "vimu", "--annotations", file, "--free-text", "why", "--json", out)
    plain = deadpan(*given)
    found = values(out)
    assert plain.code == 0 and "alpha_lexical:agreement=en=lexical" in plain.out.replace("\n", "")
    assert deadpan(*given, "--metric-model", "encoder=lexical").code == 0
    assert values(out) == found
    assert None not in {found["why", "alpha_lexical", f"language={one}"] for one in ("en", "zh")}


def test_words_are_compared_by_the_encoder_that_is_named(deadpan: Deadpan, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="needs the [neural] extra")
    from tests.metrics.tiny_models import write_tiny_bert

    file, out = tmp_path / "a.csv", tmp_path / "out.json"
    file.write_text(HEADING + "\n".join(WORDS) + "\n", "utf-8")
    given = ("agreement", "vimu", "--annotations", file, "--free-text", "why", "--json", out)
    folder = write_tiny_bert(tmp_path / "bert")
    run = deadpan(*given, "--metric-model", f"encoder:zh={folder}")
    assert run.code == 0, run.err
    (row,) = [
        row
        for row in json.loads(out.read_text("utf-8"))["rows"]
        if (row["metric"], row["group"]) == ("alpha_embedding", "all")
    ]
    assert (row["n"], row["unscored"]) == (2, 2) and row["value"] < 1
    assert "|alpha_embedding:zh=bert@" in run.out.replace("\n", "")
    lost = deadpan(*given, "--metric-model", f"encoder={tmp_path}/nothing")
    assert lost.code == 0 and "alpha_embedding (en) unavailable: " in lost.out


def test_kinds_are_told_where_files_do_not(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    boxes = '"[[0, 0, 1, 1]]"'
    rows = [f"{item},{who},where,{boxes}\n" for item in "ij" for who in "AB"]
    file.write_text("item,annotator,question,value\n" + "".join(rows), "utf-8")
    given = ("agreement", "pixelhumor", "--annotations", file)
    assert "expected a list of labels" in deadpan(*given).err
    run = deadpan(*given, "--kind", "where=boxes")
    assert run.code == 0 and "agreement_iou" in run.out
    for wrong, said in (
        ("where=box", "boxes"),
        ("where", "expected QUESTION=KIND"),
        ("were=boxes", "where"),
    ):
        run = deadpan(*given, "--kind", wrong)
        assert run.code == 2 and said in run.err
