"""The labels among which a question lets people choose, and the rules that a list of them keeps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from deadpan.base.errors import meant
from deadpan.core.questions import Language
from deadpan.core.study.words import Frozen, Label, Words, in_language, twice


class Option(Frozen):
    """A label to choose: `value` stands in files, the title on the page, `about` says what it
    means."""

    value: Label
    """What stands in files."""
    title: Words = Field(default_factory=dict)
    """What stands on pages; the value where it is left out."""
    about: Words = Field(default_factory=dict)
    """What it means."""


def _option(value: Any) -> Any:
    return {"value": value} if isinstance(value, str | int | float) else value


AnyOption = Annotated[Option, BeforeValidator(_option, json_schema_input_type=Option | Label)]
"""An option, or only its value."""


def require_choice(name: str, options: Sequence[Option]) -> None:
    """Raises where the question of a name has fewer than two options, or two of one value."""
    if len(options) < 2:
        has = f"only the option {options[0].value}" if options else "no option"
        raise ValueError(f"options: {name} has {has}; name two or more")
    require_once(name, options)


def require_once(name: str, options: Sequence[Option]) -> None:
    """Raises where two options of the question of a name have one value."""
    if (label := twice([one.value for one in options])) is not None:
        raise ValueError(f"options: {name} has {label} twice; name each once")


def require_known(name: str, field: str, labels: Iterable[str], known: Sequence[str]) -> None:
    """Raises where a field of the question of a name holds a label that is no option of it."""
    for label in labels:
        if label not in known:
            expected = f"expected one of {', '.join(known)}{meant(label, known)}"
            raise ValueError(f"{field}: {name} has no option {label}; {expected}")


def titles_of(options: Sequence[Option], language: Language) -> dict[str, str]:
    """By value what each option is called: itself where it has no title."""
    return {one.value: in_language(one.title, language) or one.value for one in options}
