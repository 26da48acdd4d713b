"""Which pictures are reappraised, where their results go, and which plan is whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, is_folder, is_within
from deadpan.editing.reappraise.plan import Plan, read_plan
from deadpan.editing.received import PICTURES, pictures_in


@dataclass(frozen=True)
class Places:
    """Where the results of one picture go, below the output folder."""

    edited: Path
    side_by_side: Path
    plan: Path


def found_sources(source: Path) -> list[Path]:
    """The picture, or the pictures of a folder by name; files that are hidden or have another
    ending are left alone. A folder without any raises."""
    if not is_folder(source):
        if not is_file(source):
            raise InputError(source, "no such picture or folder", "Check the path.")
        return [source]
    found = [path for path in pictures_in(source) if not path.name.startswith(".")]
    for path in found:
        if not is_within(path, source):
            fix = "Put the picture itself there; links are followed inside the folder only."
            raise InputError(path, "leads out of the folder", fix)
    if not found:
        endings = ", ".join(sorted(PICTURES))
        raise InputError(source, "holds no pictures", f"Expected files that end in {endings}.")
    return found


def places(sources: Sequence[Path], out: Path) -> dict[Path, Places]:
    """Where each picture's results go: by its stem, or by its whole name where several share it."""
    stems = Counter(path.stem.casefold() for path in sources)
    names = {path: path.stem if stems[path.stem.casefold()] == 1 else path.name for path in sources}
    taken = Counter(name.casefold() for name in names.values())
    for path, name in names.items():
        if taken[name.casefold()] > 1:
            raise InputError(path, "another picture's results have the same name", "Rename one.")
    endings = ("edited/{}.png", "side_by_side/{}.png", "plans/{}.json")
    return {
        path: Places(*(out / ending.format(name) for ending in endings))
        for path, name in names.items()
    }


def given_plans(given: Path, sources: Sequence[Path]) -> dict[Path, Plan]:
    """The plan of each picture, from one file or a folder of them; each is found by the picture's
    file name in it. A plan for no picture here, or two for one, raises."""
    files = sorted(given.glob("*.json")) if is_folder(given) else [given]
    if not files:
        raise InputError(given, "holds no plans", "Expected the .json files of --review.")
    by_name = {path.name: path for path in sources}
    plans: dict[Path, Plan] = {}
    for file in files:
        plan = read_plan(file)
        source = by_name.get(plan.source.file)
        if source is None:
            what = f"is for {plan.source.file}, which is not among the pictures"
            raise InputError(f"{file} source.file", what, "Name the picture, or its folder.")
        if source in plans:
            raise InputError(file, f"is a second plan for {source.name}", "Keep one of them.")
        plans[source] = plan
    return plans


def require_untouched(results: Mapping[Path, Places]) -> None:
    """Raises where a plan of an earlier run was changed by hand: it would be lost."""
    for place in results.values():
        if is_file(place.plan) and read_plan(place.plan).changed_by_hand:
            what = "was changed by hand since it was written"
            fix = f"Give it back with --plan {place.plan}, or remove it."
            raise InputError(place.plan, what, fix)
