"""JanusMM's studies: the filter, the annotation in two stages, the blind rating, lay people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.benchmarks.janusmm.annotators import REASONS, VERDICTS
from deadpan.benchmarks.janusmm.equivalents import naming
from deadpan.benchmarks.janusmm.rating_files import manual_metrics
from deadpan.benchmarks.janusmm.studies.memes import CLASSES, emotion_words
from deadpan.core.questions import Language
from deadpan.core.study.choice_questions import Multiple, Single
from deadpan.core.study.making import names_its_maker
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.core.study.text_questions import Text
from deadpan.pipeline.lay_people import read_replies
from deadpan.studies.making.creating import create_study
from tests.studies.template_world import MODELS, became, data, make, public, questions, settled


def asked(study: Study, name: str) -> Question:
    return next(one for one in questions(study) if one.name == name)


class TestFilter:
    def test_one_objection_discards_for_any_reason_but_a_mismatch(self) -> None:
        made = make("janusmm/filter")
        (stage,) = made.study.stages
        assert (stage.people, stage.settling.rule) == (2, "objection")
        verdict, reasons = asked(made.study, "verdict"), asked(made.study, "reasons")
        assert isinstance(verdict, Single) and isinstance(reasons, Multiple)
        assert tuple(one.value for one in verdict.options) == VERDICTS
        assert set(stage.settling.discards) == set(VERDICTS) - {"keep"}
        assert tuple(one.value for one in reasons.options) == REASONS
        assert not any("mismatch" in one for one in REASONS)
        assert stage.missing({"verdict": "unsafe"}) == ["reasons"]
        assert stage.missing({"verdict": "keep"}) == []
        assert {item.key for item in made.items} == {one.meme_id for one in data("janusmm").records}


class TestAnnotation:
    def test_practice_and_the_rest_are_apart_and_only_self_deprecating(self) -> None:
        made = make("janusmm/annotation", practice="4")
        practice = [item for item in made.items if item.kind == "practice"]
        rest = {item.key for item in made.items if item.kind == "main"}
        assert len(practice) == 4 and {item.language for item in practice} == {"en", "zh"}
        assert not rest & {item.key for item in practice}
        mocking = {one.meme_id for one in data("janusmm").records if one.row.self_deprecating}
        assert rest | {item.key for item in practice} == mocking
        rows = {one.meme_id: one.row for one in data("janusmm").records}
        for item in practice:
            row = rows[item.key]
            assert item.gold == {"emotion": row.emotion}
            for language in ("en", "zh"):
                assert row.thinking in item.feedback_on("stage1")[language]
                sides = (row.sender_reasoning, row.receiver_reasoning, row.receiver_reply)
                assert all(said in item.feedback_on("stage2")[language] for said in sides if said)
                assert row.thinking not in item.feedback_on("stage2")[language]

    def test_practice_is_passed_by_a_person_in_three_rounds_of_both_stages(self) -> None:
        study = make("janusmm/annotation").study
        assert study.practice is not None
        assert (study.practice.by_person, study.practice.rounds) == (True, 3)
        assert [stage.name for stage in study.practised] == ["stage1", "stage2"]
        assert all(set(stage.guidelines) == {"en", "zh"} for stage in study.stages)
        assert make("janusmm/annotation", practice="0").study.practice is None

    @pytest.mark.parametrize("emotions", ["words", "classes", "free"])
    def test_there_can_be_practice_whatever_emotions_are_chosen_from(
        self, emotions: str, tmp_path: Path
    ) -> None:
        made = make("janusmm/annotation", practice="4", emotions=emotions)
        create_study(tmp_path / "made", made.study, made.items).opened.database.close()
        practised = [item for item in made.items if item.kind == "practice"]
        told = [bool(item.gold) != ("Emotion" in item.feedback_on("stage1")["en"])
                for item in practised]  # fmt: skip
        assert told and all(told)

    def test_too_much_practice_leaves_nothing(self) -> None:
        with pytest.raises(DeadpanError, match="none is left to annotate"):
            make("janusmm/annotation", practice="40")

    def test_texts_are_compared_as_far_as_is_said(self) -> None:
        strict, none = (
            make("janusmm/annotation", text_agreement=part).study for part in ("0.7", "0")
        )
        for name in ("thinking_logic", "sender_need", "receiver_intent"):
            one = asked(strict, name)
            assert isinstance(one, Text) and (one.alike, one.compared) == (0.7, True)
            assert not asked(none, name).compared
        assert not asked(strict, "receiver_reply").compared
        assert asked(none, "emotion").compared

    def test_both_languages_ask_for_a_supportive_reply(self) -> None:
        one = asked(make("janusmm/annotation").study, "receiver_reply")
        assert "supportive reply" in one.title["en"] and "支持性回复" in one.title["zh"]

    def test_no_consensus_discards(self) -> None:
        for stage in make("janusmm/annotation").study.stages:
            assert stage.settling.otherwise == ("discuss", "discard")

    def test_the_list_has_every_emotion_of_the_data(self) -> None:
        for meme in find("janusmm").read(None).records:
            language = meme.row.language
            assert meme.row.emotion in emotion_words()[language]
            assert meme.row.emotion not in emotion_words()["en" if language == "zh" else "zh"]
        one = asked(make("janusmm/annotation").study, "emotion")
        assert isinstance(one, Text) and one.closed and one.suggestions == emotion_words()
        free = asked(make("janusmm/annotation", emotions="free").study, "emotion")
        assert isinstance(free, Text) and not free.closed
        classes = asked(
            make("janusmm/annotation", emotions="classes", practice="0").study, "emotion"
        )
        assert isinstance(classes, Single)
        assert tuple(option.value for option in classes.options) == CLASSES

    def test_what_was_settled_is_written_in_the_fields_of_the_data(self, tmp_path: Path) -> None:
        from deadpan.benchmarks.janusmm.records import MemeRow, read_memes
        from deadpan.benchmarks.janusmm.studies.gold import write_labels

        made = make("janusmm/annotation")
        one, other = [item for item in made.items if item.kind == "main"][:2]
        first = {f"thinking_{part}": f"{part}." for part in ("text", "image", "logic")}
        second = {"sender_content": "I.", "sender_logic": "me.", "sender_need": "help."}
        reader = {"receiver_intent": "sad", "receiver_reply": "there, there"}
        export = settled(
            made,
            became(1, one, "stage1", emotion="guilt", **first),
            became(1, one, "stage2", **second, **reader),
            became(2, other, "stage1", "discarded"),
        )
        (path,) = write_labels(export, tmp_path)
        (row,) = map(json.loads, path.read_text("utf-8").splitlines())
        gap = " " if one.language == "en" else ""
        own = next(meme.row for meme in read_memes(None).records if meme.meme_id == one.key)
        read = MemeRow.model_validate_json(json.dumps(row))
        assert (read.image, read.dialogue, read.source) == (own.image, own.dialogue, own.source)
        assert row["meme_id"] == one.key
        assert row["thinking"] == gap.join(("image.", "text.", "logic."))
        assert row["sender_reasoning"] == gap.join(("I.", "me.", "help."))
        assert (row["receiver_reasoning"], row["receiver_reply"]) == ("sad", "there, there")

    @pytest.mark.parametrize(
        ("language", "said", "expected"),
        [
            ("zh", ["画面很累", "写着没事。", "其实在自嘲"], "画面很累。写着没事。其实在自嘲"),
            (
                "en",
                ["It looks tired ", "it says fine.", "so no"],
                "It looks tired. it says fine. so no",
            ),
        ],
    )
    def test_parts_of_a_label_do_not_run_into_each_other(
        self, language: Language, said: list[str], expected: str, tmp_path: Path
    ) -> None:
        from deadpan.benchmarks.janusmm.studies.gold import PARTS, write_labels

        made = make("janusmm/annotation")
        item = next(one for one in made.items if one.language == language)
        words = dict(zip(PARTS["thinking"], said, strict=True))
        both = (became(1, item, "stage1", **words), became(1, item, "stage2"))
        (path,) = write_labels(settled(made, *both), tmp_path)
        assert json.loads(path.read_text("utf-8"))["thinking"] == expected


class TestRating:
    def test_asks_the_six_scales_in_their_own_words(self) -> None:
        study = make("janusmm/rating").study
        metrics = manual_metrics()
        rated = [one for one in questions(study) if isinstance(one, Likert)]
        assert [one.name for one in rated] == list(metrics)
        for one in rated:
            scale = metrics[one.name]
            assert (one.lowest, one.highest) == (scale.lowest, scale.highest)
            assert all(scale.question[code] in one.title[code] for code in ("en", "zh"))

    def test_everybody_rates_what_they_read(self) -> None:
        study = make("janusmm/rating").study
        assert study.stages[0].people is None and study.by_language

    def test_a_unit_is_a_meme_and_a_model_with_four_texts(self) -> None:
        made = make("janusmm/rating", checks="0")
        units = [(item.key, item.outputs[0].source) for item in made.items]
        mocking = [one.meme_id for one in data("janusmm").records if one.row.self_deprecating]
        assert sorted(units) == sorted((meme, model) for meme in mocking for model in MODELS)
        for item in made.items:
            names = [part.name for part in item.outputs[0].parts]
            assert names == ["reasoning", "initiator", "responder", "reply"]
            assert item.key in item.outputs[0].parts[0].text

    def test_a_model_without_a_reply_is_not_rated(self) -> None:
        import polars as pl

        from deadpan.core.study.templates import StudySource
        from tests.studies.template_world import results, template_of

        table = results("janusmm")
        gone = (pl.col("model") == MODELS[0]) & (pl.col("task") == "responder")
        template = template_of("janusmm/rating")
        source = StudySource(data("janusmm"), table.filter(~gone), 0, template.settings({}))
        made = template.make(source)
        assert {item.outputs[0].source for item in made.items} == {MODELS[1]}
        assert any("cannot be rated" in note for note in made.notes)

    def test_checks_are_answers_about_another_meme(self) -> None:
        made = make("janusmm/rating", checks="2")
        checks = [item for item in made.items if item.kind == "check"]
        assert len(checks) == 2 and made.study.checks_every
        for item in checks:
            assert item.gold == {"MG": 1}
            assert item.key not in public(item)
        mg = asked(made.study, "MG")
        assert mg.agree(2, 1) and not mg.agree(3, 1)

    def test_a_justification_is_reviewed_where_it_is_asked_for(self) -> None:
        plain, justified = (
            make("janusmm/rating", justification=said).study for said in ("no", "yes")
        )
        assert plain.stages[0].review is None and not plain.stages[0].question("note")
        review = justified.stages[0].review
        assert review is not None and (review.question, review.needed) == ("note", 2)

    def test_an_answer_that_says_who_wrote_it_is_told_of(self) -> None:
        (output,) = make("janusmm/rating", checks="0").items[0].outputs
        assert not names_its_maker(output)
        own = output.parts[0].model_copy(update={"text": "As Loud, a model by Acme, I think"})
        assert names_its_maker(output.model_copy(update={"source": MODELS[0], "parts": (own,)}))


class TestLay:
    def test_nothing_hints_at_what_is_looked_for(self) -> None:
        made = make("janusmm/lay")
        told = made.study.model_dump(exclude={"silent", "template", "name", "benchmark"})
        for words in (str(told), *(str(item.model_dump(exclude={"parts"})) for item in made.items)):
            assert naming(words) is None and "self_deprecating" not in words
            assert not any(hint in words for hint in ("self-", "mock", "自嘲", "嘲"))

    def test_asks_the_question_of_models(self) -> None:
        (question,) = questions(make("janusmm/lay").study)
        prompts = find("janusmm").prompts("recognition").user
        for code in ("en", "zh"):
            assert question.title[code] in prompts[code] and question.help[code] in prompts[code]

    def test_gives_the_file_that_is_scored(self, tmp_path: Path) -> None:
        made = make("janusmm/lay")
        assert made.study.produces == "answers" and made.study.stages[0].people == 5
        path = tmp_path / "answers.csv"
        path.write_text(f"item,rater,answer\n{made.items[0].key},rater-1,self-mockery\n", "utf-8")
        assert read_replies([path], "recognition")["rater-1"][made.items[0].key].text
