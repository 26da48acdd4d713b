"""Which files of a data set on the hub are wanted, which of them are here, and where its layout
begins."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.base.files import is_there
from deadpan.collecting.releases.selection import (
    ANNOTATIONS,
    EVERY,
    MEDIA,
    Selection,
    Watcher,
    in_bytes,
    matching,
)
from deadpan.core.release import HubData
from deadpan.media.checksums import file_checksum

_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".7z", ".rar")
_MOST_NAMED = 12


@dataclass(frozen=True)
class RemoteFile:
    """A file as the hub lists it: its SHA-256 where it is a large one, else its name in git."""

    path: str
    size: int
    sha256: str | None
    blob: str | None

    def is_at(self, path: Path) -> bool:
        """Whether a file here is this very file."""
        if path.stat().st_size != self.size:
            return False
        if self.sha256 is not None:
            return file_checksum(str(path)) == self.sha256
        data = path.read_bytes()
        return self.blob in (None, hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest())


def layout_prefix(files: Mapping[str, RemoteFile], source: HubData) -> str:
    """The folder inside the data set in which the layout begins; nothing of it there raises."""
    first = source.annotations[0]
    depth = first.count("/")
    for path in sorted(files, key=lambda path: (path.count("/"), path)):
        parts = PurePosixPath(path).parts
        if matching(["/".join(parts[-depth - 1 :])], [first]):
            return "/".join(parts[: -depth - 1])
    there = ", ".join(sorted(files)[:_MOST_NAMED]) or "nothing"
    what = f"has no {first}; it holds {there}"
    raise InputError(str(source), what, "Its layout is another one than was published.")


def choose_files(
    files: Mapping[str, RemoteFile],
    prefix: str,
    source: HubData,
    wanted: Selection,
    watcher: Watcher,
) -> list[RemoteFile]:
    """The files that are wanted; a part of which there is nothing raises."""
    inside = {path[len(prefix) :].lstrip("/"): file for path, file in files.items()
              if path.startswith(prefix)}  # fmt: skip
    names: dict[str, None] = {}
    for part, patterns in ((ANNOTATIONS, source.annotations), (MEDIA, source.media)):
        if wanted.wants(part):
            found = matching(inside, patterns)
            if not found:
                raise _nothing_of(part, patterns, inside, source)
            names |= dict.fromkeys(found)
    for pattern in wanted.patterns:
        found = matching(inside, [pattern])
        if not found:
            raise _nothing_of(f"--only {pattern}", [pattern], inside, source)
        names |= dict.fromkeys(found)
    if source.by_model:
        names |= dict.fromkeys(_of_models(inside, source, wanted, watcher))
    return [inside[name] for name in names]


def _nothing_of(
    part: str, patterns: Sequence[str], inside: Mapping[str, RemoteFile], source: HubData
) -> InputError:
    packed = [name for name in inside if name.endswith(_ARCHIVES)]
    tops = sorted({name.partition("/")[0] for name in inside})
    what = f"{part}: no file is {' or '.join(patterns)}; there are {', '.join(tops[:_MOST_NAMED])}"
    if packed:
        fix = f"Fetch the archive (--only '{packed[0]}'), and unpack it in the data folder."
    else:
        fix = "Name what is there with --only PATTERN."
    return InputError(str(source), what, fix)


def _of_models(
    inside: Mapping[str, RemoteFile], source: HubData, wanted: Selection, watcher: Watcher
) -> list[str]:
    """The answers of the models that are wanted; those there are are named where none is."""
    place = source.by_model.partition("{model}")[0]
    below = [name for name in inside if name.startswith(place) and name.count("/") > 1]
    sizes: dict[str, int] = {}
    for name in below:
        model = name[len(place) :].partition("/")[0]
        sizes[model] = sizes.get(model, 0) + inside[name].size
    if not wanted.models:
        if sizes and not wanted.only:
            total = in_bytes(sum(sizes.values()))
            watcher.say(
                f"answers of {len(sizes)} models are there too ({total}), and come with --models "
                f"{EVERY} or their names: {', '.join(sorted(sizes))}"
            )
        return []
    models = sorted(sizes) if EVERY in wanted.models else wanted.models
    for model in models:
        if model not in sizes:
            known = f"expected {EVERY} or one of {', '.join(sorted(sizes)) or 'none'}"
            raise DeadpanError(f"--models {model}: {known}{meant(model, sizes)}")
    return matching(below, [source.by_model.replace("{model}", _literal(one)) for one in models])


def _literal(text: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", text)


def missing_files(files: Sequence[RemoteFile], folder: Path) -> list[RemoteFile]:
    """The files that are not here; one that is here and something else raises."""
    missing = []
    for file in files:
        path = folder / file.path
        if not is_there(path):
            missing.append(file)
        elif not path.is_file() or not file.is_at(path):
            what = "is another file than the release's, and is not overwritten"
            raise InputError(path, what, "Remove it to fetch it, or choose another folder.")
    return missing
