"""What is off in a wheel or a source distribution is found; and what an index page shows of us."""

from __future__ import annotations

import importlib.util
import io
import re
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SOURCES = {"src/deadpan/a.py", "src/deadpan/data/LICENSE-b.txt", "LICENSE", "tests/test_a.py"}
PROJECT = {"license-files": ["LICENSE", "src/deadpan/data/LICENSE-*.txt"]}
INFO = "deadpan-1.dist-info"
POINTS = (
    "[console_scripts]\ndeadpan = deadpan.cli:main\n"
    "[inspect_ai]\ndeadpan = deadpan.engine.registry\n"
)
ABOUT = "Metadata-Version: 2.4\nName: deadpan\nRequires-Dist: polars\n"


def _script() -> Any:
    path = ROOT / "scripts" / "check_distribution.py"
    spec = importlib.util.spec_from_file_location("check_distribution", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = _script()


def wheel(folder: Path, **changed: str | None) -> Path:
    """A wheel of two files; what is changed is by the end of the file's name."""
    files: dict[str, str | None] = {
        "deadpan/a.py": "",
        "deadpan/data/LICENSE-b.txt": "",
        f"{INFO}/METADATA": f"{ABOUT}\n{'All of it in words. ' * 60}",
        f"{INFO}/entry_points.txt": POINTS,
        f"{INFO}/licenses/LICENSE": "",
        f"{INFO}/licenses/src/deadpan/data/LICENSE-b.txt": "",
        **changed,
    }
    path = folder / "deadpan-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            if text is not None:
                archive.writestr(name, text)
    return path


def sdist(folder: Path, *names: str) -> Path:
    path = folder / "deadpan-1.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(f"deadpan-1/{name}"), io.BytesIO())
    return path


def test_a_sound_wheel_has_no_problems(tmp_path: Path) -> None:
    assert list(CHECK.wheel_problems(wheel(tmp_path), SOURCES, PROJECT)) == []
    assert "0.0 MB (code and its texts" in CHECK.described(wheel(tmp_path))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"deadpan/a.py": None}, "deadpan/a.py is missing"),
        ({"tests/test_a.py": ""}, "tests/test_a.py does not belong there"),
        ({"deadpan/stray.json": ""}, "deadpan/stray.json does not belong there"),
        ({f"{INFO}/licenses/LICENSE": None}, "the licence file LICENSE is missing"),
        (
            {f"{INFO}/entry_points.txt": "[console_scripts]\n"},
            "no entry point deadpan = deadpan.cli",
        ),
        ({f"{INFO}/METADATA": f"{ABOUT}Requires-Dist: torch>=2\n\n{'a' * 2000}"}, "needs torch>=2"),
        ({f"{INFO}/METADATA": f"{ABOUT}\nshort"}, "no long description"),
        (
            {f"{INFO}/METADATA": f"{ABOUT}\n{'a ' * 999}[page](docs/page.md)"},
            "](docs/page.md) leads nowhere",
        ),
        (
            {f"{INFO}/METADATA": f'{ABOUT}\n{"a " * 999}<img src="docs/a.png">'},
            'src="docs/a.png" leads nowhere',
        ),
    ],
)
def test_what_is_off_in_a_wheel_is_named(
    tmp_path: Path, changed: dict[str, str | None], said: str
) -> None:
    problems = list(CHECK.wheel_problems(wheel(tmp_path, **changed), SOURCES, PROJECT))
    assert any(said in line for line in problems), problems


def test_a_wheel_that_is_too_large_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CHECK, "WHEEL_LIMIT", 100)
    (problem,) = CHECK.wheel_problems(wheel(tmp_path), SOURCES, PROJECT)
    assert problem.startswith("wheel takes")


def test_what_is_off_in_a_source_distribution_is_named(tmp_path: Path) -> None:
    include = ["/src", "/tests", "/*.md", "/LICENSE"]
    whole = ["src/deadpan/a.py", "src/deadpan/data/LICENSE-b.txt", "tests/test_a.py", *CHECK.PAGES]
    sources = {*whole, "bench/a.py"} - {"PKG-INFO"}
    assert list(CHECK.sdist_problems(sdist(tmp_path, *whole), sources, include)) == []
    whole.remove("tests/test_a.py")
    found = CHECK.sdist_problems(sdist(tmp_path, *whole, "data/secret.csv"), sources, include)
    assert list(found) == [
        "sdist: tests/test_a.py is missing",
        "sdist: data/secret.csv does not belong there",
    ]


@pytest.mark.parametrize("name", ["mkdocs.yml", ".pre-commit-config.yaml"])
def test_what_the_documentation_is_built_by_is_in_the_source_distribution(
    tmp_path: Path, name: str
) -> None:
    assert f"/{name}" in WRITTEN["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    held = [one for one in CHECK.PAGES if one != name]
    found = CHECK.sdist_problems(sdist(tmp_path, *held), set(CHECK.PAGES), [])
    assert list(found) == [f"sdist: {name} is missing"]


def test_an_index_page_has_no_link_that_leads_nowhere() -> None:
    hook = WRITTEN["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    text = (ROOT / "README.md").read_text("utf-8")
    odd = (
        "![a](docs/a.png)\n[![b](docs/b.svg)](docs/b.md) [c `d`](e.md#f) [g](#h) <img src='i'>\n"
        '<picture><source srcset="j"><img src="k"></picture> <a href="l">m</a>\n'
        '[n](https://example.org) ![o](https://example.org/o.png) <img src="https://example.org">'
    )
    for one in hook["substitutions"]:
        text, odd = (re.sub(one["pattern"], one["replacement"], given) for given in (text, odd))
    assert CHECK.RELATIVE.findall(text) == []
    assert CHECK.RELATIVE.findall(odd) == []
    assert odd.count("https://example.org") == 3 and "c `d`" in odd and " m" in odd


def test_every_licence_file_that_is_declared_is_there() -> None:
    sources = CHECK.tracked(ROOT)
    for pattern in WRITTEN["project"]["license-files"]:
        assert CHECK.licences(sources, {"license-files": [pattern]}), pattern


def test_without_git_the_files_are_those_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "__pycache__").mkdir(parents=True)
    (tmp_path / "a" / "__pycache__" / "b.pyc").write_text("")
    (tmp_path / "a" / "b.py").write_text("")
    assert CHECK.tracked(tmp_path) == {"a/b.py"}
