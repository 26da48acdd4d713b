"""Every package that the source imports is declared, in the dependencies or in an extra."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from deadpan.cli import listing

ROOT = Path(__file__).parents[1]
OTHERWISE = {
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "av": "av",
    "yaml": "pyyaml",
    "ppi_py": "ppi-python",
}
"""Modules that are not called like their packages, for machines without them."""


def imported(folder: Path) -> dict[str, Path]:
    """The foreign modules that are imported anywhere, and where."""
    found: dict[str, Path] = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            found |= {name.partition(".")[0]: path for name in names}
    known = {*sys.stdlib_module_names, "deadpan", "minisets", "tests"}
    return {name: path for name, path in found.items() if name not in known}


def test_every_import_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in extras for one in extras[name])]
    declared = {re.split(r"[^\w.-]", one)[0].lower().replace("_", "-") for one in wanted}
    distributions = packages_distributions()
    undeclared = {}
    for name, path in imported(ROOT / "src").items():
        known = distributions.get(name, [OTHERWISE.get(name, name)])
        if not {one.lower().replace("_", "-") for one in known} & declared:
            undeclared[name] = str(path.relative_to(ROOT))
    assert undeclared == {}


def test_the_list_knows_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - {"all", "bench", "docs", "test"}
    assert set(listing.EXTRAS) == extras
