"""Judges against people, over a made-up study: what is planted is found, and corrected."""

import json
from pathlib import Path

import polars as pl
import pytest

import deadpan
from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.core.choices import Choice
from deadpan.core.ratings import Rating, RatingStudy
from deadpan.pipeline.judge_audit import AuditOptions, JudgeAudit, audit_judges
from deadpan.pipeline.judge_positions import position_leans
from deadpan.pipeline.judge_report import judge_addition
from deadpan.pipeline.judged_tables import PANEL, panel_of, tables_by_judge
from deadpan.pipeline.rating import read_study
from deadpan.pipeline.results import Results
from tests.pipeline.judged_world import JUDGES, MODELS, World
from tests.studies.template_world import results

PIXELHUMOR = find("pixelhumor")
KIND, FAIR = JUDGES


@pytest.fixture(scope="module")
def world() -> World:
    return World(150, repeats=2)


@pytest.fixture(scope="module")
def study(world: World, tmp_path_factory: pytest.TempPathFactory) -> RatingStudy:
    path = world.write_ratings(tmp_path_factory.mktemp("people") / "people.csv", 60)
    return read_study(PIXELHUMOR, [path], world.table(KIND))


@pytest.fixture(scope="module")
def found(world: World, study: RatingStudy) -> JudgeAudit:
    return audit_judges(PIXELHUMOR, study, {judge: world.table(judge) for judge in JUDGES})


def test_agreement_of_each_judge_and_of_both_as_a_panel(found: JudgeAudit) -> None:
    agreed = {one.judge: one.agreement for one in found.scales}
    assert list(agreed) == [KIND, FAIR, PANEL]
    for one in agreed.values():
        assert one is not None and (one.answers, one.items, one.repeated) == (180, 60, 180)
    difference = {judge: one.judge["difference"] for judge, one in agreed.items() if one}
    assert difference[KIND].low is not None and difference[KIND].low > 0.2
    assert difference[FAIR].value == pytest.approx(0, abs=0.2)
    together = (difference[KIND].value or 0) + (difference[FAIR].value or 0)
    assert difference[PANEL].value == pytest.approx(together / 2)
    assert agreed[KIND] is not None and "less well" in agreed[KIND].verdict()


def test_the_kind_judge_likes_long_answers(found: JudgeAudit) -> None:
    leans = {one.judge: one.leanings for one in found.scales if one.leanings}
    sure = {judge: [lean.about for lean in one.leans if lean.is_sure]
            for judge, one in leans.items()}  # fmt: skip
    assert sure == {KIND: ["length, each doubling"], FAIR: []}
    about = [lean.about for lean in leans[KIND].leans]
    assert "own family openai" in about and "language en (less zh)" in about


def test_what_was_found_is_had_as_frames(found: JudgeAudit) -> None:
    agreed = found.agreement().filter(judge=KIND, measure="alpha")
    assert agreed["who"].to_list() == [KIND, "people"] and agreed["n"].to_list() == [180, 180]
    one = found.scales[0].agreement
    assert one is not None and agreed["value"][0] == one.judge["alpha"].value
    sure = found.leanings().filter("is_sure")
    assert sure["about"].to_list() == ["length, each doubling"]
    scores = found.scores()
    assert scores["corrected"].to_list() == [one.corrected.value for one in found.corrected]
    assert scores["rated"].unique().to_list() == [60]
    empty = JudgeAudit("pixelhumor")
    for all_of, none in (
        (found.agreement(), empty.agreement()),
        (found.leanings(), empty.leanings()),
        (scores, empty.scores()),
    ):
        assert none.is_empty() and none.schema == all_of.schema


def test_an_audit_says_its_verdicts_escaped(found: JudgeAudit) -> None:
    assert repr(found).startswith("<JudgeAudit of pixelhumor; interpretation, relevance: ")
    assert "surely not people's" in repr(found)
    noted = JudgeAudit("pixelhumor", notes=["<script>"])
    assert "<li>&lt;script&gt;</li>" in noted._repr_html_()


