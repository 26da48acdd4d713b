"""Ratings of explanations: tables 5 to 7 and figure 3 from a file, and the judge against people."""

from __future__ import annotations

import json
from math import atanh, tanh
from pathlib import Path

import polars as pl
import pytest

import deadpan
from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.benchmarks.pixelhumor.judge import INTERPRETATION
from deadpan.benchmarks.pixelhumor.people import validation
from deadpan.core.score import Score
from deadpan.core.signature import parse_signature
from deadpan.pipeline.rating import RatedStudy, rate_answers, ratings_addition

ITEMS = [comic.comic_id for comic in PIXELHUMOR.read(None).records[:4]]
PANELS = [comic.number_of_panels for comic in PIXELHUMOR.read(None).records[:4]]
GIVEN = {"m": [(7, 6), (4, 4), (2, 5), (1, 1)], "n": [(3, 3), (3, 4), (5, 7), (6, 6)]}


def sheet(path: Path) -> Path:
    lines = ["comic_id,model,rater:ann,rater:bo,note:ann,metric"]
    for model, pairs in GIVEN.items():
        for item, (first, second) in zip(ITEMS, pairs, strict=True):
            lines.append(f"{item},{model},{first},{second},misses the pun,relevance")
    path.write_text("\n".join(lines), "utf-8")
    return path


def choices(path: Path, *chosen: tuple[str, str, str]) -> Path:
    rows = [
        {"item": item, "model": model, "metric": "preferred", "rater": rater, "rating": 1}
        for item, rater, model in chosen
    ]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def value(found: RatedStudy, metric: str, model: str = "m", group: str = "all") -> float | None:
    (one,) = [
        score
        for score in found.scores
        if (score.metric, score.model, score.group) == (metric, model, group)
    ]
    return one.value


def judged_table(ratings: dict[str, list[int]]) -> pl.DataFrame:
    """Explanations of two models with what a judge gave them."""
    loaded = deadpan.load("pixelhumor")
    tables = []
    for model, given in ratings.items():
        answers = dict.fromkeys(ITEMS, "A pun.")
        table = loaded.score(answers, task=INTERPRETATION, model=model).table
        table = table.filter(pl.col("item").is_in(ITEMS))
        said = [json.dumps([{"parts": {"reason": "x", "rating": one}}]) for one in given]
        tables.append(table.with_columns(judgements=pl.Series(said), judge=pl.lit("j")))
    return pl.concat(tables)


class TestTables:
    @pytest.fixture
    def found(self, tmp_path: Path) -> RatedStudy:
        return rate_answers(PIXELHUMOR, [sheet(tmp_path / "r.csv")])

    def test_means_are_of_rater_means(self, found: RatedStudy) -> None:
        """6.5, 4, 3.5, 1: as table 5 has it."""
        assert value(found, "rating_mean") == pytest.approx(3.75)
        assert value(found, "rating_median") == pytest.approx(3.75)
        assert value(found, "rating_std") == pytest.approx(2.2546, abs=1e-4)

    def test_agreement_per_model_and_pooled(self, found: RatedStudy) -> None:
        assert value(found, "exact_match") == pytest.approx(2 / 4)
        assert value(found, "exact_match", "overall") == pytest.approx(4 / 8)
        assert value(found, "difference_mean") == pytest.approx(1.0)
        assert value(found, "difference_median", "overall") == pytest.approx(0.5)
        # By hand: observed 2 (1 + 0 + 9 + 0), expected 2 (8 · 148 - 30²) / 7.
        assert value(found, "alpha") == pytest.approx(1 - 20 / (568 / 7))

    def test_means_by_number_of_panels(self, found: RatedStudy) -> None:
        """Figure 3: the comics' panels are known from the data."""
        for count in set(PANELS):
            own = [
                sum(pair) / 2
                for pair, panels in zip(GIVEN["n"], PANELS, strict=True)
                if panels == count
            ]
            expected = sum(own) / len(own)
            assert value(found, "rating_mean", "n", f"panels={count}") == pytest.approx(expected)

    def test_scores_stand_where_the_papers_tables_look(self, found: RatedStudy) -> None:
        for number in ("5", "6"):
            (layout,) = [one for one in PIXELHUMOR.report.tables if one.published == number]
            for _, task, metric, group in layout.columns:
                assert [
                    one
                    for one in found.scores
                    if (one.task, one.metric, one.group, one.model) == (task, metric, group, "m")
                ]

    def test_without_results_the_judge_is_not_compared(self, found: RatedStudy) -> None:
        assert "the judge is not held against people" in found.notes[0]


