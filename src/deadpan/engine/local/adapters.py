"""The folder of an adapter: its card, its state, its base, and what names its weights."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from string import Template
from typing import Any

import httpx
from pydantic import BaseModel, FiniteFloat, ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_file, is_folder, is_there, leftovers, read_text, write_text
from deadpan.base.resources import catalogue
from deadpan.engine.local import library
from deadpan.metrics.neural import locate_model, weights_hash

CARD = "card.json"
PAGE = "README.md"
CHECKPOINT = "checkpoint.pt"
LOSSES = "losses.jsonl"
PLOTS = ("losses.svg", "losses.png")
ADAPTER = "adapter_config.json"
WEIGHTS = ("adapter_model.safetensors", "adapter_model.bin")
_PACKAGES = ("deadpan", "torch", "transformers", "peft", "accelerate")
_BASE = "base_model_name_or_path"
_GIVE = "Give the folder that deadpan finetune wrote."
# The state to go on from goes first, so that nothing goes on from what is being thrown away; the
# losses go last: until then, the folder is one of an unfinished training.
_OURS = (CHECKPOINT, CARD, ADAPTER, *WEIGHTS, PAGE, *PLOTS, LOSSES)


def prepare(folder: Path, resume: bool) -> None:
    """Makes the folder and removes what killed writes left in it; without resuming, also all that
    an earlier training wrote. A folder of other things is refused."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        thrown = [left for name in _OURS for left in leftovers(folder / name)]
        ours = any(is_there(folder / name) for name in (CARD, CHECKPOINT, LOSSES))
        if not ours and set(folder.iterdir()) - set(thrown):
            raise InputError(folder, "holds other things", "Choose another --out.")
        for path in thrown if resume else [*thrown, *(folder / name for name in _OURS)]:
            path.unlink(missing_ok=True)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise InputError(folder, what, "Choose another --out.") from error


def require_adapter(folder: Path) -> None:
    """Raises where the folder holds no adapter, one without weights, or an unfinished one."""
    begun = any(is_there(folder / name) for name in (CHECKPOINT, LOSSES))
    if begun and not is_file(folder / CARD):
        fix = "Go on with it: the same deadpan finetune command, without --fresh."
        raise InputError(folder, "its training is not finished", fix)
    for names in ((ADAPTER,), WEIGHTS):
        if not any(is_file(folder / name) for name in names):
            raise InputError(folder, f"has no {names[0]}", _GIVE)


def is_adapter(folder: Path) -> bool:
    """Whether the folder is that of an adapter, if only of one that was begun."""
    begun = is_there(folder / CHECKPOINT) and not is_there(folder / "config.json")
    return begun or is_there(folder / ADAPTER)


def weights_name(name: str) -> str:
    """Twelve hex digits for the weights of a model, or an adapter and its base; else raises."""
    folder = Path(name).expanduser()
    if not is_adapter(folder):
        return _model_hash(name)
    require_adapter(folder)
    digest = hashlib.sha256()
    for path in (folder / name for name in (ADAPTER, *WEIGHTS)):
        if is_file(path):
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    both = f"{checked_base(folder)[1]}+{digest.hexdigest()}"
    return hashlib.sha256(both.encode()).hexdigest()[:12]


def checked_base(folder: Path, base: str | None = None) -> tuple[str, str]:
    """The base model that an adapter names, or the one that is given, and what names its weights. A
    path is also looked for from the adapter's folder on. One that cannot be had, or that the
    adapter was not trained on, raises."""
    name, path = base, folder / ADAPTER
    if not name:
        with suppress(OSError, ValueError, KeyError, TypeError):
            name = json.loads(path.read_text("utf-8"))[_BASE]
        if not isinstance(name, str) or not name:
            raise InputError(path, "names no base model", _GIVE)
        beside = folder / Path(name).expanduser()
        if not is_folder(Path(name).expanduser()) and is_folder(beside):
            name = str(beside.resolve())
    fix = "Name the one it was trained on, where it lies now: as --base where you merge, or as "
    fix += f"{_BASE} in {path}."
    try:
        found = _model_hash(name)
    except DeadpanError as error:
        raise InputError(folder, f"its base model cannot be had ({error})", fix) from error
    card = read_card(folder)
    if card is not None and (wanted := card.base_identity.rpartition("@")[2]) != found:
        what = f"was trained on the base model {card.base} ({wanted}), not on {name} ({found})"
        raise InputError(folder, what, fix)
    return name, found


