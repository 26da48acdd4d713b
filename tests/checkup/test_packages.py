"""What is declared is compared with what is here, and broken packages are told with the reason."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from deadpan.base.extras import EXTRAS
from deadpan.checkup import packages
from deadpan.checkup.findings import Finding
from deadpan.checkup.imports import Imported

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))[
    "project"
]
NEEDS = ["polars>=1.20", "oldone>=2", "goneone>=1; extra == 'text'", "oldone<9; extra == 'web'"]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages with oldone 1.0, and a Deadpan that needs newer ones."""
    (tmp_path / "oldone.py").write_text("")
    told = tmp_path / "oldone-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: oldone\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(metadata, "requires", lambda name: NEEDS)
    return tmp_path


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What fails on import; nothing is really imported."""
    faults: dict[str, str] = {}

    def import_each(modules: Sequence[str]) -> Iterator[tuple[str, Imported]]:
        return ((one, Imported(faults.get(one))) for one in modules)

    monkeypatch.setattr(packages, "import_each", import_each)
    return faults


def found(extras: dict[str, tuple[str, ...]] | None = None) -> dict[tuple[str, str], Finding]:
    told = packages.package_findings({"text": (), "web": ()} if extras is None else extras)
    return {(one.name, one.state): one for one in told}


def test_versions_that_are_too_old_are_told(installed: Path, broken: dict[str, str]) -> None:
    told = found()
    assert told["oldone", "broken"].text == "oldone 1.0 is here; >=2 is needed"
    assert told["oldone", "broken"].fix == ('pip install "oldone>=2"',)
    assert told["text", "missing"].text == "goneone"
    assert told["text", "missing"].fix == ('pip install "deadpan[text]"',)
    assert told["web", "ok"].text == "oldone 1.0"


def test_an_extra_that_was_never_installed_is_missing_whatever_came_with_others(
    installed: Path, broken: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = [*NEEDS, "oldone<1; extra == 'text'"]
    monkeypatch.setattr(metadata, "requires", lambda name: needs)
    told = found()["text", "missing"]
    assert told.text == "goneone; oldone 1.0 is here; <1 is needed"
    assert told.fix == ('pip install "deadpan[text]"',)


def test_packages_that_fail_on_import_are_told_with_the_reason(
    installed: Path, broken: dict[str, str]
) -> None:
    broken |= {"polars": "ImportError: libGL.so.1: cannot open shared object file", "oldone": "no"}
    told = found()
    assert "libGL.so.1: cannot open" in told["polars", "broken"].text
    assert told["polars", "broken"].fix[0].startswith("apt-file search libGL.so.1 ")
    assert told["web", "broken"].text == "oldone 1.0 does not import: no"
    assert told["web", "broken"].fix == ('pip install --force-reinstall "oldone<9"',)


def test_metadata_that_cannot_be_read_is_told(installed: Path, broken: dict[str, str]) -> None:
    (installed / "oldone-1.0.dist-info" / "METADATA").write_text("")
    assert "metadata cannot be read" in found()["oldone", "broken"].text
    (installed / "oldone-1.0.dist-info" / "METADATA").write_text("Name: oldone\nVersion: ölf\n")
    assert found()["oldone", "broken"].state == "broken"


def test_a_package_that_is_run_from_a_folder_is_compared_by_modules(
    monkeypatch: pytest.MonkeyPatch, broken: dict[str, str]
) -> None:
    def gone(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", gone)
    told = found({"text": ("json", "no_such_module"), "web": ("json",)})
    assert told["text", "missing"].text == "no_such_module (here: json here)"
    assert told["web", "ok"] and told["packages", "note"]
    broken["deadpan.api"] = "SyntaxError: odd"
    assert "SyntaxError: odd" in found({})["deadpan", "broken"].text


def test_gpus_are_those_that_torch_sees(monkeypatch: pytest.MonkeyPatch, installed: Path) -> None:
    def gpu(torch: Imported | None) -> Finding:
        return packages._gpus({} if torch is None else {"torch": torch})

    assert "not looked for" in gpu(None).text and gpu(None).fix
    assert gpu(Imported()).state == "note"
    assert gpu(Imported("ImportError")).state == "note"
    assert gpu(Imported(gpus=("H200, 139 GiB",))).text == "H200, 139 GiB"


def test_every_package_that_is_declared_and_here_has_the_module_that_is_tried() -> None:
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for name in EXTRAS for line in extras[name])]
    for name in {Requirement(line).name for line in lines} - {"deadpan"}:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        assert find_spec(packages.module_of(name)) is not None, name


def test_the_python_of_this_test_is_one_that_was_tried(broken: dict[str, str]) -> None:
    tried = [one for one in PROJECT["classifiers"] if one.startswith(packages._PYTHONS)]
    mine = f"{packages._PYTHONS}{sys.version_info.major}.{sys.version_info.minor}"
    assert mine in tried