@pytest.mark.parametrize("rating", ["0", "8", "4.5", "good"])
def test_ratings_are_whole_numbers_from_1_to_7(tmp_path: Path, rating: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(f"item,model,metric,rater,rating\nxkcd_1,m,relevance,ann,{rating}\n", "utf-8")
    with pytest.raises(InputError, match=r"r.csv:2 rating: got .*; expected .*1 to 7"):
        rate_answers(PIXELHUMOR, [path])


class TestChoices:
    def test_the_third_resolves(self, tmp_path: Path) -> None:
        """Table 7: two agree; a third decides; two differ and nobody else has chosen."""
        path = choices(
            tmp_path / "c.jsonl",
            *(("a", "1", "human"), ("a", "2", "human")),
            *(("b", "1", "human"), ("b", "2", "gpt"), ("b", "3", "gpt")),
            *(("c", "1", "human"), ("c", "2", "gpt")),
        )
        found = rate_answers(PIXELHUMOR, [path])
        times = {one.model: one.value for one in found.own if one.metric == "times_selected"}
        assert times == {"human": 1, "gpt": 1, "unresolved": 1}
        assert {(one.task, one.n) for one in found.own} == {("preference", 3)}
        assert found.general == [] and not found.notes
        # A choice is one of a comic, whatever its model is.
        assert found.study.skipped == [
            "preferred: 3 did not answer 2, of 3 that somebody answered",
        ]

    def test_a_rater_chooses_one_of_a_comic(self, tmp_path: Path) -> None:
        twice = (("a", "1", "human"), ("a", "2", "gpt"), ("a", "1", "gpt"))
        path = choices(tmp_path / "c.jsonl", *twice)
        told = r"c.jsonl:3: 1 chose gpt for a, and human in .*c.jsonl:1\."
        with pytest.raises(InputError, match=told):
            rate_answers(PIXELHUMOR, [path])


class TestJudge:
    def test_against_people(self, tmp_path: Path) -> None:
        table = judged_table({"m": [7, 4, 3, 2], "n": [3, 4, 6, 6]})
        found = rate_answers(PIXELHUMOR, [sheet(tmp_path / "r.csv")], table)
        # |7-7| |7-6| |4-4| |4-4| |3-2| |3-5| |2-1| |2-1|
        assert value(found, "judge_difference") == pytest.approx(6 / 8)
        assert value(found, "judge_exact") == pytest.approx(3 / 8)
        assert value(found, "judge_within_one") == pytest.approx(7 / 8)
        assert value(found, "judge_within_one", "overall") == pytest.approx(15 / 16)
        # Of 7, 4, 3, 2 with the means 6.5, 4, 3.5, 1: products 14, squares 14 and 15.25.
        assert value(found, "judge_pearson") == pytest.approx(14 / (14 * 15.25) ** 0.5)
        assert value(found, "judge_spearman") == pytest.approx(1.0)
        (r,) = (one for one in found.own if (one.model, one.metric) == ("m", "judge_pearson"))
        # Fisher's z of four pairs has the standard error 1.
        z = atanh(14 / (14 * 15.25) ** 0.5)
        assert (r.low, r.high) == pytest.approx((tanh(z - 1.96), tanh(z + 1.96)), abs=1e-4)
        assert r.interval == "fisher"
        counts = {one.metric: one.n for one in found.own if one.model == "m"}
        assert (counts["judge_pearson"], counts["judge_exact"]) == (4, 8), "answers, and pairs"
        assert "judge_by:j" in found.own[-1].signature
        assert not found.notes

    def test_its_distance_has_an_interval_over_comics(self) -> None:
        """Of eight comics, two raters each: half of them off by one, as the mean's is."""
        items = [f"comic-{number}" for number in range(8)]
        pairs = [(item, [4.0], [4.0 + at % 2] * 2) for at, item in enumerate(items)]
        signature = parse_signature("pixelhumor/x|v1|n:8|data:x|prompts:x|judge:j|deadpan:0")
        scores = {one.metric: one for one in validation("m", pairs, signature)}
        off, exact = scores["judge_difference"], scores["judge_exact"]
        assert (off.value, off.n, off.interval) == (0.5, 16, "bootstrap")
        assert off.low is not None and off.high is not None
        assert off.low < 0.2 and off.high > 0.8, "eight comics, not sixteen pairs"
        assert (exact.value, exact.interval) == (0.5, "wilson")
        assert scores["judge_within_one"].interval == "wilson"

    def test_a_judge_that_says_the_same_of_all_has_no_correlation(self, tmp_path: Path) -> None:
        table = judged_table({"m": [4, 4, 4, 4], "n": [3, 4, 6, 6]})
        found = rate_answers(PIXELHUMOR, [sheet(tmp_path / "r.csv")], table)
        scores: list[Score] = [one for one in found.own if one.metric == "judge_pearson"]
        assert [(one.model, one.value is None) for one in scores] == [
            ("m", True),
            ("n", False),
            ("overall", False),
        ]

    def test_other_answers_than_those_rated(self, tmp_path: Path) -> None:
        table = judged_table({"m": [7, 4, 3, 2]})
        found = rate_answers(PIXELHUMOR, [sheet(tmp_path / "r.csv")], table)
        assert found.notes == [
            "1 rated model is not in the results: n",
            "4 rated answers were not judged, and say nothing of the judge",
        ]
        with pytest.raises(InputError, match="no rating is of a judged answer"):
            rate_answers(
                PIXELHUMOR, [sheet(tmp_path / "r.csv")], judged_table({"other": [1, 2, 3, 4]})
            )

    def test_results_nobody_judged(self, tmp_path: Path) -> None:
        table = judged_table({"m": [7, 4, 3, 2]}).with_columns(judgements=pl.lit(None, pl.String))
        found = rate_answers(PIXELHUMOR, [sheet(tmp_path / "r.csv")], table)
        assert found.notes == [
            "1 rated model is not in the results: n",
            "no explanation in the results was judged: deadpan score STORE --judge MODEL",
        ]

    def test_there_is_no_irc(self, tmp_path: Path) -> None:
        with pytest.raises(DeadpanError, match="pixelhumor has no IRC"):
            rate_answers(PIXELHUMOR, [sheet(tmp_path / "r.csv")], measured=tmp_path / "x")


def test_a_report_shows_whom_people_rated_wherever_ratings_stand(tmp_path: Path) -> None:
    """Model m answered, n and the person are rated only; comics that nobody won are a row too, so
    that the rows of table 7 add up to the comics."""
    picked = [(ITEMS[0], "ann", "n"), (ITEMS[0], "bo", "n"), (ITEMS[1], "ann", "m")]
    picked += [(ITEMS[1], "bo", "human"), (ITEMS[2], "ann", "human")]
    files = [sheet(tmp_path / "r.csv"), choices(tmp_path / "c.jsonl", *picked)]
    results = deadpan.load("pixelhumor").score(dict.fromkeys(ITEMS, "Pun"), task="style", model="m")
    found = rate_answers(PIXELHUMOR, files, results.table)
    shown = results.showing("pixelhumor", ratings_addition(PIXELHUMOR, found))
    text = shown.report(tmp_path / "r.md").read_text("utf-8")
    assert "Models: m ‡, n §, human §\\" in text
    tables = {part.partition("\n")[0]: part for part in text.split("### ")}
    rated = tables["Explanations rated by people, 1 to 7"]
    assert "| **n §** | 4.625 |" in rated and "relevance: 16 ratings by 2 raters" in rated
    assert "§ rated by people; not among the results." in rated
    agree = tables["How far the raters agree"]
    assert "| **overall** |" in agree and "| overall (published, table 6) | 0.523 |" in agree
    chosen = tables["Explanation preferred, times chosen"]
    for row in ("m | 0", "n § | 1", "human § | 1", "unresolved | 1"):
        assert f"| {row} |" in chosen.replace("**", ""), chosen
    assert "preferred: 5 choices by 2 raters." in chosen
    assert "by language" not in text, "one language is no breakdown"
    page = shown.report(tmp_path / "r.html").read_text("utf-8")
    assert '<span class="chip"><bdi>n\u00a0§</bdi></span>' in page


def test_empty_cells_are_no_ratings_in_the_signature(tmp_path: Path) -> None:
    whole = sheet(tmp_path / "whole.csv")
    lines = whole.read_text("utf-8").splitlines()
    gaps = tmp_path / "gaps.csv"
    gaps.write_text("\n".join([*lines, f"{ITEMS[0]},other,,,,relevance"]), "utf-8")
    found = [rate_answers(PIXELHUMOR, [path]).study.signature for path in (whole, gaps)]
    assert found[0] == found[1] and found[0].n == 16
