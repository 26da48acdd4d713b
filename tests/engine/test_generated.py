"""What a provider gave, made fit to be kept: counts, half characters, credentials, no choice."""

import logging
import os
from pathlib import Path

import pytest
from inspect_ai.model import ModelOutput, ModelUsage
from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.engine.endpoints import Redactor
from deadpan.engine.inspect_model import InspectModel
from deadpan.engine.requests import Sampling
from deadpan.engine.store import AnswerStore

KEY = "sk-SECRET1234567890abcdefXYZ"


@pytest.fixture
def model() -> InspectModel:
    return InspectModel("mockllm/model", Sampling(), 1, 10)


def test_token_counts_that_cannot_be_are_unknown(model: InspectModel) -> None:
    output = ModelOutput.from_content("model", "Yes")
    output.usage = ModelUsage(input_tokens=2**70, output_tokens=-5, total_tokens=3)
    made = model._generated(output)
    assert (made.text, made.input_tokens, made.output_tokens) == ("Yes", None, None)
    output.usage = ModelUsage(input_tokens=7, output_tokens=2, total_tokens=9)
    assert model._generated(output).input_tokens == 7


def test_halves_of_characters_are_replaced(model: InspectModel) -> None:
    made = model._generated(ModelOutput.from_content("model", "a\ud800b 是"))
    assert made.text == "a?b 是"


def test_a_reply_without_a_choice_is_a_failed_call(model: InspectModel) -> None:
    made = model._generated(ModelOutput(model="model", choices=[]))
    assert made.error == "the server's reply has no choice"


def test_another_model_than_was_asked_is_told_once(
    model: InspectModel, caplog: pytest.LogCaptureFixture
) -> None:
    model.name, model.is_local = "openai/gpt-4o", False
    with caplog.at_level(logging.WARNING, "deadpan"):
        for served in ("gpt-4o-2024-08-06", "gpt-4o", "tiny-parrot", "tiny-parrot"):
            model._generated(ModelOutput.from_content(served, "Yes"))
    assert [record.getMessage() for record in caplog.records] == [
        "openai/gpt-4o: the server says that tiny-parrot answered"
    ]


def test_replies_of_another_form_are_said_to_be_the_server_s(model: InspectModel) -> None:
    said = model.describe(TypeError("'NoneType' object is not iterable")).message
    assert said.startswith("the server's reply cannot be read (TypeError: ")
    with pytest.raises(ValidationError) as caught:
        ModelUsage.model_validate({"input_tokens": "many"})
    said = model.describe(caught.value).message
    assert said.startswith("the server's reply cannot be read (input_tokens: Input should be")
    assert "pydantic" not in said


@pytest.mark.parametrize(
    "echo",
    [
        KEY,
        KEY.upper(),
        KEY[:-4],
        KEY[8:],
        KEY.encode().hex(),
        "c2stU0VDUkVUMTIzNDU2Nzg5MGFiY2RlZlhZWg==",
        "OnNrLVNFQ1JFVDEyMzQ1Njc4OTBhYmNkZWZYWVo=",
    ],
)
def test_a_key_is_redacted_whole_cut_and_encoded(echo: str) -> None:
    said = Redactor([KEY]).redact_known(f"your key <{echo}> is 好的")
    assert said == "your key <[redacted]> is 好的"


def test_plain_words_stay() -> None:
    text = "A pun on 'secret'; 1234567890; abcdef."
    assert Redactor([KEY]).redact_known(text) == text


def test_a_pipe_in_the_place_of_the_store_s_form_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "store.json")
    with pytest.raises(InputError, match=r"store\.json"):
        AnswerStore(tmp_path)
