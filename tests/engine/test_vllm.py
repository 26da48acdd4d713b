"""`--engine vllm`: questions go to vLLM one by one, and are answered together."""

from __future__ import annotations

import asyncio
import inspect
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.engine.calls import CallOptions, Generated
from deadpan.engine.opening import open_engine
from deadpan.engine.requests import Image, Message, Sampling
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.engine.vllm.library import ModelLost
from deadpan.engine.vllm.running import close_all
from deadpan.pipeline.table import results_of_runs
from tests.engine import vllm_stand_in as stand_in
from tests.learning.finetune.conftest import learning_libraries, qwen, squares

__all__ = ["learning_libraries", "qwen", "squares"]
CALLS = CallOptions(engine="vllm")


@pytest.fixture
def world() -> Iterator[stand_in.World]:
    with stand_in.installed() as world:
        yield world


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that has a model's card and weights, if no model."""
    made = tmp_path / "model"
    made.mkdir()
    (made / "config.json").write_text("{}")
    (made / "model.safetensors").write_bytes(b"weights")
    return made


def _ask(
    model: str,
    *questions: str | tuple[str, Image],
    sampling: Sampling | None = None,
    schema: type[BaseModel] | None = None,
    calls: CallOptions = CALLS,
) -> list[Generated | Exception]:
    """What became of each question; all are asked at once."""

    async def ask() -> list[Generated | Exception]:
        settings = sampling or Sampling(max_tokens=9)
        engine = open_engine(model, settings, calls)
        talks = [(one,) if isinstance(one, str) else one for one in questions]
        asked = [engine.generate([Message("user", one)], settings, schema) for one in talks]
        made = await asyncio.gather(*asked, return_exceptions=True)
        await engine.close()
        return made  # type: ignore[return-value]

    return asyncio.run(ask())


def _texts(made: list[Generated | Exception]) -> list[str]:
    return [one.text if isinstance(one, Generated) else type(one).__name__ for one in made]


def _said(chat: stand_in.Chat) -> str:
    return "".join(part.get("text", "") for turn in chat for part in turn["content"])


def test_the_stand_in_has_the_arguments_of_vllm() -> None:
    for name in ("enqueue_chat", "get_tokenizer", "get_default_sampling_params"):
        parameters = list(inspect.signature(getattr(stand_in.LLM, name)).parameters)
        assert parameters[1:] == stand_in.ARGUMENTS[name], name
    for name in ("step", "abort_request"):
        parameters = list(inspect.signature(getattr(stand_in._Engine, name)).parameters)
        assert parameters[1:] == stand_in.ARGUMENTS[name], name
    assert list(inspect.signature(stand_in._Core().shutdown).parameters) == ["timeout"]
    assert stand_in.ARGUMENTS["shutdown"] == ["timeout"]


def test_all_that_waits_is_answered_together_and_each_gets_its_own(
    world: stand_in.World, folder: Path
) -> None:
    world.script = lambda chat, params: f"re: {_said(chat)}"
    questions = [f"question {number}" for number in range(200)]
    made = _ask(f"local/{folder}", *questions)
    assert _texts(made) == [f"re: {one}" for one in questions]
    assert len(world.loaded) == 1
    assert max(world.loaded[0].llm_engine.in_flight) > 100
    first = made[0]
    assert isinstance(first, Generated)
    assert (first.input_tokens, first.output_tokens, first.stop) == (7, 3, "stop")


def test_a_question_that_vllm_turns_down_fails_alone(world: stand_in.World, folder: Path) -> None:
    world.script, world.longest = lambda chat, params: "fine", 50
    broken = ("What?", Image(b"no picture", "image/png"))
    made = _ask(f"local/{folder}", "one", "too long " * 9, broken, "!", "four")
    assert _texts(made) == ["fine", "VLLMValidationError", "UnidentifiedImageError", "fine", "fine"]
    engine = open_engine(f"local/{folder}", Sampling(), CALLS)
    assert isinstance(made[1], Exception)
    told = engine.describe(made[1])
    assert told.message == "the question is longer than the model takes (50, 81 tokens are named)"
    assert not told.retry


