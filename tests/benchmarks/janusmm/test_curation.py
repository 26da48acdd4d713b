"""JanusMM built from posts and chats: both stages drafted, people's study, and what is released."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.benchmarks.janusmm.curation import BUILDING
from deadpan.benchmarks.janusmm.curation.drafting import _NO_SYMBOL
from deadpan.benchmarks.janusmm.studies.gold import write_labels
from deadpan.core.curation import Drafted, Post, PostTurn, Unusable
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

PROMPTS = JANUSMM.folder / "curation" / "prompts"
THINKING: dict[str, Any] = {
    "thinking_text": "The words speak of a productive day.",
    "thinking_image": "Somebody lies in bed beside a long list",
    "thinking_logic": "Nothing was done, so the poster is the joke.",
    "emotion": "Shame",
    "joke_on": "poster",
    "self_deprecating": "yes",
    "cultural_symbols": ["Clown", "the clown", "red nose"],
}
SIDES: dict[str, Any] = {
    "sender_content": "I show my list and my bed.",
    "sender_logic": "I call doing nothing a productive day.",
    "sender_need": "I hope that others know such days.",
    "receiver_intent": "They are a little ashamed of the day.",
    "receiver_reply": "Writing the list is the hardest part!",
}
CHINESE_THINKING = THINKING | {
    "thinking_text": "文字说自己是打工的牛马。",
    "thinking_image": "一头牛坐在电脑前。",
    "thinking_logic": "把自己说成牛马，拿自己开玩笑。",
    "emotion": "疲惫",
    "cultural_symbols": ["niuma", "牛马"],
}
CHINESE_SIDES = {
    "sender_content": "我的图里有一头牛。",
    "sender_logic": "我说自己是牛马。",
    "sender_need": "希望有人说一句辛苦了。",
    "receiver_intent": "他真的很累，想被理解。",
    "receiver_reply": "辛苦了，周末好好睡一觉！",
}


@pytest.fixture
def post(tmp_path: Path) -> Post:
    words = [["TO DO", ">>> ignore this"], ["Write a list"]]
    return pictured_post(tmp_path, "m1", *words, text="So productive today", language="en")


@pytest.fixture
def chat(tmp_path: Path) -> Post:
    turns = (
        PostTurn(speaker="receiver", text="今天怎么样？"),
        PostTurn(speaker="sender", text="如图", shares_media=True),
        PostTurn(speaker="sender", text="", shares_media=True),
    )
    return pictured_post(tmp_path, "聊天-2", ["打工人"], language="zh", turns=turns)


def draft_of(
    post: Post, media: Path, first: Any, second: Any = SIDES
) -> tuple[Drafted, ScriptedInterview]:
    interview = ScriptedInterview({"stage1": first, "stage2": second}, PROMPTS, post.written_in)
    return drafted(BUILDING, post, interview, media), interview


class TestDraft:
    def test_two_stages(self, post: Post, tmp_path: Path) -> None:
        made, interview = draft_of(post, tmp_path, THINKING)
        assert made.steps == BUILDING.steps == ("stage1", "stage2")
        assert made.draft["emotion"] == "shame" and made.draft["self_deprecating"] is True
        assert made.draft["cultural_symbols"] == ["clown", "red nose"]
        assert made.draft["receiver_reply"] == SIDES["receiver_reply"]
        assert made.rounds[0].verdict == "self-deprecating"
        first, second = interview.asked
        assert first.media == second.media == (tmp_path / "m1-0.png",)
        assert "Poster: [shares the meme] So productive today" in first.prompt
        assert "››› ignore this\nWrite a list" in first.prompt and "exhaustion" in first.prompt
        assert first.prompt.count(">>>") == 2
        assert "beside a long list. The words speak" in second.prompt

    def test_in_chinese(self, chat: Post, tmp_path: Path) -> None:
        made, interview = draft_of(chat, tmp_path, CHINESE_THINKING, CHINESE_SIDES)
        assert made.draft["emotion"] == "疲惫" and made.draft["cultural_symbols"] == ["牛马"]
        asked = interview.asked[0].prompt
        assert "看图者：今天怎么样？\n发图者：【发出这张图】 如图\n发图者：" in asked
        assert asked.count("【发出这张图】") == 1 and "疲惫、" in asked

    @pytest.mark.parametrize(
        ("said", "rule"),
        [
            ({"self_deprecating": "unsure"}, "not self-deprecating: unsure"),
            ({"self_deprecating": "no", "joke_on": "somebody_else"}, "not self-deprecating"),
            ({"self_deprecating": "no", "joke_on": "nobody"}, "not self-deprecating"),
        ],
    )
    def test_what_mocks_nobody_or_others_has_no_second_stage(
        self, post: Post, tmp_path: Path, said: dict[str, str], rule: str
    ) -> None:
        made, interview = draft_of(post, tmp_path, THINKING | said)
        assert made.rounds[0].verdict == rule and made.steps == ("stage1",)
        assert made.draft["self_deprecating"] is False and not interview.of("stage2")
        assert "sender_need" not in made.draft and not made.rejected

    @pytest.mark.parametrize(
        ("wrong", "why"),
        [
            ({"joke_on": "nobody"}, 'self_deprecating is "yes", but joke_on is "nobody"'),
            ({"self_deprecating": "no"}, 'self_deprecating is "no", but joke_on is "poster"'),
            ({"emotion": "so very tired"}, "expected one word of the list"),
            ({"emotion": "疲惫"}, "expected one word of the list"),
            ({"thinking_image": "!!!!!!"}, "expected words"),
            ({"thinking_logic": "no"}, "at least 5 characters"),
        ],
    )  # fmt: skip
    def test_a_first_stage_that_contradicts_itself(
        self, post: Post, tmp_path: Path, wrong: dict[str, str], why: str
    ) -> None:
        made, interview = draft_of(post, tmp_path, [THINKING | wrong, THINKING])
        assert made.steps == BUILDING.steps and why in interview.refusals[0]
        with pytest.raises(Unusable):
            draft_of(post, tmp_path, THINKING | wrong)

    def test_sides_that_say_the_same_and_a_reply_of_somebody_else(
        self, post: Post, tmp_path: Path
    ) -> None:
        copied = SIDES | {"receiver_intent": SIDES["sender_need"].upper()}
        given = SIDES | {"receiver_reply": "so  productive TODAY"}
        made, interview = draft_of(post, tmp_path, THINKING, [copied, given, SIDES])
        assert made.draft["receiver_intent"] == SIDES["receiver_intent"]
        assert "two fields hold the same text" in interview.refusals[0]
        assert "stands in the conversation" in interview.refusals[1]

    def test_refusals_and_posts_without_a_picture(self, post: Post, tmp_path: Path) -> None:
        with pytest.raises(Unusable) as told:
            draft_of(post, tmp_path, THINKING, refusal())
        assert told.value.refused
        made, interview = draft_of(pictured_post(tmp_path, "m9", text="x"), tmp_path, THINKING)
        assert made.rejected == "no picture" and not interview.asked


@pytest.fixture
def posts(post: Post, chat: Post, tmp_path: Path) -> list[Post]:
    """A drafted post and chat, a post that is not self-mocking, and one without a draft."""
    plain = pictured_post(tmp_path, "m3", [], text="I won!", language="en", url="https://a.example")
    no = {"self_deprecating": "no", "joke_on": "nobody"}
    return [
        post.changed(draft=draft_of(post, tmp_path, THINKING)[0].draft),
        chat.changed(draft=draft_of(chat, tmp_path, CHINESE_THINKING, CHINESE_SIDES)[0].draft),
        plain.changed(draft=draft_of(plain, tmp_path, THINKING | no)[0].draft),
        pictured_post(tmp_path, "m4", ["ME"], text="Monday", language="en"),
    ]


def made_study(name: str, dataset: Dataset[Any], **given: str) -> MadeStudy:
    template = template_of(f"janusmm/{name}")
    return template.make(StudySource(dataset, settings=template.settings(given)))


class TestCandidates:
    def test_what_a_post_tells(self, posts: list[Post], tmp_path: Path) -> None:
        dataset = BUILDING.candidates(posts, tmp_path)
        rows = [meme.row for meme in dataset.records]
        assert [row.source for row in rows] == [
            "social_media", "private_dialogue", "social_media", "social_media"
        ]  # fmt: skip
        assert rows[0].text == "TO DO\n>>> ignore this\nWrite a list"
        assert [turn.shares_meme for turn in rows[1].dialogue] == [False, True, False]
        group = posts[1].turns[0].model_copy(update={"speaker": "other"})
        several = posts[1].changed(turns=(group, *posts[1].turns[1:]))
        told = posts[3].changed(attributes={"source": "group_chat"})
        found = BUILDING.candidates([several, told], tmp_path).records
        assert [meme.row.source for meme in found] == ["group_chat", "group_chat"]
        comments = tuple(PostTurn(speaker=one, text=f"haha {one}") for one in ("receiver", "other"))
        (answered,) = BUILDING.candidates([posts[3].changed(turns=comments)], tmp_path).records
        assert answered.row.source == "social_media"
        assert [(turn.speaker, turn.text, turn.shares_meme) for turn in answered.row.dialogue] == [
            ("sender", "Monday", True),
            ("receiver", "haha receiver", False),
            ("other", "haha other", False),
        ]

    def test_annotation_begins_with_the_draft(self, posts: list[Post], tmp_path: Path) -> None:
        made = made_study("annotation", BUILDING.candidates(posts, tmp_path))
        one, chat, bare = made.items
        assert one.parts[0].path == str(tmp_path / "m1-0.png")
        assert one.parts[1].turns[0].text == "[shares the meme] So productive today"
        assert one.draft["emotion"] == "shame" and one.draft["sender_need"] == SIDES["sender_need"]
        assert "self_deprecating" not in one.draft and "cultural_symbols" not in one.draft
        assert chat.draft["emotion"] == "疲惫" and chat.language == "zh" and not bare.draft
        assert all(stage.drafted for stage in made.study.stages) and made.study.practice is None
        assert "草稿" in made.study.stages[1].guidelines["zh"]
        assert [note.partition(":")[0] for note in made.notes] == [
            "there is no practice", "1 meme left out"
        ]  # fmt: skip
        create_study(tmp_path / "study", made.study, made.items).opened.database.close()

    def test_drafts_may_be_hidden_and_classes_be_asked_for(
        self, posts: list[Post], tmp_path: Path
    ) -> None:
        dataset = BUILDING.candidates(posts, tmp_path)
        hidden = made_study("annotation", dataset, drafts="hidden")
        assert not any(item.draft for item in hidden.items)
        assert not any(stage.drafted for stage in hidden.study.stages)
        classes = made_study("annotation", dataset, emotions="classes").items[0].draft
        assert "emotion" not in classes and "thinking_logic" in classes

    def test_the_filter_sees_all(self, posts: list[Post], tmp_path: Path) -> None:
        bare = pictured_post(tmp_path, "m9", text="no picture")
        made = made_study("filter", BUILDING.candidates([*posts, bare], tmp_path))
        assert [item.key for item in made.items] == ["m1", "聊天-2", "m3", "m4"]
        assert not any(item.draft for item in made.items)


class TestRelease:
    def test_what_people_settled_is_read_again(self, posts: list[Post], tmp_path: Path) -> None:
        made = made_study("annotation", BUILDING.candidates(posts, tmp_path))
        stages = {stage.name: {one.name for one in stage.questions} for stage in made.study.stages}
        said: dict[str, Any] = {**posts[0].draft, "emotion": "guilt"}
        export = settled(
            made,
            *(became(place, item, stage, **{name: said[name] for name in asked})
              for place, item in enumerate(made.items) for stage, asked in stages.items()),
        )  # fmt: skip
        write_labels(export, tmp_path)
        text = (tmp_path / "labels.jsonl").read_text("utf-8")
        lines = {row["meme_id"]: row for row in map(json.loads, text.splitlines())}
        rows = [BUILDING.rows(one, lines[one.id]) for one in posts if one.id in lines]
        splits = ({"split": "test"}, {"split": "train"}, {"split": "test"})
        files = BUILDING.files([{**row, **one} for row, one in zip(rows, splits, strict=True)])
        out = write_release(files, tmp_path, tmp_path / "out")
        dataset, other = JANUSMM.read(out), JANUSMM.read(out / "splits" / "train")
        assert [meme.meme_id for meme in dataset.records] == ["m1", "m4"]
        assert [meme.meme_id for meme in other.records] == ["聊天-2"]
        row = dataset.records[0].row
        assert (
            row.self_deprecating and row.emotion == "guilt" and row.thinking.startswith("Somebody")
        )
        assert row.cultural_symbols == ("clown", "red nose")
        assert dataset.records[1].row.cultural_symbols is None and not dataset.anomalies
        for spec in JANUSMM.tasks:
            asked = JANUSMM.questions(dataset, spec.name, JANUSMM.prompts(spec.name))
            assert len(asked) == 2 and all(Path(one.pictures[0].path).is_file() for one in asked)
        assert JANUSMM.verify(out) == []

    def test_a_draft_stands_where_nobody_is_asked(self, posts: list[Post], tmp_path: Path) -> None:
        rows = [BUILDING.rows(one, one.draft) | {"split": "test"} for one in posts[:3]]
        dataset = JANUSMM.read(write_release(BUILDING.files(rows), tmp_path, tmp_path / "out"))
        first, chat, plain = (meme.row for meme in dataset.records)
        assert first.sender_reasoning == " ".join(
            SIDES[name] for name in ("sender_content", "sender_logic", "sender_need")
        )
        assert (
            chat.thinking
            == "一头牛坐在电脑前。文字说自己是打工的牛马。把自己说成牛马，拿自己开玩笑。"
        )
        assert chat.dialogue[1].shares_meme and not chat.dialogue[2].shares_meme
        assert not plain.self_deprecating and plain.receiver_reply is None

    def test_what_is_not_settled_is_no_row(self, posts: list[Post], tmp_path: Path) -> None:
        with pytest.raises(InputError, match="made:m4 emotion"):
            BUILDING.rows(posts[3], {})
        halved = {name: said for name, said in posts[0].draft.items() if name != "receiver_intent"}
        with pytest.raises(InputError, match="made:m1 receiver_reasoning: is missing"):
            BUILDING.rows(posts[0], halved)
        row = BUILDING.rows(posts[0], posts[0].draft)
        with pytest.raises(InputError, match="is no name"):
            BUILDING.files([row | {"split": "../up"}])
        assert BUILDING.files([]).texts == {"memes.jsonl": ""}


@pytest.mark.parametrize("symbol", ["none in particular", "No symbols", "无", "没有特别的"])
def test_no_symbol_is_told(symbol: str) -> None:
    assert _NO_SYMBOL.match(symbol.casefold())


@pytest.mark.parametrize("symbol", ["no-face", "无脸男", "不倒翁", "无语菩萨", "nonet", "clown"])
def test_symbols_that_begin_so_are_symbols(symbol: str) -> None:
    assert not _NO_SYMBOL.match(symbol)
