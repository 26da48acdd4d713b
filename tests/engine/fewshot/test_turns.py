"""Demonstrations in prompts: turns or one message, in the question's language, told in full."""

import asyncio
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.core.questions import MediaOptions, Picture, Question
from deadpan.engine.answers import Answer
from deadpan.engine.calls import CallOptions
from deadpan.engine.fewshot.demonstration import Demonstration, Pool
from deadpan.engine.fewshot.selection import (
    Demonstrator,
    RandomSelector,
    example_part,
    turns_with_examples,
)
from deadpan.engine.inspect_model import inspect_messages
from deadpan.engine.question_parts import ExamplePart, question_turns
from deadpan.engine.requests import Image, Message, Request, Sampling, Turn
from deadpan.engine.run import open_asker
from deadpan.engine.task_questions import RunSettings
from deadpan.learning.fewshot.rewards import Rewarding, Spent, environment_of
from tests.learning.fewshot.toy import MOODS, draw
from tests.model_server import ModelServer

PUPIL = "openai-api/loopback/pupil"


@pytest.fixture
def questions(tmp_path: Path) -> list[Question]:
    draw(tmp_path)
    return MOODS.training.examples(tmp_path, "joint", MOODS.prompts("joint"), "train")


def example(question: Question, answer: str) -> ExamplePart:
    return example_part(Demonstration(question=question, answer=answer), MediaOptions())


def as_sent(turn: Turn) -> list[str]:
    """The texts of a turn, and `image` for each picture."""
    contents = [content for part in turn.parts for content in part.build(None).contents]
    return ["image" if isinstance(one, Image) else str(one) for one in contents]


def test_one_message_holds_example_answer_and_question_in_order(questions: list[Question]) -> None:
    asked = questions[2].model_copy(update={"pictures": (), "text": "?"})
    shown = [example(questions[2], "是")]
    system, user = turns_with_examples(asked, MediaOptions(), shown, "interleaved")
    assert (system.role, user.role) == ("system", "user")
    assert as_sent(user) == [
        "示例 1：", "image", questions[2].text, "答案：是", "现在请回答这一题：", "?",
    ]  # fmt: skip


def test_turns_come_between_the_system_message_and_the_question(questions: list[Question]) -> None:
    shown = [example(questions[0], "Yes")]
    turns = turns_with_examples(questions[1], MediaOptions(), shown, "turns")
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "user"]
    assert [as_sent(turn) for turn in turns[1:]] == [
        ["image", questions[0].text],
        ["Yes"],
        ["image", questions[1].text],
    ]
    card = questions[1].card("moods", "joint").model_dump(mode="json")
    messages = [Message(turn.role, tuple(as_sent(turn))) for turn in turns]
    last = inspect_messages(messages, card)[-1]
    assert last.metadata is not None and last.metadata["card"]["item"] == "train_1"


def test_without_examples_nothing_changes(questions: list[Question]) -> None:
    for layout in ("turns", "interleaved"):
        turns = turns_with_examples(questions[0], MediaOptions(), [], layout)
        assert turns == question_turns(questions[0], MediaOptions())


def test_what_may_not_be_shown_is_noted(questions: list[Question]) -> None:
    pool = Pool(tuple(Demonstration(question=q, answer="Yes") for q in questions), "moods")
    who = Demonstrator(RandomSelector(pool, 1), "turns")
    shown = who.turns(questions[0], MediaOptions())[1].parts[0]
    assert isinstance(shown, ExamplePart) and shown.item != "train_0"
    (told,) = shown.build(None).shown
    assert told["notes"] == ["train_0 is the question itself and is not shown"]
    assert (told["demonstration"], told["answer"]) == (shown.item, "Yes")
    assert Demonstrator(who.selector, "interleaved").name == f"{who.name};interleaved"


def test_a_missing_picture_fails_the_question_that_shows_it(questions: list[Question]) -> None:
    gone = questions[0].model_copy(update={"pictures": (Picture(path="gone.png"),)})
    with pytest.raises(InputError, match=r"gone.png: there is no such picture"):
        example(gone, "Yes").build(None)


def test_what_cannot_be_shown_is_a_failed_reply_and_no_call(
    questions: list[Question], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = questions[1].model_copy(update={"pictures": (Picture(path="gone.png"),)})
    pool = Pool(tuple(Demonstration(question=q, answer="Yes") for q in questions[:2]), "moods")
    heard: list[tuple[int, int]] = []
    settings = RunSettings(tmp_path / "answers", calls=CallOptions(2, 0, 10))
    with ModelServer(lambda *_: "Purple.") as server:
        server.offer(monkeypatch)
        asked = {"validation": [questions[2], gone]}
        made = environment_of(MOODS, "joint", pool, asked, PUPIL, Rewarding(), settings)
        with made as environment:
            choices = [(0, (0,)), (1, (0,))]
            told = lambda done, total: heard.append((done, total))  # noqa: E731
            replies = environment.replies("validation", choices, told)
            parts = environment.graded("validation", choices, replies)
        assert server.total == 1
    assert (replies[0].text, parts[0] is None) == ("Purple.", False)
    assert (replies[1].error or "").startswith("not asked: gone.png: there is no such picture")
    assert parts[1] is None and heard == [(1, 2), (2, 2)]
    assert Spent.on(replies).calls == 1


def test_an_answer_is_paid_for_once_and_a_failed_call_is_not_kept(
    questions: list[Question], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = RunSettings(tmp_path / "answers", calls=CallOptions(max_retries=0))

    async def answer(question: Question, shown: int) -> Answer:
        examples = [example(questions[shown], "Yes")]
        turns = turns_with_examples(question, MediaOptions(), examples, "turns")
        async with open_asker(PUPIL, settings) as asker:
            return await asker.answer(Request("joint", turns, Sampling(temperature=0)))

    with ModelServer(lambda *_: "Purple.") as server:
        server.offer(monkeypatch)
        server.most_images = 0
        for _ in range(2):
            failed = asyncio.run(answer(questions[1], 0))
            assert failed.text is None and "BadRequestError" in (failed.error or "")
        assert server.total == 2
        server.most_images = None
        for _ in range(2):
            made = asyncio.run(answer(questions[2], 0))
            assert (made.text, made.error) == ("Purple.", None)
        assert server.total == 3
        assert asyncio.run(answer(questions[2], 3)).text == "Purple."
        assert server.total == 4, "another demonstration is another prompt"
