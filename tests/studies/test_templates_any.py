"""Studies that any benchmark can have: why answers are wrong, labels audited, people as judges."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.base.rows import write_rows
from deadpan.benchmarks import find
from deadpan.core.capabilities import Predictions
from deadpan.core.questions import Reply
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.failures.audit import merge_labels
from deadpan.failures.cases import draw_cases
from deadpan.failures.criteria import NEW, Criteria, shipped_criteria
from deadpan.failures.finding import find_cases
from deadpan.failures.labels import Label, label_of, people_labels, read_labels
from deadpan.pipeline.table import results_of_predictions
from deadpan.pipeline.table_files import write_table
from deadpan.studies.making.catalogue import make_study
from deadpan.studies.making.failure_templates import failure_template, write_audit, write_labels
from tests.benchmarks.study_words import untold
from tests.studies.template_world import (
    MODELS,
    became,
    data,
    make,
    public,
    questions,
    results,
    settled,
    template_of,
)

OWN = Criteria.model_validate(
    {"refused": "no", "types": [{"name": "no", "title": "a refusal", "definition": "declines"}]}
)


class TestFailures:
    def test_the_types_are_the_criterias_and_one_for_none(self) -> None:
        one = next(questions(make("janusmm/failures").study))
        assert isinstance(one, Single)
        assert [option.value for option in one.options] == [*shipped_criteria().names, NEW]
        assert all(option.about["zh"] for option in one.options)

    def test_criteria_of_ones_own(self, tmp_path: Path) -> None:
        path = tmp_path / "criteria.json"
        path.write_text(OWN.model_dump_json(), "utf-8")
        template = failure_template("cfms", OWN)
        source = StudySource(data("cfms"), results("cfms"), 0, template.settings({}))
        for study in (template.make(source).study, make("cfms/failures", criteria=str(path)).study):
            (stage,) = study.stages
            assert isinstance(stage.questions[0], Single)
            assert [one.value for one in stage.questions[0].options] == ["no", NEW]

    def test_draws_what_the_command_draws(self) -> None:
        made = make("cfms/failures", 3, share="0.2")
        drawn = draw_cases(find_cases(results("cfms")), 0.2, 3)
        assert [item.attributes["item"] for item in made.items] == [case.item for case in drawn]
        assert [item.outputs[0].source for item in made.items] == [case.model for case in drawn]
        assert len({item.key for item in made.items}) == len(made.items)

    def test_what_people_settled_is_the_file_that_label_reads(self, tmp_path: Path) -> None:
        made = make("cfms/failures")
        first, second, third = made.items[:3]
        export = settled(
            made,
            became(1, first, "label", type="AH", note="smiles"),
            became(2, second, "label", type=NEW, missing_type="irony of names"),
            became(3, third, "label", "third"),
        )
        (path,) = write_labels(export, tmp_path)
        cases = find_cases(results("cfms"))
        (label,) = people_labels(path, cases, shipped_criteria()).values()
        assert (label.type, label.item) == ("AH", first.attributes["item"])

    def test_says_why_it_counts_as_wrong_and_what_is_right(self) -> None:
        for item in make("janusmm/failures").items:
            names = [part.name for part in item.parts]
            assert {"picture", "question", "gold"} <= set(names)
            assert item.outputs[0].parts[0].name == "answer"

    def test_headings_are_in_the_readers_language(self) -> None:
        both = [
            {"en": "words in the picture", "zh": "图上文字"},
            {"en": "Its answer to reasoning", "zh": "推理任务的回答"},
        ]
        made = make("janusmm/failures", share="1").items
        titles = [
            part.title
            for item in made
            for part in (*item.parts, *(one for output in item.outputs for one in output.parts))
        ]
        assert {item.language for item in made} == {"en", "zh"}
        assert all(one in titles for one in both)
        assert not any(one.get("en") == one.get("zh") for one in titles)

    def test_where_nothing_is_right_or_wrong_it_says_so(self) -> None:
        with pytest.raises(DeadpanError, match="no right and wrong"):
            make("merbench/failures")

    def test_edits_are_seen_and_not_named(self, tmp_path: Path) -> None:
        table = results("merbench").filter(pl.col("task") == "reappraisal").head(2)
        gone = table.with_row_index().with_columns(
            answer=pl.when(pl.col("index") == 0)
            .then(pl.col("answer").str.replace("[0-9a-f]{64}", "0" * 64))
            .otherwise("answer")
        )
        wrong = tmp_path / "wrong.jsonl"
        wrong.write_text(table.select("task", "model", "item", "epoch").write_ndjson(), "utf-8")
        template, given = template_of("merbench/failures"), {"wrong": str(wrong), "share": "1"}
        source = StudySource(data("merbench"), table, 0, template.settings(given))
        for item in template.make(source).items:
            (answer,) = item.outputs[0].parts
            assert answer.kind == "picture" and answer.path.endswith(str(item.attributes["item"]))
            assert not any(word in public(item) for word in ("EditedResults", "sha256"))
        left = template.make(replace(source, table=gone.drop("index")))
        assert len(left.items) == 1 and "1 answer left out" in " ".join(left.notes)


class TestAudit:
    @pytest.fixture
    def labels(self, tmp_path: Path) -> Path:
        cases = find_cases(results("cfms"))
        path = tmp_path / "labels.jsonl"
        about = {"status": "labelled", "by": "judge", "judge": "acme/sorter@x", "reason": "smiles"}
        rows: list[Label] = [label_of(case, type="AH", **about) for case in cases]
        write_rows(path, rows)
        return path

    def test_agreed_or_corrected(self, labels: Path, tmp_path: Path) -> None:
        made = make("cfms/failure-audit", labels=str(labels))
        known = read_labels(labels, shipped_criteria())
        assert untold(made.study) == [] and len(made.items) == round(0.2 * len(known))
        for item in made.items:
            label = item.part("label")
            assert label and "AH" in label.text_in("en") and "AH" in label.text_in("zh")
            assert label.text_in("en") != label.text_in("zh")
            assert not any(name in public(item) for name in (*MODELS, "sorter"))
        export = settled(
            made,
            became(1, made.items[0], "audit", verdict="agree"),
            became(2, made.items[1], "audit", verdict="correct", correct_type="TM"),
        )
        (path,) = write_audit(export, tmp_path)
        audited = [one for one in merge_labels(known, path, shipped_criteria()) if one.audited]
        assert sorted((one.was, one.type) for one in audited) == [("AH", "AH"), ("AH", "TM")]

    def test_needs_the_labels_of_this_benchmark(self, labels: Path) -> None:
        with pytest.raises(DeadpanError, match="deadpan failures label"):
            make("cfms/failure-audit")
        with pytest.raises(DeadpanError, match="labels of cfms, not janusmm"):
            make("janusmm/failure-audit", labels=str(labels))


@cache
def said(name: str, task: str) -> pl.DataFrame:
    """Two models' answers to a task of a mini-set in words."""
    benchmark = find(name)
    dataset = benchmark.read(None)
    asked = benchmark.questions(dataset, task, benchmark.prompts(task))
    answers = {one.item: Reply(text=f"It mocks the bells of {one.item}.") for one in asked}
    given = Predictions({task: answers})
    tables = [results_of_predictions(benchmark, dataset, given, model) for model in MODELS]
    return pl.concat(tables, how="diagonal_relaxed")


