"""Where a benchmark's data is released, under which licence, and what was tried on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class HubData:
    """A data set on the Hugging Face hub that lies there as it is read. Patterns are of paths:
    what a question needs, and what is shown; `by_model` is where answers of `{model}` lie."""

    repository: str
    annotations: tuple[str, ...]
    media: tuple[str, ...]
    by_model: str = ""
    revision: str = "main"
    """A branch, tag or commit. The commit that it is at the first download is kept."""

    def __str__(self) -> str:
        return f"Hugging Face data set {self.repository}"


@dataclass(frozen=True)
class RepositoryData:
    """Files in a folder of a repository on GitHub, with their SHA-256 at that revision. Media are
    not in it, and are fetched from where it says."""

    repository: str
    folder: str
    files: Mapping[str, str]
    revision: str

    def __str__(self) -> str:
        return f"GitHub repository {self.repository}"


Source = HubData | RepositoryData


@dataclass(frozen=True)
class Release:
    """What there is of a benchmark's data. `source` is where `deadpan data get` gets it from; where
    nothing is released, `instead` says what to do."""

    licence: str
    """As far as it is known: `not stated` where it is not."""
    tried: str
    """What was tried on the released data, and what on the mini-set only."""
    source: Source | None = None
    instead: str = ""
    note: str = ""
    """What else to know before it is fetched: who owns the media."""
    where: str = ""
    """In words; by default the source."""

    @property
    def place(self) -> str:
        """Where it is released, in words."""
        return self.where or (str(self.source) if self.source else "no release is known")
