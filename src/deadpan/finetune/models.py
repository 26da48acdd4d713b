"""Models that read pictures and text, by name or folder, with or without an adapter."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deadpan.errors import InputError
from deadpan.finetune.libraries import library
from deadpan.finetune.modules import linear_modules
from deadpan.finetune.settings import Settings
from deadpan.metrics.neural import loading, located

ADAPTER = "adapter_config.json"
_BASE = "base_model_name_or_path"


@dataclass(frozen=True, eq=False)
class PictureModel:
    """A model with its processor; `identity` names its very weights, `place` where they lie."""

    identity: str
    place: str
    processor: Any
    network: Any


def picture_model(name: str) -> PictureModel:
    """The model of a folder or hub name, in half precision on a GPU; what cannot be had, or does
    not go from pictures and text to text, raises."""
    transformers, torch = library("transformers"), library("torch")
    transformers.utils.logging.set_verbosity_error()
    place, identity = located(name)
    half = torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    with loading(name):
        config = transformers.AutoConfig.from_pretrained(place)
        processor = _processor(place, config)
        _require_causal(name, config)
        network = transformers.AutoModelForImageTextToText.from_pretrained(
            place, dtype=torch.bfloat16 if half else torch.float32
        )
    if not hasattr(processor, "tokenizer"):
        what = "has no processor of pictures and text"
        raise InputError(name, what, "Name a model that takes both.")
    folder = Path(place)
    return PictureModel(
        identity, str(folder.resolve()) if folder.is_dir() else place, processor, network
    )


def answering_model(name: str) -> PictureModel:
    """A model that answers, on the GPU where there is one: the folder of an adapter, or what
    `picture_model` takes."""
    folder = Path(name).expanduser()
    adapts = (folder / ADAPTER).is_file()
    model = adapted_model(folder) if adapts else picture_model(name)
    device = "cuda" if library("torch").cuda.is_available() else "cpu"
    network = model.network.to(device).eval()
    return PictureModel(model.identity, model.place, model.processor, network)


def adapted_model(folder: Path) -> PictureModel:
    """The base model of an adapter's folder with the adapter on it."""
    peft = library("peft")
    base = picture_model(base_of(folder))
    with loading(str(folder)):
        network = peft.PeftModel.from_pretrained(base.network, str(folder))
    return PictureModel(f"{base.identity}+{folder.name}", str(folder), base.processor, network)


def base_of(folder: Path) -> str:
    """The base model that an adapter's folder names; InputError where it names none."""
    path = folder / ADAPTER
    try:
        base = json.loads(path.read_text("utf-8"))[_BASE]
    except (OSError, ValueError, KeyError, TypeError):
        base = None
    if not isinstance(base, str) or not base:
        what = "names no base model"
        raise InputError(path, what, "Give the folder that deadpan finetune wrote.")
    return base


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


def merged(adapter: Path, out: Path) -> None:
    """Writes the base model with the adapter's changes added to its weights, and its processor."""
    model = adapted_model(adapter)
    try:
        model.network.merge_and_unload().save_pretrained(str(out))
        model.processor.save_pretrained(str(out))
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        raise InputError(out, what, "Free some space or choose another place.") from error


def _require_causal(name: str, config: Any) -> None:
    """Raises for models that do not write one token after the other, looking back only."""
    if getattr(config, "is_encoder_decoder", False) or config.model_type.startswith("paligemma"):
        what = f"a {config.model_type} looks at its answer both ways"
        raise InputError(name, what, "Choose a decoder, such as Qwen2-VL, LLaVA or Gemma 3.")


def _processor(place: str, config: Any) -> Any:
    """The model's processor. Without torchvision, which transformers reads videos with, one for
    pictures alone."""
    transformers = library("transformers")
    if find_spec("torchvision") is None:
        mapping = transformers.models.auto.processing_auto.PROCESSOR_MAPPING
        kind = mapping.get(type(config), None)
        if kind is not None and "video_processor" in kind.get_attributes():
            return _for_pictures(kind).from_pretrained(place)
    return transformers.AutoProcessor.from_pretrained(place)


def _for_pictures(kind: Any) -> Any:
    """A kind of processor without its reader of videos; transformers goes by its signature."""

    def __init__(
        self: Any,
        image_processor: Any = None,
        tokenizer: Any = None,
        chat_template: str | None = None,
        **options: Any,
    ) -> None:
        kind.__init__(
            self,
            image_processor=image_processor,
            tokenizer=tokenizer,
            chat_template=chat_template,
            **options,
        )

    return type(kind.__name__, (kind,), {"__init__": __init__})
