"""Examples: what is shown and answered, of the tasks that have a training split."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deadpan.benchmarks import find
from deadpan.errors import DeadpanError, InputError
from deadpan.finetune.examples import (
    corpus_of,
    examples_checksum,
    split_examples,
    taught_tasks,
    turns,
)
from deadpan.questions import Picture
from tests.finetune.taught_toy import SQUARES


def test_only_tasks_with_a_training_split_are_taught() -> None:
    assert taught_tasks(SQUARES) == ["colour", "shape"]
    with pytest.raises(DeadpanError, match="has no training split"):
        taught_tasks(find("pixelhumor"))


def test_the_limit_holds_for_each_task_and_answers_are_worded() -> None:
    found = split_examples(SQUARES, ["colour", "shape"], "train", limit=2)
    assert [(one.task, one.answer) for one in found] == [
        ("colour", "red, of course"),
        ("colour", "蓝色"),
        ("shape", "square"),
        ("shape", "square"),
    ]


def test_a_talk_shows_the_picture_before_the_question() -> None:
    one = split_examples(SQUARES, ["colour"], "train", limit=1)[0]
    system, user = turns(one.question)
    assert system.parts == ("Look.",)
    picture, text = user.parts
    assert isinstance(picture, Image.Image) and picture.getpixel((0, 0)) == (255, 0, 0)
    assert text == "Which colour?"


def test_the_checksum_follows_the_pixels_and_not_the_place(tmp_path: Path) -> None:
    one = split_examples(SQUARES, ["colour"], "train", limit=1)[0]

    def checked(colour: str, name: str) -> str:
        path = tmp_path / name
        Image.new("RGB", (8, 8), colour).save(path)
        question = one.question.model_copy(update={"pictures": (Picture(path=str(path)),)})
        return examples_checksum([type(one)(one.task, question, one.answer)])

    assert checked("red", "a.png") == checked("red", "b.png") == examples_checksum([one])
    assert checked("blue", "c.png") != examples_checksum([one])


def test_a_picture_that_is_missing_is_known_before_training(qwen: Path) -> None:
    from deadpan.finetune.models import picture_model

    processor: Any = picture_model(str(qwen)).processor
    one = split_examples(SQUARES, ["colour"], "train", limit=1)[0]
    lost = one.question.model_copy(update={"pictures": (Picture(path="lost.png"),)})
    with pytest.raises(InputError, match="there is no such picture"):
        corpus_of([type(one)(one.task, lost, one.answer)], processor)
    with pytest.raises(InputError, match="there are none to learn from"):
        corpus_of([], processor)
