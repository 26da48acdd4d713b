"""A release, written once for all tests that only look at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.benchmarks.cfms import CFMS
from deadpan.curate.release import Material, write_release
from tests.curate.release.drawn_release import BUILDING, material_in


@pytest.fixture(scope="package", autouse=True)
def _building() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CFMS, "building", BUILDING, raising=False)
        yield


@pytest.fixture(scope="package")
def material(_building: None, tmp_path_factory: pytest.TempPathFactory) -> Material:
    return material_in(tmp_path_factory.mktemp("work"))


@pytest.fixture(scope="package")
def release(material: Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released") / "office-cats"
    write_release(material, folder)
    return folder


@pytest.fixture
def drawn_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plots that take no time, where a test is about something else."""
    monkeypatch.setattr("deadpan.curate.release.plot_svg", lambda spec: "<svg/>")
    monkeypatch.setattr("deadpan.curate.release.plot_png", lambda spec: b"png")
