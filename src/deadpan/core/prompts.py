"""Prompts: one plain-text file per task and language, `prompts/<language>/<task>.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_there, read_text
from deadpan.core.questions import Language
from deadpan.core.signature import checksum

SYSTEM = "system"


@dataclass(frozen=True)
class Prompts:
    """A task's system and user prompts per language, and their checksum."""

    system: Mapping[Language, str]
    user: Mapping[Language, str]

    @classmethod
    def read(
        cls, folder: Path, task: str, languages: tuple[Language, ...], override: Path | None = None
    ) -> Prompts:
        """Prompts from the benchmark's folder; a file of the same name in `override` wins."""
        if override is not None:
            _check_override(folder, override)
        return cls(
            system={code: _text(folder, override, code, SYSTEM) for code in languages},
            user={code: _text(folder, override, code, task) for code in languages},
        )

    @property
    def checksum(self) -> str:
        return checksum({"system": dict(self.system), "user": dict(self.user)})


def _text(folder: Path, override: Path | None, language: str, name: str) -> str:
    own = override / language / f"{name}.txt" if override else None
    return read_text(own if own and is_there(own) else folder / language / f"{name}.txt").strip()


def _check_override(folder: Path, override: Path) -> None:
    if not is_folder(override):
        raise InputError(override, "no such folder", "Give a folder like prompts/en/<task>.txt.")
    known = {path.relative_to(folder) for path in folder.glob("*/*.txt")}
    given = {path.relative_to(override) for path in override.rglob("*.txt")}
    if stray := sorted(str(path) for path in given - known):
        expected = ", ".join(sorted(str(path) for path in known))
        raise InputError(override, f"unknown prompt file {stray[0]}", f"Expected: {expected}.")
    if not given:
        raise InputError(override, "holds no prompt file", "Give files like en/style.txt.")
