"""Examples: what is shown and answered, of the tasks that have a training split."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.core.questions import Picture
from deadpan.engine.fewshot.demonstration import lacking_tasks, taught_tasks
from deadpan.engine.local.models import picture_model
from deadpan.learning.finetune.examples import corpus_of, examples_checksum, split_examples, turns
from tests.learning.finetune.taught_toy import SQUARES


def test_only_tasks_with_a_training_split_are_taught() -> None:
    assert taught_tasks(SQUARES) == ["colour", "shape"]
    untaught = "pixelhumor has no training split; benchmarks that have one: cfms"
    with pytest.raises(DeadpanError, match=untaught):
        taught_tasks(find("pixelhumor"))
    with pytest.raises(DeadpanError, match=untaught):
        split_examples(find("pixelhumor"), ["presence"], "train")


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
    processor: Any = picture_model(str(qwen)).processor
    one = split_examples(SQUARES, ["colour"], "train", limit=1)[0]
    lost = one.question.model_copy(update={"pictures": (Picture(path="lost.png"),)})
    with pytest.raises(InputError, match="there is no such picture"):
        corpus_of([type(one)(one.task, lost, one.answer)], processor)
    with pytest.raises(InputError, match="there are none to learn from"):
        corpus_of([], processor)


def test_tasks_without_examples_in_a_split_are_told_apart() -> None:
    lacking = lacking_tasks(SQUARES, ["colour", "taste"], "validation")
    assert list(lacking) == ["taste"]
    assert "has no training split" in str(lacking["taste"])


def test_an_example_that_cannot_be_shown_is_left_out_and_said(
    qwen: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path))
    whole = split_examples(SQUARES, ["colour"], "train")
    broken = Path(whole[1].question.pictures[0].path)
    broken.write_bytes(broken.read_bytes()[:40])
    assert split_examples(SQUARES, ["colour"], "train") == [whole[0], *whole[2:]]
    assert "1 of 12 questions are left out" in caplog.text and str(broken) in caplog.text
    processor: Any = picture_model(str(qwen)).processor
    assert corpus_of(whole[:2], processor).examples == (whole[0],)
    assert f"colour, {whole[1].question.item}: left out" in caplog.text


def test_an_example_longer_than_the_models_context_is_named(qwen: Path) -> None:
    model = picture_model(str(qwen))
    found = split_examples(SQUARES, ["colour"], "train", limit=4)
    lengths = corpus_of(found, model.processor, model.context).lengths
    assert model.context == 2048
    longest = found[lengths.index(max(lengths))].question.item
    told = f"colour, {longest}: has {max(lengths)} tokens with its answer, and the base model takes"
    with pytest.raises(InputError, match=told):
        corpus_of(found, model.processor, context=max(lengths) - 1)
