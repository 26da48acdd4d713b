"""People's ratings: files read with their places, agreement, means and correlation by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.benchmarks.janusmm.rating_files import manual_metrics, read_item_scores
from deadpan.benchmarks.janusmm.ratings import RATERS, correlation_scores, rating_scores
from deadpan.cli.people import ratings as command
from deadpan.core import rating_files
from deadpan.core.questions import Language
from deadpan.core.rating_files import write_ratings
from deadpan.core.ratings import Rating, RatingStudy
from deadpan.core.score import Score, select
from deadpan.pipeline.table_files import table_of, write_table

HEADING = "item,model,metric,rater,rating\n"
LANGUAGES: dict[str, Language] = {"i1": "en", "i2": "zh", "i3": "en"}


def given(metric: str, model: str, item: str, *ratings: int | None) -> list[Rating]:
    return [
        Rating(item=item, model=model, metric=metric, rater=f"r{n}", rating=rating)
        for n, rating in enumerate(ratings)
    ]


def study_of(ratings: list[Rating], languages: dict[str, Language] | None = None) -> RatingStudy:
    return RatingStudy("janusmm", list(manual_metrics().values()), ratings, languages or {})


def read_ratings(path: Path) -> list[Rating]:
    assert JANUSMM.ratings
    return rating_files.read_ratings([path], JANUSMM.ratings.form())


def value(scores: list[Score], **wanted: str) -> Score:
    (found,) = select(scores, **wanted)
    return found


def a_file(folder: Path, text: str, name: str = "ratings.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_the_six_metrics_say_what_they_rate_in_both_languages() -> None:
    assert list(manual_metrics()) == ["MG", "DU", "PE", "EC", "SR", "HUC"]
    assert manual_metrics()["PE"].task == "initiator"
    assert all(
        metric.question["en"] and metric.question["zh"] for metric in manual_metrics().values()
    )


def test_csv_and_json_lines_read_alike_and_an_empty_cell_is_missing(tmp_path: Path) -> None:
    rows = read_ratings(a_file(tmp_path, HEADING + "i1,a,MG,r1,4\ni1,a,MG,r2,\n图,a,MG,r1,5\n"))
    assert [row.rating for row in rows] == [4, None, 5]
    write_ratings(tmp_path / "ratings.jsonl", rows)
    assert read_ratings(tmp_path / "ratings.jsonl") == rows


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("i1,a,MG,r1,4", r"csv:3: i1 a MG r1 is there twice \(first in .*csv:2\)"),
        ("i1,a,MG,r2,6", r"csv:3 rating: got 6; expected 1 to 5"),
        ("i1,a,MG,r2,0", r"csv:3 rating: got 0; expected 1 to 5"),
        ("i1,a,MG,r2,4.5", r'csv:3 rating: got "4\.5"'),
        ("i1,a,MG,r2,good", r'csv:3 rating: got "good"'),
        ("i1,a,XX,r2,4", r'csv:3 metric: got "XX"; expected one of MG, DU'),
        ("i1,a,MG,,4", r"csv:3 rater: "),
        ("i1,a,MG,r2", r"csv:3: got 4 cells under 5 headings"),
        ('i1,a,MG,"r2', r"csv:3: is not CSV"),
    ],
)
def test_a_wrong_row_is_told_with_its_line(tmp_path: Path, line: str, told: str) -> None:
    path = a_file(tmp_path, f"{HEADING}i1,a,MG,r1,4\n{line}\n")
    with pytest.raises(InputError, match=told):
        read_ratings(path)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rating": True}, r"jsonl:1 rating: got true"),
        ({"rating": 4.5}, r"jsonl:1 rating: got 4\.5"),
        ({"score": 4}, r"jsonl:1 score: "),
        ({"language": "zh"}, r"jsonl:1 language: got zh; i1 is en elsewhere"),
    ],
)
def test_a_wrong_json_line_is_told(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    row = {"item": "i1", "model": "a", "metric": "MG", "rater": "r1", "rating": 4, **changes}
    path = a_file(tmp_path, json.dumps(row), "ratings.jsonl")
    with pytest.raises(InputError, match=told):
        study_of(read_ratings(path), {"i1": "en"})


def test_other_formats_and_columns_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown format"):
        read_ratings(a_file(tmp_path, "x", "ratings.xlsx"))
    with pytest.raises(InputError, match=r"csv:1: column item is there twice"):
        read_ratings(a_file(tmp_path, "item,item\na,b\n"))
    with pytest.raises(InputError, match=r"csv:2: the column metric is missing. Add a column"):
        read_ratings(a_file(tmp_path, "item,model,rater,rating\na,b,c,4\n"))


def test_means_agreement_and_what_is_dropped_by_hand() -> None:
    # pooled 4 5 | 1 2 | 1 5 | 3 3: sum 24, squares 90, variance (90 - 72) / 7 = 18/7
    # own: 1/2 → 0.806 kept; 1/2 → kept; 8 → -2.1 dropped; 0 → 1 kept
    study = study_of(
        [
            *given("MG", "a", "i1", 4, 5),
            *given("MG", "a", "i2", 1, 2, None),
            *given("MG", "b", "i1", 1, 5),
            *given("MG", "b", "i2", 3, 3),
            *given("MG", "b", "i3", 2, None),
        ],
        LANGUAGES,
    )
    scores = rating_scores(study)
    mean = value(scores, model="a", metric="mg", group="all")
    assert mean.value == pytest.approx((87.625 + 13.375) / 2)  # 4.5 and 1.5, each out of 100
    assert (mean.task, mean.n, mean.unscored) == ("reasoning", 2, 0)
    other = value(scores, model="b", metric="mg", group="all")
    assert (other.value, other.n, other.unscored) == (50.5, 1, 2)
    assert value(scores, model="b", metric="mg", group="language=en").value is None
    assert value(scores, model="a", metric="mg", group="language=zh").value == 13.375
    raters = {"model": RATERS, "group": "metric=MG"}
    alpha = value(scores, metric="alpha", **raters)
    wanted = 1 - (0.5 + 0.5 + 8 + 0) / 4 / (18 / 7)
    assert (alpha.value, alpha.n, alpha.unscored) == (pytest.approx(wanted), 4, 1)
    assert value(scores, metric="dropped", **raters).value == 1
    assert value(scores, metric="missing_ratings", **raters).value == 2
    # without the dropped one: pooled 4 5 1 2 3 3, variance 2
    assert value(scores, metric="alpha_kept", **raters).value == pytest.approx(5 / 6)
    assert value(scores, metric="alpha_zh", **raters).n == 2


def test_a_missing_rating_is_never_a_zero() -> None:
    study = study_of([*given("SR", "a", "i1", 5, 5, None), *given("SR", "a", "i2", None, None)])
    score = value(rating_scores(study), model="a", metric="sr")
    assert (score.value, score.n, score.unscored) == (100, 1, 1)
    assert value(rating_scores(study), metric="alpha").value is None


def consistent(model: str, *ratings: int) -> list[Rating]:
    return [
        row
        for n, rating in enumerate(ratings, start=1)
        for row in given("HUC", model, f"i{n}", rating, rating)
    ]


def test_irc_against_huc_over_answers_and_models() -> None:
    rows = [*consistent("a", 1, 3), *consistent("b", 2, 4)]
    irc = {("a", "i1"): 10.0, ("a", "i2"): 20.0, ("b", "i1"): 30.0, ("b", "i2"): 40.0}
    scores = correlation_scores(study_of(rows, LANGUAGES), {**irc, ("c", "i1"): 99.0})
    items = value(scores, metric="pearson_items", group="all")
    assert (items.value, items.n) == (pytest.approx(0.8), 4)
    assert (items.low, items.interval) == (pytest.approx(-0.69694, abs=1e-4), "fisher")
    models = value(scores, metric="pearson_models", group="all")
    assert (models.value, models.n) == (None, 0), "two points always lie on a line"
    english = value(scores, metric="pearson_items", group="language=en")
    assert (english.value, english.n) == (None, 0)
    three = study_of([*rows, *consistent("c", 1, 3)], LANGUAGES)
    scores = correlation_scores(three, {**irc, ("c", "i1"): 5.0, ("c", "i2"): 5.0})
    models = value(scores, metric="pearson_models", group="all")
    # HUC 2, 3, 2 of 5 with IRC 15, 35, 5: products 50 / 3, squares 2 / 3 and 1400 / 3.
    assert (models.value, models.n) == (pytest.approx((50 / 3) / ((2 / 3) * (1400 / 3)) ** 0.5), 3)
    assert (models.low, models.high, models.interval) == (None, None, "")


def test_a_correlation_that_is_undefined_is_no_number() -> None:
    study = study_of(consistent("a", 3, 3))
    scores = correlation_scores(study, {("a", "i1"): 1.0, ("a", "i2"): 2.0})
    assert {(score.value, score.n) for score in scores} == {(None, 0)}


def test_scores_per_item_are_read_and_missing_ones_left_out(tmp_path: Path) -> None:
    path = a_file(tmp_path, "item,model,irc\ni1,a,61.5\ni2,a,\n")
    assert read_item_scores(path) == {("a", "i1"): 61.5}
    for line, told in (("i1,a,1", "is there twice"), ("i3,a,nan", "irc: got"), ("i3,a,x", "irc")):
        with pytest.raises(InputError, match=rf"csv:3.*{told}"):
            read_item_scores(a_file(tmp_path, f"item,model,irc\ni1,a,61.5\n{line}\n"))


def ratings(*arguments: object) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)


def test_the_command_prints_and_writes_every_score(tmp_path: Path) -> None:
    rows = [*consistent("a", 1, 3), *consistent("b", 2, 4)]
    file = tmp_path / "r.jsonl"
    write_ratings(file, rows)
    scores = "item,model,irc\ni1,a,10\ni2,a,20\ni1,b,30\ni2,b,40\n"
    signature = "janusmm/initiator|v1|n:2|data:0|prompts:x|judge:none|deadpan:0"
    facts = {"benchmark": "janusmm", "task": "initiator", "version": "1", "epoch": 1}
    facts |= {"answer": "x", "parsed": json.dumps({"emotion": None, "reasoning": "x"})}
    facts |= {"gold": json.dumps({"question": "q"}), "outcome": "answered", "signature": signature}
    facts |= {"attr.source": "group_chat", "attr.self_deprecating": True}
    table = tmp_path / "table.jsonl"
    write_table(
        table_of(
            {**facts, "model": model, "item": item, "language": LANGUAGES[item]}
            for model in "ab"
            for item in ("i1", "i2")
        ),
        table,
    )
    out = tmp_path / "out.json"
    irc = a_file(tmp_path, scores, "irc.csv")
    result = ratings(file, "--table", table, "--irc", irc, "--json", out)
    assert "pearson_items" in result.output
    document = json.loads(out.read_text("utf-8"))
    found = {(row["model"], row["metric"], row["group"]): row for row in document["rows"]}
    assert found["a", "huc", "language=zh"]["value"] == 50.5
    assert found["all", "pearson_items", "all"]["value"] == pytest.approx(0.8)
    write_ratings(tmp_path / "c.jsonl", [*consistent("c", 1), *given("HUC", "a", "i9", 4)])
    result = ratings(tmp_path / "c.jsonl", "--table", table)
    assert "1 rated item is not in the results: i9\n" in result.output
    assert "1 rated model is not in the results: c\n" in result.output


def test_ratings_that_do_not_fit_the_question_are_told(tmp_path: Path) -> None:
    empty = a_file(tmp_path, HEADING + "i1,a,MG,r1,\n")
    with pytest.raises(InputError, match="every rating is missing"):
        ratings(empty)
    only = a_file(tmp_path, HEADING + "i1,a,MG,r1,4\ni1,a,MG,r2,4\n")
    with pytest.raises(DeadpanError, match="no rating is of HUC"):
        ratings(only, "--irc", a_file(tmp_path, "item,model,irc\ni1,a,1\n", "irc.csv"))
