"""Every format of the report: what is in it, and that text stays text."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.core.score import ScoringOptions
from deadpan.core.score_documents import scores_json
from deadpan.reports import (
    FORMATS,
    Section,
    read_model_names,
    rename_models,
    report_text,
    scores_list,
    unknown_models,
    write_report,
)
from deadpan.reports.documents import latex_escape, latex_fragment, markdown_escape
from deadpan.reports.scores import score_tables
from tests.reports.hostile import ATTACKS, hostile_section
from tests.reports.toy import CHINESE, MODELS, STYLES, Toy, toy_section, toy_table


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_names_every_model(section: Section, suffix: str, tmp_path: Path) -> None:
    out = write_report([section], tmp_path / f"report{suffix}")
    assert out == tmp_path / f"report{suffix}"
    text = out.read_text("utf-8")
    for model in MODELS:
        assert model.split("/")[1] in text


def test_an_unknown_suffix_is_named(section: Section, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.pdf.*Expected one of \.html"):
        write_report([section], tmp_path / "report.pdf")


def test_json_is_the_document_of_the_design(section: Section) -> None:
    text = report_text([section], ".json")
    assert text == scores_json({"toy": section.scores}, lambda name: section.metric)
    document = json.loads(text)
    assert set(document) == {"benchmark", "metrics", "signature", "rows"}
    assert document["metrics"]["wer"]["better"] == "lower"
    assert set(document["rows"][0]) == {
        "model",
        "task",
        "metric",
        "group",
        "value",
        "low",
        "high",
        "interval",
        "n",
        "invalid",
        "truncated",
        "refused",
        "unscored",
        "not_given",
        "read",
        "items",
        "of_items",
    }


def test_json_of_two_sections_is_a_list(section: Section) -> None:
    other = Toy()
    other.name = "other"
    documents = json.loads(report_text([section, replace(section, benchmark=other)], ".json"))
    assert [document["benchmark"] for document in documents] == ["toy", "other"]


def test_a_list_of_scores_is_one_of_one_section_too(section: Section) -> None:
    document = json.loads(report_text([section], ".json"))
    assert json.loads(scores_list([section])) == [document]
    assert scores_list([section]) == json.dumps([document], ensure_ascii=False, indent=1) + "\n"
    other = replace(section, benchmark=find("cfms"))
    assert scores_list([section, other]) == report_text([section, other], ".json")


def test_csv_has_one_line_per_score_and_an_empty_cell_for_nothing(section: Section) -> None:
    empty = section.scores[0].model_copy(update={"value": None})
    lines = list(
        csv.DictReader(
            io.StringIO(
                report_text([replace(section, scores=[empty, *section.scores[1:]])], ".csv")
            )
        )
    )
    assert len(lines) == len(section.scores)
    assert lines[0]["value"] == ""
    assert float(lines[1]["value"]) == section.scores[1].value


def test_csv_text_is_no_formula_and_negative_numbers_stay_numbers(section: Section) -> None:
    scores = [
        section.scores[0].model_copy(update={"model": start + "1+1", "value": -0.5})
        for start in "=+-@"
    ]
    lines = list(csv.reader(io.StringIO(report_text([replace(section, scores=scores)], ".csv"))))
    assert [line[1] for line in lines[1:]] == ["'=1+1", "'+1+1", "'-1+1", "'@1+1"]
    assert [line[5] for line in lines[1:]] == ["-0.5"] * 4


def test_markdown_rows_all_have_the_columns_of_their_head(tmp_path: Path) -> None:
    text = report_text([hostile_section(tmp_path)], ".md")
    tables = re.findall(r"(?:^\|.*\n?)+", text, flags=re.MULTILINE)
    assert len(tables) >= 3
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1


@pytest.mark.parametrize("attack", ATTACKS)
def test_markdown_escape_leaves_nothing_to_act_on(attack: str) -> None:
    escaped = markdown_escape(attack)
    assert "<" not in escaped
    assert not re.search(r"(?<!\\)[|`*_\[\]]", escaped)
    assert "\n" not in escaped
    assert "\u202e" not in escaped


@pytest.mark.parametrize("attack", ATTACKS)
def test_latex_escape_leaves_nothing_to_act_on(attack: str) -> None:
    bare = re.sub(
        r"-\{\}|\\(?:text[a-z]+|ensuremath)\{\}|\\[{}$&#%_]|\{\[\}|\{\]\}|\\ensuremath\{[^}]*\}",
        "",
        latex_escape(attack),
    )
    assert not set(bare) & set("\\{}$&#%_~^")


def test_latex_joins_no_hyphens_into_dashes() -> None:
    assert latex_escape("--reading text-only") == "-{}-reading text-only"
    assert latex_escape("---") == "-{}-{}-"


def test_latex_sees_to_a_chinese_font_for_chinese_only(tmp_path: Path) -> None:
    plain = report_text([toy_section(tmp_path)], ".tex")
    assert "\n% Chinese text needs \\usepackage[fontset=fandol]{ctex}.\n" in plain
    assert "\\IfFileExists" not in plain
    table = toy_table(tmp_path).with_columns(
        model=pl.col("model").str.replace("vllm", "中文", literal=True)
    )
    chinese = report_text([toy_section(tmp_path, table)], ".tex")
    assert "\n\\IfFileExists{ctex.sty}{\\usepackage[fontset=fandol]{ctex}}" in chinese
    assert "中文/laugh-track-7b" in chinese
    assert chinese.count(r"\begin{table}") == chinese.count(r"\end{table}") == 3


def test_only_names_the_tables_in_every_format(section: Section) -> None:
    only = replace(section, only=("3",))
    kept = {("style", "recall", f"style={style}") for style in STYLES}
    rows = list(csv.DictReader(io.StringIO(report_text([only], ".csv"))))
    assert {(row["task"], row["metric"], row["group"]) for row in rows} == kept
    found = json.loads(report_text([only], ".json"))["rows"]
    assert {(one["task"], one["metric"], one["group"]) for one in found} == kept
    for suffix in (".html", ".md", ".tex"):
        text = report_text([only], suffix)
        assert "Recall per style" in text and "Recognition" not in text


def test_a_latex_caption_says_in_a_sentence_what_does_not_compare(section: Section) -> None:
    """The caveat is seen, and counts and remarks stand below the table."""
    other = section.table["signature"].str.replace("data:0a1b2c3d", "data:ffffffff")
    table = section.table.with_columns(signature=other)
    scores = Toy().score(table, ScoringOptions())
    text = report_text([replace(section, table=table, scores=scores, only=("2",))], ".tex")
    (caption,) = re.findall(r"\\caption\{(.*)\}\\label", text)
    assert (
        caption == "Toy Comics. Recognition. Not comparable with the published values (other data)."
    )
    below = text[text.index(r"\end{tabular}") :]
    assert "n 24" in below and r"\footnotesize" in below


def test_latex_tables_that_are_named_are_fragments(section: Section) -> None:
    text = report_text([replace(section, only=("3",))], ".tex")
    assert "documentclass" not in text and r"\begin{document}" not in text
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 1
    assert r"\label{tab:toy-3}" in text and "% toy/" in text
    assert all(line.startswith(("%", "\\providecommand")) for line in text.splitlines()[:4])


def test_fragments_end_with_a_page_where_they_are_many(section: Section, tmp_path: Path) -> None:
    named = replace(section, only=("2", "3"))
    assert "clearpage" not in report_text([named], ".tex")
    several = [named] * 6
    assert report_text(several, ".tex").count("\\begin{table}") == 12
    assert report_text(several, ".tex").endswith("\\end{table}\n\\clearpage\n")
    assert latex_fragment(named, None).endswith("\\end{table}\n\\clearpage\n")


def test_a_fragment_tells_its_title_in_a_comment(section: Section) -> None:
    plain = latex_fragment(section, "2031-05-06")
    for title in ("Ours\n\\input{x}\r\\bye\u2028\x0c\x85y", "幽默 100% $x_1"):
        text = latex_fragment(section, "2031-05-06", title)
        (own,) = set(text.split("\n")) - set(plain.split("\n"))
        assert own.startswith("% ") and len(own.splitlines()) == 1
        assert text.replace(f"{own}\n", "", 1) == plain
    assert "% 幽默 100% $x_1\n" in text


@pytest.mark.parametrize("title", ["Do they <get> & it?", "模型懂不懂\n笑话？"])
def test_a_page_has_the_title_it_is_given(section: Section, title: str, tmp_path: Path) -> None:
    page = write_report([section], tmp_path / "a.html", title=title).read_text("utf-8")
    shown = " ".join(title.split()).translate({38: "&amp;", 60: "&lt;", 62: "&gt;"})
    assert f"<title>{shown} – Deadpan</title>" in page
    assert f'<h1 id="title"><bdi>{shown}</bdi></h1>' in page
    assert '<p class="stamp"><bdi>3 models on Toy Comics</bdi> · Deadpan' in page
    plain = write_report([section], tmp_path / "a.html").read_text("utf-8")
    assert "<title>Toy Comics – report – Deadpan</title>" in plain
    assert '<h1 id="title"><bdi>3 models on Toy Comics</bdi></h1>' in plain
    assert '<p class="stamp">Deadpan' in plain


def test_models_are_renamed_and_ordered_by_a_file(section: Section, tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    path.write_text(f"model,name\n{MODELS[2]},Majority\nGPT-4o,GPT-4o (paper)\n{MODELS[0]},\n")
    names = read_model_names(path)
    assert unknown_models([section], [*names, "gpt-5"]) == ["gpt-5"]
    renamed = rename_models(section, names)
    assert renamed.models == ["Majority", MODELS[0], MODELS[1]]
    table = score_tables(renamed)[0]
    papers = ["GPT-4o (paper)", "Qwen2-VL-72B"]
    assert [row.model for row in table.rows] == ["Majority", MODELS[0], MODELS[1], *papers]
    assert MODELS[2] not in report_text([renamed], ".csv")
    with pytest.raises(DeadpanError, match=f"{MODELS[0]} and {MODELS[1]} would both be called x"):
        rename_models(section, {MODELS[0]: "x", MODELS[1]: "x"})
    for text, what in (("model,name\n,x\n", ":2: names no model"), ("a,b\nx,y\n", "model")):
        path.write_text(text)
        with pytest.raises(InputError, match=what):
            read_model_names(path)


def test_nothing_scored_prints_as_a_dash(section: Section) -> None:
    none = [f.model_copy(update={"value": None, "n": 0}) for f in section.scores]
    text = report_text([replace(section, scores=none, published=None)], ".md")
    row = next(line for line in text.splitlines() if line.startswith(f"| **{MODELS[0]}**"))
    assert set(row.split("|")[2:-1]) == {" – "}


def test_an_empty_table_says_what_to_do(section: Section, tmp_path: Path) -> None:
    for suffix in FORMATS:
        with pytest.raises(InputError, match="toy: the results table is empty"):
            write_report([replace(section, table=section.table.clear())], tmp_path / f"r{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_other_unusable_input_is_named(section: Section) -> None:
    with pytest.raises(InputError, match="no results were given"):
        report_text([], ".md")
    with pytest.raises(InputError, match="no column outcome, signature"):
        report_text([replace(section, table=section.table.drop("outcome", "signature"))], ".md")
    with pytest.raises(InputError, match=r"outcome: got.*lost"):
        table = section.table.with_columns(outcome=pl.lit("lost"))
        report_text([replace(section, table=table)], ".md")
    with pytest.raises(InputError, match="no scores"):
        report_text([replace(section, scores=[])], ".md")


def test_markdown_holds_the_signature_even_with_fences(section: Section) -> None:
    odd = [f.model_copy(update={"signature": "a```b|v1"}) for f in section.scores]
    assert "````\na```b|v1\n````" in report_text([replace(section, scores=odd)], ".md")


def test_chinese_stands_in_the_page_as_it_is(section: Section) -> None:
    assert CHINESE in report_text([section], ".html")


@pytest.mark.parametrize("suffix", [".html", ".md", ".tex"])
def test_a_report_says_how_its_own_benchmark_counts_outcomes(
    section: Section, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Invalid, truncated and refused answers count as wrong;" in report_text(
        [section], suffix
    )
    for name in ("vimu", "merbench"):
        note = find(name).report.outcome_note
        told = replace(section.benchmark.report, outcome_note=note)
        monkeypatch.setattr(section.benchmark, "report", told, raising=False)
        text = report_text([section], suffix)
        assert "Invalid, truncated and refused answers count as wrong;" not in text
        assert (latex_escape(note) if suffix == ".tex" else note) in text
