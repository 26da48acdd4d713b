"""Words in both languages, and what all parts of a specification have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints

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


Words = Annotated[dict[Language, str], BeforeValidator(_in_english)]
"""What is said in each language; text alone is English."""


def _as_written(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


Label = Annotated[str, BeforeValidator(_as_written)]
"""What is chosen, as it stands in files: a number is one too."""


def twice(labels: Sequence[str]) -> str | None:
    """The first label that is there twice; None where none is."""
    return next((one for at, one in enumerate(labels) if one in labels[:at]), None)


def in_language(words: Mapping[Language, str], language: Language) -> str:
    """What is said in a language; in the other where it is not, and nothing where in none."""
    return words.get(language) or next(iter(words.values()), "")


class Frozen(BaseModel):
    """A part of a study: fixed, and without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class WrongAnswer(ValueError):
    """An answer that a question does not take, with what it does in both languages."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.words: dict[Language, str] = {"en": en, "zh": zh}
