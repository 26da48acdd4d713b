"""The folder of an adapter: the files that are ours in it, and whether its training is finished."""

from __future__ import annotations

from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, is_there, leftovers

CARD = "card.json"
CHECKPOINT = "checkpoint.pt"
LOSSES = "losses.jsonl"
PAGE = "README.md"
PLOTS = ("losses.svg", "losses.png")
ADAPTER = "adapter_config.json"
WEIGHTS = ("adapter_model.safetensors", "adapter_model.bin")
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
