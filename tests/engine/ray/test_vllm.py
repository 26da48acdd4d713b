"""vLLM by Ray's processor, as far as it goes without a GPU: settings, rows, and what comes back."""

import json
import pickle
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from deadpan.base.errors import DeadpanError
from deadpan.engine.answers import Answer
from deadpan.engine.ray import vllm
from deadpan.engine.ray.cluster import Node
from deadpan.engine.ray.vllm import (
    SERVER,
    VllmSource,
    question_of,
    sampling_params,
    told_of,
    vllm_source,
)
from deadpan.engine.ray.worker import BLOCK
from deadpan.engine.requests import Image, ImageBytes, Request, Sampling, Text, Turn

WHO = "local/some/model@123"
PICTURE = ImageBytes(Image(b"png", "image/png"))


class Form(BaseModel):
    fits: bool


def source(**arguments: Any) -> VllmSource:
    given = Sampling(model_args={"engine": "vllm", **arguments})
    made = vllm_source("local/some/model", WHO, given, "/")
    assert made is not None
    return made


def request(**more: Any) -> Request:
    turns = (Turn("system", (Text("Be short."),)), Turn("user", (PICTURE, Text("Who?"))))
    return Request("toy", turns, Sampling(temperature=0, max_tokens=16), schema=Form, **more)


def test_only_where_it_is_asked_for_and_not_for_adapters(tmp_path: Path) -> None:
    assert vllm_source("local/x", WHO, Sampling(model_args={"dtype": "half"}), "/") is None
    (tmp_path / "adapter_config.json").write_text("{}")
    given = Sampling(model_args={"engine": "vllm"})
    with pytest.raises(DeadpanError, match="adapters are not run by vLLM on Ray"):
        vllm_source(f"local/{tmp_path}", WHO, given, "/")


def test_a_cluster_without_enough_gpus_is_told() -> None:
    big = source(tensor_parallel_size=2, pipeline_parallel_size=2)
    assert big.gpus == 4
    with pytest.raises(DeadpanError, match="takes 4 GPUs, and the cluster has 3"):
        big.job(None, [Node("1", "one", 8, 3)], {}, True)


def test_rays_configuration_takes_what_we_give() -> None:
    if find_spec("ray") is None:
        pytest.skip("needs the [ray] extra")
    pytest.importorskip("torch", reason="needs the [learn] extra")
    made = source(dtype="half", max_model_len=4096).config(3)
    assert made.model_source == "some/model" and made.concurrency == 3
    assert made.engine_kwargs == {"dtype": "half", "max_model_len": 4096, "task_type": "generate"}
    assert made.should_continue_on_error
    assert [made.tokenize_stage, made.detokenize_stage] == [{"enabled": False}] * 2
    assert made.prepare_multimodal_stage == made.chat_template_stage == {"enabled": True}


def test_a_block_becomes_rows_and_these_answers() -> None:
    (row,) = map(question_of, source().rows({BLOCK: pickle.dumps((0, {"k1": request()}))}))
    system, user = row["messages"]
    assert system == {"role": "system", "content": [{"type": "text", "text": "Be short."}]}
    assert [part["type"] for part in user["content"]] == ["image_url", "text"]
    assert user["content"][0]["image_url"]["url"].startswith("data:image/png;base64,")
    settings = row["sampling_params"]
    assert (settings["temperature"], settings["max_tokens"]) == (0.0, 16)
    assert "fits" in json.loads(settings["structured_outputs"]["json"])["properties"]

    said = {"generated_text": " Nobody. ", "num_input_tokens": 90, "time_taken_llm": 0.5}
    for made, stop in ((5, "stop"), (16, "max_tokens")):
        (answer,) = told_of(
            source().answer_row({**row, **said, "num_generated_tokens": made})
        ).answers
        assert (answer.key, answer.model, answer.server) == ("k1", WHO, SERVER)
        assert (answer.text, answer.stop) == ("Nobody.", stop)
        assert (answer.input_tokens, answer.output_tokens, answer.images) == (90, made, 1)
        assert answer.schema and answer.finished

    (failed,) = told_of({"__inference_error__": "ValueError: too long", **row}).answers
    assert isinstance(failed, Answer)
    assert (failed.key, failed.error, failed.text) == ("k1", "ValueError: too long", None)


def test_every_row_has_the_same_settings() -> None:
    plain = Request("toy", (Turn("user", (Text("?"),)),), Sampling(seed=3))
    assert sampling_params(plain).keys() == sampling_params(request()).keys()
    assert sampling_params(plain)["max_tokens"] == vllm._MOST_TOKENS
