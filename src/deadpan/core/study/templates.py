"""Studies that a benchmark's paper describes, ready to be made from data or from results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import polars as pl

from deadpan.base.errors import DeadpanError, WrongReturn, meant, told_value
from deadpan.core.dataset import Dataset
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.words import Words


@dataclass(frozen=True)
class TemplateOption:
    """What may be chosen of a template (`--set NAME=VALUE`): a number, or one of the `values`.
    `paper` says what the paper has, or that it is silent."""

    name: str
    default: str
    about: str
    values: tuple[str, ...] = ()
    paper: str = ""

    def read(self, value: str) -> str:
        """The value; one that is neither among the values nor a number like the default raises."""
        if self.values:
            if value not in self.values:
                known = ", ".join(self.values)
                hint = meant(value, self.values)
                raise DeadpanError(f"--set {self.name}={value}: expected one of {known}{hint}")
        elif self.default.replace(".", "", 1).isdecimal():
            try:
                number = float(value)
            except ValueError:
                number = -1
            if number < 0 or ("." not in self.default and not number.is_integer()):
                raise DeadpanError(f"--set {self.name}={value}: expected a number, 0 or more")
        return value


@dataclass(frozen=True)
class StudySource:
    """What a study is made from: the benchmark's data, and models' answers where it rates them, as
    rows of the results table. `seed` decides everything that is drawn."""

    dataset: Dataset[Any]
    table: pl.DataFrame | None = None
    seed: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)
    """The template's options, each with its value."""

    def number(self, name: str, least: int = 0) -> int:
        """An option as a whole number; one below the least raises."""
        number = int(float(self.settings[name]))
        if number < least:
            raise DeadpanError(f"--set {name}={number}: expected {least} or more")
        return number

    def share(self, name: str) -> float:
        """An option as a share; one above 1 raises."""
        share = float(self.settings[name])
        if not 0 <= share <= 1:
            raise DeadpanError(f"--set {name}={self.settings[name]}: expected 0 to 1")
        return share


@dataclass(frozen=True)
class MadeStudy:
    """A study and its items, and what is worth knowing of how they were chosen."""

    study: Study
    items: Sequence[StudyItem]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class StudyTemplate:
    """One study of a benchmark's paper."""

    name: str
    """What stands behind the slash: `deadpan study create BENCHMARK/NAME`."""
    title: Words
    source: Literal["data", "results", "data or results"]
    """Whether it is about the data, or about models' answers to it; or about the data, with answers
    where there are some."""
    make: Callable[[StudySource], MadeStudy]
    """The study and its items."""
    options: tuple[TemplateOption, ...] = ()
    """What may be chosen with `--set`."""
    about: str = ""
    """What people do in it, in a sentence."""
    write: Callable[[StudyExport, Path], Sequence[Path]] | None = None
    """Writes what came out in the benchmark's own form into a folder, and returns the files."""
    datasheet: Callable[[StudyExport], Sequence[str]] | None = None
    """Lines of Markdown for the datasheet that goes along with that."""

    def made_from(self, source: StudySource) -> MadeStudy:
        """What `make` makes of it; what is no study with its items raises."""
        made: object = self.make(source)
        if not isinstance(made, MadeStudy):
            raise WrongReturn(self.make, told_value(made), "a MadeStudy(study, items)")
        return made

    @property
    def takes_results(self) -> bool:
        """Whether it may be made from models' answers."""
        return self.source != "data"

    def settings(self, given: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value; an unknown one raises with those there are."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                expected = ", ".join(known) or "none"
                raise DeadpanError(f"--set {name}: expected {expected}{meant(name, known)}")
        chosen = {name: option.default for name, option in known.items()}
        return chosen | {name: known[name].read(value) for name, value in given.items()}
