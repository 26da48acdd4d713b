"""MER-Bench's studies: how the data was built, and how people see edits and the judge."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import get_args

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.benchmarks.merbench.annotators import DECISIONS, NO_EMOTION
from deadpan.benchmarks.merbench.edits import EDITED, MINI_SET, read_dataset
from deadpan.benchmarks.merbench.people import SCALES
from deadpan.benchmarks.merbench.records import (
    INDEX,
    LayoutType,
    Polarity,
    Source,
    Target,
    VisualType,
    read_memes,
)
from deadpan.benchmarks.merbench.studies.edits import UNCHANGED
from deadpan.benchmarks.merbench.studies.gold import LEFT_OUT, REVISED, write_index
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.templates import StudySource
from deadpan.studies.results.export_files import left_out_notes
from tests.conftest import SHARED
from tests.studies.study_room import left, served
from tests.studies.template_world import (
    EDITORS,
    became,
    data,
    make,
    public,
    questions,
    results,
    settled,
    template_of,
)


def values(name: str) -> dict[str, tuple[str, ...]]:
    """The labels of a study's questions."""
    return {
        one.name: tuple(option.value for option in one.options)
        for one in questions(make(name).study)
        if isinstance(one, Single)
    }


class TestConstruction:
    def test_asks_in_the_words_of_the_data(self) -> None:
        assert values("merbench/construction") == {
            "det_emo": (*get_args(Source), NO_EMOTION),
            "visual_type": get_args(VisualType),
            "sentiment_polarity": get_args(Polarity),
            "layout_type": get_args(LayoutType),
        }

    def test_a_pilot_is_resolved_then_the_rest_is_labelled(self) -> None:
        pilot, rest = (make("merbench/construction", phase=phase) for phase in ("find", "label"))
        (stage,) = pilot.study.stages
        assert stage.people == 3 and stage.opinions
        assert stage.settling.otherwise == ("discuss", "third")
        assert pilot.study.practice is None and len(pilot.items) == 8
        labelled = {item.key for item in rest.items if item.kind == "main"}
        piloted = {item.key for item in pilot.items}
        practised = [item for item in rest.items if item.kind == "practice"]
        assert labelled | piloted == {meme.id for meme in data("merbench").records}
        assert not labelled & piloted and {item.key for item in practised} <= piloted
        assert rest.study.practice is not None
        assert all(set(item.gold) == set(values("merbench/construction")) for item in practised)

    def test_no_label_is_shown(self) -> None:
        for item in make("merbench/construction").items:
            meme = next(one for one in data("merbench").records if one.id == item.key)
            assert meme.visual_type not in public(item) and not item.gold and not item.draft

    def test_a_pilot_of_everything_leaves_nothing(self) -> None:
        with pytest.raises(DeadpanError, match="none is left to label"):
            make("merbench/construction", phase="label", sample="100")


