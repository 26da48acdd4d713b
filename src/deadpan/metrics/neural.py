"""Language models by name or folder, on the GPU where there is one."""

from __future__ import annotations

import hashlib
import importlib
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError, MissingExtra

_USUAL_LIMIT = 512
"""Where a text is cut if neither tokenizer nor model states a limit."""
_IDENTIFYING = (
    *("*.json", "*.safetensors", "*.bin", "*.jinja", "additional_chat_templates/*"),
    *("*.model", "*.tiktoken", "merges.txt", "vocab.txt"),
)
"""The files of a model's folder that decide what it says: settings, weights, templates, words."""


@dataclass(frozen=True, eq=False)
class TextModel:
    """A model ready to run, its tokenizer, and where it cuts texts; `identity` names weights."""

    identity: str
    tokenizer: Any
    network: Any
    device: str
    limit: int

    @property
    def width(self) -> int:
        """How many numbers stand for one token."""
        return int(self.network.config.hidden_size)


def token_model(
    name: str,
    layers: int | None = None,
    *,
    device: str | None = None,
    half: bool = False,
    prefix_space: bool = True,
) -> TextModel:
    """An encoder whose last layer is the given one (None: all); what cannot be had raises.

    `name` is a resource, a folder or a name on the hub. `half` computes in half precision, on a
    GPU only. `prefix_space` holds for RoBERTa and GPT-2, whose words begin with their space:
    `bert-score` asks for it, and transformers 5 no longer listens.
    """
    transformers = library("transformers")
    place, identity = locate_model(name)
    with loading(name):
        config = transformers.AutoConfig.from_pretrained(place)
        spaced = prefix_space and config.model_type in {"roberta", "gpt2"}
        options = {"add_prefix_space": True} if spaced else {}
        tokenizer = transformers.AutoTokenizer.from_pretrained(place, **options)
        network = transformers.AutoModel.from_pretrained(place)
    if config.is_encoder_decoder:
        network = network.get_encoder()
    if layers is not None:
        _cut_layers(name, network, layers)
        identity += f"-L{layers}"
    return _ready(identity + ("-space" if spaced else ""), tokenizer, network, device, half)


def seq2seq_model(name: str, *, device: str | None = None, half: bool = False) -> TextModel:
    """An encoder-decoder with its language-model head; what cannot be had raises."""
    transformers = library("transformers")
    place, identity = locate_model(name)
    with loading(name):
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        network = transformers.AutoModelForSeq2SeqLM.from_pretrained(place)
    return _ready(identity, tokenizer, network, device, half)


def checked_device(device: str | None) -> str:
    """The device asked for, or the best there is; a GPU that is not there raises."""
    has_gpu = library("torch").cuda.is_available()
    if device and device.startswith("cuda") and not has_gpu:
        raise InputError(device, "torch sees no GPU", "Leave the device out, or name cpu.")
    return device or ("cuda" if has_gpu else "cpu")


def well_formed(text: str) -> str:
    """The text with every half of a surrogate pair that stands alone replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _ready(
    identity: str, tokenizer: Any, network: Any, device: str | None, half: bool
) -> TextModel:
    chosen = checked_device(device)
    if half and chosen == "cpu":
        raise InputError(chosen, "half precision is for GPUs only", "Leave it out.")
    network = network.eval().to(chosen)
    limits = [tokenizer.model_max_length, _positions(network.config)]
    return TextModel(
        identity + ("-half" if half else ""),
        tokenizer,
        network.half() if half else network.float(),
        chosen,
        min((one for one in limits if one and one < 1_000_000), default=_USUAL_LIMIT),
    )


def _positions(config: Any) -> int | None:
    """How many tokens the model has positions for; RoBERTa's start after its padding's number."""
    positions: int | None = getattr(config, "max_position_embeddings", None)
    if positions and config.model_type in {"roberta", "xlm-roberta", "camembert", "longformer"}:
        return positions - int(config.pad_token_id) - 1
    return positions


def _cut_layers(name: str, network: Any, layers: int) -> None:
    """Drops the layers after the given number, as nothing of them is used."""
    total = network.config.num_hidden_layers
    lists = [
        module
        for module in network.modules()
        if type(module).__name__ == "ModuleList" and len(module) == total
    ]
    if not 1 <= layers <= total or (layers < total and len(lists) != 1):
        raise InputError(
            name,
            f"layer {layers} cannot be taken from a {network.config.model_type} of {total} layers",
            f"Name a layer from 1 to {total}, or a BERT-like model.",
        )
    if layers < total:
        del lists[0][layers:]


def locate_model(name: str) -> tuple[str, str]:
    """Where transformers finds the model, and what names its very weights: hash or revision."""
    from deadpan.base.resources import catalogue, path_of

    folder = Path(name).expanduser()
    if len(folder.parts) == 1 or not folder.is_dir():
        folder = path_of(name) if name in {one.name for one in catalogue()} else folder
    if folder.is_dir():
        return str(folder), f"{Path(name).name}@{weights_hash(folder)[:12]}"
    with loading(name):
        config = library("transformers").AutoConfig.from_pretrained(name)
    return name, f"{name}@{str(config._commit_hash)[:12]}"


def weights_hash(folder: Path) -> str:
    """SHA-256 over the files in a model's folder that decide what it says; while their sizes and
    times stay, they are read once."""
    found = {path for pattern in _IDENTIFYING for path in folder.glob(pattern) if path.is_file()}
    stats = [(path, path.stat()) for path in sorted(found)]
    return _hash(folder, tuple((path, stat.st_size, stat.st_mtime_ns) for path, stat in stats))


@cache
def _hash(folder: Path, stamps: tuple[tuple[Path, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for path, _, _ in stamps:
        digest.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


@contextmanager
def loading(name: str) -> Iterator[None]:
    """Tells a model that cannot be loaded as what the user can do about it; no progress bars."""
    from deadpan.base.resources import Unavailable

    library("transformers").utils.logging.disable_progress_bar()
    damaged = (ValueError, KeyError, RuntimeError, ImportError, EOFError, pickle.UnpicklingError)
    # The hub's library changed its HTTP library twice: its own error is one of that library's.
    unreachable = library("huggingface_hub.errors").HfHubHTTPError.__bases__
    try:
        yield
    except (OSError, *damaged, library("safetensors").SafetensorError, *unreachable) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        remedy = "check the name and the network, or name the folder of a model on this machine"
        if Path(name).expanduser().is_dir():
            remedy = "a file in it is damaged or missing: put the folder there again"
        raise Unavailable(f"the model {name} cannot be loaded ({reason})", remedy) from error


def library(name: str) -> Any:
    """A module of the [neural] extra; `MissingExtra` where it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise MissingExtra("Scoring with a language model", "neural") from None
