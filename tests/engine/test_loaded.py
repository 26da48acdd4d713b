"""Models in memory: one load for whoever asks for the same weights."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.engine.local.engine import LocalEngine
from deadpan.engine.requests import Message, Sampling
from tests.learning.finetune.conftest import learning_libraries, llava, qwen

__all__ = ["learning_libraries", "llava", "qwen"]

ASKED = [Message("system", ("Be brief.",)), Message("user", ("Which colour?",))]


@pytest.fixture
def loads(qwen: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders whose weights were read."""
    from transformers import AutoModelForImageTextToText

    from deadpan.engine.local import loaded

    for one in loaded._models.values():
        one.answerer.close()
    loaded._models.clear()
    found: list[str] = []
    load = AutoModelForImageTextToText.from_pretrained

    def counted(place: str, **options: Any) -> Any:
        found.append(Path(place).name)
        return load(place, **options)

    monkeypatch.setattr(AutoModelForImageTextToText, "from_pretrained", counted)
    return found


def _ask(*engines: LocalEngine) -> list[str]:
    async def ask() -> list[str]:
        made = [one.generate(ASKED, Sampling(max_tokens=5), None) for one in engines]
        texts = [one.text for one in await asyncio.gather(*made)]
        for one in engines:
            await one.close()
        return texts

    return asyncio.run(ask())


def _engine(folder: Path, **arguments: Any) -> LocalEngine:
    return LocalEngine(f"local/{folder}", Sampling(model_args=arguments))


def test_model_and_judge_of_the_same_weights_are_loaded_once(qwen: Path, loads: list[str]) -> None:
    first, second = _ask(_engine(qwen), _engine(qwen))
    assert first == second
    assert _ask(_engine(qwen)) == [first]
    assert loads == [qwen.name]


def test_another_model_takes_the_place_of_one_that_nobody_uses(
    qwen: Path, llava: Path, loads: list[str]
) -> None:
    from deadpan.engine.local import loaded

    _ask(_engine(qwen))
    _ask(_engine(llava))
    assert [Path(name).name for name, _, _ in loaded._models] == [llava.name]
    _ask(_engine(qwen), _engine(llava))
    assert len(loaded._models) == 2


def test_an_adapter_stands_on_the_base_that_is_in_memory(
    qwen: Path, loads: list[str], tmp_path: Path
) -> None:
    import peft
    import torch

    from deadpan.engine.local.models import picture_model

    torch.manual_seed(1)
    config = peft.LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    config.base_model_name_or_path = str(qwen)
    adapted = peft.get_peft_model(picture_model(str(qwen)).network, config)
    adapted.peft_config["default"].base_model_name_or_path = str(qwen)
    adapted.save_pretrained(tmp_path / "adapter")
    loads.clear()
    plain = _ask(_engine(qwen))
    changed = _ask(_engine(tmp_path / "adapter"))
    assert _ask(_engine(qwen)) == plain != changed
    assert loads == [qwen.name]


def test_how_weights_are_held_is_part_of_what_is_loaded(qwen: Path, loads: list[str]) -> None:
    _ask(_engine(qwen))
    _ask(_engine(qwen, dtype="bfloat16"))
    assert loads == [qwen.name] * 2
    for wrong, told in (
        ({"dtyp": "float16"}, r"-M dtyp: expected dtype or quantization"),
        ({"dtype": "int3"}, r"-M dtype=int3: expected bfloat16, float16, float32"),
    ):
        with pytest.raises(DeadpanError, match=told):
            _engine(qwen, **wrong)
    with pytest.raises(DeadpanError, match=r"quantization=4bit: torch sees no GPU"):
        _ask(_engine(qwen, quantization="4bit"))
