"""The folder of an adapter: our files in it, whether its training is finished, which base it wants;
and what names the very weights of a model or an adapter."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

import httpx

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_file, is_folder, is_there, leftovers
from deadpan.engine.local.card import CARD, PAGE, read_card
from deadpan.engine.local.libraries import library
from deadpan.metrics.neural import located, weights_hash

CHECKPOINT = "checkpoint.pt"
LOSSES = "losses.jsonl"
PLOTS = ("losses.svg", "losses.png")
ADAPTER = "adapter_config.json"
WEIGHTS = ("adapter_model.safetensors", "adapter_model.bin")
_BASE = "base_model_name_or_path"
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
    """Raises where the folder holds no whole adapter: none, one without weights, or one whose
    training is not finished."""
    begun = any(is_there(folder / name) for name in (CHECKPOINT, LOSSES))
    if begun and not is_file(folder / CARD):
        fix = "Go on with it: the same deadpan finetune command, without --fresh."
        raise InputError(folder, "its training is not finished", fix)
    fix = "Give the folder that deadpan finetune wrote."
    if not is_file(folder / ADAPTER):
        raise InputError(folder, f"has no {ADAPTER}", fix)
    if not any(is_file(folder / name) for name in WEIGHTS):
        raise InputError(folder, f"has no {WEIGHTS[0]}", fix)


def is_adapter(folder: Path) -> bool:
    """Whether the folder is that of an adapter, if only of one that was begun."""
    begun = is_there(folder / CHECKPOINT) and not is_there(folder / "config.json")
    return begun or is_there(folder / ADAPTER)


def weights_name(name: str) -> str:
    """What names the very weights of a model or of an adapter with its base: twelve hex digits.
    A name that is no folder here, no resource and no model on the hub raises, after one try."""
    folder = Path(name).expanduser()
    if not is_adapter(folder):
        return _model_hash(name)
    require_adapter(folder)
    _, base = checked_base(folder)
    return hashlib.sha256(f"{base}+{_adapter_hash(folder)}".encode()).hexdigest()[:12]


def checked_base(folder: Path, base: str | None = None) -> tuple[str, str]:
    """The base model that an adapter names, or the one that is given, and what names its weights.
    One that cannot be had, or that the adapter was not trained on, raises."""
    name = base or _named_base(folder)
    fix = (
        "Name the one it was trained on, where it lies now: as --base where you merge, or as "
        f"{_BASE} in {folder / ADAPTER}."
    )
    try:
        found = _model_hash(name)
    except DeadpanError as error:
        raise InputError(folder, f"its base model cannot be had ({error})", fix) from error
    card = read_card(folder)
    if card is not None and (wanted := card.base_identity.rpartition("@")[2]) != found:
        what = f"was trained on the base model {card.base} ({wanted}), not on {name} ({found})"
        raise InputError(folder, what, fix)
    return name, found


def _named_base(folder: Path) -> str:
    path = folder / ADAPTER
    try:
        base = json.loads(path.read_text("utf-8"))[_BASE]
    except (OSError, ValueError, KeyError, TypeError):
        base = None
    if not isinstance(base, str) or not base:
        what = "names no base model"
        raise InputError(path, what, "Give the folder that deadpan finetune wrote.")
    return base


def _model_hash(name: str) -> str:
    folder = Path(name).expanduser()
    if is_folder(folder):
        if not is_file(folder / "config.json"):
            what = "holds neither a model nor an adapter"
            raise InputError(f"local/{name}", what, "Give the folder of one of them.")
        return weights_hash(folder)[:12]
    # The hub's names have one slash, inside of them.
    path = name.startswith(("/", ".", "~")) or name.endswith("/") or name.count("/") > 1
    if path or ("/" not in name and not _is_resource(name)):
        fix = "Give the folder of a model or an adapter, or a hub's name: local/OWNER/MODEL."
        raise InputError(f"local/{name}", "there is no such folder", fix)
    return _revision(name)


def _is_resource(name: str) -> bool:
    from deadpan.base.resources import catalogue

    return name in {one.name for one in catalogue()}


def _adapter_hash(folder: Path) -> str:
    """SHA-256 of an adapter's weights and settings; cards and losses beside them do not count."""
    digest = hashlib.sha256()
    for path in (folder / name for name in (ADAPTER, *WEIGHTS)):
        if is_file(path):
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


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
    return located(name)[1].rpartition("@")[2]