def test_a_judge_asked_twice_is_held_against_itself(found: JudgeAudit) -> None:
    again = found.scales[0].retest
    assert again is not None and (again.answers, again.repeats) == (450, 2)
    assert again.deviation == pytest.approx(0.75, abs=0.1)


def test_corrected_scores_hold_what_people_would_say(found: JudgeAudit, world: World) -> None:
    truth = world.truth()
    for one in found.corrected:
        assert (one.task, one.metric.name, one.labels) == ("interpretation", "judge_rating", 60)
        low, high = one.corrected.low, one.corrected.high
        assert low is not None and high is not None and low <= truth[one.model] <= high
        people = one.people
        assert people.low is not None and people.high is not None
        assert high - low < people.high - people.low
        assert one.worth > 0
    off = {(one.judge, one.model) for one in found.corrected if one.is_off}
    assert {(KIND, model) for model in MODELS} <= off
    assert not any(judge == FAIR for judge, _ in off)


def test_judges_dispute_what_the_kind_one_overrates(found: JudgeAudit) -> None:
    (panel,) = found.panels
    assert panel.answers == 450 and list(panel.pairs) == [(KIND, FAIR)]
    assert panel.alpha.value is not None and panel.alpha.value > 0.5
    apart = [one.apart for one in panel.disputed]
    assert len(apart) == 10 and apart == sorted(apart, reverse=True)


def test_families_may_be_told(world: World, study: RatingStudy) -> None:
    options = AuditOptions(families={"claude": "openai"})
    own = audit_judges(PIXELHUMOR, study, {KIND: world.table(KIND)}, options)
    assert own.scales[0].leanings is not None
    leans = {one.about: one.answers for one in own.scales[0].leanings.leans}
    assert leans["own family openai (less qwen)"] == 120


def test_a_study_that_chose_its_items_is_found_out(world: World) -> None:
    """People who rated Chinese comics alone."""
    ratings = [
        Rating(item, model, "relevance", "ann", given[0])
        for (model, item), given in world.people.items()
        if int(item[-1]) % 2
    ]
    study = RatingStudy("pixelhumor", PIXELHUMOR.ratings.scales, ratings)  # type: ignore[union-attr]
    own = audit_judges(PIXELHUMOR, study, {FAIR: world.table(FAIR)})
    (note,) = [line for line in own.notes if "not like a random part" in line]
    assert "language=zh is 100% of them and 0% of the others" in note


def test_a_fair_sample_is_not_warned_of(found: JudgeAudit) -> None:
    assert found.notes == []


def test_what_was_rated_and_not_judged_is_noted(world: World, study: RatingStudy) -> None:
    more = [Rating(f"new{at}", MODELS[0], "relevance", "ann", 4) for at in range(3)]
    wider = RatingStudy("pixelhumor", study.scales, [*study.ratings, *more])
    own = audit_judges(PIXELHUMOR, wider, {FAIR: world.table(FAIR)})
    assert f"3 rated answers were not judged by {FAIR}" in own.notes[-1]


def test_ratings_of_other_answers_are_refused(world: World) -> None:
    other = [Rating("nowhere", MODELS[0], "relevance", "ann", 4)]
    study = RatingStudy("pixelhumor", PIXELHUMOR.ratings.scales, other)  # type: ignore[union-attr]
    with pytest.raises(InputError, match="no rating is of an answer"):
        audit_judges(PIXELHUMOR, study, {FAIR: world.table(FAIR)})


def test_invalid_answers_keep_their_lowest_score(world: World, study: RatingStudy) -> None:
    """A third of the answers is invalid and counts as 1, whatever people say of the others."""
    bad = pl.col("item").str.ends_with("7") | pl.col("item").str.ends_with("9")
    table = world.table(FAIR).with_columns(
        outcome=pl.when(bad).then(pl.lit("invalid")).otherwise("outcome"),
        judgements=pl.when(bad).then(None).otherwise("judgements"),
        parsed=pl.when(bad).then(None).otherwise("parsed"),
    )
    own = audit_judges(PIXELHUMOR, study, {FAIR: table}).corrected
    assert [one.graded for one in own] == [120] * 3
    assert [one.labels for one in own] == [48] * 3
    for one in own:
        assert one.corrected.value == pytest.approx(one.alone.value, abs=0.35)