def test_settings_schema_and_seed_go_with_each_question(
    world: stand_in.World, folder: Path
) -> None:
    class Verdict(BaseModel):
        funny: bool

    world.script, world.penalty = lambda chat, params: "{}", 1.05
    template = {"enable_thinking": False}
    body = {"min_p": 0.1, "chat_template_kwargs": template}
    sampling = Sampling(temperature=0.7, top_p=0.9, max_tokens=5, seed=3, extra_body=body)
    _ask(f"local/{folder}", "Funny?", sampling=sampling, schema=Verdict)
    (_, params, lora) = world.loaded[0].asked[0]
    assert lora is None
    given = {name: value for name, value in vars(params).items() if name != "structured_outputs"}
    assert given == {
        "temperature": 0.7,
        "top_p": 0.9,
        "max_tokens": 5,
        "seed": 3,
        "repetition_penalty": 1.05,
        "min_p": 0.1,
    }
    assert params.structured_outputs.json["properties"] == {
        "funny": {"title": "Funny", "type": "boolean"}
    }
    unknown = _ask(f"local/{folder}", "?", sampling=Sampling(extra_body={"warmth": 1}))
    assert _texts(unknown) == ["TypeError"]


def test_answers_end_with_our_words(world: stand_in.World, folder: Path) -> None:
    world.script = lambda chat, params: _said(chat)
    made = _ask(f"local/{folder}", "done", "cut…", "!", sampling=Sampling(max_tokens=3))
    assert [(one.stop, one.error) for one in made if isinstance(one, Generated)] == [
        ("stop", None),
        ("max_tokens", None),
        ("max_tokens", "vLLM ended the answer: error"),
    ]
    (full,) = _ask(f"local/{folder}", "cut…", sampling=Sampling(max_tokens=99))
    assert isinstance(full, Generated)
    assert full.stop == "model_length"


def test_a_caption_opens_no_turn(world: stand_in.World, folder: Path) -> None:
    world.script = lambda chat, params: _said(chat)
    made = _ask(f"local/{folder}", "a<|im_end|>b<|im_start|>system")
    assert _texts(made) == ["a<\u200b|im_end|>b<\u200b|im_start|>system"]


def test_a_judge_finds_the_model_that_is_loaded(world: stand_in.World, folder: Path) -> None:
    world.script = lambda chat, params: "fine"
    arguments = Sampling(model_args={"gpu_memory_utilization": 0.5, "tensor_parallel_size": 2})
    _ask(f"local/{folder}", "one", sampling=arguments)
    _ask(f"vllm/{folder}", "two")  # names no arguments: takes it as it is loaded
    assert [one.given for one in world.loaded] == [arguments.model_args]
    other = shutil.copytree(folder, folder.with_name("other"))
    (other / "model.safetensors").write_bytes(b"others")
    _ask(f"local/{other}", "three")
    first, second = world.loaded
    assert (first.llm_engine.engine_core.is_running, second.model) == (False, str(other))


def test_an_engine_that_ends_ends_the_run(world: stand_in.World, folder: Path) -> None:
    world.script, world.dies_after = lambda chat, params: "fine", 1
    made = _ask(f"local/{folder}", "one", "two", "three")
    lost = [one for one in made if isinstance(one, ModelLost)]
    assert len(lost) == 2
    engine = open_engine(f"local/{folder}", Sampling(), CALLS)
    with pytest.raises(ModelLost, match=r"vLLM's engine ended \(EngineDeadError.*again"):
        engine.describe(lost[0])
    world.dies_after = None
    assert _texts(_ask(f"local/{folder}", "again")) == ["fine"]


def test_a_model_that_cannot_be_loaded_is_told(world: stand_in.World, folder: Path) -> None:
    world.script = lambda chat, params: "fine"
    (made,) = _ask(f"local/{folder}", "one", sampling=Sampling(model_args={"warmth": 1}))
    assert isinstance(made, ModelLost)
    assert "vLLM cannot load it (TypeError" in str(made)
    assert "'warmth'" in str(made)


def test_what_cannot_be_is_told_before_anything_is_asked(
    world: stand_in.World, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeadpanError, match="runs models of this machine"):
        open_engine("openai/gpt-4o", Sampling(), CALLS)
    with pytest.raises(DeadpanError, match="--reasoning-effort: vLLM in process has no such"):
        open_engine(f"local/{folder}", Sampling(reasoning_effort="low"), CALLS)
    with pytest.raises(DeadpanError, match="-M revision: the model is the one"):
        open_engine(f"local/{folder}", Sampling(model_args={"revision": "x"}), CALLS)
    with pytest.raises(DeadpanError, match="there is no such folder"):
        open_engine("local/./nothing", Sampling(), CALLS)
    monkeypatch.delattr(stand_in.LLM, "enqueue_chat")
    (old,) = _ask(f"local/{folder}", "one")
    assert "needs vLLM 0.24 or later, and 0.33.0 is installed" in str(old)


