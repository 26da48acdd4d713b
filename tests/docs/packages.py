"""A package in a folder, made importable with what it registers, as `pip install -e` leaves it."""

from __future__ import annotations

import tomllib
from pathlib import Path

SITE = "site"
"""The folder of such packages beside a reader's own."""


def put_package(project: Path, site: Path) -> None:
    """Puts a project's packages and its entry points into a folder of `PYTHONPATH`."""
    about = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    name, version = about["name"], about["version"]
    info = site / f"{name}-{version}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    registered = (
        f"[{group}]\n" + "".join(f"{one} = {place}\n" for one, place in named.items())
        for group, named in about.get("entry-points", {}).items()
    )
    (info / "entry_points.txt").write_text("\n".join(registered))
    for package in project.glob("*/__init__.py"):
        link = site / package.parent.name
        link.unlink(missing_ok=True)
        link.symlink_to(package.parent.resolve())
