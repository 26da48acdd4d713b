"""Prints the licences of the packages that Deadpan needs, as the table of THIRD_PARTY.md.

python scripts/dependency_licences.py      # what is not installed is asked of the package registry
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
LEFT_OUT = ("all", "bench", "docs", "test")
"""Extras of which nobody has to know who uses the package."""
UNSTATED = "not stated in its metadata"
BY_TEXT = {"Apache License Version 2.0": "Apache-2.0", "MIT License": "MIT"}
CLASSIFIER = "License :: OSI Approved :: "


def needed(project: Mapping[str, Any] = PROJECT["project"]) -> dict[str, list[str]]:
    """Each package, in the order of the alphabet, and the extras that need it; `core` is one."""
    extras = {"core": project["dependencies"], **project["optional-dependencies"]}
    found: dict[str, list[str]] = {}
    for extra, lines in extras.items():
        for line in lines if extra not in LEFT_OUT else ():
            name = re.split(r"[^\w.-]", line)[0]
            if name != "deadpan" and extra not in found.setdefault(name, []):
                found[name].append(extra)
    return dict(sorted(found.items()))


def licence(expression: str | None, words: str | None, classifiers: Iterable[str]) -> str:
    """A licence by what a package says of itself, the exact first."""
    approved = [one.removeprefix(CLASSIFIER) for one in classifiers if one.startswith(CLASSIFIER)]
    first = (words or "").strip().splitlines()[:1]
    said = expression or ", ".join(approved) or (first[0] if first else "")
    return said.replace("|", "/")[:80] or UNSTATED


def about(name: str) -> tuple[str, str]:
    """Version and licence of a package: as it is installed, else as the registry has it."""
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return _asked(name)
    said = licence(told["License-Expression"], told["License"], told.get_all("Classifier", []))
    return told["Version"], _by_file(name) if said == UNSTATED else said


def _by_file(name: str) -> str:
    """A licence by the file of it that a package brings, where its metadata say nothing."""
    for path in metadata.files(name) or []:
        if re.match(r"LICEN[CS]E", path.name):
            text = " ".join(path.read_text(encoding="utf-8").split())
            for start, said in BY_TEXT.items():
                if start in text[:200]:
                    return f"{said}, by its licence file"
    return UNSTATED


def _asked(name: str) -> tuple[str, str]:
    options = ["--dry-run", "--no-deps", "--ignore-installed", "--quiet", "--report", "-"]
    command = [sys.executable, "-m", "pip", "install", *options, name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)["install"][0]["metadata"]
    expression = told.get("license_expression")
    return told["version"], licence(expression, told.get("license"), told.get("classifier", []))


def table() -> str:
    """The table in Markdown."""
    lines = [
        "| package | needed by | licence | looked at in version |",
        "| --- | --- | --- | --- |",
    ]
    for name, extras in needed().items():
        version, said = about(name)
        lines.append(f"| {name} | {', '.join(extras)} | {said} | {version} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
