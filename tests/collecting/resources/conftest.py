"""A small registry on disk, a catalogue of what it holds, and a cache of the test's own."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from deadpan.base.resources import entries, storage
from deadpan.base.resources.entries import File, Hub, Resource, Wheel
from deadpan.cli import resources as command

LEXICON = b'{"happy": ["joy"]}'
MODEL = {"config.json": b"{}", "1_Pooling/config.json": b'{"mean": true}'}


def described(content: bytes) -> File:
    return File(sha256=hashlib.sha256(content).hexdigest(), size=len(content))


WORDS = Resource(
    name="words",
    purpose="test lexicon",
    version="1.0",
    licence="CC0",
    origin="https://example.org/words",
    shape="file",
    source=Wheel(kind="wheel", package="toy-words", release="1.0", folder="toy_words/data"),
    files={"words.json": described(LEXICON)},
)
ENCODER = WORDS.model_copy(
    update={
        "name": "encoder",
        "purpose": "test model",
        "shape": "folder",
        "source": Wheel(kind="wheel", package="toy-words", release="1.0", folder="toy_words/model"),
        "files": {name: described(content) for name, content in MODEL.items()},
    }
)
REMOTE = WORDS.model_copy(
    update={
        "name": "remote",
        "version": "abc123",
        "shape": "folder",
        "source": Hub(
            kind="hub",
            repository="toy/remote",
            revision="abc123def",
            patterns=("*.json", "model.bin"),
            needs=("config.json", "model.bin"),
        ),
        "files": {},
    }
)


def write_wheel(path: Path, members: dict[str, bytes]) -> Path:
    """A wheel that pip takes, with these members and one that leads out of the folder."""
    info = "toy_words-1.0.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        archive.writestr("../../escaped.txt", b"out")
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: toy-words\nVersion: 1.0\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return path


def members(lexicon: bytes = LEXICON) -> dict[str, bytes]:
    model = {f"toy_words/model/{name}": content for name, content in MODEL.items()}
    return {"toy_words/data/words.json": lexicon, "toy_words/setup.py": b"boom", **model}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where resources go in this test."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("DEADPAN_CACHE", str(folder))
    return folder / "resources"


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy resources in place of ours."""
    for module in (entries, storage, command):
        monkeypatch.setattr(module, "catalogue", lambda: (WORDS, ENCODER, REMOTE))


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for the only registry; it holds the toy wheel."""
    folder = tmp_path / "registry"
    folder.mkdir()
    write_wheel(folder / "toy_words-1.0-py3-none-any.whl", members())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder
