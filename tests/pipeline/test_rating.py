"""Ratings of a benchmark with nothing but a scale, and both studies in Python."""

from copy import copy
from pathlib import Path
from typing import Any, cast

import polars as pl
import pytest

import deadpan
from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Ratings
from deadpan.core.ratings import Scale
from deadpan.core.score import select
from deadpan.pipeline.rating import rate_answers, ratings_addition, who_rated
from deadpan.pipeline.rating_plots import write_rating_plots


class Plain:
    """All that rating asks of a benchmark."""

    name = "plain"
    ratings = Ratings((Scale("mood", {"en": "fits the mood", "zh": "合乎情绪"}, 1, 7),))


PLAIN = cast("Benchmark[Any]", Plain())


def a_file(folder: Path, *lines: str) -> Path:
    path = folder / "r.csv"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_a_scale_is_enough(tmp_path: Path) -> None:
    path = a_file(tmp_path, "item,model,rater:a,rater:b", "1,m,7,5", "2,m,3,3")
    found = rate_answers(PLAIN, [path])
    (mean,) = select(found.scores, metric="rating_mean")
    assert (mean.value, mean.n, mean.task, mean.group) == (4.5, 2, "ratings", "all")
    assert not found.own and found.study.raters == ["a", "b"]
    (difference,) = select(found.scores, model="overall", metric="difference_mean")
    assert difference.value == 1


def test_the_rated_results_tell_languages(tmp_path: Path) -> None:
    path = a_file(tmp_path, "item,model,rater:a", "1,m,7", "2,m,3")
    table = pl.DataFrame({"model": ["m", "m"], "item": ["1", "2"], "language": ["en", "zh"]})
    found = rate_answers(PLAIN, [path], table)
    values = {one.group: one.value for one in select(found.scores, metric="rating_mean")}
    assert values == {"all": 5, "language=en": 7, "language=zh": 3}


def test_what_is_rated_and_not_there_is_said_and_counted(tmp_path: Path) -> None:
    lines = ("1,m,7", "1.png,m,3", "2,m,5", "1,other,1", "3,m,")
    path = a_file(tmp_path, "item,model,rater:a", *lines)
    rows = {"model": ["m", "n", "n"], "item": ["1", "1", "2"], "language": ["en", "en", "en"]}
    found = rate_answers(PLAIN, [path], pl.DataFrame(rows))
    assert found.notes == [
        "1 rated item is not in the results: 1.png",
        "1 rated model is not in the results: other",
        "1 rated answer is not in the results: 2 by m",
    ]
    assert select(found.scores, metric="rating_mean", model="m", group="all")[0].value == 5
    assert ratings_addition(PLAIN, found).remarks["ratings"] == (
        "mood: 4 ratings by 1 rater, 1 to 7. 1 rated item is not in the results: 1.png. "
        "1 rated answer is not in the results: 2 by m."
    )
    assert not rate_answers(PLAIN, [path]).notes, "nothing tells what there is"


def test_items_that_the_named_data_lack_are_said(tmp_path: Path) -> None:
    pixelhumor = find("pixelhumor")
    named = [f"comic_{number},m,4,relevance" for number in range(7)]
    path = a_file(tmp_path, "item,model,rater:a,metric", *named)
    data = pixelhumor.folder / "data"
    found = rate_answers(pixelhumor, [path], data=data)
    assert found.notes[0] == (
        "7 rated items are not in the data: comic_0, comic_1, comic_2, comic_3, comic_4 …"
    )


def test_what_cannot_be_rated_is_told(tmp_path: Path) -> None:
    path = a_file(tmp_path, "item,model,rater:a", "1,m,7")
    unrated = copy(PLAIN)
    unrated.ratings = None
    with pytest.raises(DeadpanError, match="plain has no ratings by people"):
        rate_answers(unrated, [path])
    with pytest.raises(DeadpanError, match="plain has nothing measured elsewhere"):
        rate_answers(PLAIN, [path], measured=path)
    with pytest.raises(InputError, match="every rating is missing"):
        rate_answers(PLAIN, [a_file(tmp_path, "item,model,rater:a", "1,m,")])
    with pytest.raises(ValueError, match="two scales have the task and group"):
        Ratings((Scale("a"), Scale("b")))


