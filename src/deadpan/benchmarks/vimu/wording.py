"""What a question says: options as lines, guidance from the taxonomy, slots filled in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from deadpan.benchmarks.vimu.choices import Option
from deadpan.benchmarks.vimu.taxonomy import Category, Taxonomy
from deadpan.core.prompts import Prompts
from deadpan.core.questions import TRANSCRIPT, Language

_SLOT = re.compile(r"\{(question|options|guidance)\}")


def filled(template: str, values: Mapping[str, str]) -> str:
    """A prompt with its slots filled; the transcript's stays, as do slots without a value.

    A transcript's slot inside a value is spelled out, so that only the prompt's own gets the words.
    """
    plain = {name: text.replace(TRANSCRIPT, "(transcript)") for name, text in values.items()}
    return _SLOT.sub(lambda slot: plain.get(slot[1], slot[0]), template)


def with_guidance(prompts: Prompts, taxonomy: Taxonomy) -> Prompts:
    """The prompts with the taxonomy's guidance in them, so that it is in their checksum."""
    user = {
        language: filled(text, {"guidance": guidance(taxonomy, language)})
        for language, text in prompts.user.items()
    }
    return Prompts(system=prompts.system, user=user)


def option_lines(options: Iterable[Option]) -> str:
    """The options, one a line, each behind its letter."""
    return "\n".join(f"{option.letter}. {option.text}" for option in options)


def guidance(taxonomy: Taxonomy, language: Language) -> str:
    """What the five categories and their members mean; by label, as an item may order them anew."""
    write = _chinese if language == "zh" else _english
    return "\n".join(write(category) for category in taxonomy)


def _english(category: Category) -> str:
    members = "\n".join(
        f"  - {member.name.replace('_', ' ')}: {member.meaning}" for member in category.members
    )
    return f"{category.label}: {category.meaning}\n{members}"


def _chinese(category: Category) -> str:
    members = "\n".join(f"  - {member.name_zh}：{member.meaning_zh}" for member in category.members)
    return f"{category.label_zh}：{category.meaning_zh}\n{members}"
