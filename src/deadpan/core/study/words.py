"""Words in both languages, and what all parts of a specification have in common."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, WithJsonSchema

from deadpan.base.files import read_text
from deadpan.core.questions import Language

NAME = r"[A-Za-z][A-Za-z0-9_]{0,63}"
Name = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]
"""Of a question or a stage: it stands in the fields of forms and in the columns of files."""
STUDY_NAME = r"^[a-z0-9][a-z0-9-]{0,62}$"
PATTERNS: Mapping[str, str] = {
    f"^{NAME}$": "letters, digits and _, at most 64 and a letter first",
    STUDY_NAME: "small letters, digits and dashes, such as dry-wit, at most 63",
}
"""What names have to be like, in words."""


def _in_english(value: Any) -> Any:
    return {"en": value} if isinstance(value, str) else value


Words = Annotated[
    dict[Language, str],
    BeforeValidator(_in_english, json_schema_input_type=dict[Language, str] | str),
]
"""What is said in each language; text alone is English."""


def _as_written(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


Label = Annotated[
    str,
    BeforeValidator(_as_written),
    WithJsonSchema({"type": ["string", "number", "boolean"]}),
]
"""What is chosen, as it stands in files: a number is one too."""


def twice(labels: Sequence[str]) -> str | None:
    """The first label that is there twice; None where none is."""
    return next((one for at, one in enumerate(labels) if one in labels[:at]), None)


def quoted(labels: Sequence[str]) -> str:
    """Labels as they stand in files, one after the other."""
    return ", ".join(json.dumps(one, ensure_ascii=False) for one in labels)


def in_language(words: Mapping[Language, str], language: Language) -> str:
    """What is said in a language; in the other where it is not, and nothing where in none."""
    return words.get(language) or next(iter(words.values()), "")


class Frozen(BaseModel):
    """A part of a study: fixed, and without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Wording:
    """What keys say in both languages: a TOML file with a line a key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _texts(self) -> dict[str, dict[Language, str]]:
        return tomllib.loads(read_text(self.path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __call__(self, key: str, /, **facts: object) -> dict[Language, str]:
        """The words of a key with the facts in them, which may be words in both languages too. An
        unknown key, and a fact that is not given, raise KeyError."""
        found: dict[Language, str] = {}
        for language, text in self._texts[key].items():
            told = {
                name: in_language(one, language) if isinstance(one, dict) else one
                for name, one in facts.items()
            }
            found[language] = text.format_map(told)
        return found

    def texts(self, key: str) -> Mapping[Language, str]:
        """The words of a key with the facts' places still open."""
        return self._texts[key]


answer_words = Wording(Path(__file__).with_name("wording.toml"))
"""What questions say of answers."""


class WrongAnswer(ValueError):
    """An answer that a question does not take, with what it does, by a key of `wording.toml`."""

    def __init__(self, key: str, /, **facts: object) -> None:
        self.words = answer_words(key, **facts)
        super().__init__(self.words["en"])
