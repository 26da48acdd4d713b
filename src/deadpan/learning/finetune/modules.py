"""Which parts of a model get an adapter."""

from __future__ import annotations

from typing import Any

from deadpan.base.errors import InputError
from deadpan.engine.local.libraries import library
from deadpan.engine.local.models import PictureModel
from deadpan.learning.finetune.settings import Settings

_SEES = ("visual", "vision", "image", "audio", "video", "multi_modal", "multimodal", "projector")
"""What names of parts hold that see or hear, or that bring pictures to the language model."""


def linear_modules(model: Any, vision: bool) -> list[str]:
    """The names of the linear modules of the language model, or with `vision` of all the model.

    The head that turns states into words is left out. A model without any raises InputError.
    """
    torch = library("torch")
    conv1d = library("transformers").pytorch_utils.Conv1D
    head = model.get_output_embeddings()
    language = _language_model(model)
    named = [
        name
        for name, module in model.named_modules()
        if isinstance(module, (torch.nn.Linear, conv1d)) and module is not head
    ]
    found = [name for name in named if vision or _reads(name, language)]
    if not found:
        what = f"a {type(model).__name__} has no linear modules that could be found"
        raise InputError(language or "the model", what, "Choose another base model.")
    return found


def _language_model(model: Any) -> str:
    """The name of the part that the words go into: the one that holds their embeddings."""
    words = model.get_input_embeddings()
    place = next(name for name, module in model.named_modules() if module is words)
    return str(place).rpartition(".")[0]


def _reads(name: str, language: str) -> bool:
    """Whether a module is a part of the language model, and no part that sees lies in between."""
    inside = name.removeprefix(f"{language}." if language else "")
    if language and inside == name:
        return False
    return not any(sight in part for part in inside.split(".") for sight in _SEES)


def with_adapter(model: PictureModel, settings: Settings) -> Any:
    """The network with a new adapter, the only part that learns; its first weights follow from the
    seed. On a GPU, states between layers are computed twice instead of kept."""
    peft, torch = library("peft"), library("torch")
    torch.manual_seed(settings.seed)
    network = model.network
    network.config.name_or_path = network.name_or_path = model.place
    config = peft.LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=linear_modules(network, settings.vision),
        task_type="CAUSAL_LM",
    )
    adapted = peft.get_peft_model(network, config)
    if torch.cuda.is_available():
        network.gradient_checkpointing_enable({"use_reentrant": False})
    return adapted
