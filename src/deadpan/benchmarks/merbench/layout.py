"""The released folder, index_final.json, Original/ and EditedResults/<model>/: what is in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import contained, is_file, is_folder, listed
from deadpan.benchmarks.merbench.records import INDEX, SUFFIXES, Meme, read_memes
from deadpan.core.comparable import comparable_items
from deadpan.core.dataset import Dataset
from deadpan.core.signature import checksum
from deadpan.media.looked import looked_at

MINI_SET = Path(__file__).parent / "data"
ORIGINAL = "Original"
EDITED = "EditedResults"
_MINI_ORIGIN = "mini-set"
_DATA_HINT = f"Give --data a folder with {INDEX} and {ORIGINAL}/, or leave it out for the mini-set."
_LINK_HINT = "Put the file itself there; links are followed inside the folder only."
_EDITS_HINT = "Give a folder with one folder of edited pictures for each model."


def read_dataset(data: Path | None) -> Dataset[Meme]:
    """The memes of a data folder, or of the mini-set; pictures are not looked at."""
    folder = data or MINI_SET
    if not is_file(folder / INDEX):
        raise InputError(folder / INDEX, "no such file", _DATA_HINT)
    memes, anomalies = read_memes(folder)
    for meme in memes:
        _require_contained(original(folder, meme), folder)
    identity = checksum([meme.model_dump() for meme in memes])
    return Dataset(memes, _MINI_ORIGIN if data is None else str(data), identity, anomalies)


def folder_of(dataset: Dataset[Meme]) -> Path:
    """The folder a data set was read from."""
    return MINI_SET if dataset.origin == _MINI_ORIGIN else Path(dataset.origin)


def original(folder: Path, meme: Meme) -> Path:
    """Where a meme's source picture should be."""
    return folder / ORIGINAL / meme.id


def _require_contained(path: Path, folder: Path) -> None:
    if not contained(path, folder):
        raise InputError(path, f"leads out of {folder}", _LINK_HINT)


@dataclass(frozen=True)
class Edit:
    """An edited picture that can be used."""

    path: str
    sha256: str


@dataclass(frozen=True)
class ModelEdits:
    """What one model's folder holds, by meme."""

    model: str
    found: Mapping[str, Edit]
    missing: tuple[str, ...]
    unreadable: Mapping[str, tuple[str, str]]
    """Path and reason."""
    renamed: tuple[str, ...]
    """Files used though their name has another ending than the meme's."""
    strays: tuple[str, ...]
    """Files that belong to no meme, or to one that has several."""

    @property
    def wrongly_named(self) -> tuple[str, ...]:
        """Every file that is not named as released."""
        return tuple(sorted((*self.renamed, *self.strays)))


def read_edits(
    folder: Path, memes: Iterable[Meme], models: Sequence[str] | None = None
) -> dict[str, ModelEdits]:
    """The edited pictures of the models named, else of every model there is a folder for.

    `folder` holds the models' folders, or is a data folder with EditedResults/; a link out of it
    raises.
    """
    place = folder / EDITED if is_folder(folder / EDITED) else folder
    there = _model_folders(place)
    chosen = list(dict.fromkeys(models)) if models else list(there)
    if unknown := [name for name in chosen if name not in there]:
        what = f"no folder of edited pictures by {unknown[0]}"
        raise InputError(place, what, f"Expected one of {', '.join(there)}.")
    listed = list(memes)
    for name in chosen:
        for path in there[name].iterdir():
            _require_contained(path, folder)
    return {name: _model_edits(name, there[name], listed) for name in chosen}


def comparable(edits: Mapping[str, ModelEdits], models: Sequence[str]) -> frozenset[str]:
    """The memes of which every chosen model has a usable edited picture; no model raises."""
    return comparable_items({name: edits[name].found for name in models})


def _model_folders(place: Path) -> dict[str, Path]:
    try:
        inside = sorted(place.iterdir())
    except OSError as error:
        raise InputError(place, f"cannot be read ({error.strerror})", _EDITS_HINT) from None
    found = {path.name: path for path in inside if path.is_dir() and path.name[0] != "."}
    if not found:
        raise InputError(place, "holds no model's folder", _EDITS_HINT)
    return found


def _model_edits(model: str, folder: Path, memes: Sequence[Meme]) -> ModelEdits:
    names = {path.name for path in listed(folder) if path.is_file() and path.name[0] != "."}
    files, renamed = _named(names, memes)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        looks = pool.map(looked_at, (folder / name for name in files.values()))
        seen = dict(zip(files, looks, strict=True))
    found, unreadable = {}, {}
    for name, looked in seen.items():
        path = str(folder / files[name])
        if looked is not None and looked.problem is None:
            found[name] = Edit(path, looked.sha256)
        else:
            unreadable[name] = (path, looked.problem or "" if looked else "the file is gone")
    return ModelEdits(
        model=model,
        found=found,
        missing=tuple(meme.id for meme in memes if meme.id not in files),
        unreadable=unreadable,
        renamed=tuple(renamed),
        strays=tuple(sorted(names - set(files.values()))),
    )


def _named(names: set[str], memes: Sequence[Meme]) -> tuple[dict[str, str], list[str]]:
    """Which file is which meme's, and those with another ending. The exact name goes first; else
    the one picture of the same stem that no other meme claims; of several none is chosen."""
    claimed = {meme.gen_id for meme in memes}
    by_stem: dict[str, list[str]] = {}
    for name in sorted(names - claimed):
        if Path(name).suffix.casefold() in SUFFIXES:
            by_stem.setdefault(Path(name).stem, []).append(name)
    files: dict[str, str] = {}
    renamed: list[str] = []
    for meme in memes:
        alike = by_stem.get(Path(meme.gen_id).stem, [])
        if meme.gen_id in names:
            files[meme.id] = meme.gen_id
        elif len(alike) == 1:
            files[meme.id] = alike[0]
            renamed.append(alike[0])
    return files, renamed
