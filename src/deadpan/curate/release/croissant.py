"""A data set in the words of Croissant, with those of its vocabulary for responsible AI."""

from __future__ import annotations

import hashlib
import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from deadpan.base.errors import InputError
from deadpan.curate.release.licences import licence_address
from deadpan.curate.release.material import About
from deadpan.curate.release.record_sets import encoding_format, record_set
from deadpan.web.pages import asset

Json = dict[str, Any]
CONFORMS = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
FILE = "croissant.json"


@dataclass(frozen=True)
class ReleasedFile:
    """A file of a data set: its path in it, its size and checksum."""

    name: str
    size: int
    sha256: str


def croissant(
    about: About,
    files: Sequence[ReleasedFile],
    media: Sequence[ReleasedFile],
    texts: Mapping[str, str],
    languages: Sequence[str],
    responsible: Mapping[str, str | Sequence[str]],
) -> Json:
    """The description of a data set: `files` one by one, `media` as sets of files, the records of
    those `texts` that hold some, and what is said for responsible AI, by the vocabulary's own
    names. What was not stated is left out."""
    described = {
        "@context": json.loads(asset("deadpan.curate.release", "context.json")),
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS),
        "name": about.title,
        "alternateName": about.name,
        "description": about.description or f"{about.title}, in the format of {about.benchmark}.",
        "license": _licences(about),
        "url": about.url,
        "version": about.version,
        "datePublished": about.date,
        "citeAs": about.citation,
        "creator": [_creator(one.name, one.url, one.email) for one in about.creators],
        "inLanguage": list(languages),
        "keywords": ["humour", "multimodal", "evaluation", about.benchmark],
        "isLiveDataset": False,
        "distribution": [*(_file_object(one) for one in files), *_file_sets(media)],
        "recordSet": [
            found for name, text in texts.items() if (found := record_set(name, text)) is not None
        ],
        **{f"rai:{name}": _said(value) for name, value in responsible.items()},
    }
    # Whether a set of files changes is said even where it does not.
    return {name: value for name, value in described.items() if value or value is False}


def _licences(about: About) -> str | list[str] | None:
    """The licence of the annotations, and those of what is shown beside it."""
    if (own := licence_address(about.licence)) is None:
        return None
    shown = map(licence_address, about.shown_licences)
    found = list(dict.fromkeys([own, *filter(None, shown)]))
    return found if len(found) > 1 else own


def written(described: Json) -> str:
    """The description as its file holds it."""
    return json.dumps(described, ensure_ascii=False, indent=1) + "\n"


def _said(value: str | Sequence[str]) -> str | list[str]:
    return value if isinstance(value, str) else list(value)


def _creator(name: str, url: str, email: str) -> Json:
    said = {"@type": "sc:Organization", "name": name, "url": url, "email": email}
    return {key: value for key, value in said.items() if value}


def _file_object(file: ReleasedFile) -> Json:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.size} B",
        "encodingFormat": encoding_format(file.name),
        "sha256": file.sha256,
    }


def _file_sets(media: Sequence[ReleasedFile]) -> list[Json]:
    """The media as sets, one for each folder and ending, each with a checksum of all its files."""
    sets: dict[tuple[str, str], list[ReleasedFile]] = defaultdict(list)
    for file in media:
        path = PurePosixPath(file.name)
        sets[str(path.parent), path.suffix].append(file)
    return [
        {
            "@type": "cr:FileSet",
            "@id": f"{folder}/*{suffix}",
            "name": f"{folder}/*{suffix}",
            "description": f"{len(several)} files. The SHA-256 of what `sha256sum` prints of "
            f"them, sorted by name, is {hashlib.sha256(sums(several).encode()).hexdigest()}.",
            "encodingFormat": encoding_format(f"x{suffix}"),
            "includes": f"{folder}/*{suffix}",
        }
        for (folder, suffix), several in sorted(sets.items())
    ]


def sums(files: Iterable[ReleasedFile]) -> str:
    """The files' checksums as `sha256sum` prints them, by name."""
    order = sorted(files, key=lambda one: one.name)
    return "".join(f"{one.sha256}  {one.name}\n" for one in order)


def require_valid(path: Path) -> None:
    """Raises where the official library finds an error in a written description; without the
    library nothing is looked at."""
    if find_spec("mlcroissant") is None:
        return
    import mlcroissant

    # What is only recommended it says through logging, to whoever happens to read along.
    logger = logging.getLogger("absl")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        mlcroissant.Dataset(jsonld=path)
    except (mlcroissant.ValidationError, ValueError) as error:
        what = f"is not valid Croissant: {error}"
        raise InputError(path, what, "Correct what `release:` says of the data set.") from error
    finally:
        logger.setLevel(level)
