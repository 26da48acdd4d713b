"""What kind of model a folder or a name on the hub holds, and whether it is whole, as its settings,
its tokenizer and the beginnings of its files tell; no weights are loaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, is_folder
from deadpan.engine.local import library
from deadpan.engine.local.adapters import WEIGHTS, checked_base, is_adapter, require_adapter
from deadpan.engine.local.processors import processor_of
from deadpan.metrics.neural import loading, locate_model

_VOCABULARIES = (
    *("tokenizer.json", "*.model", "vocab.json", "vocab.txt", "*.tiktoken", "tekken.json"),
    *("*.spm", "bpe.codes", "spiece.*"),
)
_WRITERS = ("ForCausalLM", "LMHeadModel", "WithLMHead")
"""How the classes of models that write end."""
_INDEX = "model.safetensors.index.json"
_LONGEST_HEADER = 100_000_000
_AGAIN = "Put the folder there again."
_CHOOSE = "Choose a decoder, such as Qwen2-VL, LLaVA or Gemma 3."


@dataclass(frozen=True, eq=False)
class Kind:
    """A model's settings, and whether it sees pictures."""

    config: Any
    sees: bool

    @property
    def loader(self) -> Any:
        """What transformers loads it by."""
        transformers = library("transformers")
        if self.sees:
            return transformers.AutoModelForImageTextToText
        return transformers.AutoModelForCausalLM


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Tells what cannot be loaded as what the user can do about it."""
    with loading(name):
        try:
            yield
        except ImportError as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            what = f"needs a library that is not installed ({reason})"
            raise InputError(name, what, "Install it.") from error


def kind_of(name: str, place: str) -> Kind:
    """The kind of a model; one that cannot be asked, or that transformers does not know, raises."""
    transformers = library("transformers")
    auto = transformers.models.auto
    with reading(name):
        stated: dict[str, Any] = transformers.PreTrainedConfig.get_config_dict(place)[0]
        model_type = stated.get("model_type")
        known = model_type in auto.configuration_auto.CONFIG_MAPPING
    if not known:
        _refuse_unknown(name, model_type, "auto_map" in stated)
    with reading(name):
        config = transformers.AutoConfig.from_pretrained(place)
    if getattr(config, "is_encoder_decoder", False):
        raise InputError(name, f"encoder–decoder models ({model_type}) are not supported", _CHOOSE)
    # Only models that write one token after the other, looking back, can be taught so.
    if str(model_type).startswith("paligemma"):
        raise InputError(name, f"a {model_type} looks at its question both ways", _CHOOSE)
    if type(config) in auto.modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return Kind(config, sees=True)
    made = getattr(config, "architectures", None) or []
    writes = not made or any(one.endswith(_WRITERS) for one in made)
    if type(config) in auto.modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING and writes:
        return Kind(config, sees=False)
    what = f"a model of the kind {model_type} ({', '.join(made) or 'no class named'})"
    raise InputError(name, f"{what} writes no answers", _CHOOSE)


def _refuse_unknown(name: str, model_type: str | None, own_code: bool) -> None:
    if model_type is None:
        raise InputError(name, "its config.json names no model_type", _AGAIN)
    version = library("transformers").__version__
    what = f"transformers {version} does not know models of the kind {model_type}"
    if own_code:
        what += ", and code that comes with a model is not run"
    fix = "Update it (pip install -U transformers), or choose another model."
    raise InputError(name, what, fix)


def read_processor(name: str, place: str, kind: Kind) -> Any:
    """The model's processor; a folder without a tokenizer, or without what makes pictures ready,
    raises."""
    folder = Path(place)
    if is_folder(folder) and not _holds(folder, _VOCABULARIES):
        fix = "Put the tokenizer's files beside the weights."
        raise InputError(name, "has no tokenizer (tokenizer.json or the like)", fix)
    pictures = ("processor_config.json", "preprocessor_config.json")
    if kind.sees and is_folder(folder) and not _holds(folder, pictures):
        fix = f"Put {' or '.join(pictures)} beside the weights."
        raise InputError(name, "has no processor of pictures and text", fix)
    with reading(name):
        processor = processor_of(place, kind.config, kind.sees)
    if not hasattr(processor, "tokenizer"):
        what = "has no processor of pictures and text"
        raise InputError(name, what, "Name a model that takes both.")
    return processor


def _holds(folder: Path, patterns: tuple[str, ...]) -> bool:
    return any(True for pattern in patterns for _ in folder.glob(pattern))


def check_model(name: str) -> None:
    """Raises where a model, or an adapter and its base, could not be loaded, as far as that can be
    told without its weights."""
    folder = Path(name).expanduser()
    if is_adapter(folder):
        require_adapter(folder)
        _check_weights(folder, [folder / one for one in WEIGHTS if is_file(folder / one)])
        name = checked_base(folder)[0]
    place = locate_model(name)[0]
    kind = kind_of(name, place)
    read_processor(name, place, kind)
    folder = Path(place)
    if is_folder(folder):
        _check_weights(folder, _weight_files(folder))


def _weight_files(folder: Path) -> list[Path]:
    """The files that hold a model's weights; none, or an index that cannot be read, raises."""
    index = folder / _INDEX
    if is_file(folder / "model.safetensors") or not is_file(index):
        found = sorted([*folder.glob("*.safetensors"), *folder.glob("*.bin")])
        if not found:
            raise InputError(folder, "has no weights (model.safetensors)", _AGAIN)
        return found
    try:
        names = set(json.loads(index.read_bytes())["weight_map"].values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(index, f"cannot be read ({error})", _AGAIN) from error
    return sorted(folder / str(one) for one in names)


def _check_weights(folder: Path, files: list[Path]) -> None:
    for path in files:
        if not is_file(path):
            raise InputError(folder, f"lacks {path.name}", _AGAIN)
        if path.suffix == ".safetensors" and not _is_whole(path):
            raise InputError(path, "is damaged: it is not as long as it says", _AGAIN)


def _is_whole(path: Path) -> bool:
    """Whether a file of weights is as long as its header says."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > min(size, _LONGEST_HEADER):
                return False
            header = json.loads(file.read(length))
        ends = [one["data_offsets"][1] for name, one in header.items() if name != "__metadata__"]
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError):
        return False
    return 8 + length + max(ends, default=0) == size