class TestStages:
    def test_three_stages_accept_revise_or_remove(self) -> None:
        study = make("merbench/stages").study
        assert [stage.name for stage in study.stages] == ["perceive", "plan", "edit"]
        labels = values("merbench/stages")
        assert labels["det_emo"] == get_args(Source) and set(labels["tgt_emo"]) == {
            *get_args(Target)
        }
        for stage in study.stages:
            assert stage.settling.verdict and stage.settling.discards == ("remove",)
            assert labels[stage.settling.verdict] == DECISIONS
            assert stage.missing({stage.settling.verdict: "accept"}) == []
            assert len(stage.missing({stage.settling.verdict: "remove"})) == 1

    def test_what_was_drafted_is_begun_with_where_it_is_revised(self) -> None:
        made = make("merbench/stages")
        for item in made.items:
            meme = next(one for one in data("merbench").records if one.id == item.key)
            assert item.draft["det_emo"] == meme.det_emo and item.draft["spec"] == meme.spec.strip()
            assert item.draft_by == EDITORS[0] and item.part("edited") is not None
        plan = made.study.stages[1]
        answers = {**made.items[0].draft, "plan_verdict": "revise", "plan_reason": "too sweet"}
        assert plan.missing(answers) == []

    def test_without_edits_there_are_two_stages(self) -> None:
        made = make("merbench/stages", edits="none")
        assert [stage.name for stage in made.study.stages] == ["perceive", "plan"]
        assert any("no third stage" in note for note in made.notes)

    def test_what_was_verified_is_a_whole_index(self, tmp_path: Path) -> None:
        made = make("merbench/stages")
        kept, removed, wrong, waiting = made.items[:4]
        other = "calm" if wrong.draft["tgt_emo"] != "calm" else "happy"
        export = settled(
            made,
            became(1, kept, "perceive", emotion_verdict="accept"),
            became(1, kept, "plan", plan_verdict="revise", pos_txt="All is well", plan_reason="x"),
            became(1, kept, "edit", edit_verdict="revise", edited_picture="ab", edit_reason="blur"),
            became(2, removed, "perceive", "discarded", emotion_verdict="remove"),
            became(3, wrong, "perceive", emotion_verdict="accept"),
            became(3, wrong, "plan", plan_verdict="revise", tgt_emo=other),
            became(3, wrong, "edit", edit_verdict="accept"),
            became(4, waiting, "perceive", "open"),
        )
        write_index(export, tmp_path)
        memes, anomalies = read_memes(tmp_path)
        assert [meme.id for meme in memes] == [kept.key] and not anomalies
        assert memes[0].pos_txt == "All is well" and memes[0].spec == kept.draft["spec"]
        left_out = json.loads((tmp_path / LEFT_OUT).read_text("utf-8"))
        assert [(one["id"], one["stage"], one["state"]) for one in left_out] == [
            (removed.key, "perceive", "discarded"),
            (wrong.key, "plan", "settled"),
        ]
        (note,) = left_out_notes(export, [tmp_path / INDEX, tmp_path / LEFT_OUT], None)
        assert note.startswith("2 items are left out (1 discarded; 1 the target does not belong")
        assert note.endswith(str(tmp_path / LEFT_OUT))
        (revised,) = json.loads((tmp_path / REVISED).read_text("utf-8"))
        assert revised == {"id": kept.key, "picture": "ab", "reason": "blur"}

    @pytest.mark.parametrize(
        ("language", "title", "revised", "stale"),
        [
            ("en", "Corrected emotion", "tense", "Emotion (draft)"),
            ("zh", "更正后的情绪", "紧张", "情绪（草稿）"),
        ],
    )
    def test_later_stages_show_what_was_corrected(
        self, tmp_path: Path, language: str, title: str, revised: str, stale: str
    ) -> None:
        made = make("merbench/stages")
        angry = next(item for item in made.items if item.draft["det_emo"] == "angry")
        for room in left(served(tmp_path / "study", made.study, [angry])):
            ann = room.person("Ann", language=language)
            page = ann.get(f"/t/{ann.task()}").text
            assert f'<p class="part-title">{stale}</p>' in page
            why = {"det_emo": "tense", "emotion_reason": "He sweats."}
            ann.submit(ann.task() or "", emotion_verdict="revise", **why)
            page = ann.get(f"/t/{ann.task()}").text
            assert f'<p class="part-title">{title}</p>' in page and stale not in page
            assert f'<div class="text" dir="auto">{revised}</div>' in page
            told = {"en": "angry → calm, tense → relaxed", "zh": "愤怒→平静，紧张→放松"}[language]
            assert told in page, "which target belongs to it"
            new = {"tgt_emo": "relaxed", "pos_txt": "All is well", "plan_reason": "x"}
            ann.submit(ann.task() or "", plan_verdict="revise", **new)
            page = ann.get(f"/t/{ann.task()}").text
            calm = {"en": "relaxed", "zh": "放松"}[language]
            assert f'<div class="text" dir="auto">{calm}</div>' in page and "All is well" in page

    def test_emotions_are_in_the_readers_language(self) -> None:
        for name in ("merbench/stages", "merbench/validation"):
            for item in make(name).items:
                target = item.part("target")
                assert target and target.text_in("en") in get_args(Target)
                assert target.text_in("zh") in ("开心", "平静", "放松", "兴奋")

    def test_the_released_index_makes_it(self) -> None:
        folder = SHARED / "data" / "merbench"
        if not (folder / INDEX).is_file():
            pytest.skip("the released MER-Bench annotations are not on this machine")
        template = template_of("merbench/stages")
        made = template.make(StudySource(read_dataset(folder), None, 0, template.settings({})))
        assert len(made.items) == 3117 and len(made.study.stages) == 2
        assert any("3,117 files" in note and "not there" in note for note in made.notes)
        asked = {one.name: one for one in questions(made.study)}
        for item in made.items:
            assert all(asked[name].read(said, item) == said for name, said in item.draft.items())


