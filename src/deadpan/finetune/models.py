"""Models that read pictures and text, by name or folder, with or without an adapter."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx

from deadpan.errors import InputError
from deadpan.finetune.libraries import library
from deadpan.finetune.modules import linear_modules
from deadpan.finetune.settings import Settings
from deadpan.metrics.neural import loading, located, weights_hash

ADAPTER = "adapter_config.json"
_BASE = "base_model_name_or_path"
_ADAPTED = ("adapter_config.json", "adapter_model.safetensors", "adapter_model.bin")


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


def weights_name(name: str) -> str:
    """What names the very weights of a model or of an adapter with its base: twelve hex digits.
    A name that is no folder here, no resource and no model on the hub raises, after one try."""
    folder = Path(name).expanduser()
    if (folder / ADAPTER).exists():
        base = weights_name(base_of(folder))
        return hashlib.sha256(f"{base}+{_adapter_hash(folder)}".encode()).hexdigest()[:12]
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            what = "holds neither a model nor an adapter"
            raise InputError(f"local/{name}", what, "Give the folder of one of them.")
        return _folder_hash(folder, _stamps(folder))
    if _is_path(name) or ("/" not in name and not _is_resource(name)):
        fix = "Give the folder of a model or an adapter, or a hub's name: local/OWNER/MODEL."
        raise InputError(f"local/{name}", "there is no such folder", fix)
    return _revision(name)


def _is_path(name: str) -> bool:
    """Whether a name can only be a path: the hub's have one slash inside of them."""
    return name.startswith(("/", ".", "~")) or name.endswith("/") or name.count("/") > 1


def _is_resource(name: str) -> bool:
    from deadpan.resources import catalogue

    return name in {one.name for one in catalogue()}


def _stamps(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Names, sizes and times of a folder's files: while they stay, so does its checksum."""
    with os.scandir(folder) as entries:
        files = [(entry.name, entry.stat()) for entry in entries if entry.is_file()]
    return tuple(sorted((name, stat.st_size, stat.st_mtime_ns) for name, stat in files))


@cache
def _folder_hash(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> str:
    return weights_hash(folder)[:12]


def _adapter_hash(folder: Path) -> str:
    """SHA-256 of an adapter's weights and settings; cards and losses beside them do not count."""
    digest = hashlib.sha256()
    for path in (folder / name for name in _ADAPTED):
        if path.is_file():
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def _revision(name: str) -> str:
    """The revision of a model on the hub, or the checksum of a resource. What is not kept here is
    asked for once: the hub's own library would knock for half a minute."""
    if "/" in name and not _is_kept(name):
        hub = library("huggingface_hub").constants
        fix = "Check the name and the network, or give the folder of a model on this machine."
        what = "is no folder here, nor kept from the hub"
        if hub.HF_HUB_OFFLINE:
            raise InputError(f"local/{name}", f"{what}, which is switched off", fix)
        try:
            found = httpx.head(f"{hub.ENDPOINT}/api/models/{name}", timeout=10)
        except httpx.HTTPError as error:
            raise InputError(f"local/{name}", f"{what}, which does not answer", fix) from error
        if found.status_code == httpx.codes.NOT_FOUND:
            raise InputError(f"local/{name}", f"{what}, which has no such model", fix)
    return located(name)[1].rpartition("@")[2]


def _is_kept(name: str) -> bool:
    """Whether the hub's model was had before."""
    return isinstance(library("huggingface_hub").try_to_load_from_cache(name, "config.json"), str)


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