def judged(name: str, task: str, **given: str) -> MadeStudy:
    template = template_of(f"{name}/judge")
    settings = template.settings({"task": task, "sample": "5", **given})
    return template.make(StudySource(find(name).read(None), said(name, task), 0, settings))


class TestJudge:
    @pytest.mark.parametrize(("name", "task"), [("pixelhumor", "interpretation"), ("vimu", "oe")])
    def test_on_the_judges_own_scales(self, name: str, task: str) -> None:
        made, benchmark = judged(name, task), find(name)
        assert benchmark.judging is not None and benchmark.ratings is not None
        (verdicts,) = benchmark.judging.verdicts
        scales = {scale.name: scale for scale in benchmark.ratings.scales}
        asked = [*questions(made.study)]
        assert [one.name for one in asked] == list(verdicts.scales)
        for one in asked:
            scale = scales[one.name]
            assert isinstance(one, Likert)
            assert (one.lowest, one.highest, one.ends) == (scale.lowest, scale.highest, scale.ends)
            assert one.ends or scale.question
        assert len(made.items) == 5 and untold(made.study) == []
        for item in made.items:
            assert item.key in item.outputs[0].parts[0].text
            assert not any(model in public(item) for model in MODELS)

    def test_people_see_what_the_judge_sees(self) -> None:
        comics, videos = judged("pixelhumor", "interpretation"), judged("vimu", "oe", media="no")
        assert all(item.parts[0].kind == "comic" for item in comics.items)
        assert all(item.parts[0].panels for item in comics.items)
        names = [part.name for part in videos.items[0].parts]
        assert names == ["question", "reference", "literal_summary", "intended_meaning",
                         "evidence", "rubric"]  # fmt: skip
        assert "core_intent" in videos.study.guidelines["zh"]

    def test_and_the_video_or_picture_where_they_may(self) -> None:
        assert {item.parts[0].kind for item in judged("vimu", "oe").items} == {"video"}
        posts = make("cfms/judge")
        assert {item.parts[0].kind for item in posts.items} == {"picture"}
        told = posts.study.guidelines
        assert "you do see the picture" in told["en"] and "您可以看到图片" in told["zh"]
        bare = make("cfms/judge", media="no")
        assert "you do see the picture" not in bare.study.guidelines["en"]
        assert [part.name for part in bare.items[0].parts] == ["text", "target"]

    def test_who_names_a_task_without_answers_hears_of_others(self) -> None:
        template = template_of("cfms/judge")
        joint = results("cfms").filter(pl.col("task") == "joint")
        settings = template.settings({"task": "target"})
        with pytest.raises(DeadpanError, match=r"cfms/target .*; choose .* --set task=joint$"):
            template.make(StudySource(data("cfms"), joint, 0, settings))

    def test_a_target_by_yes_or_no_of_the_task_that_named_it(self) -> None:
        for task, scale in (("target", "same_meaning"), ("joint", "same_meaning_joint")):
            made = make("cfms/judge", task=task)
            (question,) = questions(made.study)
            assert isinstance(question, Single) and question.name == scale
            for item in made.items:
                assert item.outputs[0].parts[0].text in ("the bells", "the drums")

    def test_edits_stand_beside_their_source(self) -> None:
        made = make("merbench/judge", sample="4")
        for item in made.items:
            assert [part.kind for part in item.parts] == ["picture", "text"]
            (edited,) = item.outputs[0].parts
            assert edited.kind == "picture" and edited.path != item.parts[0].path

    def test_judged_answers_go_first(self) -> None:
        table = results("cfms")
        one = table.filter((pl.col("task") == "target") & (pl.col("model") == MODELS[1]))
        item = one["item"][0]
        is_one = (pl.col("item") == item) & (pl.col("task") == "target")
        cell = json.dumps([{"parts": {"same_meaning": True, "reason": ""}, "flags": []}])
        graded = table.with_columns(
            judgements=pl.when(is_one & (pl.col("model") == MODELS[1])).then(pl.lit(cell))
        )
        template = template_of("cfms/judge")
        settings: dict[str, Any] = template.settings({"task": "target"})
        made = template.make(StudySource(data("cfms"), graded, 0, settings))
        assert [(one.key, one.outputs[0].source) for one in made.items] == [(item, MODELS[1])]

    def test_whose_grades_count_can_be_said(self, tmp_path: Path) -> None:
        graded = results("cfms").with_columns(judge=pl.lit("acme/judge"))
        write_table(graded, tmp_path / "t.parquet")
        settings = ("cfms/judge", [tmp_path / "t.parquet"], None, {"sample": "2"})
        assert len(make_study(*settings, judge="acme/judge").items) == 2
        with pytest.raises(DeadpanError, match="graded by acme/judge, not by acme/other"):
            make_study(*settings, judge="acme/other")
        with pytest.raises(DeadpanError, match="--judge is for studies of answers"):
            make_study("cfms/labels", judge="acme/judge")
