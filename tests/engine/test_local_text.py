"""`local/FOLDER` of a language model without pictures: the answers of plain `generate`."""

import asyncio
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deadpan.base.errors import DeadpanError, InputError
from deadpan.engine.calls import CallOptions
from deadpan.engine.local.engine import LocalEngine
from deadpan.engine.opening import open_engine
from deadpan.engine.requests import Message, Sampling
from tests.engine.text_models import WITH_SYSTEM, WITHOUT_SYSTEM, text_model
from tests.learning.finetune.conftest import learning_libraries

__all__ = ["learning_libraries"]

SYSTEM = "You judge jokes, in one word and never in two."
ASKED = [f"{'Why is it funny? ' * (1 + place % 4)}{place}" for place in range(10)]
MADE = [
    ("Llama", WITH_SYSTEM, "Batcher"),
    ("Llama", WITHOUT_SYSTEM, "Batcher"),
    ("Qwen2", WITH_SYSTEM, "Batcher"),
    ("Qwen2", WITHOUT_SYSTEM, "Batcher"),
    ("Qwen2", None, "Batcher"),
    ("Mistral", WITH_SYSTEM, "WholeBatcher"),
]


@pytest.fixture
def llama(learning_libraries: None, tmp_path: Path) -> Path:
    """The folder of a tiny Llama."""
    return text_model(tmp_path / "llama", "Llama", WITH_SYSTEM)


