"""The judge of explanations: what it is shown and told, what it may reply, and that nothing is
judged unless it is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, ClassVar

import polars as pl
import pytest

import deadpan
from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.pixelhumor import PIXELHUMOR, judge
from deadpan.core.judge import BrokenReply
from deadpan.core.questions import Question
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import Signature
from deadpan.parsing.judgements import read_judgement
from deadpan.pipeline.table import tasks_with_judge
from tests.cli.data_folder import small_folder

TASK = judge.INTERPRETATION


def asked(folder: Path | None = None) -> dict[str, Question]:
    dataset = PIXELHUMOR.read(folder)
    found = PIXELHUMOR.questions(dataset, TASK, PIXELHUMOR.prompts(TASK))
    return {one.item: one for one in found}


class TestBrief:
    def test_the_judge_sees_the_numbered_comic_its_labels_and_a_persons_explanation(self) -> None:
        question = asked()["deadpan_1"]
        brief = judge.brief(TASK, question.gold, "It rhymes.", "en")
        (picture,) = brief.pictures
        assert picture == question.pictures[0]
        assert picture.panels
        text = judge.JUDGE.question(brief)
        comic = PIXELHUMOR.read(None).records[0]
        for said in (*comic.styles, comic.modality, comic.explanation, "It rhymes."):
            assert str(said) in text
        assert f"Panel that matters most: {', '.join(comic.panel)}" in text

    def test_chinese_comics_are_told_in_chinese(self) -> None:
        question = next(one for one in asked().values() if one.language == "zh")
        brief = judge.brief(TASK, question.gold, "双关。", "zh")
        text = judge.JUDGE.question(brief)
        assert "幽默手法：" in text and "Styles" not in text
        assert "(none" not in text

    def test_no_explanation_is_told(self) -> None:
        (lacking, *_) = [one for one in asked().values() if not one.gold["explanation"]]  # type: ignore[index, call-overload]
        brief = judge.brief(TASK, lacking.gold, "x", "en")
        assert brief.fields["explanation"] == "(none was written)"

    def test_without_plain_places_no_panel_is_numbered(self) -> None:
        gold = dict(asked()["deadpan_1"].gold, panels=[])  # type: ignore[arg-type, call-overload]
        brief = judge.brief(TASK, gold, "x", "en")
        assert brief.pictures[0].panels == ()
        assert "Panel that matters" not in brief.fields["labels"]
        assert "Reading order" not in brief.fields["labels"]

    def test_another_picture_than_the_one_asked_about_is_not_shown(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret.png"
        shutil.copy(asked()["deadpan_2"].pictures[0].path, secret)
        gold = dict(asked()["deadpan_1"].gold, picture=str(secret))  # type: ignore[arg-type, call-overload]
        with pytest.raises(InputError, match="is not the picture that was asked about"):
            judge.brief(TASK, gold, "x", "en")

    def test_results_of_before_say_nothing_to_the_judge(self) -> None:
        for gold in (None, "Because of the twist."):
            with pytest.raises(DeadpanError, match="do not say what the judge has to see"):
                judge.brief(TASK, gold, "x", "en")


class TestReplies:
    def test_a_rating_with_its_reason(self) -> None:
        reply = '{"reason": "Names the pun.", "rating": 6}'
        assert read_judgement(judge.JUDGE, reply).parts == {"reason": "Names the pun.", "rating": 6}

    @pytest.mark.parametrize(
        "reply",
        [
            '{"reason": "x", "rating": 0}',
            '{"reason": "x", "rating": 8}',
            '{"reason": "x", "rating": 4.5}',
            '{"reason": "x", "rating": "6"}',
            '{"rating": 6}',
            '{"reason": "x", "rating": 6, "more": 1}',
            "6",
            "",
        ],
    )
    def test_what_breaks_the_schema(self, reply: str) -> None:
        with pytest.raises(BrokenReply):
            read_judgement(judge.JUDGE, reply)

    def test_the_stand_in_keeps_it_too(self) -> None:
        gold = asked()["deadpan_1"].gold
        known = gold["explanation"]  # type: ignore[index, call-overload]
        rated = []
        for answer in ("Nothing.", str(known)):
            made = judge.JUDGE.stand_in(judge.brief(TASK, gold, answer, "en"))
            rated.append(read_judgement(judge.JUDGE, made).parts["rating"])
        assert rated[0] == 1 and rated[1] == 7


class TestNaming:
    how: ClassVar[dict[str, Any]] = {"model": "baseline/random", "tasks": TASK, "progress": False}

    def test_without_a_judge_nothing_is_judged_and_nothing_fails(self, tmp_path: Path) -> None:
        results = deadpan.evaluate("pixelhumor", store=tmp_path / "s", **self.how)
        assert set(results.table["outcome"]) == {"answered"}
        assert results.table["judgements"].null_count() == len(results.table)
        assert {one.metric for one in results.by_benchmark["pixelhumor"]} == {"answered"}
        assert "judge:none" in results.table["signature"][0]

    def test_with_one_every_explanation_is(self, tmp_path: Path) -> None:
        store = tmp_path / "s"
        results = deadpan.evaluate("pixelhumor", store=store, judge="judge/lexical", **self.how)
        (overall,) = [
            one
            for one in results.by_benchmark["pixelhumor"]
            if (one.metric, one.group) == ("judge_rating", "all")
        ]
        assert overall.n == 35 and overall.value is not None and 1 <= overall.value <= 7
        assert "judge:judge/lexical@pixelhumor_interpretation.1." in overall.signature
        again = deadpan.read_results(store)
        assert again.table["judgements"].null_count() == 0

    def test_it_is_optional(self) -> None:
        tasks = [("pixelhumor", spec.name) for spec in PIXELHUMOR.tasks]
        assert tasks_with_judge(tasks) == [("pixelhumor", TASK)]
        assert tasks_with_judge(tasks, optional=False) == []

    def test_refused_explanations_have_the_lowest_rating(self, tmp_path: Path) -> None:
        loaded = deadpan.load("pixelhumor")
        answers = {item.id: "I cannot help with that." for item in loaded[:2]}
        answers |= {item.id: str(item.gold[TASK]["explanation"]) for item in loaded[2:4]}  # type: ignore[call-overload, index]
        results = loaded.score(answers, task=TASK, judge="judge/lexical", store=tmp_path / "s")
        own = results.items().filter(pl.col("metric") == "judge_rating")
        refused = own.filter(pl.col("outcome") != "answered")
        assert set(refused.drop_nulls("score")["score"]) <= {1.0}


class TestMissingPictures:
    def test_what_has_no_picture_is_not_judged(self, tmp_path: Path) -> None:
        folder = small_folder(tmp_path / "data", pictures=True)
        (folder / "images" / "deadpan_2.png").unlink()
        loaded = deadpan.load("pixelhumor", folder)
        answers = {item.id: "A pun." for item in loaded}
        results = loaded.score(answers, task=TASK, judge="judge/lexical", store=tmp_path / "s")
        judged = dict(results.table.select("item", "judge").iter_rows())
        assert judged["deadpan_2"] is None and judged["deadpan_1"] == "judge/lexical"
        assert set(results.table["outcome"]) == {"answered"}

    def test_no_picture_at_all_is_told(self, tmp_path: Path) -> None:
        folder = small_folder(tmp_path / "data")
        loaded = deadpan.load("pixelhumor", folder)
        rows = loaded.score({item.id: "A pun." for item in loaded}, task=TASK).table
        with pytest.raises(InputError, match="the judge has to see them"):
            judge.rows_to_judge(rows, ScoringOptions())


def test_gold_is_shown_as_the_explanation() -> None:
    for question in asked().values():
        shown = PIXELHUMOR.report.gold_text(TASK, question.gold)
        assert shown == (question.gold["explanation"] or "(no gold text)")  # type: ignore[index, call-overload]
    assert PIXELHUMOR.report.gold_text(TASK, None) == "(no gold text)"
    assert json.dumps(question.gold)


def test_an_answer_whose_judge_failed_is_answered() -> None:
    """As the coverage counts it: three of four replies could be read, two judgements failed."""
    loaded = deadpan.load("pixelhumor")
    items = [one.item for one in loaded.questions("interpretation")][:4]
    said = dict.fromkeys(items, "It plays on words. It surprises. It is short.")
    table = loaded.score(said | {items[3]: ""}, task="interpretation").table.head(4)
    failed = pl.col("item").is_in(items[:2])
    outcome = pl.when(failed).then(pl.lit("judge_failed")).otherwise(pl.col("outcome"))
    found = PIXELHUMOR.score(table.with_columns(outcome=outcome), ScoringOptions())
    (answered,) = [one for one in found if (one.metric, one.group) == ("answered", "all")]
    assert (answered.value, answered.n, answered.unscored) == (0.75, 4, 0)


@pytest.mark.parametrize("task", ["panel", "style", "panel_order"])
def test_a_reading_that_is_not_the_released_scripts_is_a_deviation(task: str) -> None:
    usual = Signature("pixelhumor", task, "5", 2800, PIXELHUMOR.released, "p")
    (line,) = PIXELHUMOR.report.deviations(usual)
    assert "read as a person would, not by the released script" in line
    assert not [*PIXELHUMOR.report.deviations(usual.with_settings(reading="literal"))]
    assert not [*PIXELHUMOR.report.deviations(Signature("pixelhumor", "presence", "5", 1, "", ""))]
