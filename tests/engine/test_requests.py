"""What a question is known by: everything that was meant, and nothing of where it lies."""

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow
from pydantic import BaseModel

from deadpan.core.questions import Clip, MediaOptions, PanelBox, Picture, Question
from deadpan.engine.question_parts import question_turns
from deadpan.engine.requests import (
    REASONING_ROOM,
    Image,
    ImageBytes,
    Request,
    Sampling,
    Text,
    Turn,
    attempt_key,
    public_arguments,
)

GREEDY = Sampling(temperature=0.0, max_tokens=100)


class Form(BaseModel):
    word: str


class OtherForm(BaseModel):
    word: str
    why: str


def request(**changes: Any) -> Request:
    turns = changes.pop("turns", (Turn("user", (Text("Why is it funny? 为什么？"),)),))
    return Request(changes.pop("label", "toy"), turns, changes.pop("sampling", GREEDY), **changes)


def key(**changes: Any) -> str:
    return request(**changes).key("provider/model")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "images" / "a.png"
    path.parent.mkdir(parents=True)
    Pillow.new("RGB", (40, 30), "red").save(path)
    return path


def pictured(path: Path, **recipe: Any) -> str:
    question = Question(
        item="a",
        language="en",
        system="Look.",
        text="What is it?",
        pictures=(Picture(path=str(path), **recipe),),
        form="free",
        gold="x",
        attributes={},
    )
    return key(turns=question_turns(question, MediaOptions()))


@pytest.mark.parametrize(
    "changes",
    [
        {"turns": (Turn("user", (Text("Why is it funny?"),)),)},
        {"turns": (Turn("system", (Text("Why is it funny? 为什么？"),)),)},
        {"turns": (Turn("user", (Text("Why is it funny? "), Text("为什么？"))),)},
        {"turns": (Turn("user", (ImageBytes(Image(b"a", "image/png")),)),)},
        {"schema": Form},
        {"schema": OtherForm},
        {"epoch": 2},
        {"attempt": 2},
        {"attempt": 3},
        {"again": "tuesday"},
        {"sampling": GREEDY.model_copy(update={"temperature": 0.5})},
        {"sampling": GREEDY.model_copy(update={"temperature": None})},
        {"sampling": GREEDY.model_copy(update={"top_p": 0.9})},
        {"sampling": GREEDY.model_copy(update={"max_tokens": 101})},
        {"sampling": GREEDY.model_copy(update={"seed": 1})},
        {"sampling": GREEDY.model_copy(update={"reasoning_effort": "low"})},
        {"sampling": GREEDY.model_copy(update={"reasoning_tokens": 50})},
        {"sampling": GREEDY.model_copy(update={"extra_body": {"top_k": 1}})},
        {"sampling": GREEDY.model_copy(update={"model_args": {"device": "cpu"}})},
    ],
)
def test_whatever_was_meant_otherwise_is_another_question(changes: dict[str, Any]) -> None:
    assert key(**changes) != key()


def test_all_of_these_are_questions_of_their_own() -> None:
    ways: list[dict[str, Any]] = [{"schema": Form}, {"schema": OtherForm}, {"epoch": 2}]
    ways += [{"attempt": 2}, {"epoch": 2, "attempt": 2}, {"again": "2"}, {"again": "x"}, {}]
    assert len({key(**way) for way in ways}) == len(ways)
    assert request().key("provider/model@weights") != key()


def test_what_is_not_meant_does_not_matter() -> None:
    said = (Turn("assistant", (Text("Hm."),)), Turn("user", (Text("Again."),)))
    for changes in (
        {"label": "elsewhere"},
        {"item": "b"},
        {"card": {"gold": 1}},
        {"conversation": said},
        {"stand_in": lambda: "x"},
    ):
        assert key(**changes) == key(), changes


def test_the_card_is_what_embedded_models_answer_from() -> None:
    first, second = (request(card={"item": one}) for one in "ab")
    assert first.key("baseline/random", card=True) != second.key("baseline/random", card=True)


def test_the_item_counts_only_where_answers_differ_by_chance() -> None:
    for sampling in (Sampling(), Sampling(temperature=0.7)):
        assert key(item="a", sampling=sampling) != key(item="b", sampling=sampling)
    assert key(item="a") == key(item="b"), "the same question twice is asked once"