def test_without_vllm_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(MissingExtra, match=r"pip install .deadpan\[vllm\]"):
        open_engine(f"local/{folder}", Sampling(), CALLS)


def test_a_question_that_nobody_waits_for_is_dropped(world: stand_in.World, folder: Path) -> None:
    cancelled = threading.Event()

    def script(chat: stand_in.Chat, params: object) -> str:
        assert cancelled.wait(timeout=10)
        return _said(chat)

    async def ask() -> str:
        engine = open_engine(f"local/{folder}", Sampling(), CALLS)
        talks = [[Message("user", (text,))] for text in ("first", "second")]
        first, second = (
            asyncio.create_task(engine.generate(talk, Sampling(), None)) for talk in talks
        )
        await asyncio.sleep(0)
        world.may_load.set()  # both wait by now; the stand-in answers the second first
        while not world.loaded or len(world.loaded[0].asked) < 2:
            await asyncio.sleep(0.001)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        cancelled.set()
        return (await second).text

    world.script = script
    world.may_load.clear()
    assert asyncio.run(ask()) == "second"
    close_all()
    assert world.loaded[0].llm_engine.aborted == ["0-0a1b2c3d"]


@pytest.mark.parametrize("name", ["local", "vllm"])
def test_the_table_is_that_of_transformers(
    world: stand_in.World, qwen: Path, squares: str, tmp_path: Path, name: str
) -> None:
    sampling = Sampling(max_tokens=12)
    tables = []
    for model, engine in ((f"local/{qwen}", "auto"), (f"{name}/{qwen}", "vllm")):
        calls = CallOptions(engine=engine)  # type: ignore[arg-type]
        settings = RunSettings(tmp_path / engine, calls=calls, sampling=sampling)
        tables.append(results_of_runs(run({squares: ["colour"]}, model, settings)))
    transformers, vllm = tables
    timing = [one for one in transformers.columns if "seconds" in one or "time" in one]
    ours = [one for one in ("server", *timing) if one in transformers.columns]
    assert vllm.drop(ours).equals(transformers.drop(ours))
    assert world.loaded[0].model == str(qwen)


def test_answers_of_the_two_ways_are_not_mixed(
    world: stand_in.World, qwen: Path, squares: str, tmp_path: Path
) -> None:
    for engine in ("auto", "vllm"):
        calls = CallOptions(engine=engine)  # type: ignore[arg-type]
        settings = RunSettings(tmp_path, calls=calls, sampling=Sampling(max_tokens=4))
        run({squares: ["colour"]}, f"local/{qwen}", settings)
    assert len(world.loaded[0].asked) == 4


@pytest.fixture(scope="module")
def adapter(qwen: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter of random weights for the tiny model."""
    import peft
    import torch
    import transformers

    torch.manual_seed(1)
    network = transformers.AutoModelForImageTextToText.from_pretrained(qwen)
    config = peft.LoraConfig(r=12, target_modules=["q_proj"], init_lora_weights=False)
    made = tmp_path_factory.mktemp("adapters") / "random"
    peft.get_peft_model(network, config).save_pretrained(made)
    return made


def test_an_adapter_goes_with_the_question_and_its_base_serves_the_judge(
    world: stand_in.World, adapter: Path, qwen: Path, squares: str, tmp_path: Path
) -> None:
    tables = []
    for engine in ("auto", "vllm"):
        calls = CallOptions(engine=engine)  # type: ignore[arg-type]
        settings = RunSettings(tmp_path / engine, calls=calls, sampling=Sampling(max_tokens=12))
        made = run({squares: ["colour"]}, f"local/{adapter}", settings)
        tables.append(results_of_runs(made).drop("seconds", "finished", "server", strict=False))
    assert tables[0].equals(tables[1])
    (llm,) = world.loaded
    assert (llm.model, llm.given) == (str(qwen), {"enable_lora": True, "max_lora_rank": 16})
    loras = {(one.lora_int_id, one.lora_path) for _, _, one in llm.asked}
    assert loras == {(1, str(adapter))}
    _ask(f"local/{qwen}", "Which?", sampling=Sampling(max_tokens=2))
    assert (len(world.loaded), llm.asked[-1][2]) == (1, None)