def _plain(folder: Path, template: str | None) -> list[list[int]]:
    """What transformers writes for one prompt after the other, with nothing of ours."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForCausalLM.from_pretrained(folder).eval()
    found = []
    for place, asked in enumerate(ASKED):
        talk = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": asked}]
        if template == WITHOUT_SYSTEM:
            talk = [{"role": "user", "content": f"{SYSTEM}\n\n{asked}"}]
        if template:
            text = tokenizer.apply_chat_template(talk, add_generation_prompt=True, tokenize=False)
            given = tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids
        else:
            text = f"SYSTEM: {SYSTEM}\nUSER: {asked}\nASSISTANT: "
            given = tokenizer(text, return_tensors="pt").input_ids
        with torch.inference_mode():
            made = network.generate(given, do_sample=False, max_new_tokens=8 + place)
        found.append(made[0, given.shape[1] :].tolist())
    return found


@pytest.mark.parametrize(("family", "template", "way"), MADE)
def test_answers_are_those_of_plain_generate(
    family: str, template: str | None, way: str, learning_libraries: None, tmp_path: Path
) -> None:
    from deadpan.engine.local.loaded import load_answerer
    from deadpan.engine.local.models import LoadOptions
    from deadpan.engine.local.processors import NoPictures
    from deadpan.engine.local.prompts import Prompt
    from deadpan.engine.local.talks import Turn

    more = {"sliding_window": 16} if family == "Mistral" else {}
    folder = text_model(tmp_path / "model", family, template, **more)
    answerer = load_answerer(str(folder), LoadOptions()).answerer
    assert type(answerer).__name__ == way
    talks = [(Turn("system", (SYSTEM,)), Turn("user", (asked,))) for asked in ASKED]
    futures = [answerer.submit(Prompt(turns, 8 + n)) for n, turns in enumerate(talks)]
    shown = Prompt((Turn("user", (Image.new("RGB", (9, 9)), "Funny?")),), 5)
    with pytest.raises(NoPictures, match=r"sees no pictures.*--variant text-only"):
        answerer.submit(shown).result(60)
    assert [list(one.result(60).tokens) for one in futures] == _plain(folder, template)
    answerer.close()


def _ask(engine: Any, *texts: str) -> list[str]:
    async def ask() -> list[str]:
        asked = [[Message("user", (text,))] for text in texts]
        made = [engine.generate(one, Sampling(max_tokens=5), None) for one in asked]
        found = [one.text for one in await asyncio.gather(*made)]
        await engine.close()
        return found

    return asyncio.run(ask())


def test_who_sees_nothing_is_refused_before_pictures_are_shown(llama: Path) -> None:
    async def load(shown: bool) -> None:
        engine = LocalEngine(f"local/{llama}", Sampling())
        try:
            await engine.load(shown)
        finally:
            await engine.close()

    asyncio.run(load(False))
    with pytest.raises(
        DeadpanError, match=r"--model local/.*sees no pictures.*--variant text-only"
    ):
        asyncio.run(load(True))


def test_long_prompts_in_plain_attention_do_not_fill_the_machine(
    learning_libraries: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deadpan.engine.local import memory

    folder = text_model(tmp_path / "model", "Gemma2", WITH_SYSTEM, sliding_window=16, head_dim=8)
    engine = LocalEngine(f"local/{folder}", Sampling())
    alone = _ask(engine, "Why?")
    monkeypatch.setattr(memory, "available_memory", lambda: 2_000_000)

    async def ask() -> list[Any]:
        asked = [[Message("user", (text,))] for text in ("Why?", "Who? " * 200, "What?")]
        made = [engine.generate(one, Sampling(max_tokens=5), None) for one in asked]
        found = await asyncio.gather(*made, return_exceptions=True)
        await engine.close()
        return found

    short, long, other = asyncio.run(ask())
    assert isinstance(long, DeadpanError) and "does not fit into the memory" in str(long)
    assert short.text == alone[0] and other.text is not None


def test_prompts_beyond_the_context_are_told_once(
    learning_libraries: None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = text_model(tmp_path / "short", "Llama", WITH_SYSTEM, max_position_embeddings=64)
    with caplog.at_level(logging.WARNING, "deadpan"):
        assert len(_ask(LocalEngine(f"local/{folder}", Sampling()), "a", "b" * 90, "c" * 95)) == 3
    (told,) = caplog.messages
    assert told.startswith(f"local/{folder}: a prompt of 1")
    assert told.endswith("tokens is longer than the model's context of 64")


@pytest.mark.parametrize("most", [80, 300])
def test_a_model_of_learnt_positions_ends_with_them(
    most: int, learning_libraries: None, tmp_path: Path
) -> None:
    """With 80 not even the first trial can be read."""
    folder = text_model(tmp_path / "model", "OPT", WITH_SYSTEM, max_position_embeddings=most)
    engine = LocalEngine(f"local/{folder}", Sampling())

    async def ask() -> list[Any]:
        texts = ("Why?", "Who? " * 80, "What is it?")
        made = [
            engine.generate([Message("user", (one,))], Sampling(max_tokens=400), None)
            for one in texts
        ]
        found = await asyncio.gather(*made, return_exceptions=True)
        await engine.close()
        return found

    short, long, other = asyncio.run(ask())
    assert isinstance(long, DeadpanError) and f"no room in the model's {most}" in str(long)
    for one in (short, other):
        assert one.stop == "stop" or one.input_tokens + one.output_tokens == most


@pytest.mark.parametrize(
    "setting",
    [{"extra_body": {"top_k": 3}}, {"reasoning_effort": "low"}, {"reasoning_tokens": 100}],
)
def test_settings_without_effect_are_refused(llama: Path, setting: dict[str, Any]) -> None:
    option = "--" + next(iter(setting)).replace("_", "-")
    with pytest.raises(DeadpanError, match=rf"--judge local/\S+: {option} has no effect"):
        open_engine(f"local/{llama}", Sampling(**setting), CallOptions(), "--judge")


def test_vllm_on_the_nodes_of_a_cluster_takes_them_all_the_same(llama: Path) -> None:
    pytest.importorskip("ray", reason="needs the [ray] extra")
    given = Sampling(extra_body={"top_k": 3}, model_args={"engine": "vllm"})
    engine = open_engine(f"local/{llama}", given, CallOptions(engine="ray"))
    assert engine.name == f"local/{llama}"
    plain = given.model_copy(update={"model_args": {}})
    with pytest.raises(DeadpanError, match="--extra-body has no effect"):
        open_engine(f"local/{llama}", plain, CallOptions(engine="ray"))


def test_fine_tuning_wants_a_model_that_sees(llama: Path) -> None:
    from deadpan.engine.local.models import picture_model

    with pytest.raises(InputError, match="a llama sees no pictures"):
        picture_model(str(llama))


def test_an_adapter_finds_its_base_from_its_own_folder_on(
    llama: Path, recwarn: pytest.WarningsRecorder
) -> None:
    import peft
    from safetensors.torch import load_file, save_file
    from transformers import AutoModelForCausalLM

    config = peft.LoraConfig(target_modules=["q_proj"], init_lora_weights=False)
    adapted = peft.get_peft_model(AutoModelForCausalLM.from_pretrained(llama), config)
    adapted.peft_config["default"].base_model_name_or_path = "../llama"
    folder = llama.with_name("adapter")
    adapted.save_pretrained(folder)
    recwarn.clear()
    assert _ask(LocalEngine(f"local/{folder}", Sampling()), "a") != _ask(
        LocalEngine(f"local/{llama}", Sampling()), "a"
    )
    assert not [one for one in recwarn if "is_gradient_checkpointing" in str(one.message)]
    path = folder / "adapter_model.safetensors"
    kept = load_file(path)
    lost = sorted(kept)[0]
    save_file({name: one for name, one in kept.items() if name != lost}, path)
    with pytest.raises(InputError, match=r"adapter: lacks weights: \S+lora_A"):
        _ask(LocalEngine(f"local/{folder}", Sampling()), "a")


_BROKEN_OFF = """
import atexit, sys, threading
at_work = lambda: [one.name for one in threading.enumerate() if one.name == "deadpan-batcher"]
atexit.register(lambda: print(at_work()))
from deadpan.engine.local.loaded import use_model
from deadpan.engine.local.models import LoadOptions
from deadpan.engine.local.prompts import Prompt
from deadpan.engine.local.talks import Turn
loaded, works = use_model(sys.argv[1], "weights", LoadOptions()), threading.Event()
loaded.model.network.register_forward_hook(lambda *_: works.set())
for word in ("Why?", "Who?"):
    turns = [(Turn("user", (f"{word} {number}",)),) for number in range(40)]
    asked = [loaded.answerer.submit(Prompt(one, 100_000)) for one in turns]
    assert works.wait(60)
    works.clear()
    if word == "Why?":
        assert all([one.cancel() for one in asked])
sys.exit(130)
"""


@pytest.mark.parametrize("family", ["Llama", "Mistral"])
def test_what_ends_while_a_model_writes_ends_as_it_should(
    family: str, learning_libraries: None, tmp_path: Path
) -> None:
    """A thread inside of torch would abort the interpreter."""
    more = {"sliding_window": 16} if family == "Mistral" else {}
    folder = text_model(tmp_path / "model", family, WITH_SYSTEM, **more)
    command = [sys.executable, "-c", _BROKEN_OFF, str(folder)]
    done = subprocess.run(command, timeout=120, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "[]\n", "")