class TestOutputs:
    @pytest.mark.parametrize("name", ["validation", "assessments"])
    def test_rates_the_eight_dimensions_from_1_to_6(self, name: str) -> None:
        rated = [*questions(make(f"merbench/{name}").study)]
        assert [one.name for one in rated] == [scale.name for scale in SCALES]
        for one in rated:
            assert isinstance(one, Likert) and (one.lowest, one.highest) == (1, 6)

    def test_source_edit_and_target_are_shown(self) -> None:
        made = make("merbench/validation", sample="0")
        for item in made.items:
            assert [part.name for part in item.parts] == ["picture", "target"]
            assert [part.kind for part in item.outputs[0].parts] == ["picture"]
        units = {(item.key, item.outputs[0].source) for item in made.items}
        assert len(units) == len(made.items) == len(EDITORS) * len(data("merbench").records)

    def test_a_check_is_the_source_itself(self) -> None:
        checks = [
            one for one in make("merbench/validation", checks="3").items if one.kind == "check"
        ]
        assert len(checks) == 3
        for item in checks:
            assert item.gold == {"PES": 1} and item.outputs[0].source == UNCHANGED
            assert item.outputs[0].parts[0].path == item.parts[0].path

    def test_no_other_file_of_the_user_is_shown(self, tmp_path: Path) -> None:
        """A table from a stranger may name any file."""
        own = tmp_path / "private.png"
        own.write_bytes((Path(__file__).parents[1] / "conftest.py").read_bytes())
        forged = json.dumps({"path": str(own), "sha256": "0" * 64})
        table = results("merbench").with_columns(answer=pl.lit(forged), parsed=pl.lit(forged))
        template = template_of("merbench/validation")
        source = StudySource(data("merbench"), table, 0, template.settings({}))
        with pytest.raises(DeadpanError, match="no edited picture"):
            template.make(source)

    @pytest.mark.parametrize("name", ["validation", "assessments"])
    @pytest.mark.parametrize("kind", ["from another folder", "of judgements alone"])
    def test_edits_of_the_data_are_found(self, name: str, kind: str, tmp_path: Path) -> None:
        """Results may name pictures by paths that lead nowhere from here, or none."""
        table, whole = results("merbench"), data("merbench")
        parsed = [json.loads(text) for text in table["parsed"]]
        (tmp_path / "Original").symlink_to(MINI_SET / "Original")
        for row, edit in zip(table.iter_rows(named=True), parsed, strict=True):
            meme = next(one for one in whole.records if one.id == row["item"])
            place = tmp_path / EDITED / row["model"] / meme.gen_id
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(Path(edit["path"]).read_bytes())
            edit |= {"path": f"gone/{meme.gen_id}"}
            edit |= {"path": "", "sha256": ""} if kind == "of judgements alone" else {}
        told = pl.Series([json.dumps(one) for one in parsed])
        moved = table.with_columns(answer=told, parsed=told)
        template = template_of(f"merbench/{name}")
        about = replace(whole, origin=str(tmp_path))
        made = template.make(StudySource(about, moved, 0, template.settings({"sample": "0"})))
        assert len(made.items) == len(EDITORS) * len(whole.records)
        # Another picture in its place is not the one that was judged.
        for path in (tmp_path / EDITED).glob("*/*"):
            path.write_bytes((MINI_SET / "Original" / whole.records[0].id).read_bytes())
        if kind == "from another folder":
            with pytest.raises(DeadpanError, match="no edit"):
                template.make(StudySource(about, moved, 0, template.settings({})))

    def test_two_models_edits_of_a_meme(self) -> None:
        made = make("merbench/outputs", sample="0")
        assert {item.key for item in made.items} == {meme.id for meme in data("merbench").records}
        orders = Counter(tuple(one.source for one in item.outputs) for item in made.items)
        assert set(orders) == {EDITORS, EDITORS[::-1]}


