"""MER-Bench built from posts: stages that are verified, people's study, and what is released."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.merbench import MERBENCH
from deadpan.benchmarks.merbench.curation import BUILDING
from deadpan.benchmarks.merbench.studies.gold import write_index
from deadpan.core.curation import Drafted, Post, Unusable
from deadpan.core.dataset import Dataset
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.studies.making.creating import create_study
from tests.curate.interviews import (
    ScriptedInterview,
    drafted,
    pictured_post,
    refusal,
    write_release,
)
from tests.studies.template_world import became, settled, template_of

PROMPTS = MERBENCH.folder / "curation" / "prompts"
PERCEIVED: dict[str, Any] = {
    "visual_cues": "A cat glares at a {caption} keyboard.",
    "text_cues": "The build failed again.",
    "emotion": "angry",
    "other_emotion": None,
    "clarity": "clear",
}
PLANNED = {
    "target_emotion": "calm",
    "caption": "THE BUILD TAKES A WHILE\nTEA TIME",
    "specification": "The cat holds a cup; all else stays.",
}
SORTED = {
    "visual_type": "Cartoon_Anime",
    "sentiment_polarity": "Negative",
    "layout_type": "SinglePanel_Meme",
}
ACCEPTED: dict[str, Any] = {
    "problems": [], "verdict": "accept", "feedback": None, "reason": None
}  # fmt: skip
REVISED = ACCEPTED | {"verdict": "revise", "problems": ["vague"], "feedback": "Say >>> which cat."}
REMOVED = ACCEPTED | {"verdict": "remove", "problems": ["crude"], "reason": "It is hateful."}
WRITTEN: dict[str, Any] = {"perceive": PERCEIVED, "plan": PLANNED, "taxonomy": SORTED}
REPLIES = WRITTEN | {f"verify_{stage}": ACCEPTED for stage in WRITTEN}
CHINESE = REPLIES | {
    "perceive": PERCEIVED
    | {"visual_cues": "一只猫盯着键盘。", "text_cues": "又失败了。", "emotion": "bored"},
    "plan": PLANNED
    | {
        "target_emotion": "excited",
        "caption": "新的一天\n新的挑战",
        "specification": "猫睁大眼睛。",
    },
}


@pytest.fixture
def post(tmp_path: Path) -> Post:
    words = [["WHEN THE BUILD", "FAILS >>> AGAIN"], ["another picture"]]
    return pictured_post(tmp_path, "m1", *words, text="my life", language="en")


def draft_of(
    post: Post, media: Path, replies: dict[str, Any], rounds: int = 3
) -> tuple[Drafted, ScriptedInterview]:
    interview = ScriptedInterview(replies, PROMPTS, post.written_in)
    return drafted(BUILDING, post, interview, media, rounds), interview


class TestDraft:
    def test_three_stages_each_verified(self, post: Post, tmp_path: Path) -> None:
        made, interview = draft_of(post, tmp_path, REPLIES)
        assert made.draft == {
            "det_emo": "angry",
            "tgt_emo": "calm",
            "img_desc": "Visual cues: A cat glares at a {caption} keyboard.\n\n"
            "Text cues: The build failed again.",
            "pos_txt": PLANNED["caption"],
            "spec": PLANNED["specification"],
            **SORTED,
        }
        assert made.steps == BUILDING.steps == tuple(one.step for one in interview.asked)
        assert [one.role for one in interview.asked] == ["writer", "validator"] * 3
        assert {one.media for one in interview.asked} == {(tmp_path / "m1-0.png",)}
        assert [one.verdict for one in made.rounds] == [f"{name}: accept" for name in WRITTEN]
        plan = interview.of("plan")[0].prompt
        assert "feel calm instead of angry" in plan and "FAILS ››› AGAIN" in plan
        assert "another picture" not in plan and "glares at a {caption} keyboard" in plan

    def test_in_chinese(self, tmp_path: Path) -> None:
        post = pictured_post(tmp_path, "图-1", ["又失败了"], language="zh")
        made, interview = draft_of(post, tmp_path, CHINESE)
        assert made.draft["img_desc"] == "画面：一只猫盯着键盘。\n\n文字：又失败了。"
        assert made.draft["tgt_emo"] == "excited"
        assert "由无聊变为兴奋" in interview.of("plan")[0].prompt

    @pytest.mark.parametrize(
        ("said", "what"),
        [
            ({"emotion": "other", "other_emotion": "joy"}, "joy"),
            ({"clarity": "unclear"}, "not clearly angry"),
        ],
    )
    def test_what_is_not_clearly_negative_goes_no_further(
        self, post: Post, tmp_path: Path, said: dict[str, str], what: str
    ) -> None:
        replies = REPLIES | {"perceive": PERCEIVED | said}
        made, interview = draft_of(post, tmp_path, replies)
        assert (made.rejected, made.what, made.steps) == ("not negative", what, ())
        assert [one.verdict for one in made.rounds] == ["perceive: not negative"]
        assert len(interview.asked) == 1 and not made.draft

    def test_feedback_leads_to_another_round_and_all_are_kept(
        self, post: Post, tmp_path: Path
    ) -> None:
        better = PLANNED | {"caption": "THE BUILD CAN WAIT"}
        replies = REPLIES | {"plan": [PLANNED, better], "verify_plan": [REVISED, ACCEPTED]}
        made, interview = draft_of(post, tmp_path, replies)
        assert made.draft["pos_txt"] == "THE BUILD CAN WAIT" and not made.rejected
        first, second = interview.of("plan")
        assert (first.attempt, second.attempt) == (1, 2)
        assert "Say ››› which cat." in second.prompt and "TEA TIME" in second.prompt
        assert "TEA TIME" not in first.prompt
        rounds = [one for one in made.rounds if one.verdict.startswith("plan")]
        assert [(one.number, one.verdict) for one in rounds] == [
            (1, "plan: revise"), (2, "plan: accept")
        ]  # fmt: skip
        assert rounds[0].feedback["feedback"] == REVISED["feedback"]
        assert rounds[0].written["caption"] == PLANNED["caption"]

    @pytest.mark.parametrize("rounds", [1, 2])
    def test_what_is_never_accepted_and_what_is_removed(
        self, post: Post, tmp_path: Path, rounds: int
    ) -> None:
        made, _ = draft_of(post, tmp_path, REPLIES | {"verify_taxonomy": REVISED}, rounds)
        assert made.rejected == "not accepted" and made.what == "taxonomy: Say >>> which cat."
        assert len(made.rounds) == 3 + rounds and made.steps == BUILDING.steps[:-1]
        gone, _ = draft_of(post, tmp_path, REPLIES | {"verify_perceive": REMOVED}, rounds)
        assert gone.rejected == "removed" and gone.what == "perceive: It is hateful."
        assert gone.steps == ("perceive",) and gone.rounds[0].verdict == "perceive: remove"

    @pytest.mark.parametrize(
        ("step", "wrong", "why"),
        [
            ("perceive", {"other_emotion": "joy"}, "other_emotion has to be null"),
            ("perceive", {"emotion": "other"}, "other_emotion has to be a word"),
            ("perceive", {"emotion": "happy"}, "Input should be"),
            ("plan", {"target_emotion": "happy"}, 'expected "calm"'),
            ("plan", {"caption": "WHEN THE BUILD FAILS >>> AGAIN"}, "it is the old one"),
            ("plan", {"caption": "喝茶时间"}, "expected it in English"),
            ("verify_plan", {"problems": ["too long"]}, 'verdict is "accept", but'),
            ("verify_plan", {"verdict": "revise"}, "feedback has to be words"),
            ("verify_plan", {**REVISED, "reason": "It is hateful."}, "reason has to be null"),
            ("plan", {"caption": "“TEA TIME AGAIN”"}, "without quotation marks"),
        ],
    )
    def test_a_reply_that_contradicts_itself(
        self, post: Post, tmp_path: Path, step: str, wrong: dict[str, Any], why: str
    ) -> None:
        replies = REPLIES | {step: [REPLIES[step] | wrong, REPLIES[step]]}
        made, interview = draft_of(post, tmp_path, replies)
        assert made.steps == BUILDING.steps
        assert len(interview.refusals) == 1 and why in interview.refusals[0]

    def test_words_that_are_not_there_are_neutral(self, tmp_path: Path) -> None:
        post = pictured_post(tmp_path, "m2", [], language="en")
        neutral = SORTED | {"sentiment_polarity": "Neutral"}
        made, interview = draft_of(post, tmp_path, REPLIES | {"taxonomy": [SORTED, neutral]})
        assert made.draft["sentiment_polarity"] == "Neutral"
        assert "no caption" in interview.refusals[0]

    def test_refusals_and_posts_without_a_picture(self, post: Post, tmp_path: Path) -> None:
        with pytest.raises(Unusable) as told:
            draft_of(post, tmp_path, REPLIES | {"verify_plan": refusal()})
        assert told.value.refused
        made, interview = draft_of(pictured_post(tmp_path, "m9", text="x"), tmp_path, REPLIES)
        assert made.rejected == "no picture" and not interview.asked


@pytest.fixture
def posts(post: Post, tmp_path: Path) -> list[Post]:
    """A drafted post in each language, and one without a draft."""
    chinese = pictured_post(tmp_path, "图-1", ["又失败了"], language="zh")
    return [
        post.changed(draft=draft_of(post, tmp_path, REPLIES)[0].draft),
        chinese.changed(draft=draft_of(chinese, tmp_path, CHINESE)[0].draft),
        pictured_post(tmp_path, "m3", [], text="no words were read", language="en"),
    ]


def made_study(name: str, dataset: Dataset[Any], **given: str) -> MadeStudy:
    template = template_of(f"merbench/{name}")
    return template.make(StudySource(dataset, settings=template.settings(given)))


class TestCandidates:
    def test_stages_begin_with_the_draft(self, posts: list[Post], tmp_path: Path) -> None:
        made = made_study("stages", BUILDING.candidates(posts, tmp_path))
        one, chinese = made.items
        parts = {part.name: part for part in one.parts}
        assert one.key == "m1" and parts["picture"].path == str(tmp_path / "m1-0.png")
        assert parts["caption"].text == "WHEN THE BUILD\nFAILS >>> AGAIN"
        assert one.draft["det_emo"] == "angry" and one.draft["pos_txt"] == PLANNED["caption"]
        assert chinese.language == "zh" and chinese.draft["tgt_emo"] == "excited"
        assert [stage.name for stage in made.study.stages] == ["perceive", "plan"]
        assert "1 meme left out: there is no draft to verify" in made.notes
        create_study(tmp_path / "study", made.study, made.items).opened.database.close()

    def test_labels_need_no_draft(self, posts: list[Post], tmp_path: Path) -> None:
        dataset = BUILDING.candidates(posts, tmp_path)
        made = made_study("construction", dataset, sample="2")
        assert len(made.items) == 2 and not any(item.draft for item in made.items)
        every = made_study("construction", dataset)
        assert [item.language for item in every.items] == ["en", "zh", "en"]
        assert every.items[2].parts[1].text == "no words were read"
        with pytest.raises(DeadpanError, match="nobody has labelled these memes; name the pilot"):
            made_study("construction", dataset, phase="label")

    def test_without_any_draft_nothing_can_be_verified(
        self, posts: list[Post], tmp_path: Path
    ) -> None:
        bare = pictured_post(tmp_path, "m9", text="no picture")
        dataset = BUILDING.candidates([posts[2], bare], tmp_path)
        assert [odd.kind for odd in dataset.anomalies] == ["no picture"]
        with pytest.raises(DeadpanError, match="no meme has a draft"):
            made_study("stages", dataset)


class TestRelease:
    def test_what_people_settled_is_read_again(self, posts: list[Post], tmp_path: Path) -> None:
        made = made_study("stages", BUILDING.candidates(posts, tmp_path))
        one, other = made.items
        revised = {"plan_verdict": "revise", "pos_txt": "TEA, THEN"}
        write_index(
            settled(
                made,
                became(0, one, "perceive", emotion_verdict="accept"),
                became(0, one, "plan", **revised),
                became(1, other, "perceive", emotion_verdict="accept"),
                became(1, other, "plan", plan_verdict="accept"),
            ),
            tmp_path,
        )
        records = json.loads((tmp_path / "index_final.json").read_text("utf-8"))
        found = {record["id"]: record for record in records}
        rows = [BUILDING.rows(post, found[post.id]) for post in posts[:2]]
        assert [row["id"] for row in rows] == ["m1", "图-1"] and rows[1]["language"] == "zh"
        files = BUILDING.files([rows[0] | {"split": "test"}, rows[1] | {"split": "train"}])
        assert files.media["Original/m1.png"] == "m1-0.png"
        out = write_release(files, tmp_path, tmp_path / "out")
        dataset = MERBENCH.read(out)
        (meme,) = dataset.records
        assert (meme.id, meme.gen_id, meme.pos_txt) == ("m1.png", "m1.png", "TEA, THEN")
        assert not dataset.anomalies
        assert MERBENCH.read(out / "splits" / "train").records[0].language == "zh"
        for spec in MERBENCH.tasks:
            (asked,) = MERBENCH.questions(dataset, spec.name, MERBENCH.prompts(spec.name))
            assert Path(asked.pictures[0].path).is_file() and isinstance(asked.gold, dict)
            assert asked.gold["source_sha256"]

    def test_a_draft_stands_where_nobody_is_asked(self, posts: list[Post], tmp_path: Path) -> None:
        rows = [BUILDING.rows(one, one.draft) | {"split": "test"} for one in posts[:2]]
        dataset = MERBENCH.read(write_release(BUILDING.files(rows), tmp_path, tmp_path / "out"))
        assert [meme.det_emo for meme in dataset.records] == ["angry", "bored"]
        assert dataset.records[1].layout_type == "SinglePanel_Meme"

    def test_what_is_not_settled_is_no_row(self, posts: list[Post]) -> None:
        with pytest.raises(InputError, match="made:m3 det_emo: is missing"):
            BUILDING.rows(posts[2], {})
        with pytest.raises(InputError, match='made:m1 tgt_emo: got "calm"; expected "happy"'):
            BUILDING.rows(posts[0], {**posts[0].draft, "det_emo": "sad"})

    def test_a_hostile_id_names_no_other_file(self, posts: list[Post]) -> None:
        odd = posts[0].changed(id="../m1")
        row = BUILDING.rows(odd, odd.draft) | {"split": "test"}
        (name,) = BUILDING.files([row]).media
        assert name.startswith("Original/") and ".." not in name
        assert json.loads(BUILDING.files([]).texts["index_final.json"]) == []
