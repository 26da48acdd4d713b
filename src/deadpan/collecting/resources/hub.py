"""Models from the Hugging Face hub; a download that was broken off goes on where it stopped."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

import httpx

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import is_file
from deadpan.base.resources.entries import Hub, Resource
from deadpan.base.resources.storage import place, publish, writing


def fetched(resource: Resource, hub: Hub) -> Path:
    """The folder of the repository's files at its revision; failure raises and keeps the parts."""
    library = _library(resource)
    final = place(resource)
    part = final.with_name(f".{final.name}.part")
    try:
        library.snapshot_download(
            repo_id=hub.repository,
            revision=hub.revision,
            allow_patterns=list(hub.patterns),
            local_dir=str(part),
        )
    except (OSError, ValueError, httpx.HTTPError) as error:
        reason, *_ = str(error).splitlines() or [type(error).__name__]
        raise InputError(
            hub.repository,
            f"cannot be fetched from the hub ({reason})",
            "Check the network and the disk, or name a folder that holds it: "
            f"deadpan resources get {resource.name} --from FOLDER",
        ) from error
    require(part, hub)
    shutil.rmtree(part / ".cache", ignore_errors=True)
    with writing(final):
        publish(part, final)
    return final


def require(folder: Path, hub: Hub) -> None:
    """Raises where the folder lacks a file that the model cannot do without."""
    absent = [name for name in hub.needs if not is_file(folder / name)]
    if absent:
        raise InputError(
            folder, f"{', '.join(absent)} missing", f"A copy of {hub.repository} holds them."
        )


def _library(resource: Resource) -> Any:
    try:
        return importlib.import_module("huggingface_hub")
    except ImportError:
        raise MissingExtra(f"Getting {resource.name} from the hub", "neural") from None
