"""Families of models, by their names: who may favour whom."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from deadpan.base.errors import DeadpanError

_OWN_FOLDERS = ("baseline", "judge", "editor")
"""Providers of ours, whose models are no language models."""


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Sequence[str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def model_family(model: str, given: Mapping[str, str] | None = None) -> str:
    """The family of a model, empty where its name tells none: by a `given` pattern that the name
    contains, else by what the name begins with, whoever provides it."""
    whole = model.casefold()
    for pattern, family in (given or {}).items():
        if pattern.casefold() in whole:
            return family
    provider, _, name = whole.rpartition("/")
    if provider.partition("/")[0] in _OWN_FOLDERS:
        return ""
    bare = re.sub(r" \(.*\)$", "", name)
    for family, beginnings in _known().items():
        if any(re.match(rf"{re.escape(one)}(?![a-z])", bare) for one in beginnings):
            return family
    return ""


def read_families(given: Sequence[str]) -> dict[str, str]:
    """Patterns of names with their families, each written PATTERN=FAMILY; others raise."""
    found = {}
    for one in given:
        pattern, _, family = (part.strip() for part in one.partition("="))
        if not pattern or not family:
            raise DeadpanError(f"--family {one}: expected PATTERN=FAMILY, such as my-model=qwen")
        found[pattern] = family
    return found