class TestJudges:
    def test_pairs_of_prompts_stand_in_one_form(self) -> None:
        made = make("merbench/judges", sample="5")
        assert len(made.items) == 5 and len({item.key for item in made.items}) == 5
        for item in made.items:
            first, second = item.outputs
            assert {first.source, second.source} == {"reappraisal", "reappraisal_rf_vl"}
            assert first.parts == second.parts and "rf_vl" not in public(item)
            assert first.parts[0].text_in("en").startswith("Quality, 1 to 5: 3\n")
            assert first.parts[0].text_in("zh").startswith("质量（1–5）：3\n")
            assert "a reason of its own" in first.parts[0].text_in("zh")
            assert item.attributes["model"] in EDITORS

    def test_every_pair_or_one_each(self) -> None:
        third = results("merbench").filter(pl.col("task") == "reappraisal")
        third = third.with_columns(task=pl.lit("reappraisal_rl_vf"))
        table = pl.concat([results("merbench"), third])
        template = template_of("merbench/judges")
        counted = {}
        for pairs in ("all", "one"):
            settings = template.settings({"pairs": pairs, "sample": "6"})
            made = template.make(StudySource(data("merbench"), table, 0, settings))
            counted[pairs] = Counter(
                frozenset(one.source for one in item.outputs) for item in made.items
            )
        assert set(counted["all"].values()) == {6} and set(counted["one"].values()) == {2}

    def test_assessments_are_of_the_main_prompt_or_all(self) -> None:
        main, every = (make("merbench/assessments", variants=of) for of in ("main", "all"))
        assert {item.outputs[0].source for item in main.items} == {"reappraisal"}
        assert len(every.items) == 2 * len(main.items)

    @pytest.mark.parametrize("name", ["assessments", "judges"])
    def test_every_judged_edit_of_every_editor_is_there(self, name: str) -> None:
        """Files tell whose edit it was, which pages do not."""
        made = make(f"merbench/{name}", sample="0")
        wanted = {f"{meme.id} / {one}" for meme in data("merbench").records for one in EDITORS}
        assert len(made.items) == len(wanted) and {item.key for item in made.items} == wanted
        assert not [item for item in made.items for one in EDITORS[1:] if one in public(item)]
        assert len(make(f"merbench/{name}", sample="5").items) == 5

    def test_nothing_judged_says_how_to_judge(self) -> None:
        bare = results("merbench").with_columns(judgements=pl.lit(None, pl.String))
        template = template_of("merbench/judges")
        source = StudySource(data("merbench"), bare, 0, template.settings({}))
        with pytest.raises(DeadpanError, match="--judge"):
            template.make(source)


def test_a_subset_of_the_data_is_enough() -> None:
    few = replace(data("merbench"), records=data("merbench").records[:3])
    template = template_of("merbench/validation")
    made = template.make(StudySource(few, results("merbench"), 0, template.settings({})))
    assert {item.key for item in made.items} == {meme.id for meme in few.records}
    assert find("merbench").votes is not None
