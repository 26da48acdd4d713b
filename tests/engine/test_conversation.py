"""A model asked for a reply that keeps a form: again where it does not, once where it does."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from deadpan.base.errors import DeadpanError
from deadpan.core.judge import BrokenReply
from deadpan.engine.calls import CallOptions
from deadpan.engine.conversation import FormRequest, Unanswered, ask_form
from deadpan.engine.requests import Image
from deadpan.engine.run import open_asker, simple_asker
from deadpan.engine.task_questions import RunSettings
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/planner"


class Form(BaseModel):
    word: str


def read(text: str) -> str:
    try:
        return Form.model_validate_json(text).word
    except ValidationError:
        raise BrokenReply("no word in it") from None


def request(text: str = "One word, please.") -> FormRequest[str]:
    picture = Image(b"not looked at", "image/png")
    return FormRequest("words", "You are brief.", text, (picture,), Form, read, "Again, as {why}.")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "answers"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ModelServer]]:
    with ExitStack() as running:

        def start(
            answer: Callable[[str, str], str], faults: dict[int, str] | None = None
        ) -> ModelServer:
            server = running.enter_context(ModelServer(answer, faults))
            server.offer(monkeypatch)
            return server

        yield start


def reply(wanted: FormRequest[str], store: Path, max_retries: int = 5) -> str:
    """What an asker of its own over the store gets."""

    async def ask() -> str:
        async with open_asker(
            MODEL, RunSettings(store, calls=CallOptions(max_retries=max_retries))
        ) as asker:
            return await ask_form(asker, wanted)

    return asyncio.run(ask())


def test_a_good_reply_is_paid_for_once(asked: Callable[..., ModelServer], store: Path) -> None:
    server = asked(lambda picture, prompt: '{"word": "猫"}')
    assert [reply(request(), store) for _ in range(3)] == ["猫"] * 3
    assert server.total == 1
    seen = server.requests[0]
    assert (seen["temperature"], seen["images"], seen["schema"]) == (0.0, 1, True)
    assert reply(request("Another question."), store) == "猫"
    assert server.total == 2


def test_a_broken_reply_is_asked_for_again_with_what_was_wrong(
    asked: Callable[..., ModelServer], store: Path
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        return '{"word": "yes"}' if "Again" in prompt else "Purple."

    server = asked(answer)
    assert reply(request(), store) == "yes"
    assert prompts == ["One word, please.", "Again, as no word in it."]
    assert {seen["temperature"] for seen in server.requests} == {0.0}


def test_three_broken_replies_are_enough_and_are_not_kept(
    asked: Callable[..., ModelServer], store: Path
) -> None:
    server = asked(lambda picture, prompt: "Purple.")
    for _ in range(2):
        with pytest.raises(
            Unanswered, match=r"no usable reply in 3 attempts \(no word in it\)"
        ) as caught:
            reply(request(), store)
        assert not caught.value.refused
    assert server.total == 6


@pytest.mark.parametrize("fault", ["refusal!", "filter!"])
def test_a_refusal_is_told_apart(
    asked: Callable[..., ModelServer], store: Path, fault: str
) -> None:
    asked(lambda picture, prompt: "I'm sorry, but I can't help with that.", {0: fault})
    with pytest.raises(Unanswered, match="refused") as caught:
        reply(request(), store)
    assert caught.value.refused


def test_a_failing_call_is_tried_again_and_then_told(
    asked: Callable[..., ModelServer], store: Path
) -> None:
    asked(lambda picture, prompt: '{"word": "ok"}', {0: "429", 1: "500!"})
    assert reply(request(), store) == "ok"
    with pytest.raises(Unanswered, match=r"could not be asked \(.*500") as caught:
        reply(request("Broken."), store, max_retries=1)
    assert not caught.value.refused


def test_a_provider_without_schemas_is_asked_without(
    asked: Callable[..., ModelServer], store: Path
) -> None:
    server = asked(lambda picture, prompt: json.dumps({"word": "ok"}))
    server.refuse_schema = True
    assert reply(request(), store) == "ok"
    assert [seen["schema"] for seen in server.requests] == [True, False]


def test_an_unknown_model_is_told_before_anything_is_asked(store: Path) -> None:
    with pytest.raises(DeadpanError, match="--model nobody/nothing"):
        simple_asker("nobody/nothing", store)
    assert not store.exists()
