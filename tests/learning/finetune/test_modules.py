"""Which parts learn, in models of two families."""

from pathlib import Path
from typing import Any

import pytest

from deadpan.engine.local.models import picture_model
from deadpan.learning.finetune.training import Settings
from deadpan.learning.finetune.tuning import linear_modules, with_adapter

SEVEN = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}


@pytest.mark.parametrize("family", ["qwen", "llava"])
def test_without_vision_the_language_model_alone_learns(
    family: str, request: pytest.FixtureRequest
) -> None:
    network = picture_model(str(request.getfixturevalue(family))).network
    names = linear_modules(network, vision=False)
    assert len(names) == 14
    assert all(name.startswith("model.language_model.layers.") for name in names)
    assert {name.rpartition(".")[2] for name in names} == SEVEN


@pytest.mark.parametrize(
    ("family", "seeing"),
    [
        (
            "qwen",
            {
                "model.visual.blocks.0.attn.qkv",
                "model.visual.blocks.0.attn.proj",
                "model.visual.blocks.0.mlp.fc1",
                "model.visual.blocks.0.mlp.fc2",
                "model.visual.merger.mlp.0",
                "model.visual.merger.mlp.2",
            },
        ),
        (
            "llava",
            {
                f"model.vision_tower.encoder.layers.{layer}.{part}"
                for layer in (0, 1)
                for part in (
                    *(f"self_attn.{name}" for name in ("k_proj", "v_proj", "q_proj", "out_proj")),
                    "mlp.fc1",
                    "mlp.fc2",
                )
            }
            | {"model.multi_modal_projector.linear_1", "model.multi_modal_projector.linear_2"},
        ),
    ],
)
def test_with_vision_what_sees_learns_too_but_never_the_head(
    family: str, seeing: set[str], request: pytest.FixtureRequest
) -> None:
    network = picture_model(str(request.getfixturevalue(family))).network
    language = set(linear_modules(network, vision=False))
    assert set(linear_modules(network, vision=True)) - language == seeing


@pytest.mark.parametrize("family", ["qwen", "llava"])
def test_all_modules_are_those_of_pefts_all_linear(
    family: str, request: pytest.FixtureRequest
) -> None:
    peft = pytest.importorskip("peft")
    place = str(request.getfixturevalue(family))
    ours = linear_modules(picture_model(place).network, vision=True)
    config = peft.LoraConfig(target_modules="all-linear", task_type="CAUSAL_LM")
    theirs = peft.get_peft_model(picture_model(place).network, config)
    assert sorted(theirs.targeted_module_names) == sorted(ours)


def test_by_default_every_linear_module_has_an_adapter_and_nothing_else_learns(qwen: Path) -> None:
    adapted: Any = with_adapter(picture_model(str(qwen)), Settings(rank=4))
    learning = [name for name, one in adapted.named_parameters() if one.requires_grad]
    assert len(learning) == 2 * (14 + 6)
    assert all(".lora_" in name for name in learning)
    assert sum(".visual." in name for name in learning) == 2 * 6
    assert not any("lm_head" in name for name in learning)


def test_without_vision_the_language_model_alone_has_adapters(qwen: Path) -> None:
    adapted: Any = with_adapter(picture_model(str(qwen)), Settings(rank=4, vision=False))
    learning = [name for name, one in adapted.named_parameters() if one.requires_grad]
    assert len(learning) == 2 * 14
    assert all(".language_model." in name and ".lora_" in name for name in learning)
