"""What a study says to people, and whether it says it in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study

LANGUAGES = {"en", "zh"}


def _places(part: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Every value in a dumped study with its place, outermost first."""
    yield where, part
    if isinstance(part, Mapping) and not set(part) & LANGUAGES:
        for name, value in part.items():
            yield from _places(value, f"{where}.{name}")
    elif isinstance(part, list | tuple):
        for number, value in enumerate(part):
            yield from _places(value, f"{where}.{number}")


def untold(study: Study) -> list[str]:
    """The places where a study lacks words in one of the languages: wherever it has some in the
    other, and in every title, in what it is about, its codebook and its consent."""
    found = []
    for where, part in _places(study.model_dump(), "study"):
        if isinstance(part, Mapping) and set(part) & LANGUAGES:
            lacking = LANGUAGES - {language for language, text in part.items() if text}
        else:
            lacking = LANGUAGES if where.endswith(".title") and not part else set()
        found += [f"{where} {language}" for language in sorted(lacking)]
    whole = {"about": study.about, "guidelines": study.guidelines}
    if study.consent is None:
        return [*found, "consent"]
    whole |= {"consent": study.consent.text, "warning": study.consent.warning}
    return found + [name for name, words in whole.items() if not words]


def shown(item: StudyItem) -> str:
    """All of an item that any page may hold, as text: not who made its outputs."""
    outputs = tuple(output.model_copy(update={"source": ""}) for output in item.outputs)
    return item.model_copy(update={"outputs": outputs}).model_dump_json()
