"""Synonyms of a word: English by WordNet 3.0 as nltk reads it, Chinese by Cilin."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.resources import files
from pathlib import Path

from deadpan.base.errors import InputError

_TABLE = "wordnet-3.0.txt.gz"
_ENDINGS = {
    "noun": "s> ses>s ves>f xes>x zes>z ches>ch shes>sh men>man ies>y",
    "verb": "s> ies>y es>e es> ed>e ed> ing>e ing>",
    "adj": "er> est> er>e est>e",
    "adv": "",
}
"""What Morphy takes off a word of each part of speech, and puts in its place."""


@dataclass(frozen=True)
class Synonyms:
    """A source of synonyms: its name for signatures, and the synonyms of a lower-case word.

    A word that the source does not hold has none; one that it holds is among its own.
    """

    name: str
    of: Callable[[str], frozenset[str]]


@dataclass(frozen=True)
class _Part:
    """A part of speech: the endings Morphy takes off, its exceptions, the synsets of each word."""

    endings: Sequence[Sequence[str]]
    exceptions: Mapping[str, list[str]]
    synsets: Mapping[str, list[str]]

    def bases(self, form: str) -> Iterator[str]:
        """The form itself and what Morphy makes of it, held by WordNet or not."""
        yield form
        if form in self.exceptions:
            yield from self.exceptions[form]
        else:
            for old, new in self.endings:
                if form.endswith(old):
                    yield form.removesuffix(old) + new


@cache
def english() -> Synonyms:
    """WordNet 3.0: all synsets of a word and of its base forms, as `wordnet.synsets` of nltk.

    Names of several words and names with capitals are left out: no lower-case word equals them.
    """
    table = gzip.decompress((files("deadpan.metrics") / "data" / _TABLE).read_bytes()).decode()
    parts = tuple(_parts(table))
    return Synonyms("wn3.0", lru_cache(maxsize=1 << 15)(partial(_names, parts)))


def _parts(table: str) -> Iterator[_Part]:
    """The parts of speech of the table that `scripts/build_synonyms.py` writes."""
    for section in table.removeprefix("[").split("\n["):
        title, *lines = section.splitlines()
        exceptions: dict[str, list[str]] = {}
        synsets: dict[str, list[str]] = {}
        for line in lines:
            form, exception, bases = line.partition(">")
            if exception:
                exceptions[form] = bases.split()
                continue
            for word in line.lower().split():
                synsets.setdefault(word, []).append(line)
        endings = [row.split(">") for row in _ENDINGS[title.removesuffix("]")].split()]
        yield _Part(endings, exceptions, synsets)


def _names(parts: tuple[_Part, ...], word: str) -> frozenset[str]:
    """The usable names in all synsets of a word's base forms, over the parts of speech."""
    form = word.lower()
    names = {
        name
        for part in parts
        for base in part.bases(form)
        for synset in part.synsets.get(base, ())
        for name in synset.split()
    }
    return frozenset(name for name in names if "_" not in name and name == name.lower())


@cache
def chinese(path: Path | None = None) -> Synonyms:
    """Cilin: the words of the same fifth-level groups, the finest, whose code ends in `=`.

    Such a code has eight characters, as `Aa01A01=`; groups that end in `#` (related words) or `@`
    (a word alone) give no synonyms. The file is `cilin_tree.json`; without a path it is taken from
    the resources, and its absence raises. The name carries the start of the file's SHA-256.
    """
    tree = path or _cilin_file()
    try:
        content = tree.read_bytes()
        groups = list(_equal_groups(json.loads(content)))
    except (OSError, ValueError, RecursionError) as problem:
        raise InputError(tree, f"no Cilin tree ({problem})", "Give its cilin_tree.json.") from None
    held: dict[str, set[str]] = {}
    for group in groups:
        for word in group:
            held.setdefault(word, set()).update(group)
    frozen = {word: frozenset(words) for word, words in held.items()}
    name = f"cilin-{hashlib.sha256(content).hexdigest()[:8]}"
    return Synonyms(name, lambda word: frozen.get(word.lower(), frozenset()))


def _cilin_file() -> Path:
    from deadpan.base.resources import path_of

    return path_of("cilin")


def _equal_groups(node: object, code: str = "") -> Iterator[list[str]]:
    """The groups of equal words under a node; anything that is no Cilin tree raises ValueError."""
    if not isinstance(node, dict):
        raise ValueError(f"no groups under {code or 'the root'}")
    for key, below in node.items():
        if isinstance(below, dict):
            yield from _equal_groups(below.get("sub"), code + key)
        elif not (isinstance(below, list) and all(isinstance(word, str) for word in below)):
            raise ValueError(f"{code}{key} holds no words")
        elif len(code + key) != 8 or key[-1] not in "=#@":
            raise ValueError(f"{code}{key} is no code of the fifth level")
        elif key.endswith("="):
            yield [word.lower() for word in below]
