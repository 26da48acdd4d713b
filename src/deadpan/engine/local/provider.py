"""The names of models of this machine, `local/FOLDER`, and what answers by them are known by."""

from __future__ import annotations

import json
from pathlib import Path

from deadpan.base.version import __version__
from deadpan.core.judge import Judge
from deadpan.engine.local.adapters import CARD, weights_name

LOCAL = "local/"
"""How the names of models in a folder begin."""
EMBEDDED = ("baseline/", "judge/")
"""How the names of what needs no server and no key begin."""
_HUGGING_FACE = "hf/"


def resolve_provider(model: str, shown: bool = True) -> str:
    """`hf/NAME` as `local/NAME` where pictures are or could be shown: Inspect's takes none."""
    name = model.removeprefix(_HUGGING_FACE)
    return LOCAL + name if name != model and (shown or _sees(Path(name))) else model


def _sees(folder: Path) -> bool:
    """Whether a folder holds an adapter of ours, or a model with a part for pictures."""
    if (folder / CARD).is_file():
        return True
    try:
        config = json.loads((folder / "config.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and "vision_config" in config


def weights_of(model: str) -> str | None:
    """What names the weights of a `local/…` model, None for every other; a missing one raises."""
    return weights_name(model.removeprefix(LOCAL)) if model.startswith(LOCAL) else None


def identity_of(model: str) -> str:
    """The model's name with what may change under it: a folder's weights, our own version."""
    if model.startswith(EMBEDDED):
        return f"{model}@deadpan-{__version__}"
    weights = weights_of(model)
    return model if weights is None else f"{model}@{weights}"


def judge_identity(judge: Judge, model: str) -> str:
    """The judge's wording, with the weights of the model that sits where these lie in a folder."""
    weights = weights_of(model)
    return judge.identity if weights is None else f"{judge.identity}.{weights}"