def test_credentials_and_addresses_are_no_part_of_a_question() -> None:
    def with_args(**arguments: Any) -> str:
        return key(sampling=GREEDY.model_copy(update={"model_args": arguments}))

    assert with_args(api_key="one") == with_args(api_key="two", base_url="http://x") == key()
    nested = {"headers": {"auth_token": "one", "tier": "flex"}, "azure-secret": 1, "tokens": 3}
    assert public_arguments(nested) == {"headers": {"tier": "flex"}, "tokens": 3}
    told = Sampling(model_args={"api_key": "sesame", "device": "cpu"}).signature
    assert told == {"model_args": '{"device":"cpu"}'}


def test_a_changed_picture_is_another_question_and_a_moved_one_is_not(
    picture: Path, tmp_path: Path
) -> None:
    first = pictured(picture)
    moved = picture.with_name("renamed.png")
    picture.rename(moved)
    assert pictured(moved) == first
    os.utime(moved, (1, 1))
    assert pictured(moved) == first, "a touched one neither"
    (tmp_path / "data").rename(tmp_path / "elsewhere")
    assert pictured(tmp_path / "elsewhere" / "images" / "renamed.png") == first
    copy = tmp_path / "copy.png"
    shutil.copy(tmp_path / "elsewhere" / "images" / "renamed.png", copy)
    assert pictured(copy) == first
    Pillow.new("RGB", (40, 30), "blue").save(copy)
    assert pictured(copy) != first


def test_how_a_picture_is_drawn_is_part_of_the_question(picture: Path) -> None:
    whole = pictured(picture)
    keys = {
        pictured(picture, panels=(PanelBox(x1=0, y1=0, x2=x2, y2=30, panel_number=number),))
        for x2, number in ((20, 1), (10, 1), (20, 2))
    }
    assert len({whole, *keys}) == 4


def test_a_missing_picture_is_a_question_too(picture: Path) -> None:
    whole = pictured(picture)
    picture.unlink()
    assert pictured(picture) != whole


def test_how_a_clip_is_shown_is_part_of_the_question(tmp_path: Path) -> None:
    film = tmp_path / "a.mp4"
    film.write_bytes(b"film")

    def shown(path: Path, transcript: str | None = "Ha.", **showing: Any) -> str:
        question = Question(
            item="a",
            language="en",
            system="Look.",
            text="What is said? {transcript}",
            clip=Clip(path=str(path), transcript=transcript),
            form="free",
            gold="x",
            attributes={},
        )
        return key(turns=question_turns(question, MediaOptions(**showing)))

    ways = [{}, {"frames": 4}, {"longest": 512}, {"native": True}, {"variant": "text-only"}]
    keys = [shown(film, **way) for way in ways] + [shown(film, "Ho."), shown(film, None)]
    assert len(set(keys)) == len(keys)
    assert shown(film, None, transcriber="tiny") != shown(film, None)
    moved = tmp_path / "b.mp4"
    film.rename(moved)
    assert shown(moved) == keys[0]


def test_a_key_holds_over_processes_and_versions_of_python() -> None:
    content = {
        "turns": [["user", ["Why is it funny? 为什么？"]]],
        "sampling": {"temperature": 0.0, "max_tokens": 100, "extra_body": {}, "model_args": {}},
        "schema": None,
        "epoch": 1,
        "again": "",
        "item": "",
    }

    def checksum(value: object) -> str:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    assert key() == checksum(["provider/model", checksum(content), ""])[:32]
    assert attempt_key(key(), 2) == key(attempt=2) != key()


def test_a_task_s_own_settings_give_way_to_those_that_are_typed() -> None:
    own = Sampling().over(0.2, 0.9, 512)
    assert (own.temperature, own.top_p, own.max_tokens) == (0.2, 0.9, 512 + REASONING_ROOM)
    typed = Sampling(temperature=0.0, top_p=1.0, max_tokens=64, seed=3).over(0.2, 0.9, 512)
    assert (typed.temperature, typed.top_p, typed.max_tokens, typed.seed) == (0.0, 1.0, 64, 3)
    assert typed.signature == {"temperature": "0", "top_p": "1", "max_tokens": "64", "seed": "3"}


def test_each_epoch_is_sent_a_seed_of_its_own() -> None:
    turns = (Turn("user", (Text("Why?"),)),)
    seeded = Sampling(temperature=0.7, seed=5)
    sent = [Request("t", turns, seeded, epoch=epoch).own_sampling.seed for epoch in (1, 2, 3)]
    assert sent == [5, 6, 7]
    assert Request("t", turns, GREEDY, epoch=2).own_sampling is GREEDY