def _model_hash(name: str) -> str:
    folder = Path(name).expanduser()
    if is_folder(folder):
        if not is_file(folder / "config.json"):
            what = "holds neither a model nor an adapter"
            raise InputError(f"local/{name}", what, "Give the folder of one of them.")
        return weights_hash(folder)[:12]
    # The hub's names have one slash, inside of them.
    path = name.startswith(("/", ".", "~")) or name.endswith("/") or name.count("/") > 1
    if path or ("/" not in name and name not in {one.name for one in catalogue()}):
        fix = "Give the folder of a model or an adapter, or a hub's name: local/OWNER/MODEL."
        raise InputError(f"local/{name}", "there is no such folder", fix)
    return _revision(name)


@cache
def _revision(name: str) -> str:
    """The revision of a model on the hub, or the checksum of a resource. What is not kept here is
    asked for once: the hub's own library would knock for half a minute."""
    kept = library("huggingface_hub").try_to_load_from_cache
    if "/" in name and not isinstance(kept(name, "config.json"), str):
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
    return locate_model(name)[1].rpartition("@")[2]


class Card(BaseModel, frozen=True, extra="forbid"):
    """What is told of an adapter; written last, so that where it lies all else does."""

    benchmark: str
    tasks: tuple[str, ...]
    base: str
    base_identity: str
    data: str
    """The checksum of the examples."""
    prompts: str
    examples: int
    validation_examples: int
    unvalidated: tuple[str, ...] = ()
    """The tasks that have no validation examples."""
    settings: dict[str, str | int | float | bool]
    processes: int
    steps: int
    answer_tokens: int
    trained_parameters: int
    packages: dict[str, str]
    training_loss: FiniteFloat
    """The mean over the last epoch's steps."""
    validation_losses: tuple[FiniteFloat, ...]
    """After each epoch; empty where there is no validation split."""

    @property
    def identity(self) -> dict[str, str | int | float | bool]:
        """What must be equal for a training to be the same one."""
        return training_identity(self.model_dump())


def training_identity(facts: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    """What must be equal for a training to be the same one; of the base, its weights."""
    tasks, base = ",".join(facts["tasks"]), facts["base_identity"].rpartition("@")[2]
    named = {"benchmark": facts["benchmark"], "tasks": tasks, "base": base, "data": facts["data"]}
    others = {"prompts": facts["prompts"], **facts["settings"], "processes": facts["processes"]}
    return named | others


def packages() -> dict[str, str]:
    """The versions of the packages that training depends on; those not installed are left out."""
    found = {}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def read_card(folder: Path) -> Card | None:
    """The card of a folder; None where there is none, one that cannot be read raises."""
    path = folder / CARD
    if not is_there(path):
        return None
    try:
        return Card.model_validate_json(read_text(path))
    except ValidationError as error:
        what = f"is no card of an adapter ({error.error_count()} fields are off)"
        fix = "Put the file back, or train anew: with --fresh, or into another --out."
        raise InputError(path, what, fix) from error


def write_card(folder: Path, card: Card) -> None:
    """Writes README.md for people, then card.json."""
    losses = [f"{loss:.4f}" for loss in (card.training_loss, *card.validation_losses)]
    settings = {name.replace("_", " "): value for name, value in card.settings.items()}
    lists = {"tasks": card.tasks, "unvalidated": card.unvalidated, "validation_losses": losses[1:]}
    tables: dict[str, Mapping[str, object]] = {"settings": settings, "packages": card.packages}
    facts = {name: _cell(value) for name, value in card} | {"training_loss": losses[0]}
    facts |= {name: _cell(", ".join(values) or "none") for name, values in lists.items()}
    facts |= {
        name: "\n".join(f"| {key} | {_cell(value)} |" for key, value in values.items())
        for name, values in tables.items()
    }
    page = Template(read_text(Path(__file__).with_name("page.md")))
    said = page.substitute(facts, named_base=json.dumps(card.base), folder=folder)
    write_text(folder / PAGE, said)
    text = json.dumps(card.model_dump(mode="json"), ensure_ascii=False, indent=2, allow_nan=False)
    write_text(folder / CARD, text + "\n")


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")