def test_a_benchmark_without_plots_of_ratings_draws_none(tmp_path: Path) -> None:
    path = a_file(tmp_path, "item,model,metric,rater:a", "1,m,MG,5")
    janusmm = find("janusmm")
    assert write_rating_plots(janusmm, rate_answers(janusmm, [path]), tmp_path / "plots") == []


def test_both_studies_are_data_frames(tmp_path: Path) -> None:
    rated = deadpan.ratings("cfms", a_file(tmp_path, "item,judge,met", "1,A,1"), model="g")
    assert rated.filter(metric="met_share", group="all")["value"].to_list() == [100.0]
    said = tmp_path / "a.csv"
    said.write_text("item,annotator,question,value\n1,A,metaphor,1\n1,B,metaphor,1\n", "utf-8")
    agreed = deadpan.agreement("cfms", said)
    assert agreed.filter(metric="agreement_exact")["value"].to_list() == [1.0]
    assert len(deadpan.agreement("pixelhumor")) > 10
    rows = "1,A,why,so true\n1,B,why,so sad\n1,A,force,low\n1,B,force,high\n"
    said.write_text(f"item,annotator,question,value\n{rows}", "utf-8")
    told: Any = {"free_text": ["why"], "ranked": {"force": ("low", "high")}}
    named = deadpan.ScoringOptions(models={"encoder:en": "minilm"})
    found = deadpan.agreement("vimu", said, **told, options=named)
    assert found.filter(metric="alpha_embedding")["value"].to_list() == [None]
    assert found.filter(task="force", metric="alpha_ordinal")["value"].to_list() == [0.0]


class TwoScales:
    """Rated on two scales of one task."""

    name = "two"
    ratings = Ratings(
        (
            Scale("wit", {"en": "witty"}, 1, 6, task="people", group="dimension=wit"),
            Scale("tact", {"en": "tactful"}, 1, 6, task="people", group="dimension=tact"),
        )
    )


def test_who_rated_is_said_once_for_scales_that_are_alike(tmp_path: Path) -> None:
    two = cast("Benchmark[Any]", TwoScales())
    rows = ["1,m,wit,5,4", "1,m,tact,2,", "2,m,wit,3,3", "2,m,tact,6,1"]
    found = rate_answers(two, [a_file(tmp_path, "item,model,metric,rater:a,rater:b", *rows)])
    assert who_rated(found.study) == [
        ("wit: 4 ratings by 2 raters, 1 to 6", ["a", "b"]),
        ("tact: 3 ratings by 2 raters, 1 to 6", ["a", "b"]),
    ]
    same = rate_answers(
        two, [a_file(tmp_path, "item,model,metric,rater:a", "1,m,wit,5", "1,m,tact,2")]
    )
    assert who_rated(same.study) == [("wit, tact: 1 rating by 1 rater, 1 to 6", ["a"])]


def test_scales_of_one_task_are_rows_of_the_agreement(tmp_path: Path) -> None:
    two = cast("Benchmark[Any]", TwoScales())
    rows = ["1,m,wit,en,5,4", "1,m,tact,en,2,2"]
    head = "item,model,metric,language,rater:a,rater:b"
    addition = ratings_addition(two, rate_answers(two, [a_file(tmp_path, head, *rows)]))
    means, agreement = addition.tables
    assert [heading for heading, *_ in means.columns] == ["wit", "tact"], "one language"
    assert agreement.rows == (("dimension=wit", "wit"), ("dimension=tact", "tact"))
    assert [heading for heading, *_ in agreement.columns] == ["alpha", "exact"]
    both = [*rows, "2,m,wit,zh,5,4"]
    addition = ratings_addition(two, rate_answers(two, [a_file(tmp_path, head, *both)]))
    assert [heading for heading, *_ in addition.tables[0].columns][:2] == ["wit EN", "wit ZH"]
    assert addition.rated == {"m"} and addition.remarks["people"].startswith("wit: 4 ratings")
