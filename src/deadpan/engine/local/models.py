"""Models that read text, and pictures where they can, with or without an adapter."""

from __future__ import annotations

import os
import re
import shutil
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.engine.local import library
from deadpan.engine.local.adapters import checked_base, is_adapter, require_adapter
from deadpan.engine.local.kinds import Kind, kind_of, read_processor, reading
from deadpan.metrics.neural import loading, locate_model

Dtype = Literal["bfloat16", "float16", "float32"]
Quantization = Literal["4bit", "8bit"]
_NO_LIMIT = 1_000_000
"""What tokenizers without a limit state is larger."""
_MOST_NAMED = 3
_QUOTED = r"'([^']+)'"


@dataclass(frozen=True, eq=False)
class PictureModel:
    """A model with its processor; `identity` names its very weights, `place` where they lie."""

    identity: str
    place: str
    processor: Any
    network: Any
    base: tuple[str, LoadOptions] | None = None
    """The model without its adapter, and how its weights are held."""

    @property
    def plain_network(self) -> Any:
        """The network without its adapter."""
        return self.network.unload() if hasattr(self.network, "peft_config") else self.network

    @property
    def context(self) -> int | None:
        """The most tokens that the model states, or else its tokenizer; None where neither does."""
        return _context(self.network.config, self.processor.tokenizer)


@dataclass(frozen=True)
class LoadOptions:
    """How the weights of a model are held, as `-M` says."""

    dtype: Dtype | None = None
    quantization: Quantization | None = None

    @classmethod
    def of(cls, arguments: Mapping[str, Any], option: str) -> LoadOptions:
        """The options of `-M NAME=VALUE`; what there is not raises."""
        known: dict[str, tuple[str, ...]] = {
            "dtype": get_args(Dtype),
            "quantization": get_args(Quantization),
        }
        for name, value in arguments.items():
            if name not in known:
                expected = f"expected {' or '.join(known)}{meant(name, known)}"
                raise DeadpanError(f"{option}: -M {name}: {expected}")
            if value not in known[name]:
                expected = f"expected {', '.join(known[name])}"
                raise DeadpanError(f"{option}: -M {name}={value}: {expected}")
        return cls(**arguments)

    def arguments(self, usual: Any) -> dict[str, Any]:
        """The same as transformers takes it; quantising needs a GPU, and raises without one."""
        torch = library("torch")
        dtype = getattr(torch, self.dtype) if self.dtype else usual
        if self.quantization is None:
            return {"dtype": dtype}
        if not torch.cuda.is_available():
            what = f"-M quantization={self.quantization}"
            raise InputError(what, "torch sees no GPU to quantise on", "Leave it out.")
        bits = {"load_in_4bit": True} if self.quantization == "4bit" else {"load_in_8bit": True}
        if self.quantization == "4bit":
            bits["bnb_4bit_compute_dtype"] = dtype
        quantised = library("transformers").BitsAndBytesConfig(**bits)
        return {"dtype": dtype, "quantization_config": quantised, "device_map": {"": 0}}


def picture_model(
    name: str,
    options: LoadOptions | None = None,
    idle: Sequence[PictureModel] = (),
    must_see: bool = True,
) -> PictureModel:
    """The model of a folder or hub name, in half precision on a GPU unless the options say
    otherwise; one of another kind, or that lacks weights, raises. One of text alone is taken where
    it need not see. The weights of an idle one are not read again."""
    options = options or LoadOptions()
    transformers, torch = library("transformers"), library("torch")
    transformers.utils.logging.set_verbosity_error()
    place, identity = locate_model(name)
    kind = kind_of(name, place)
    if must_see and not kind.sees:
        what = f"a {kind.config.model_type} sees no pictures"
        raise InputError(name, what, "Name a model that takes pictures and text.")
    processor = read_processor(name, place, kind)
    half = torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    base = (identity, options)
    network = next((one.plain_network for one in idle if one.base == base), None)
    if network is None:
        how = options.arguments(torch.bfloat16 if half else torch.float32)
        network = _network(name, place, kind, how)
    lies = str(Path(place).resolve()) if Path(place).is_dir() else place
    return PictureModel(identity, lies, processor, network, base)


def _network(name: str, place: str, kind: Kind, how: Mapping[str, Any]) -> Any:
    """The model's weights; where any are missing or of another shape, which transformers would
    draw at random, raises. Those that are tied to others are not missing."""
    told = {"output_loading_info": True, "ignore_mismatched_sizes": True}
    with reading(name):
        network, found = kind.loader.from_pretrained(place, **told, **how)
    others = sorted(key for key, *_ in found["mismatched_keys"])
    for what, keys in (
        ("lacks weights", sorted(found["missing_keys"] - set(others))),
        ("has weights of other shapes than its config.json says", others),
    ):
        if keys:
            raise InputError(name, f"{what}: {_named(keys)}", "Put the folder there again.")
    return network


def _named(keys: Sequence[str]) -> str:
    more = len(keys) - _MOST_NAMED
    return ", ".join(keys[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def answering_model(
    name: str, options: LoadOptions | None = None, idle: Sequence[PictureModel] = ()
) -> PictureModel:
    """A model, or an adapter with its base, that answers, on the GPU where there is one."""
    folder = Path(name).expanduser()
    options = options or LoadOptions()
    if is_adapter(folder):
        model = adapted_model(folder, None, options, idle)
    else:
        model = picture_model(name, options, idle, must_see=False)
    if options.quantization is not None:
        return replace(model, network=model.network.eval())  # it lies where it was quantised
    device = "cuda" if library("torch").cuda.is_available() else "cpu"
    with loading(name):
        return replace(model, network=model.network.to(device).eval())


def answering_tokenizer(name: str) -> tuple[Any, int | None]:
    """The tokenizer of a model, or of an adapter's base, and the most tokens that are stated."""
    folder = Path(name).expanduser()
    place = locate_model(checked_base(folder)[0] if is_adapter(folder) else name)[0]
    kind = kind_of(name, place)
    tokenizer = read_processor(name, place, kind).tokenizer
    return tokenizer, _context(kind.config, tokenizer)


def _context(config: Any, tokenizer: Any) -> int | None:
    stated = getattr(config.get_text_config(), "max_position_embeddings", None)
    limits = (stated, tokenizer.model_max_length)
    return next((int(one) for one in limits if one and one < _NO_LIMIT), None)


def adapted_model(
    folder: Path,
    base: str | None = None,
    options: LoadOptions | None = None,
    idle: Sequence[PictureModel] = (),
) -> PictureModel:
    """The base that an adapter names, or the given one, with the adapter; a wrong one raises."""
    peft = library("peft")
    require_adapter(folder)
    model = picture_model(checked_base(folder, base)[0], options, idle, must_see=False)
    with reading(str(folder)), warnings.catch_warnings():
        # What peft asks transformers is about to be renamed: nobody here can mend that.
        warnings.filterwarnings("ignore", ".*is_gradient_checkpointing", FutureWarning)
        warnings.filterwarnings("error", ".*missing adapter keys", UserWarning)
        try:
            network = peft.PeftModel.from_pretrained(model.network, str(folder))
        except UserWarning as error:
            what = f"lacks weights: {_named(re.findall(_QUOTED, str(error)))}"
            raise InputError(folder, what, "Put the folder there again.") from error
    name = f"{model.identity}+{folder.name}"
    return replace(model, identity=name, place=str(folder), network=network)


def merge_adapter(adapter: Path, out: Path, base: str | None = None) -> None:
    """Writes the base model with the adapter in its weights, and its processor: all or nothing."""
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
