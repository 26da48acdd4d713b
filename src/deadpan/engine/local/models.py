"""Models that read pictures and text, by name or folder, with or without an adapter."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError
from deadpan.engine.local import library
from deadpan.engine.local.adapters import checked_base, is_adapter, require_adapter
from deadpan.metrics.neural import loading, located

_NO_LIMIT = 1_000_000
"""What tokenizers without a limit state is larger."""


@dataclass(frozen=True, eq=False)
class PictureModel:
    """A model with its processor; `identity` names its very weights, `place` where they lie."""

    identity: str
    place: str
    processor: Any
    network: Any

    @property
    def context(self) -> int | None:
        """The most tokens that the model states, or else its tokenizer; None where neither does."""
        text = self.network.config.get_text_config()
        stated = getattr(text, "max_position_embeddings", None)
        limits = (stated, self.processor.tokenizer.model_max_length)
        return next((int(one) for one in limits if one and one < _NO_LIMIT), None)


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
        # Only models that write one token after the other, looking back, can be taught so.
        kind = config.model_type
        if getattr(config, "is_encoder_decoder", False) or kind.startswith("paligemma"):
            what = f"a {kind} looks at its answer both ways"
            raise InputError(name, what, "Choose a decoder, such as Qwen2-VL, LLaVA or Gemma 3.")
        network = transformers.AutoModelForImageTextToText.from_pretrained(
            place, dtype=torch.bfloat16 if half else torch.float32
        )
    if not hasattr(processor, "tokenizer"):
        what = "has no processor of pictures and text"
        raise InputError(name, what, "Name a model that takes both.")
    lies = str(Path(place).resolve()) if Path(place).is_dir() else place
    return PictureModel(identity, lies, processor, network)


def answering_model(name: str) -> PictureModel:
    """A model that answers, on the GPU where there is one: the folder of an adapter, or what
    `picture_model` takes."""
    folder = Path(name).expanduser()
    model = adapted_model(folder) if is_adapter(folder) else picture_model(name)
    device = "cuda" if library("torch").cuda.is_available() else "cpu"
    with loading(name):
        return replace(model, network=model.network.to(device).eval())


def adapted_model(folder: Path, base: str | None = None) -> PictureModel:
    """The base model that an adapter's folder names, or the one that is given, with the adapter on
    it; another base than the adapter was trained on raises."""
    peft = library("peft")
    require_adapter(folder)
    model = picture_model(checked_base(folder, base)[0])
    with loading(str(folder)):
        network = peft.PeftModel.from_pretrained(model.network, str(folder))
    name = f"{model.identity}+{folder.name}"
    return replace(model, identity=name, place=str(folder), network=network)


def merged(adapter: Path, out: Path, base: str | None = None) -> None:
    """Writes the base model with the adapter's changes added to its weights, and its processor:
    the whole folder or none."""
    model = adapted_model(adapter, base)
    place = out.resolve()
    unfinished = place.with_name(f".{place.name}.merging")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        with saving(out, "Free some space or choose another --out."):
            model.network.merge_and_unload().save_pretrained(str(unfinished))
            model.processor.save_pretrained(str(unfinished))
            os.replace(unfinished, place)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


@contextmanager
def saving(place: Path, fix: str) -> Iterator[None]:
    """Tells weights that cannot be written as what the user can do about it."""
    try:
        yield
    except (OSError, library("safetensors").SafetensorError) as error:
        what = f"cannot be written ({getattr(error, 'strerror', None) or error})"
        raise InputError(place, what, fix) from error


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
        parts = {"image_processor": image_processor, "tokenizer": tokenizer}
        kind.__init__(self, **parts, chat_template=chat_template, **options)

    return type(kind.__name__, (kind,), {"__init__": __init__})
