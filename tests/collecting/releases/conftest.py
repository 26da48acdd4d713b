"""A hub with MER-Bench's or ViMU's mini-set on it, and a folder to fetch it into."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.benchmarks import find
from deadpan.collecting.releases import Gotten, Selection, Watcher, get_release
from tests.collecting.releases.stand_in_hub import StandInHub, mini_set


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[StandInHub]:
    """MER-Bench as it is released: memes, and what models made of them."""
    pytest.importorskip("huggingface_hub")
    for name in ("HF_TOKEN", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    files = {
        name: data
        for name, data in mini_set("merbench").items()
        if name.startswith(("index", "Original", "EditedResults/caption/"))
    }
    files |= {"README.md": b"---\nlicense: mit\n---\n", ".gitattributes": b"*.png filter=lfs\n"}
    files["EditedResults/Odd [1]/1.png"] = files["Original/1.png"]
    with StandInHub("LeoReverse/17nie", files) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.address)
        yield running


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def get(tmp_path: Path, said: list[str]) -> object:
    """Fetches MER-Bench, or another, into a folder of the test."""

    def run(
        *only: str,
        models: tuple[str, ...] = (),
        revision: str | None = None,
        name: str = "merbench",
        folder: Path | None = None,
        private: bool = True,
    ) -> Gotten:
        wanted = Selection(only, models, revision, private)
        watcher = Watcher(said.append)
        return get_release(find(name), folder or tmp_path / "data", wanted, watcher)

    return run
