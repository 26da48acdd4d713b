"""What a study says in some of its languages, and not in all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from deadpan.base.counting import count_noun
from deadpan.core.questions import Language
from deadpan.core.study.specification import Study

_NAMED = 3
"""How many places are told."""


def untranslated_notes(study: Study) -> Iterator[str]:
    """Of each language of a study's pages in which something is not said, the first places."""
    said = list(_words("", study.model_dump(mode="json")))
    for language in study.languages:
        lacking = [place for place, words in said if not words.get(language)]
        if lacking:
            more = ", …" if len(lacking) > _NAMED else ""
            where = f"{', '.join(lacking[:_NAMED])}{more}"
            many = f"{count_noun(len(lacking), 'text')} without {language}"
            yield f"note: {many} ({where}): its pages show the other language there"


def _words(place: str, value: Any) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every text with its place, such as `stages.first.title`; what says nothing is left out."""
    if isinstance(value, list):
        for number, one in enumerate(value, start=1):
            name = one.get("name") or one.get("value") if isinstance(one, dict) else None
            yield from _words(f"{place}.{name or number}", one)
    elif isinstance(value, dict) and _is_words(value):
        if any(value.values()):
            yield place.removeprefix("."), value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _words(f"{place}.{name}", one)


def _is_words(value: Mapping[str, Any]) -> bool:
    is_by_language = bool(value) and set(value) <= set(get_args(Language))
    return is_by_language and all(isinstance(one, str) for one in value.values())
