"""The words of the app's own pages, in both languages."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from deadpan.base.files import read_text
from deadpan.core.questions import Language

Say = Callable[..., str]
"""From a key and the facts that its words name to what is said."""
SCRIPT = "script_"
"""How the keys of words begin that the pages' script says."""


@cache
def ui_words(language: Language) -> Mapping[str, str]:
    """What every key says in a language."""
    tables: dict[str, dict[str, str]] = tomllib.loads(
        read_text(Path(__file__).with_name("wording.toml"))
    )
    return MappingProxyType(tables[language])


def said_in(language: Language) -> Say:
    """The function `t(key, **facts)` of a language: the words of a key with the facts in them. An
    unknown key, and a fact that is not given, raise KeyError."""
    words = ui_words(language)

    def t(key: str, /, **facts: object) -> str:
        return words[key].format_map(facts)

    return t


def script_words(language: Language) -> dict[str, str]:
    """What the pages' script says, by key, with the facts' places still open."""
    words = ui_words(language)
    return {key.removeprefix(SCRIPT): words[key] for key in words if key.startswith(SCRIPT)}