def test_the_panel_judges_what_all_judged(world: World) -> None:
    first, second = (world.table(judge) for judge in JUDGES)
    lost = second.with_columns(
        judgements=pl.when(pl.col("item") == "comic000").then(None).otherwise("judgements")
    )
    both = panel_of({KIND: first, FAIR: lost})
    gone = both.filter(pl.col("item") == "comic000")
    assert set(gone["outcome"]) == {"judge_failed"}
    kept = both.filter(pl.col("item") == "comic001")["judgements"].to_list()
    assert all(len(json.loads(cell)) == 4 for cell in kept)


def test_the_same_in_python(world: World, tmp_path: Path) -> None:
    people = world.write_ratings(tmp_path / "p.csv", 60)
    tables = world.write(tmp_path / "t")
    own = deadpan.audit_judge("pixelhumor", *tables, people=[people], judges=[FAIR])
    assert [one.judge for one in own.scales] == [FAIR]
    assert {one.model for one in own.corrected} == {*MODELS}


def test_tables_are_read_judge_by_judge(world: World, tmp_path: Path) -> None:
    paths = world.write(tmp_path)
    assert list(tables_by_judge(paths)) == [KIND, FAIR]
    assert list(tables_by_judge(paths, [FAIR])) == [FAIR]
    with pytest.raises(DeadpanError, match="--judge nobody: these answers were graded by"):
        tables_by_judge(paths, ["nobody"])


def test_results_that_nobody_graded_are_refused(world: World, tmp_path: Path) -> None:
    table = world.table(FAIR).with_columns(
        judge=pl.lit(None, pl.String), judgements=pl.lit(None, pl.String)
    )
    Results(table).write(tmp_path / "t.parquet")
    with pytest.raises(DeadpanError, match="nobody graded these"):
        tables_by_judge([tmp_path / "t.parquet"])
    Results(results("janusmm")).write(tmp_path / "j.parquet")
    with pytest.raises(DeadpanError, match="janusmm has no judge: its answers are scored by rule"):
        tables_by_judge([tmp_path / "j.parquet"])


def test_a_report_shows_how_far_the_judge_can_be_believed(
    world: World, study: RatingStudy, tmp_path: Path
) -> None:
    table = world.table(KIND)
    results = Results(table)
    addition = judge_addition(PIXELHUMOR, study, table, results.options)
    assert addition is not None
    shown = results.showing("pixelhumor", addition)
    text = shown.report(tmp_path / "r.md").read_text("utf-8")
    assert "### How far the judge can be believed" in text
    assert "| Model | judge alone | people alone | corrected |" in text
    assert "agrees with people less well than people with each other" in text
    titles = [plot.title for plot in shown.plots().values()]
    assert "What people make of the judge's scores" in titles
    assert "How far the judge agrees with people" in titles
    page = shown.report(tmp_path / "r.html").read_text("utf-8")
    assert "How far the judge can be believed" in page


def test_a_report_without_judged_answers_shows_nothing_of_a_judge(
    world: World, study: RatingStudy
) -> None:
    table = world.table(KIND).with_columns(judgements=pl.lit(None, pl.String))
    assert judge_addition(PIXELHUMOR, study, table, Results(table).options) is None


def test_a_judge_that_prefers_the_left_is_found_out() -> None:
    choices = [
        Choice(f"i{at}", "a", "b", who, "a" if who == FAIR or at % 2 else "b")
        for at in range(40)
        for who in (FAIR, "ann")
    ]
    ties = [Choice("t", "a", "b", FAIR, None)]
    judge, people = position_leans([*choices, *ties], [KIND, FAIR])
    assert (judge.who, judge.left.value, judge.choices, judge.is_sure) == (FAIR, 1.0, 40, True)
    assert (people.who, people.left.value, people.is_sure) == ("people", 0.5, False)
    with pytest.raises(DeadpanError, match="none is by nobody; they are by"):
        position_leans(choices, ["nobody"])
