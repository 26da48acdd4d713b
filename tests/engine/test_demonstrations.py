"""Demonstrations in messages: turns or one message, in the question's language, told in full."""

import asyncio
from pathlib import Path

import pytest
from deadpan.engine.asking import Asker
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText

from deadpan.demonstrations.demonstration import Demonstration, Pool
from deadpan.demonstrations.selection import RandomSelector
from deadpan.demonstrations.spending import spent_on
from deadpan.engine.demonstrations import Demonstrator, asked_of, prepared, with_examples
from deadpan.engine.rewarding import Asking, environment_of
from deadpan.questions import Picture, Question, Showing
from tests.demonstrations.toy import MOODS, draw
from tests.model_server import ModelServer


@pytest.fixture
def questions(tmp_path: Path) -> list[Question]:
    draw(tmp_path)
    return MOODS.examples(tmp_path, "joint", MOODS.prompts("joint"), "train")


def shown(question: Question) -> list[str]:
    example = prepared(Demonstration(question=question, answer="是"), Showing())
    (message,) = with_examples([ChatMessageUser(content="?")], "zh", [example], "interleaved")
    parts = message.content
    assert isinstance(parts, list)
    return [part.text if isinstance(part, ContentText) else part.type for part in parts]


def test_one_message_holds_example_answer_and_question_in_order(questions: list[Question]) -> None:
    assert shown(questions[2]) == [
        "示例 1：", "image", questions[2].text, "答案：是", "现在请回答这一题：", "?",
    ]  # fmt: skip


def test_turns_come_between_the_system_message_and_the_question(questions: list[Question]) -> None:
    example = prepared(Demonstration(question=questions[0], answer="Yes"), Showing())
    asked = asked_of(questions[1], "moods", "joint", [example], "turns")
    assert [message.role for message in asked] == ["system", "user", "assistant", "user"]
    assert (asked[1].text, asked[2].text) == (questions[0].text, "Yes")
    assert asked[3].text == questions[1].text
    assert isinstance(asked[1].content, list) and isinstance(asked[1].content[0], ContentImage)
    assert asked[3].metadata is not None and asked[3].metadata["card"]["item"] == "train_1"


def test_without_examples_nothing_changes() -> None:
    asked = [ChatMessageSystem(content="S"), ChatMessageUser(content="Q")]
    assert with_examples(asked, "en", [], "interleaved") is asked


def test_what_may_not_be_shown_is_noted(questions: list[Question]) -> None:
    pool = Pool(tuple(Demonstration(question=q, answer="Yes") for q in questions), "moods")
    who = Demonstrator(RandomSelector(pool, 1), "turns")
    (example,) = who.examples(questions[0], Showing())
    assert example.demonstration.item != "train_0"
    assert example.told[0]["notes"] == ["train_0 is the question itself and is not shown"]
    assert example.told[0]["demonstration"] == example.demonstration.item
    assert Demonstrator(who.selector, "interleaved").name == f"{who.name};interleaved"


def test_a_missing_picture_fails_the_question_that_shows_it(questions: list[Question]) -> None:
    gone = questions[0].model_copy(update={"pictures": (Picture(path="gone.png"),)})
    with pytest.raises(Exception, match=r"gone.png: there is no such picture"):
        prepared(Demonstration(question=gone, answer="Yes"), Showing())


def test_what_cannot_be_shown_is_a_failed_reply_and_no_call(
    questions: list[Question], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    gone = questions[1].model_copy(update={"pictures": (Picture(path="gone.png"),)})
    pool = Pool(tuple(Demonstration(question=q, answer="Yes") for q in questions[:2]), "moods")
    heard: list[tuple[int, int]] = []
    asking = Asking("openai-api/loopback/pupil", None, "turns", 2, 0, 10)
    with ModelServer(lambda *_: "Purple.") as server:
        server.offer(monkeypatch)
        asked = {"validation": [questions[2], gone]}
        with environment_of(MOODS, "joint", pool, asked, asking) as environment:
            choices = [(0, (0,)), (1, (0,))]
            told = lambda done, total: heard.append((done, total))  # noqa: E731
            replies = environment.replies("validation", choices, told)
            parts = environment.graded("validation", choices, replies)
        assert server.total == 1
    assert (replies[0].text, parts[0] is None) == ("Purple.", False)
    assert (replies[1].error or "").startswith("not asked: gone.png: there is no such picture")
    assert parts[1] is None and heard == [(1, 2), (2, 2)]
    assert spent_on(replies).calls == 1


def test_an_answer_is_paid_for_once_and_a_failed_call_is_not_kept(
    questions: list[Question], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    with ModelServer(lambda *_: "Purple.") as server:
        server.offer(monkeypatch)
        server.most_images = 0

        def asked(question: Question, shown: int) -> list[str | None]:
            example = prepared(Demonstration(question=questions[shown], answer="Yes"), Showing())
            messages = asked_of(question, "moods", "joint", [example], "turns")
            asker = Asker("openai-api/loopback/pupil", max_retries=0)
            reply = asyncio.run(asker.answer(messages, MOODS.task("joint")))
            return [reply.text, reply.error and reply.error[:40]]

        for _ in range(2):
            assert asked(questions[1], 0)[1] == "openai-api/loopback/pupil could not be a"
        assert server.total == 2
        server.most_images = None
        for _ in range(2):
            assert asked(questions[2], 0) == ["Purple.", None]
        assert server.total == 3
        assert asked(questions[2], 3) == ["Purple.", None]
        assert server.total == 4, "another demonstration is another prompt"
